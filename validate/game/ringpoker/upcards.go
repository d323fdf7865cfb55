package ringpoker

import (
	"slices"

	"vision/internal/card"
	"vision/validate/game/hands"
)

// shownFirst is the seat of the lowest or the highest cards that lie open; 0
// where one of them was not seen.
func (h *hand) shownFirst(low bool) int {
	best, tied := int64(0), []int{}
	for _, p := range h.live() {
		v, ok := h.upcards(p, low)
		if !ok {
			return 0
		}
		switch {
		case len(tied) == 0 || v > best:
			best, tied = v, []int{p.seat}
		case v == best:
			tied = append(tied, p.seat)
		}
	}
	if len(tied) == 1 {
		return tied[0]
	}
	dir := 1
	tie := h.r.First.Tie
	if h.r.First.TieLast != "" && h.bets.interval == h.r.streets()+1 {
		tie = h.r.First.TieLast
	}
	if tie == "right" {
		dir = -1
	}
	for _, s := range h.ring.from(h.mano, dir) {
		if slices.Contains(tied, s) {
			return s
		}
	}
	return 0
}

// upcards is the worth of a seat's open cards: the more the better, for low
// the lower the better. Equal lowest cards go by suit where the norm says so.
func (h *hand) upcards(p *player, low bool) (int64, bool) {
	var up []card.Card
	for _, d := range p.cards {
		if d.up {
			if d.card == card.Unseen {
				return 0, false
			}
			up = append(up, d.card)
		}
	}
	if !low {
		return int64(hands.Open(up)), true
	}
	if len(up) == 0 {
		return -100, true
	}
	c := up[len(up)-1]
	v := int64(hands.High(c)) * 4
	if h.r.First.Tie == "suit" {
		suit := int64(c-1) / 13 // picas are the highest
		if h.o.HighestSuit {
			suit = 3 - suit
		}
		v += 3 - suit
	}
	return -v, true
}

// pairShown reports whether the first two open cards of anybody are a pair, and
// whether they may be, where one of them was not seen.
func (h *hand) pairShown() (is, maybe bool) {
	for _, p := range h.live() {
		var up []card.Card
		for _, d := range p.cards {
			if d.up {
				up = append(up, d.card)
			}
		}
		switch {
		case len(up) < 2:
		case up[0] == card.Unseen || up[1] == card.Unseen:
			maybe = true
		case up[0].Number() == up[1].Number():
			is = true
		}
	}
	return is, is || maybe
}
