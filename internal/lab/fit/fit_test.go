package fit

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/recognize/temperature"
)

// drawn are readings which a map calibrates: labels are drawn by calibrated probabilities, and
// those that are weighed are such that the map gives these.
func drawn(rng *rand.Rand, n, labels int, m temperature.Map) (out []Sample) {
	for i := range n {
		p := make([]float64, labels)
		sum := 0.0
		for k := range p {
			p[k] = math.Exp(2 * rng.NormFloat64())
			sum += p[k]
		}
		for k := range p {
			p[k] /= sum
		}
		slices.SortFunc(p, func(a, b float64) int { return cmp.Compare(b, a) })
		out = append(out, Sample{fmt.Sprint(i / 3), p, rng.Float64() < m.Of(p)[0]})
	}
	return out
}

// The map of synthetic scores is found again.
func TestTheFitRecoversTheMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := temperature.Map{math.Exp(rapid.Float64Range(-0.8, 0.8).Draw(t, "log")), rapid.Float64Range(-1.5, 1.5).Draw(t, "offset")}
		seed := rapid.Uint64().Draw(t, "seed")
		labels := rapid.IntRange(2, 6).Draw(t, "labels")
		samples := drawn(rand.New(rand.NewPCG(seed, 2)), 1500, labels, want)
		got := fit(samples)
		off := 0.0
		for _, s := range samples {
			off += math.Abs(got.Of(s.P)[0]-want.Of(s.P)[0]) / float64(len(samples))
		}
		if r := got[0] / want[0]; off > 0.05 || r < 0.6 || r > 1.67 {
			t.Fatalf("%v fitted as %v, probabilities off by %.3f", want, got, off)
		}
	})
}

// The intervals mostly hold temperature and offset, and tell a calibrated reader from others.
func TestTheIntervals(t *testing.T) {
	missed := 0
	for _, want := range []temperature.Map{{0.5, 0}, temperature.Identity, {2, 0}, {1, -1.5}} {
		f := Map(drawn(rand.New(rand.NewPCG(5, 2)), 600, 3, want))
		for i, v := range want {
			in := f.Intervals[i]
			if in[0] > v || in[1] < v {
				missed++
			}
			if in[0] > f.Map[i] || in[1] < f.Map[i] || in[1]-in[0] > 1.6 {
				t.Errorf("%v fitted as %+v", want, f)
			}
		}
		if f.Identity() != (want == temperature.Identity) {
			t.Errorf("%v fitted as %+v: as if it changed nothing: %v", want, f, f.Identity())
		}
	}
	if missed > 2 { // of intervals that hold 95 in a hundred more than two of eight miss once in 200 times
		t.Errorf("%d of eight intervals miss", missed)
	}
}

// Readings that are all right do not make a reader certain.
func TestTheFitOfOnlyRightReadings(t *testing.T) {
	var all []Sample
	for i := range 100 {
		all = append(all, Sample{fmt.Sprint(i), []float64{0.95}, true})
	}
	f := Map(all)
	if p := f.Map.Of([]float64{0.95})[0]; p < 0.97 || p > 0.995 {
		t.Errorf("100 of 100 right: said to be %.4f sure by %+v; want about 101 of 102", p, f)
	}
}
