package blackjack

import (
	"strconv"
	"strings"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// onHand reports whether an event collects or pays a spot that follows a hand.
func (g *blackjack) onHand(i int) bool {
	e := &g.Events[i]
	return (e.Type == round.Collect || e.Type == round.Pay) && boxOf(game.PlaceOf(e)) > 0
}

// order: a hand over 21 is collected before the next card; after the bank's
// last card the boxes are settled from right to left.
func (g *blackjack) order() {
	done := map[int]bool{}
	for i := range g.Events {
		if e := &g.Events[i]; e.Type == round.Collect && g.onHand(i) {
			g.bustOrder(i, e, done)
		}
	}
	n := len(g.bank)
	if n < 2 {
		return
	}
	lowest := 1 << 30
	for i := g.bank[n-1].Event + 1; i < len(g.Events); i++ {
		if !g.onHand(i) {
			continue
		}
		b := boxOf(game.PlaceOf(&g.Events[i]))
		if b > lowest {
			g.Add(round.Finding{Code: finding.PayoutOrderWrong, Event: i, Seat: g.Events[i].Seat})
			return
		}
		lowest = b
	}
}

func (g *blackjack) bustOrder(i int, e *round.Event, done map[int]bool) {
	k := 1
	if name, arg, has := strings.Cut(e.Spot, ":"); has && name != "main" {
		k, _ = strconv.Atoi(arg)
	}
	b := g.find(boxOf(game.PlaceOf(e)), k)
	if b == nil || b.bustAt < 0 || i < b.bustAt || i < g.DealtAfter(b.bustAt) {
		return
	}
	if first := g.Moved.Of(game.PlaceOf(e)).Collect.First; first == i && !done[i] {
		done[i] = true
		g.Add(round.Finding{Code: finding.PayoutOrderWrong, Event: i, Seat: e.Seat, Spot: e.Spot})
	}
}
