package narrate

import (
	"maps"
	"math"
	"slices"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// A stake that nobody could count is known all the same where the rest of the round leaves one
// amount only: what was paid on it, what its owner had to lay besides, what all lay alike. The
// rules decide which: with it they find less than with any other.

// Bounds of what is tried: each amount of each such stake is a narration.
const (
	maxImplied = 6  // stakes of a round; of more of them nothing follows
	maxAmounts = 24 // that a stake may have
)

// Implied are the amounts of the bets of a round that nobody could count, as far as they follow
// from all else that was seen.
func (s *Narration) Implied() map[scene.Place]money.Cents {
	implied := map[scene.Place]money.Cents{}
	places := s.UncountedBets()
	if len(places) > maxImplied {
		return nil
	}
	for _, p := range places {
		if total, ok := s.follows(p, implied); ok {
			implied[p] = total
		}
	}
	return implied
}

// UncountedBets are the places of bets that nobody could count and whose owner is known.
func (s *Narration) UncountedBets() []scene.Place {
	places := slices.SortedFunc(maps.Keys(s.Uncounted), scene.Place.Compare)
	return slices.DeleteFunc(places, func(p scene.Place) bool { return !s.Final || !scene.Bettable(p) })
}

// follows is the amount of a bet with which the rules find the least, beside others that are
// implied; false where another would do as well, or less is found without any: something else lies there.
func (s *Narration) follows(p scene.Place, implied map[scene.Place]money.Cents) (best money.Cents, ok bool) {
	found := map[money.Cents]int{}
	try := func(total money.Cents, most int) {
		if _, done := found[total]; !done && total > 0 && len(found) < most {
			_, found[total] = s.supposing(p, total, implied)
		}
	}
	for _, total := range s.likely(p, implied) {
		try(total, maxAmounts)
	}
	for total, n := range found {
		if best == 0 || n < found[best] || n == found[best] && total < best {
			best = total
		}
	}
	unit := max(s.Base.Table.Min, 1)
	try(best-unit, maxAmounts+2)
	try(best+unit, maxAmounts+2)
	for total, n := range found {
		if total != best && n <= found[best] {
			return 0, false
		}
	}
	if _, without := s.supposing(p, 0, implied); without < found[best] {
		return 0, false
	}
	return best, best > 0
}

// likely are the amounts that a bet may have by the rest of the round: that which was paid on it by
// what is due on another amount, those of the other bets of its owner and what they are multiples of
// or a part of, those of others on such a place.
func (s *Narration) likely(p scene.Place, implied map[scene.Place]money.Cents) (totals []money.Cents) {
	unit := max(s.Base.Table.Min, 1)
	with, _ := s.supposing(p, unit, implied)
	if due, ok := with.DueOn(p); ok && due.Outcome == round.Win && due.Pays > due.Commission {
		var paid money.Cents
		for _, e := range with.Entries {
			if e.Event.Type == round.Pay && e.Event.Seat == due.Seat && e.Event.Spot == due.Spot {
				paid += e.Event.Amount
			}
		}
		totals = append(totals, paid*due.Stake/due.Pays, paid*due.Stake/(due.Pays-due.Commission))
	}
	for _, e := range s.Entries {
		switch a := e.Event.Amount; {
		case e.Event.Type != round.Bet:
		case e.Event.Seat == p.Seat:
			totals = append(totals, a, 2*a, a/2, a/3, a/4)
		case e.Event.Spot == s.named(p):
			totals = append(totals, a)
		}
	}
	return totals
}

// supposing is the narration with a bet of some amount, and how much the rules find then.
func (s *Narration) supposing(p scene.Place, total money.Cents, implied map[scene.Place]money.Cents) (*Narration, int) {
	o := &Narration{Given: s.Given}
	o.Scene, o.Implies = s.seen, map[scene.Place]money.Cents{p: total}
	maps.Copy(o.Implies, implied)
	r := o.Run()
	v, err := s.Check(&r)
	if err != nil {
		return o, math.MaxInt
	}
	return o, len(v.Findings)
}
