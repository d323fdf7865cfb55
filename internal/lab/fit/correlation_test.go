package fit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The correlation is found by which values are made.
func TestCorrelation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, want := range []float64{0, 0.3, 0.6, 0.9} {
		var groups [][]float64
		for range 2000 {
			own, g := rng.NormFloat64(), []float64(nil)
			for range 2 + rng.IntN(4) {
				g = append(g, math.Sqrt(want)*own+math.Sqrt(1-want)*rng.NormFloat64())
			}
			groups = append(groups, g)
		}
		if got := Correlation(groups); math.Abs(got-want) > 0.05 {
			t.Errorf("correlation %.3f, want %.1f", got, want)
		}
	}
}
