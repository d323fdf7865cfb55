package infer

import (
	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// What was not seen of a round leaves room for a course of it that no hypothesis has. Each
// such hole adds to the weight of one hypothesis more: that something else happened. Holes
// at another seat are no evidence for a finding, unless all hangs together.

// hole is something that was not seen, at a seat or, of 0, for all.
type hole struct {
	by   hypothesis.Prior
	seat int
}

// holes are those of a ruling: things that came about while hands hid another place, cards
// that nobody read, chips that nobody counted.
func (r *Ruling) holes() []hole {
	if r.gaps != nil || r.Narration == nil {
		return r.gaps
	}
	r.gaps = []hole{{hypothesis.Unseen, 0}}
	if r.Game.Held {
		r.gap(hypothesis.Pot, 0)
	}
	if r.vanished() {
		r.gap(hypothesis.Lost, 0)
	}
	for c := range r.Met {
		switch c.Kind {
		case hypothesis.CameAbout:
			h := &r.seen.Events[c.Item]
			r.gap(hypothesis.Hidden, max(h.Place.Seat, scene.SeatOf(h.Zone)))
		case hypothesis.TakenAway:
			r.gap(hypothesis.Hidden, scene.SeatOf(r.seen.Tracks[c.Item].Zone))
		case hypothesis.UnderHands:
			r.gap(hypothesis.Hidden, c.Place.Seat)
		}
	}
	for i := range r.seen.Tracks {
		sl := &r.seen.Tracks[i]
		if face, _ := r.Game.Face(sl.Guesses, sl.Abstain); face == card.Unseen && !sl.Back && !sl.Earlier && !sl.Spurious() {
			r.gap(hypothesis.Unread, scene.SeatOf(sl.Zone))
		}
	}
	for i := range r.seen.Events {
		if h := &r.seen.Events[i]; h.Kind == scene.ChipsSeen && h.At.Sub(h.From) >= scene.LayAndTake {
			r.gap(hypothesis.Long, h.Place.Seat)
		}
	}
	for _, o := range r.seen.Occlusions {
		if o.At.Sub(o.From) >= scene.LayAndTake {
			r.gap(hypothesis.Long, o.Place.Seat)
		}
	}
	for _, l := range r.RoughCounts {
		r.gap(hypothesis.Roughly, l.Place.Seat)
	}
	for p := range r.UncountedSince {
		r.gap(hypothesis.Roughly, p.Seat)
	}
	return r.gaps
}

func (r *Ruling) gap(by hypothesis.Prior, seat int) { r.gaps = append(r.gaps, hole{by, seat}) }

// unseen are the priors by which a finding of a ruling may be explained by what no
// hypothesis has, and how often each counts.
func (r *Ruling) unseen(f round.Finding) map[hypothesis.Prior]int {
	n := map[hypothesis.Prior]int{}
	for _, g := range r.holes() {
		if g.seat == 0 || f.Seat == 0 || g.seat == f.Seat || r.Game.Interdependent() {
			n[g.by]++
		}
	}
	return n
}

// hangsOn names the prior that a finding is so though it hangs on what nobody could count or
// nobody watched; "" where it does not. hidden: nobody saw how its place looked in the end.
func (r *Ruling) hangsOn(f round.Finding, hidden bool) hypothesis.Prior {
	switch {
	case r.Narration == nil:
	case r.uncounted(f),
		hidden && finding.Of(f.Code).Round.Omits == finding.OmittedChips && !r.accounted() && !r.balances():
		return hypothesis.HangsOnChips
	case r.InGap(f):
		return hypothesis.HangsOnGap
	case r.Rough[f.Seat] && !r.ofPot(f) && !(ofMoney(f) && r.balances()):
		return hypothesis.RoughSeat
	}
	return ""
}
