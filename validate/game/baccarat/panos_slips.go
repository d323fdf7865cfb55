package baccarat

import (
	"vision/validate/round"
)

// irregularities reads what slips do to the round (VIII of the norms).
func (g *panos) irregularities() {
	g.Incidents("card_into_basket", g.basket)
	g.Incidents("card_exposed", func(_ int, e *round.Event) {
		if g.clothOf(e.Zone) != nil && e.Count == 2 {
			g.exposed(e.By)
		}
	})
	g.Incidents("wrong_cloth_card", func(_ int, e *round.Event) { g.exposed(e.By) })
}

// exposed: the cuadro binds if it says the same for both cloths; otherwise the
// bank is free, or plays by the threshold when the banker himself did it.
func (g *panos) exposed(by string) {
	g.cuadro = true
	g.threshold = g.threshold || by == round.Banquero
}

func (g *panos) clothOf(zone string) *cloth {
	for _, c := range g.cloths {
		if c.zone == zone {
			return c
		}
	}
	return nil
}

// basket: a card fell into the basket, or a hand was thrown into it unshown. A third
// card is picked up again, and the round goes on.
func (g *panos) basket(_ int, e *round.Event) {
	thrown := e.Thrown != nil && *e.Thrown
	c := g.clothOf(e.Zone)
	dealer := e.By == round.Croupier || e.By == round.Banquero
	switch {
	case c != nil && e.By == round.Player:
		c.thrown, c.value, c.fixed = true, 0, true
	case c != nil && dealer && e.CardNo != 3:
		c.void = true
	case e.Zone == "banca" && e.By == round.Banquero && thrown:
		g.thrown, g.banca.value, g.banca.fixed = true, 0, true
	case e.Zone == "banca" && dealer && e.CardNo != 3:
		g.voidRound = true
	}
}
