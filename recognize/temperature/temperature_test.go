package temperature

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/fact"
)

// drawn are readings of a reader whose probabilities are right at a temperature: labels are
// drawn by their calibrated probabilities, which it has raised to that power.
func drawn(rng *rand.Rand, n, labels int, t float64) (out []Sample) {
	for i := range n {
		logits := make([]float64, labels)
		for k := range logits {
			logits[k] = 2 * rng.NormFloat64()
		}
		sum := 0.0
		for k, v := range logits {
			logits[k] = math.Exp(v)
			sum += logits[k]
		}
		truth, u := 0, rng.Float64()*sum
		for truth < labels-1 && u > logits[truth] {
			u -= logits[truth]
			truth++
		}
		best, p, all := 0, make([]float64, labels), 0.0
		for k, v := range logits {
			if v > logits[best] {
				best = k
			}
			p[k] = math.Pow(v/sum, t)
			all += p[k]
		}
		for k := range p {
			p[k] /= all
		}
		p[0], p[best] = p[best], p[0]
		out = append(out, Sample{fmt.Sprint(i / 3), p, truth == best})
	}
	return out
}

// The temperature of synthetic scores is found again.
func TestTheFitRecoversTheTemperature(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := math.Exp(rapid.Float64Range(-1.2, 1.2).Draw(t, "log"))
		seed := rapid.Uint64().Draw(t, "seed")
		labels := rapid.IntRange(2, 6).Draw(t, "labels")
		got := fit(drawn(rand.New(rand.NewPCG(seed, 2)), 1500, labels, want))
		if r := got / want; r < 0.7 || r > 1.4 {
			t.Fatalf("temperature %.3f fitted as %.3f", want, got)
		}
	})
}

// The interval holds the temperature, and says of a calibrated reader that it may be 1.
func TestTheInterval(t *testing.T) {
	for _, want := range []float64{0.5, 1, 2} {
		f := Fit(drawn(rand.New(rand.NewPCG(5, 2)), 400, 3, want))
		if f.Low > want || f.High < want || f.Low > f.T || f.High < f.T || f.High > 1.6*f.Low {
			t.Errorf("temperature %v fitted as %+v", want, f)
		}
		if f.One() != (want == 1) {
			t.Errorf("temperature %v fitted as %+v: as if it were 1: %v", want, f, f.One())
		}
	}
}

// Readings that are all right do not make a reader certain.
func TestTheFitOfOnlyRightReadings(t *testing.T) {
	var all []Sample
	for i := range 100 {
		all = append(all, Sample{fmt.Sprint(i), []float64{0.95}, true})
	}
	f := Fit(all)
	if p := One(0.95, f.T); p < 0.97 || p > 0.9975 {
		t.Errorf("100 of 100 right: said to be %.4f sure at %+v; want about 101 of 102", p, f)
	}
}

// A temperature keeps the order, the sum with what is not told, and 1 changes nothing.
func TestOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 6).Draw(t, "p")
		sum := rapid.Float64Range(0, 1).Draw(t, "rest")
		for _, v := range p {
			sum += v
		}
		for i := range p {
			p[i] /= max(sum, 1e-9)
		}
		a, b := rapid.Float64Range(0.5, 2).Draw(t, "a"), rapid.Float64Range(0.5, 2).Draw(t, "b")
		q, total := Of(p, a), 0.0
		for i := range q {
			total += q[i]
			for k := range q {
				if p[i] > p[k]+1e-9 && q[i] < q[k] {
					t.Fatalf("%v at %v is %v: another order", p, a, q)
				}
			}
		}
		if total > 1+1e-9 || slices.ContainsFunc(q, math.IsNaN) {
			t.Fatalf("%v at %v is %v", p, a, q)
		}
		for i, v := range Of(q, b) {
			if w := Of(p, a*b)[i]; math.Abs(v-w) > 1e-3 {
				t.Fatalf("%v at %v and then %v is %v, at their product %v", p, a, b, v, w)
			}
		}
	})
	g := []fact.Guess{{Label: "As", P: 0.9}, {Label: "2s", P: 0.05}}
	if w := Guesses(g, 1); !slices.Equal(w, []float64{0.9, 0.05}) || g[0].P != 0.9 || g[1].P != 0.05 {
		t.Errorf("at 1: %v, weighed %v", g, w)
	}
	if Guesses(g, 2); g[0].P >= 0.9 || g[1].P <= 0.05 || g[0].Label != "As" {
		t.Errorf("at 2: %v", g)
	}
}
