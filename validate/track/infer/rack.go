package infer

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// The rack is a second reading of a round's money: what was collected less what was paid is what the bank's
// chips have grown by. A hypothesis under which an amount was misread on the felt has to have it misread in
// the rack, too.

// aside is the share of rounds in which, while they are settled, chips go to the rack or leave it for another
// reason, or the reader of the rack errs and does not know it. It is a guess on the safe side until houses
// have shown it.
const aside = 0.01

// due is by how much the rack has to grow by what a ruling records; false where it records nothing that
// moved, or what may have gone to the rack and may not.
func (r *Ruling) due() (grows money.Cents, moves bool) {
	for _, e := range r.Record.Events {
		switch e.Type {
		case round.Collect:
			grows, moves = grows+e.Amount, true
		case round.Pay:
			grows, moves = grows-e.Amount, true
		case round.Return, round.Commission:
			return 0, false
		}
	}
	return grows, moves
}

// growth is what the rack grew by while a ruling's round was settled.
func (r *Ruling) growth() (scene.Growth, bool) {
	var g scene.Growth
	if !r.Final || r.Err != nil || !r.seen.RackRead() {
		return g, false
	}
	for _, e := range r.Entries {
		if e.Event.Type != round.Collect && e.Event.Type != round.Pay {
			continue
		}
		if from := e.From.Add(-scene.Act); g.From.IsZero() || from.Before(g.From) {
			g.From = from
		}
		g.To = scene.Latest(g.To, e.At)
	}
	if g.From.IsZero() {
		return g, false
	}
	return r.seen.RackGrowth(g.From, g.To)
}

// racked is the likelihood of what the rack shows under a ruling, against the most that it can be; 1 where it
// shows nothing, or the ruling's money is not known whole.
func (r *Ruling) racked() float64 {
	g, ok := r.growth()
	if !ok {
		return 1
	}
	due, moves := r.due()
	if !moves || r.Hidden || len(r.Uncounted) > 0 {
		return 1
	}
	_, most := likeliest(g)
	return aside + (1-aside)*g.P[due]/most
}

// RackVariance is what the rack shows of a settled round where that is sure and not what the felt shows.
type RackVariance struct {
	Expected, Observed money.Cents // by which it was to grow, and grew
	Growth             scene.Growth
	Weighed
}

// leastSure is the probability from which the rack's reading is sure enough to contradict.
const leastSure = 0.99

// likeliest is the amount by which the rack most probably grew, and how probable that is.
func likeliest(g scene.Growth) (amount money.Cents, p float64) {
	for a, q := range g.P {
		if q > p {
			amount, p = a, q
		}
	}
	return amount, p
}

// RackGrew is by how much the rack grew while a ruling's round was settled; false where that is not sure.
func (r *Ruling) RackGrew() (amount money.Cents, ok bool) {
	g, ok := r.growth()
	if !ok {
		return 0, false
	}
	amount, p := likeliest(g)
	return amount, p >= leastSure
}

// RackVariance compares the rack with what a ruling records; false where both agree, one of them is not sure, or the
// chips on the felt may be what the rack says.
func (in *Inference) RackVariance(r *Ruling) (v RackVariance, ok bool) {
	g, seen := r.growth()
	if !seen {
		return v, false
	}
	due, moves := r.due()
	if !moves || r.Hidden || r.AnyRough() || len(r.Uncounted)+len(r.UncountedSince) > 0 {
		return v, false
	}
	v = RackVariance{Expected: due, Growth: g}
	var sure float64
	if v.Observed, sure = likeliest(g); sure < leastSure || v.Observed == due {
		return v, false
	}
	not := 1 - sure + aside
	for _, o := range r.singles() {
		if h := in.under(r, hypothesis.Likeliest.With(o.choice, o.alternative)); h != nil {
			if d, _ := h.due(); d == v.Observed {
				not += o.alternative.Odds
			}
		}
	}
	v.Weighed = Weighed{evidence(1, not), posterior(1/not, in.Rates.Odds(finding.Of(finding.RackVariance).Class()))}
	return v, true
}
