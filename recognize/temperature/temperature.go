// Package temperature makes the probabilities that readers weigh calibrated: of readings
// said to be 90 % certain nine in ten are right. A reader's temperature, in
// models/readers.json, divides the logarithms of its probabilities (Guo et al. 2017);
// above 1 it makes them less sure. Which label is the likeliest it never changes.
package temperature

import (
	"math"

	"vision/internal/fact"
)

// Values are the temperatures of a reader: of readings where camera and table are known,
// and on photographs of which nothing is.
type Values struct {
	Placed     float64
	Photograph float64
}

// rounding is what a whole distribution may lack to 1 by the sum's rounding errors alone.
const rounding = 1e-9

// Of is the distribution p at a temperature. What p lacks to 1 is one more alternative,
// of which no label is told.
func Of(p []float64, t float64) []float64 {
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

// One is a probability against everything else, at a temperature.
func One(p, t float64) float64 { return Of([]float64{p}, t)[0] }

// Guesses tempers what a reader guesses and gives the probabilities as they were weighed.
func Guesses(g []fact.Guess, t float64) (weighed []float64) {
	weighed = make([]float64, len(g))
	for i := range g {
		weighed[i] = g[i].P
	}
	for i, p := range Of(weighed, t) {
		g[i].P = p
	}
	return weighed
}
