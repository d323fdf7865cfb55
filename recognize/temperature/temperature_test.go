package temperature

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/fact"
)

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
