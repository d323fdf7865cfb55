package blackjack

import (
	"vision/validate/game/table"
)

func (g *blackjack) announcements() {
	g.seguroCall()
	for i, e := range g.Calls("puntos_mano", "") {
		if total, lay := g.said[i]; lay {
			g.PointsTrue(i, e, total)
		}
	}
	if g.Mandatory("puntos_mano") {
		for _, b := range g.hands {
			g.handCalls(b)
		}
	}
	for i, e := range g.Calls("puntos_banca", "") {
		if cards := g.CardsAt("bank", i); len(cards) > 0 {
			total, _ := g.total(cards)
			g.PointsTrue(i, e, total)
		}
	}
	if n := len(g.bank); n >= 2 && g.bankTotal >= 0 {
		g.Demand("puntos_banca", "", g.bank[n-1].Event, g.firstMoney(g.bank[n-1].Event))
	}
}

// seguroCall: with an ace of the bank insurance is offered before the first third card.
func (g *blackjack) seguroCall() {
	if ace, known := g.bankAce(); !known || !ace {
		return
	}
	before := g.third
	if before == len(g.Events) {
		before = g.bankSecond
	}
	g.Demand("seguro", "", g.bankAt, before)
}

// handCalls: the score of the first two cards, and that of a hand over 21.
func (g *blackjack) handCalls(b *box) {
	if b.k == 1 && len(g.Zones[b.zone]) >= 2 {
		second := g.Zones[b.zone][1].Event
		if g.Readable(g.Zones[b.zone][0].Card) && g.Readable(g.Zones[b.zone][1].Card) {
			g.Demand("puntos_mano", b.zone, second, min(g.nextTo(b.seat, second), g.bankSecond))
		}
	}
	if b.bustAt >= 0 {
		g.Demand("puntos_mano", b.zone, b.bustAt, g.DealtAfter(b.bustAt))
	}
}

// nextTo is the next card to a box, its split hands included; len(Events) without one.
func (g *blackjack) nextTo(seat, after int) int {
	for _, i := range g.Order {
		if s, _, ok := table.BoxZone(g.Events[i].Zone); ok && s == seat && i > after {
			return i
		}
	}
	return len(g.Events)
}

// firstMoney is the first payment or collection on a hand's spot after an event.
func (g *blackjack) firstMoney(after int) int {
	for i := after + 1; i < len(g.Events); i++ {
		if g.onHand(i) {
			return i
		}
	}
	return len(g.Events)
}
