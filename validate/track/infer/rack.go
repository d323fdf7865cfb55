package infer

import (
	"maps"
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// The rack is a second reading of a round's money: what was collected less what was paid is what the bank's
// chips have grown by. A hypothesis under which an amount was misread on the felt has to have it misread in
// the rack, too.

// due is by how much the rack has to grow by what a ruling records: what is collected goes in, what is paid comes out,
// and a commission that is taken (fee) goes in or to a box of its own. A stake that is given back was never there.
func (r *Ruling) due() (grows, fee money.Cents) {
	for _, e := range r.Record.Events {
		switch e.Type {
		case round.Collect:
			grows += e.Amount
		case round.Pay:
			grows -= e.Amount
		case round.Commission:
			fee += e.Amount
		}
	}
	return grows, fee
}

// growth is what the rack grew by while a ruling's round was settled. whole: all that was collected may have come
// there.
func (r *Ruling) growth() (g scene.Growth, whole, ok bool) {
	if !r.Final || r.Err != nil || !r.seen.RackRead() {
		return g, false, false
	}
	var from, to, collected time.Time
	for _, e := range r.Entries {
		switch e.Event.Type {
		case round.Collect, round.Commission:
			collected = scene.Latest(collected, e.At)
		case round.Pay:
		default:
			continue
		}
		began := e.From.Add(-scene.Act)
		if e.From.Before(r.Close) && e.At.After(r.Close) { // nobody counted the chips since
			began = r.Close
		}
		from, to = scene.Earliest(from, began), scene.Latest(to, e.At)
	}
	if to.IsZero() { // nothing moved
		from = r.Close
	}
	to = scene.Latest(to, r.Scene.Over())
	if from.IsZero() {
		return g, false, false
	}
	g, ok = r.seen.RackGrowth(from, to)
	return g, !g.To.Before(collected), ok
}

// rackShows is how likely it is that the rack grew by what a ruling records; false where nobody knows.
func (r *Ruling) rackShows() (p float64, ok bool) {
	g, whole, ok := r.growth()
	if !ok {
		return 0, false
	}
	due, fee := r.due()
	p = max(g.P[due], g.P[due+fee])
	return p, whole || p >= leastSure
}

// notRead stands for how likely it is that the rack shows something, where it is no evidence.
const notRead = -1

// balances reports whether the rack surely grew by what a ruling records: then its amounts hold, although some of the
// chips on the felt were not counted.
func (r *Ruling) balances() bool { return r.read && r.shows >= leastSure }

// racked is the balance of a ruling by which it is weighed: nothing where its money is not known whole.
func (r *Ruling) racked() float64 {
	if !r.read || r.Hidden || len(r.Uncounted) > 0 {
		return notRead
	}
	return r.shows
}

// likelihood is that of what the rack shows, if it surely grew by an amount with a probability.
func likelihood(p hypothesis.Priors, shows float64) float64 {
	if shows == notRead {
		return 1
	}
	return p[hypothesis.Aside] + (1-p[hypothesis.Aside])*shows
}

// backed is the rack's evidence for a finding as a ruling has it: money that went unseen would have to show there. It
// is no evidence for others, nor whether a whole round was to be settled.
func (r *Ruling) backed(f round.Finding) float64 {
	if !ofMoney(f) || slices.Contains(spoils, f.Code) || !r.balances() {
		return notRead
	}
	return 1 - r.shows
}

// RackVariance is what the rack shows of a settled round where that is sure and not what the felt shows.
type RackVariance struct {
	Expected, Observed money.Cents // by which it was to grow, and grew
	Growth             scene.Growth
	Basis
	Weighed
}

// leastSure is the probability from which the rack's reading is sure enough to contradict.
const leastSure = 0.99

// grew is by how much the rack grew most likely, and how probable that is.
func grew(g scene.Growth) (amount money.Cents, p float64) {
	for a, q := range g.P {
		if q > p {
			amount, p = a, q
		}
	}
	return amount, p
}

// RackGrew is by how much the rack grew while a ruling's round was settled; false where that is not sure.
func (r *Ruling) RackGrew() (amount money.Cents, ok bool) {
	g, whole, ok := r.growth()
	if !ok || !whole {
		return 0, false
	}
	amount, p := grew(g)
	return amount, p >= leastSure
}

// settled is a ruling with the one bet that nobody could count as large as the rack shows it, where it was
// collected; the ruling itself where nothing follows.
func (in *Inference) settled(r *Ruling) *Ruling {
	places := slices.DeleteFunc(r.UncountedBets(), func(p scene.Place) bool { return r.Implies[p] > 0 })
	grown, sure := r.RackGrew()
	if len(places) != 1 || !sure {
		return r
	}
	with := func(bet money.Cents) *Ruling {
		bets := map[scene.Place]money.Cents{places[0]: bet}
		maps.Copy(bets, r.Implies)
		return in.explain(r.seen, r.Hyp, r.carried, r.Final, bets)
	}
	unit := max(in.Table.Min, 1)
	due, fee := with(unit).due()
	twice, double := with(2 * unit).due()
	step := twice + double - due - fee // that the rack grows by for each unit of the bet
	if step == 0 {
		return r
	}
	if bet := unit + (grown-due-fee)*unit/step; bet > 0 {
		if o := with(bet); o.balances() {
			return o
		}
	}
	return r
}

// RackVariance compares the rack with what a ruling records; false where both agree, one of them is not sure, or the
// chips on the felt may be what the rack shows.
func (in *Inference) RackVariance(r *Ruling) (v RackVariance, ok bool) {
	g, whole, seen := r.growth()
	if !seen || !whole || r.Hidden || r.AnyRough() || len(r.Uncounted)+len(r.UncountedSince) > 0 {
		return v, false
	}
	due, fee := r.due()
	v = RackVariance{Expected: due, Growth: g}
	var sure float64
	if v.Observed, sure = grew(g); sure < leastSure || max(g.P[due], g.P[due+fee]) > 1-leastSure {
		return v, false
	}
	other := 1 - sure
	for _, h := range r.singles() {
		if o := in.under(r, h); o != nil {
			if d, fee := o.due(); d == v.Observed || d+fee == v.Observed {
				other += h.Odds / r.Hyp.Odds
			}
		}
	}
	v.Basis = Basis{Class: finding.Of(finding.RackVariance).Class(), Backed: notRead, Hypotheses: []Weight{
		{Holds: true, Odds: 1, Mistakes: 1, Rack: notRead}, {Odds: 1}, {Odds: other, Rack: notRead},
	}}
	v.Weighed = v.Weigh(in.Priors, in.Rates)
	return v, true
}
