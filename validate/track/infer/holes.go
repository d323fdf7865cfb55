package infer

import (
	"math"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// What was not seen of a round leaves room for a course of it that no hypothesis has. Each
// such hole adds to the weight of one hypothesis more: that something else happened. Holes
// at another seat say nothing of a finding, unless all hangs together.

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
	for c := range r.Met {
		switch c.Kind {
		case hypothesis.CameAbout:
			h := &r.seen.Events[c.Item]
			r.gap(hypothesis.Hidden, max(h.Place.Seat, seatOf(h.Zone)))
		case hypothesis.TakenAway:
			r.gap(hypothesis.Hidden, seatOf(r.seen.Tracks[c.Item].Zone))
		case hypothesis.UnderHands:
			r.gap(hypothesis.Hidden, c.Place.Seat)
		}
	}
	for i := range r.seen.Tracks {
		sl := &r.seen.Tracks[i]
		if face, _ := r.Game.Face(sl.Guesses, sl.Abstain); face == card.Unseen && !sl.Back && !sl.Earlier && !sl.Spurious() {
			r.gap(hypothesis.Unread, seatOf(sl.Zone))
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

func seatOf(zone string) int {
	seat, _ := scene.HandOf(zone)
	return seat
}

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

// unseen is the weight of the hypothesis that something was done which none has, and just what
// makes up the finding.
func (in *Inference) unseen(r *Ruling, f round.Finding) float64 {
	return unseenOf(in.Priors, r.unseen(f))
}

func unseenOf(p hypothesis.Priors, n map[hypothesis.Prior]int) (sum float64) {
	for _, by := range hypothesis.All {
		sum += p[by] * float64(n[by])
	}
	return sum * p[hypothesis.Given]
}

// hangsOn names the prior that a finding is so though it hangs on what nobody could count or
// nobody watched; "" where it does not. hidden: nobody saw how its place looked in the end.
func (r *Ruling) hangsOn(f round.Finding, hidden bool) hypothesis.Prior {
	switch {
	case r.Narration == nil:
	case r.SpeaksOfUncounted(f), r.Unsure(f),
		hidden && finding.Of(f.Code).Round.Omits == finding.OmittedChips && !r.accounted():
		return hypothesis.HangsOnChips
	case r.InGap(f):
		return hypothesis.HangsOnGap
	case r.Rough[f.Seat] && !r.ofPot(f):
		return hypothesis.RoughSeat
	}
	return ""
}

// Evidence is what the probability of a finding is made of, for fitting the priors to it.
type Evidence struct {
	Hypotheses []Weight
	Unseen     map[hypothesis.Prior]int // how often what may have happened besides counts
}

// Weight is what one hypothesis weighs.
type Weight struct {
	Holds    bool                     // the finding does under it
	HangsOn  hypothesis.Prior         // the finding, where it holds; "": on nothing that was not seen
	Odds     float64                  // by the readings
	By       map[hypothesis.Prior]int // alternatives that have their odds from priors
	Mistakes int                      // that it needs
	Beside   bool                     // and a procedure that was not followed
	Kinds    uint32                   // of its choices, one bit each
}

// Evidence is that of a finding of a ruling.
func (in *Inference) Evidence(r *Ruling, f round.Finding, hidden bool) Evidence {
	e := Evidence{Unseen: r.unseen(f)}
	for _, h := range in.hypotheses(r) {
		w := Weight{Odds: 1, By: map[hypothesis.Prior]int{}}
		w.Mistakes, w.Beside = h.mistakes()
		var same round.Finding
		if same, w.Holds = h.found(f, r); w.Holds {
			w.HangsOn = h.hangsOn(same, hidden)
		}
		for c, a := range h.Hyp.Chosen {
			w.Kinds |= 1 << c.Kind
			if w.Odds *= a.Odds; a.By != "" {
				w.Odds /= in.Priors.Against(a.By)
				w.By[a.By]++
			}
		}
		e.Hypotheses = append(e.Hypotheses, w)
	}
	return e
}

// Posterior is the probability of the finding by priors.
func (e Evidence) Posterior(p hypothesis.Priors) float64 {
	with, all := 0.0, unseenOf(p, e.Unseen)
	for _, w := range e.Hypotheses {
		weight := w.Odds * mistaken(p, w.Mistakes, w.Beside)
		for by, n := range w.By {
			weight *= math.Pow(p.Against(by), float64(n))
		}
		if all += weight; w.Holds {
			with += weight * p.Hanging(w.HangsOn)
		}
	}
	if with == 0 {
		return 1 // nothing was tried
	}
	return with / all
}
