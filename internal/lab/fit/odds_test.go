package fit

import (
	"math"
	"testing"

	"vision/internal/fact"
)

// The looks at a thing are those at its place, millimetres apart or not; each gives its odds to what the first says.
func TestOdds(t *testing.T) {
	stack := func(p float64, x float64, id, other string) fact.Stack {
		return fact.Stack{Chips: []string{id}, Low: 1, High: 1, P: p, At: fact.Point{x, 50},
			Others: []fact.Content{{Chips: []string{other}, P: 1 - p}}}
	}
	got := Odds([]fact.Observation{
		{Chips: []fact.Stack{stack(0.8, 100, "red", "blue"), stack(0.9, 300, "red", "blue")}},
		{Chips: []fact.Stack{stack(0.6, 104, "blue", "red"), stack(0.9, 340, "red", "blue")}},
	})
	if len(got) != 1 || len(got["stacks"]) != 1 {
		t.Fatalf("%v; want the stack that both looks have", got)
	}
	for i, p := range []float64{0.8, 0.4} {
		if v := got["stacks"][0][i]; math.Abs(v-math.Log(p/(1-p))) > 1e-9 {
			t.Errorf("look %d has log odds %.3f, of %.1f", i, v, p)
		}
	}
}
