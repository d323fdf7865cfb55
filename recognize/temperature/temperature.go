// Package temperature makes the probabilities that readers weigh calibrated: of readings
// given 90 % nine in ten are right. A temperature divides the logarithms of
// a reading's probabilities (Guo et al. 2017) and an offset moves the odds of its likeliest
// label (Platt 1999). Which label that is they never change, nor what is accepted.
package temperature

import (
	"math"

	"vision/internal/fact"
)

// Map makes weighed probabilities calibrated ones: a temperature, above 1 of readers that
// are too sure, and an offset in natural logarithms of odds, below 0 of readings whose
// likeliest label is mostly wrong.
type Map [2]float64

// Identity changes nothing.
var Identity = Map{1, 0}

// Values are a reader's maps: of readings where camera and table are known, and on
// photographs of which nothing is; of those that are accepted and of abstentions. That it
// abstains is more evidence than its probabilities.
type Values struct {
	PlacedAccepted, PlacedAbstained         Map
	PhotographAccepted, PhotographAbstained Map
}

// Placed are the maps of readings where camera and table are known.
func (v *Values) Placed() Pair { return Pair{v.PlacedAccepted, v.PlacedAbstained} }

// Photograph are those of readings on photographs.
func (v *Values) Photograph() Pair { return Pair{v.PhotographAccepted, v.PhotographAbstained} }

// Pair are the maps of accepted readings and of abstentions.
type Pair struct{ Accepted, Abstained Map }

// Of is the map of a reading by its reason to abstain, "" where it is accepted.
func (p Pair) Of(abstain string) Map {
	if abstain == "" {
		return p.Accepted
	}
	return p.Abstained
}

// rounding is what a whole distribution may lack to 1 by the sum's rounding errors alone.
const rounding = 1e-9

// Of is the distribution p, the likeliest label first, by the map. What p lacks to 1 is one
// more alternative, that has no label; what the offset takes from all labels goes there.
func (m Map) Of(p []float64) []float64 {
	out := tempered(p, m[0])
	if len(out) == 0 || m[1] == 0 {
		return out
	}
	first := out[0]
	moved := first / (first + (1-first)*math.Exp(-m[1]))
	share := 1.0 // of what the others had
	if first < 1 {
		share = (1 - moved) / (1 - first)
	}
	if first > 0 {
		share = min(share, moved/first)
	}
	out[0] = moved
	for i := range out[1:] {
		out[i+1] *= share
	}
	return out
}

// tempered is the distribution at a temperature.
func tempered(p []float64, t float64) []float64 {
	out := make([]float64, len(p))
	if t == 1 {
		copy(out, p)
		return out
	}
	rest := 1.0
	for _, v := range p {
		rest -= v
	}
	if rest < rounding {
		rest = 0
	}
	k := 1 / t
	sum := math.Pow(rest, k)
	for i, v := range p {
		out[i] = math.Pow(max(0, v), k)
		sum += out[i]
	}
	for i := range out {
		out[i] /= max(sum, math.SmallestNonzeroFloat64)
	}
	return out
}

// Guesses maps what a reader guesses, the likeliest first, and gives the probabilities as
// they were weighed.
func (m Map) Guesses(g []fact.Guess) (weighed []float64) {
	weighed = make([]float64, len(g))
	for i := range g {
		weighed[i] = g[i].P
	}
	for i, p := range m.Of(weighed) {
		g[i].P = p
	}
	return weighed
}
