package points

import (
	"vision/validate/finding"
	"vision/validate/round"
)

// irregularities reads what slips do to the round (VIII of the norms).
func (g *chemin) irregularities() {
	g.incidents("card_exposed", func(_ int, e *round.Event) {
		if e.Zone == "punto" && e.Count == 2 && (e.By == round.Croupier || e.By == round.Banquero) {
			g.binds = true
			g.drawFree = g.drawFree || e.By == round.Croupier
		}
	})
	g.incidents("advice", func(int, *round.Event) { g.binds = true })
	g.incidents("card_into_basket", g.basket)
	g.incidents("croupier_carta_error", g.cartaError)
	g.incidents("fifth_card", func(int, *round.Event) {
		g.bancaFree = true
		if len(g.banca.cards) != 3 {
			g.zoneAt(g.last, finding.IrregularityIgnored, "banca")
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
	case len(g.cardsAt("punto", i)) < 2 || i < g.thirds:
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
	for j := i + 1; j < len(g.ev) && k < max(1, e.Count); j++ {
		if g.ev[j].Type != round.CardDealt {
			continue
		}
		want := discard
		if k == 0 && g.banca.two <= 5 {
			want = "banca"
		}
		if g.ev[j].Zone != want {
			g.zoneAt(j, finding.IrregularityIgnored, g.ev[j].Zone)
			return
		}
		k++
	}
}

// play judges dealing, drawing and calls, and decides the round.
func (g *chemin) play() {
	g.punto.abate = g.abateFix || g.abates(g.punto, g.spoke)
	g.banca.abate = g.abates(g.banca, len(g.ev)) || g.banca.natural() && g.firstIn("abate", "banca", -1, g.thirds) < len(g.ev)
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
		g.count(c[2].event, "banca", 2, 3)
		b.value, b.two = -1, -1
		if g.seen("banca") {
			b.value = g.points(c[3:])
		}
	} else if len(c) > 3 {
		g.count(c[3].event, "banca", 3, len(c))
		b.value, b.cards = g.pick(c, func(a, best int) bool { return a < best })
	}
	if c := p.cards; len(c) > 3 {
		g.count(c[3].event, "punto", 3, len(c))
		value, cards := g.pick(c, func(a, best int) bool { return a > best })
		p.cards = cards
		if !p.fixed {
			p.value = value
		}
	}
}

// pick chooses the third card that gives the better score of too many.
func (g *chemin) pick(c []dealt, better func(a, best int) bool) (int, []dealt) {
	best, at := -1, 2
	for k := 2; k < len(c); k++ {
		v := g.points([]dealt{c[0], c[1], c[k]})
		if v < 0 {
			return -1, c[:3:3]
		}
		if best < 0 || better(v, best) {
			best, at = v, k
		}
	}
	return best, []dealt{c[0], c[1], c[at]}
}

func (g *chemin) dealing() {
	if !g.anyOrder {
		if i := g.dealOrder([]string{"punto", "banca", "punto", "banca"}); i >= 0 {
			g.at(i, finding.DealOrderWrong)
		}
	}
	for _, zone := range []string{"punto", "banca"} {
		g.faces(zone, "down", 0, 2)
		from := 2
		if g.three && zone == "banca" {
			from = 3
		}
		g.faces(zone, "up", from, len(g.zones[zone]))
	}
	if i := g.bankerEarly(); i >= 0 {
		g.add(round.Finding{Code: finding.AnnouncementOrder, Event: i, Rule: g.cite("irregular")})
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
			g.judge(p, g.must(p, 'P'))
		}
		if !g.bancaFree {
			g.judge(b, g.must(b, 'P'))
		}
		return
	}
	if !g.puntoFree && p.two >= 0 && !(g.libre && g.bancoBet()) {
		g.judge(p, g.draw.punto(p.two))
	}
	if !g.bancaFree && b.two >= 0 {
		g.judge(b, g.bancaMust())
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

func (g *chemin) bancoBet() bool {
	for _, c := range g.s.list {
		if c.Spot == "banco" && c.stake > 0 && !c.refused {
			return true
		}
	}
	return false
}

func (g *chemin) decide() {
	p, b := g.punto, g.banca
	result := map[string]any{}
	switch {
	case g.forced != "":
		g.winner = g.forced
	case p.known() && b.known():
		g.winner = winner(p.value, b.value)
		if p.two == 9 && !p.drew() && !p.fixed && !p.abate && g.spoke < len(g.ev) && b.abate && b.two == 8 {
			g.winner = "banca" // he lost the right to abate
		}
	}
	points := map[string]int{}
	for _, h := range []*baccarat{p, b} {
		if len(g.zones[h.zone]) > 0 || h.fixed {
			g.hand(h.zone, h.value, g.category(h))
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
	g.verdict.Result = result
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
	if len(g.order) == 0 {
		return
	}
	for i, e := range g.calls("puntos", "") {
		h := g.punto
		switch e.Zone {
		case "banca":
			h = g.banca
		case "punto":
		default:
			continue
		}
		value := h.value
		if now := g.cardsAt(e.Zone, i); !h.fixed && len(now) < len(g.zones[e.Zone]) {
			value = g.points(now)
		}
		g.pointsTrue(i, e, value)
	}
	g.winnerTrue(g.winner)
	abated := g.punto.abate || g.banca.abate
	judged := g.forced == "" && !g.bancaBest && g.punto.known()
	if g.mandatory("carta") && judged && !abated && g.spoke >= g.thirds {
		g.missing("carta", "punto")
	}
}
