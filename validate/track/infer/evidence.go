package infer

import (
	"math"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// The evidence for a finding is the ratio of what was observed under the hypotheses in which it holds and under
// those in which it does not, with what goes unseen among these. How often tables err is no part of it: that
// is their rate, which makes a probability of it.

// class of the mistakes that a ruling needs: that which is made most often.
func (r *Ruling) class() (c finding.Class) {
	for _, f := range r.Verdict.Findings {
		k := finding.Of(f.Code).Class()
		if c == "" || k == finding.ClassCall || k == finding.ClassProcedure && c != finding.ClassCall {
			c = k
		}
	}
	return c
}

// posterior is the probability of a finding by its likelihood ratio and the odds of a mistake of its class.
func posterior(ratio, odds float64) float64 {
	if math.IsInf(ratio, 1) {
		return 1
	}
	return ratio * odds / (1 + ratio*odds)
}

// most is the most evidence that is given: beyond it nothing was measured.
const most = 9

// evidence is log10 of a likelihood ratio.
func evidence(for_, not float64) float64 { return max(-most, min(math.Log10(for_/not), most)) }

// Weighed is how sure a finding is.
type Weighed struct {
	Evidence float64 // log10 of the likelihood ratio
	P        float64 // probability, by the rate of its class
}

// unseenShares names the shares of what goes unseen that looks just as a finding of a ruling does, and as the others
// that one unseen act would show in besides: those of its seat, and of no seat.
func (r *Ruling) unseenShares(f round.Finding) []hypothesis.Prior {
	all := []hypothesis.Prior{unseenShare(f)}
	for _, o := range r.Verdict.Findings {
		near := o.Seat == f.Seat || o.Seat == 0 || f.Seat == 0 || r.Narration != nil && r.Game.Interdependent()
		if k := unseenShare(o); o.Code != finding.NotObservable && near && !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	return all
}

// unseenShare names the share of what goes unseen that looks just as a finding does.
func unseenShare(f round.Finding) hypothesis.Prior {
	due, _ := f.Expected.(money.Cents)
	was, _ := f.Observed.(money.Cents)
	switch about := finding.Of(f.Code).About; {
	case finding.Of(f.Code).Round.Omits == finding.OmittedChips:
		return hypothesis.LooksOmitted
	case about == finding.Money && (due == 0 || was == 0):
		return hypothesis.LooksMoney
	case about == finding.Money, f.Code == finding.RaiseWrong:
		return hypothesis.LooksAmount
	case about == finding.Bets:
		return hypothesis.LooksBet
	case about == finding.Cards:
		return hypothesis.LooksCards
	case about == finding.Calls:
		return hypothesis.LooksCall
	}
	return hypothesis.LooksProcedure
}

// unseen is the weight of the hypothesis that something was done which none has, and just what
// makes up the finding. Of money the rack shows it; of a card that nobody read it does not.
func unseen(p hypothesis.Priors, n map[hypothesis.Prior]int, shares []hypothesis.Prior, backed float64) (sum float64) {
	for _, by := range hypothesis.All {
		if by == hypothesis.Unread {
			sum += p[by] * float64(n[by])
		} else {
			sum += p[by] * float64(n[by]) * likelihood(p, backed)
		}
	}
	share := 0.0
	for _, like := range shares {
		share = max(share, p[like])
	}
	return sum * share
}

// Basis is what the evidence for a finding is made of: priors are fitted to it.
type Basis struct {
	Hypotheses   []Weight
	Unseen       map[hypothesis.Prior]int // how often what may have happened besides counts
	UnseenShares []hypothesis.Prior       // the shares of it that look just so
	Backed       float64                  // the rack's evidence for it
	Class        finding.Class
}

// Weight is what one hypothesis weighs.
type Weight struct {
	Holds        bool                     // the finding does under it
	HangsOn      hypothesis.Prior         // the finding, where it holds; "": on nothing that was not seen
	Odds         float64                  // by the readings
	By           map[hypothesis.Prior]int // alternatives that have their odds from priors
	Mistakes     int                      // that it needs
	ProcedureToo bool                     // and a procedure that was not followed
	Class        finding.Class            // of the mistakes
	Kinds        uint32                   // of its choices, one bit each
	Rack         float64                  // how likely it is that the rack grew by what it records; -1: not known
}

// Basis is that of a finding of a ruling, by all hypotheses about its scene. hidden: nobody saw how the place of the
// finding looked in the end.
func (in *Inference) Basis(r *Ruling, f round.Finding, hidden bool) Basis {
	e := basis(r, f)
	for _, h := range in.hypotheses(r) {
		e.add(in.Priors, h, r, f, hidden)
	}
	return e
}

// basis is that of a finding without any hypothesis.
func basis(r *Ruling, f round.Finding) Basis {
	return Basis{
		Unseen: r.unseen(f), UnseenShares: r.unseenShares(f), Class: finding.Of(f.Code).Class(), Backed: r.backed(f),
	}
}

// add takes in a hypothesis about the scene of a ruling. Where the finding hangs on what was not seen it is so as
// far as such findings are.
func (e *Basis) add(p hypothesis.Priors, h, of *Ruling, f round.Finding, hidden bool) {
	w := Weight{
		By: map[hypothesis.Prior]int{}, Mistakes: h.needs, ProcedureToo: h.procedureToo, Class: h.class(), Rack: h.racked(),
	}
	w.Odds = h.weight / mistaken(p, w.Mistakes, w.ProcedureToo) / likelihood(p, w.Rack)
	var same round.Finding
	if same, w.Holds = h.found(f, of); w.Holds {
		w.HangsOn = h.hangsOn(same, hidden)
	}
	if h.Narration != nil {
		for c, a := range h.Hyp.Chosen {
			if w.Kinds |= 1 << c.Kind; a.By != "" {
				w.Odds /= p.Against(a.By)
				w.By[a.By]++
			}
		}
	}
	e.Hypotheses = append(e.Hypotheses, w)
}

// Weigh returns the posterior of the finding by priors and rates. What was not seen is weighed against all readings of
// the scene together, however many were tried.
func (e *Basis) Weigh(p hypothesis.Priors, rates operating.Rates) Weighed {
	supports, opposes, readings := 0.0, 0.0, 0.0
	for _, w := range e.Hypotheses {
		odds := w.Odds
		for by, n := range w.By {
			odds *= math.Pow(p.Against(by), float64(n))
		}
		readings += odds
		weight := odds * mistaken(p, w.Mistakes, w.ProcedureToo) * likelihood(p, w.Rack)
		switch {
		case w.Holds:
			so := 1.0 // the probability that it is so
			if w.HangsOn != "" {
				so = p[w.HangsOn]
			}
			supports += weight * so
			opposes += weight * (1 - so)
		case w.Mistakes > 0:
			opposes += weight * rates.Odds(w.Class)
		default:
			opposes += weight
		}
	}
	opposes += readings * unseen(p, e.Unseen, e.UnseenShares, e.Backed)
	return Weighed{evidence(supports, opposes), posterior(supports/opposes, rates.Odds(e.Class))}
}

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
