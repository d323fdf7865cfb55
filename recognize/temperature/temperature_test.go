package temperature

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/fact"
)

// drawn are readings which a map calibrates: labels are drawn by calibrated probabilities, and
// those that are weighed are such that the map gives these.
func drawn(rng *rand.Rand, n, labels int, m Map) (out []Sample) {
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
		want := Map{math.Exp(rapid.Float64Range(-0.8, 0.8).Draw(t, "log")), rapid.Float64Range(-1.5, 1.5).Draw(t, "offset")}
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
	for _, want := range []Map{{0.5, 0}, Identity, {2, 0}, {1, -1.5}} {
		f := Fit(drawn(rand.New(rand.NewPCG(5, 2)), 600, 3, want))
		for i, v := range want {
			in := f.Intervals[i]
			if in[0] > v || in[1] < v {
				missed++
			}
			if in[0] > f.Map[i] || in[1] < f.Map[i] || in[1]-in[0] > 1.6 {
				t.Errorf("%v fitted as %+v", want, f)
			}
		}
		if f.Identity() != (want == Identity) {
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
	f := Fit(all)
	if p := f.Map.One(0.95); p < 0.97 || p > 0.995 {
		t.Errorf("100 of 100 right: said to be %.4f sure by %+v; want about 101 of 102", p, f)
	}
}

// A map keeps the order and the sum of at most 1, gives the likeliest label the odds that
// it says, and the identity changes nothing.
func TestMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 6).Draw(t, "p")
		sum := rapid.Float64Range(0, 1).Draw(t, "rest")
		for _, v := range p {
			sum += v
		}
		for i := range p {
			p[i] /= max(sum, 1e-9)
		}
		slices.SortFunc(p, func(a, b float64) int { return cmp.Compare(b, a) })
		m := Map{rapid.Float64Range(0.2, 5).Draw(t, "temperature"), rapid.Float64Range(-4, 4).Draw(t, "offset")}
		q, total := m.Of(p), 0.0
		for i := range q {
			if total += q[i]; i > 0 && q[i] > q[i-1]+1e-12 {
				t.Fatalf("%v by %v is %v: another order", p, m, q)
			}
		}
		if total > 1+1e-9 || slices.ContainsFunc(q, math.IsNaN) {
			t.Fatalf("%v by %v is %v", p, m, q)
		}
		if w := tempered(p, m[0])[0]; w > 1e-6 && w < 1-1e-6 {
			if got := math.Log(q[0]/(1-q[0])) - math.Log(w/(1-w)); math.Abs(got-m[1]) > 1e-6 {
				t.Fatalf("%v by %v is %v: odds moved by %v", p, m, q, got)
			}
		}
		if !slices.Equal(Identity.Of(p), p) {
			t.Fatalf("%v by the identity is %v", p, Identity.Of(p))
		}
	})
	g := []fact.Guess{{Label: "As", P: 0.9}, {Label: "2s", P: 0.05}}
	if w := Identity.Guesses(g); !slices.Equal(w, []float64{0.9, 0.05}) || g[0].P != 0.9 || g[1].P != 0.05 {
		t.Errorf("by the identity: %v, weighed %v", g, w)
	}
	if w := (Map{2, 0}).Guesses(g); w[0] != 0.9 || g[0].P >= 0.9 || g[1].P <= 0.05 || g[0].Label != "As" {
		t.Errorf("at 2: %v", g)
	}
	v := Values{Map{1, 1}, Map{2, 2}, Map{3, 3}, Map{4, 4}}
	if v.Placed().Of("") != v.PlacedAccepted || v.Placed().Of("unsure") != v.PlacedAbstained ||
		v.Photograph().Of("") != v.PhotographAccepted || v.Photograph().Of("side") != v.PhotographAbstained {
		t.Error("another map than that of the reading")
	}
}
