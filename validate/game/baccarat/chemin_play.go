package baccarat

import (
	"vision/validate/finding"
	"vision/validate/game/table"
	"vision/validate/round"
)

// play judges dealing, drawing and calls, and decides the round.
func (g *chemin) play() {
	g.punto.abate = g.abateFix || g.abates(g.punto, g.spoke)
	g.banca.abate = g.abates(g.banca, len(g.Events)) || g.banca.natural() && g.abateSaid("banca") < g.thirds
	g.counts()
	g.dealing()
	g.drawing()
	g.decide()
	g.playCalls()
}

// counts settles which of too many cards count.
func (g *chemin) counts() {
	b, p := g.banca, g.punto
	if c := b.cards; g.three {
		g.bancaFree = true
		g.Count(c[2].Event, "banca", 2, 3)
		b.value, b.two = -1, -1
		if g.Seen("banca") {
			b.value = g.points(c[3:])
		}
	} else if len(c) > 3 {
		g.Count(c[3].Event, "banca", 3, len(c))
		b.value, b.cards = g.pick(c, func(a, best int) bool { return a < best })
	}
	if c := p.cards; len(c) > 3 {
		g.Count(c[3].Event, "punto", 3, len(c))
		value, cards := g.pick(c, func(a, best int) bool { return a > best })
		p.cards = cards
		if !p.fixed {
			p.value = value
		}
	}
}

// pick chooses the third card that gives the better score of too many.
func (g *chemin) pick(c []table.Dealt, better func(a, best int) bool) (int, []table.Dealt) {
	best, at := -1, 2
	for k := 2; k < len(c); k++ {
		v := g.points([]table.Dealt{c[0], c[1], c[k]})
		if v < 0 {
			return -1, c[:3:3]
		}
		if best < 0 || better(v, best) {
			best, at = v, k
		}
	}
	return best, []table.Dealt{c[0], c[1], c[at]}
}

func (g *chemin) dealing() {
	if !g.anyOrder {
		if i := g.DealOrder([]string{"punto", "banca", "punto", "banca"}); i >= 0 {
			g.At(i, finding.DealOrderWrong)
		}
	}
	for _, zone := range []string{"punto", "banca"} {
		g.Faces(zone, "down", 0, 2)
		from := 2
		if g.three && zone == "banca" {
			from = 3
		}
		g.Faces(zone, "up", from, len(g.Zones[zone]))
	}
	if i := g.bankerEarly(); i >= 0 {
		g.Add(round.Finding{Code: finding.AnnouncementOrder, Event: i, Rule: g.Cite("irregular")})
	}
}

// drawing judges the third cards.
func (g *chemin) drawing() {
	p, b := g.punto, g.banca
	if g.forced != "" {
		return
	}
	if p.abate || b.abate {
		if !g.puntoFree {
			g.checkDraw(p, g.must(p, 'P'))
		}
		if !g.bancaFree {
			g.checkDraw(b, g.must(b, 'P'))
		}
		return
	}
	if !g.puntoFree && p.two >= 0 && !(g.libre && g.s.Any("banco")) {
		g.checkDraw(p, g.draw.punto(p.two))
	}
	if !g.bancaFree && b.two >= 0 {
		g.checkDraw(b, g.bancaMust())
	}
}

// must keeps a prohibition that holds whatever the cards are.
func (g *chemin) must(h *baccarat, letter byte) byte {
	if h.drew() || len(h.cards) == 2 {
		return letter
	}
	return 'O'
}

// bancaMust: 0 always draws; the cuadro binds where it was asked for or imposed.
func (g *chemin) bancaMust() byte {
	b := g.banca
	if g.bancaBest {
		switch b.two {
		case 0:
			return 'T'
		case 7:
			return 'P'
		}
		return 'O'
	}
	if b.two == 0 {
		return 'T'
	}
	third, known := g.third(g.punto)
	if !g.binds || !known {
		return 'O'
	}
	letter := g.draw.banca(b.two, third)
	if letter == 'O' && g.drawFree && b.two < len(g.draw.Banca) {
		return 'T'
	}
	return letter
}

func (g *chemin) decide() {
	p, b := g.punto, g.banca
	result := map[string]any{}
	switch {
	case g.forced != "":
		g.winner = g.forced
	case p.known() && b.known():
		g.winner = winner(p.value, b.value)
		if p.two == 9 && !p.drew() && !p.fixed && !p.abate && g.spoke < len(g.Events) && b.abate && b.two == 8 {
			g.winner = "banca" // he lost the right to abate
		}
	}
	points := map[string]int{}
	for _, h := range []*baccarat{p, b} {
		if len(g.Zones[h.zone]) > 0 || h.fixed {
			g.Hand(h.zone, h.value, g.category(h))
		}
		if h.known() {
			points[h.zone] = h.value
		}
	}
	if g.winner != "" {
		result["winner"] = g.winner
	}
	if g.forced == "" && len(points) > 0 {
		result["points"] = points
	}
	g.Verdict.Result = result
}

func (g *chemin) category(h *baccarat) string {
	switch {
	case !h.known():
		return ""
	case h.zone == "punto" && g.abateFix, h.natural() && !h.drew():
		return "natural"
	}
	return "points"
}

func (g *chemin) playCalls() {
	if len(g.Order) == 0 {
		return
	}
	for i, e := range g.Calls("puntos", "") {
		h := g.punto
		switch e.Zone {
		case "banca":
			h = g.banca
		case "punto":
		default:
			continue
		}
		value := h.value
		if now := g.CardsAt(e.Zone, i); !h.fixed && len(now) < len(g.Zones[e.Zone]) {
			value = g.points(now)
		}
		g.PointsTrue(i, e, value)
	}
	g.WinnerTrue(g.winner)
	abated := g.punto.abate || g.banca.abate
	judged := g.forced == "" && !g.bancaBest && g.punto.known()
	if g.Mandatory("carta") && judged && !abated && g.spoke >= g.thirds {
		g.Missing("carta", "punto")
	}
}

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
