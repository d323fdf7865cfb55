package narrate

import (
	"maps"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// The money of a pot comes from the bets that are swept to it: none of it comes about by itself.
// What a pot grew by more than was counted before the players was bet where nobody counted it.

// layable is where a bet may have been laid that nobody counted, and when.
type layable struct {
	place    scene.Place
	from, at time.Time
	seen     bool // chips were seen there, which no reader could count
}

// unseenBet records the bet by which a pot grew more than chips were seen to go there. Of the
// places where it may have been laid the hypothesis chooses; without one, and if the pot was
// counted surely, it lay where chips were seen that nobody could count.
func (c *ringPokerRound) unseenBet(pot Move, near []Move, missing money.Cents) {
	where := c.layables(pot, near)
	seen := 0
	for _, l := range where {
		if l.seen {
			seen++
		}
	}
	if seen == 1 && pot.after == nil {
		c.laidUnseen(where[0], missing, where[0].at)
		return
	}
	if pot.item < 0 {
		return
	}
	if c.laidAlike(pot, where, missing) {
		return
	}
	for _, l := range where {
		late := scene.Latest(scene.Earliest(l.at, pot.From), l.from)
		each := hypothesis.BuiltIn().Against(hypothesis.Untouched) / 2
		unseen := hypothesis.Choice{Kind: hypothesis.UnseenBet, Item: c.number(pot.item), Place: l.place}
		a, ok := c.pick(
			unseen,
			hypothesis.Alternative{Odds: each, By: hypothesis.Untouched, At: late},
			hypothesis.Alternative{Odds: each, By: hypothesis.Untouched, At: l.from},
		)
		if ok {
			c.laidUnseen(l, missing, a.At)
			return
		}
	}
}

// laidAlike records a bet of the same amount at each of several places, as antes are, where the
// hypothesis has it so.
func (c *ringPokerRound) laidAlike(pot Move, where []layable, missing money.Cents) bool {
	by := map[scene.Place]layable{}
	for _, l := range where {
		by[l.place] = l
	}
	all, n := hypothesis.Choice{Kind: hypothesis.UnseenBet, Item: c.number(pot.item)}, money.Cents(len(by))
	if n < 2 || missing%n != 0 || !c.either(all, hypothesis.Untouched) {
		return false
	}
	for _, p := range slices.SortedFunc(maps.Keys(by), scene.Place.Compare) {
		c.laidUnseen(by[p], missing/n, scene.Latest(scene.Earliest(by[p].at, pot.From), by[p].from))
	}
	return true
}

// laidUnseen records such a bet.
func (c *ringPokerRound) laidUnseen(l layable, missing money.Cents, at time.Time) {
	c.laid(Move{Place: l.place, Delta: missing, From: l.from, At: at})
	c.OfPot = true
}

// layables are where a bet may have been laid that went to a pot, those where chips were seen
// first: there, under hands that left the place as it was, and under those of players while it
// was swept.
func (c *ringPokerRound) layables(pot Move, near []Move) (where []layable) {
	for _, p := range c.players {
		if l, ok := c.sweptUncounted(scene.Place{Seat: p, Spot: scene.BoteSpot}, pot); ok {
			where = append(where, l)
		}
	}
	for _, t := range c.Scene.Occlusions {
		if t.Place.Spot == scene.BoteSpot && slices.Contains(c.players, t.Place.Seat) &&
			apart(Move{From: t.From, At: t.At}, pot) <= scene.Act {
			where = append(where, layable{place: t.Place, from: t.From, at: t.At})
		}
	}
	for _, m := range near {
		if slices.Contains(m.hands, fact.Players) {
			where = append(where, layable{place: m.Place, from: m.From, at: m.At})
		}
	}
	return where
}

// sweptUncounted reports whether chips of a place could not be counted, and went when a pot grew.
func (c *ringPokerRound) sweptUncounted(p scene.Place, pot Move) (l layable, ok bool) {
	var total money.Cents
	for i := range c.Scene.Events {
		h := &c.Scene.Events[i]
		switch {
		case h.Kind != scene.ChipsSeen || h.Place != p:
		case h.Chips.Hidden && !h.Chips.Occluded:
			if !l.seen {
				l = layable{place: p, from: h.From, at: h.At, seen: true}
			}
		case !h.Chips.Hidden:
			gone := h.Chips.Total == 0 || h.Chips.Total < total
			if l.seen && gone && apart(Move{From: h.From, At: h.At}, pot) < scene.LayAndTake {
				return l, true
			}
			total, l = h.Chips.Total, layable{}
		}
	}
	return layable{}, false
}
