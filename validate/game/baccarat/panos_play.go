package baccarat

import (
	"vision/validate/finding"
	"vision/validate/round"
)

func (g *panos) play() {
	g.banca.abate = g.abates(g.banca, len(g.Events))
	for _, c := range g.cloths {
		c.abate = g.abates(c.baccarat, c.spoke)
	}
	g.dealing()
	g.drawing()
	g.decide()
	g.clothCalls()
	g.scores()
}

func (g *panos) dealing() {
	zones := []string{"pano1", "pano2", "banca"}
	void := g.cloths[0].void || g.cloths[1].void
	if !void {
		wrong := g.DealOrder(append(zones, zones...))
		if wrong < 0 {
			wrong = g.thirdOrder(zones)
		}
		if wrong >= 0 {
			g.At(wrong, finding.DealOrderWrong)
		}
	}
	for _, z := range zones {
		g.Faces(z, "down", 0, 2)
		cards := g.Zones[z]
		g.Faces(z, "up", 2, len(cards))
		if len(cards) > 3 {
			g.Count(cards[3].Event, z, 3, len(cards))
		}
	}
}

// thirdOrder is the first third card that came after one of a later place: they go
// to pano1, pano2, banca; -1 where none did.
func (g *panos) thirdOrder(zones []string) int {
	wrong := -1
	for k, z := range zones {
		c := g.Zones[z]
		if len(c) > 2 && g.firstThird(zones[k+1:]...) < c[2].Event && (wrong < 0 || c[2].Event < wrong) {
			wrong = c[2].Event
		}
	}
	return wrong
}

// drawing judges the third cards.
func (g *panos) drawing() {
	for _, c := range g.cloths {
		switch {
		case c.void || c.thrown:
		case g.banca.abate || c.abate:
			g.checkDraw(c.baccarat, 'P')
		case c.two >= 0 && !g.s.Any("banco"):
			g.checkDraw(c.baccarat, g.draw.punto(c.two))
		}
	}
	if !g.thrown && g.banca.two >= 0 {
		g.checkDraw(g.banca, g.bancaMust())
	}
}

// bancaMust is what the bank must do against both cloths.
func (g *panos) bancaMust() byte {
	b := g.banca
	one, two := g.cloths[0], g.cloths[1]
	switch {
	case one.void && two.void:
		return 'O'
	case b.abate, one.abate && two.abate:
		return 'P'
	case b.two == 0:
		return 'T'
	case b.two >= len(g.draw.Banca), one.void, two.void: // the cuadro speaks of both cloths
		return 'O'
	case one.abate:
		return g.mustDraw(g.letter(two))
	case two.abate:
		return g.mustDraw(g.letter(one))
	case !g.cuadro:
		return 'O'
	}
	return g.both(g.letter(one), g.letter(two))
}

// mustDraw draws in the optional cases.
func (g *panos) mustDraw(letter byte) byte {
	if letter == 'O' {
		return 'T'
	}
	return letter
}

// letter is the cuadro's letter against one cloth; 0 where a card is unseen.
func (g *panos) letter(c *cloth) byte {
	third, known := g.third(c.baccarat)
	if !known {
		return 0
	}
	return g.draw.banca(g.banca.two, third)
}

// both joins the letters of two cloths: one O agrees with the other letter.
func (g *panos) both(a, b byte) byte {
	switch {
	case a == 0 || b == 0:
		return 'O'
	case a == b || b == 'O':
		return a
	case a == 'O':
		return b
	case g.threshold && g.banca.two <= 5:
		return 'T'
	case g.threshold:
		return 'P'
	}
	return 'O'
}

// beats compares a cloth with the bank: a two-card 8 beats a three-card 8 or 9;
// otherwise the higher points win.
func beats(c, b *baccarat) int {
	switch {
	case c.two == 8 && !c.drew() && !c.fixed && b.drew() && b.value >= 8:
		return 1
	case b.two == 8 && !b.drew() && !b.fixed && c.drew() && c.value >= 8:
		return -1
	}
	return c.value - b.value
}

func (g *panos) decide() {
	points, result := map[string]int{}, map[string]any{}
	for _, h := range []*baccarat{g.cloths[0].baccarat, g.cloths[1].baccarat, g.banca} {
		if len(h.cards) > 0 {
			g.Hand(h.zone, h.value, "")
		}
		if h.known() {
			points[h.zone] = h.value
		}
	}
	for _, c := range g.cloths {
		switch {
		case c.void:
			result[c.zone] = string(round.Void)
			delete(points, c.zone)
		case c.value >= 0 && g.banca.known():
			c.known, c.cmp = true, beats(c.baccarat, g.banca)
			result[c.zone] = map[bool]string{true: "win", false: "lose"}[c.cmp > 0]
			if c.cmp == 0 {
				result[c.zone] = "push"
			}
		}
	}
	if len(points) > 0 {
		result["points"] = points
	}
	g.Verdict.Result = result
}

// pronounced is where a cloth said carta or no, or abated; len(Events) where it did neither.
func (g *panos) pronounced(c *cloth) int {
	if !c.abate {
		return c.spoke
	}
	return min(c.spoke, g.reveals(c.zone), g.abateSaid(c.zone))
}

// clothCalls: each cloth that does not abate says carta or no. They pronounce themselves in
// their order, whether they abate or not, and before the banker shows, abates or draws.
func (g *panos) clothCalls() {
	if len(g.Order) == 0 {
		return
	}
	wrong := len(g.Events)
	bankThird := g.firstThird("banca")
	for _, c := range g.cloths {
		if c.void {
			continue
		}
		if c.spoke == len(g.Events) {
			if !c.abate && !g.banca.abate && !c.thrown && c.two >= 0 && g.Mandatory("carta") {
				g.Missing("carta", c.zone)
			}
			continue
		}
		if c.spoke > bankThird {
			wrong = min(wrong, c.spoke)
		}
	}
	one, two := g.pronounced(g.cloths[0]), g.pronounced(g.cloths[1])
	if two < one && one < len(g.Events) && !g.cloths[0].void && !g.cloths[1].void {
		wrong = min(wrong, two)
	}
	if early := g.bankerEarly(); early >= 0 {
		wrong = min(wrong, early)
	}
	if wrong < len(g.Events) {
		g.At(wrong, finding.AnnouncementOrder)
	}
}

// scores: the croupier says the final points of all three hands.
func (g *panos) scores() {
	if len(g.Order) == 0 {
		return
	}
	last := g.Order[len(g.Order)-1]
	for _, h := range []*baccarat{g.cloths[0].baccarat, g.cloths[1].baccarat, g.banca} {
		if c := g.clothOf(h.zone); c != nil && c.void {
			continue
		}
		for i, e := range g.Calls("puntos", h.zone) {
			value := h.value
			if now := g.CardsAt(h.zone, i); !h.fixed && len(now) < len(h.cards) {
				value = g.points(now)
			}
			g.PointsTrue(i, e, value)
		}
		if h.known() {
			g.Demand("puntos", h.zone, last, len(g.Events))
		}
	}
}

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
