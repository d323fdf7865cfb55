package baccarat

import (
	"vision/validate/finding"
	"vision/validate/game/table"
	"vision/validate/round"
)

// irregularities reads what slips do to the round (VIII of the norms).
func (g *chemin) irregularities() {
	g.Incidents("card_exposed", func(_ int, e *round.Event) {
		if e.Zone == "punto" && e.Count == 2 && (e.By == round.Croupier || e.By == round.Banquero) {
			g.binds = true
			g.drawFree = g.drawFree || e.By == round.Croupier
		}
	})
	g.Incidents("advice", func(int, *round.Event) { g.binds = true })
	g.Incidents("card_into_basket", g.basket)
	g.Incidents("croupier_carta_error", g.cartaError)
	g.Incidents("fifth_card", func(int, *round.Event) {
		g.bancaFree = true
		if len(g.banca.cards) != 3 {
			g.ZoneAt(g.Last, finding.IrregularityIgnored, "banca")
		}
	})
}

// basket: a card that fell into the basket unseen.
func (g *chemin) basket(i int, e *round.Event) {
	fix := func() { g.punto.value, g.punto.fixed = 9, true }
	switch {
	case e.By == round.Banquero && e.Zone == "banca":
		g.forced, g.anyOrder = "punto", true
	case e.By == round.Player && e.Zone == "punto":
		g.forced, g.anyOrder = "banca", true
	case e.By != round.Banquero || e.Zone != "punto":
	case e.CardNo == 3:
		fix()
		g.bancaBest, g.puntoFree = true, true
	case len(g.CardsAt("punto", i)) < 2 || i < g.thirds:
		fix()
		g.abateFix, g.anyOrder = true, true
		g.spoke = min(g.spoke, i)
	}
}

// cartaError: the croupier drew for a punto who had said no. With 0 to 5 the
// bank takes the first card; everything else is discarded.
func (g *chemin) cartaError(i int, e *round.Event) {
	g.puntoFree, g.bancaFree = true, true
	if g.banca.two < 0 {
		return
	}
	k := 0
	for j := i + 1; j < len(g.Events) && k < max(1, e.Count); j++ {
		if g.Events[j].Type != round.CardDealt {
			continue
		}
		want := table.Discard
		if k == 0 && g.banca.two <= 5 {
			want = "banca"
		}
		if g.Events[j].Zone != want {
			g.ZoneAt(j, finding.IrregularityIgnored, g.Events[j].Zone)
			return
		}
		k++
	}
	if k < e.Count { // a card that was drawn lies nowhere
		g.At(g.Last, finding.IrregularityIgnored)
	}
}
