package script

import (
	"math"
	"math/rand/v2"

	"vision/internal/lab/sim/condition"
)

// tempo is how long the pauses of one table really take. Its chance is its own, so
// that cards, bets and faults of a seed are the same at every pace.
type tempo struct {
	rng    *rand.Rand
	spread float64 // standard deviation of a pause's logarithm, before its ends are cut off
	quick  float64 // pace of the croupier, who sets that of his table
}

// widest is how many standard deviations a pause may be from its median: what is
// rarer is drawn again, so that every round ends.
const widest = 2.5

// soonest is the shortest pause, seconds: a hand has to go on to the next place.
// One that the script has shorter stays as long as it is there.
const soonest = 0.5

// shortest is the smallest share of the script's pause: dice have to roll, a ball to run.
const shortest = 0.35

// newTempo draws the pace of a table's croupier; nil for an even pace.
func newTempo(p condition.Pace, seed uint64) *tempo {
	if p.Spread <= 0 && !p.Croupier.Set() {
		return nil
	}
	w := &tempo{rng: rand.New(rand.NewPCG(seed, 0x7e3b0)), spread: p.Spread, quick: 1}
	if p.Croupier.Set() {
		w.quick = p.Croupier.At(w.rng.Float64())
	}
	return w
}

// pause is how long a pause takes for which the script has some seconds: log-normal
// about what the croupier's pace makes of them.
func (w *tempo) pause(seconds float64) float64 {
	x := w.rng.NormFloat64()
	for math.Abs(x) > widest {
		x = w.rng.NormFloat64()
	}
	k := max(math.Exp(w.spread*x)/w.quick, shortest)
	return max(min(seconds, soonest), seconds*k)
}
