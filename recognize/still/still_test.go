package still

import (
	"testing"

	"vision/calibration"
	"vision/internal/fact"
)

// Die faces on a chip are print; a die before a stack, or beside it, is none.
func TestDiceOnChipsArePrint(t *testing.T) {
	die := func(x, y, edge float64) Found {
		return Found{Label: "5", Confidence: 0.95, Box: [4]float64{x, y, edge, edge}}
	}
	all := []Found{die(140, 120, 12), die(140, 250, 45), die(300, 120, 12),
		{Label: "?", Reason: "unsure", Box: [4]float64{150, 130, 10, 10}}}
	refusePrint(all, []fact.Quad{{{100, 100}, {200, 100}, {200, 300}, {100, 300}}})
	want := []Found{{Label: "?", Maybe: "5", Reason: "print"}, {Label: "5"}, {Label: "5"}, {Label: "?", Reason: "unsure"}}
	for i, w := range want {
		if g := all[i]; g.Label != w.Label || g.Maybe != w.Maybe || g.Reason != w.Reason {
			t.Errorf("%d: %+v, want %+v", i, g, w)
		}
	}
}

// Of a stack that several cameras' readings were fused to, the probability is told of the content that is likeliest by
// all of them, not of that by the reading which stands for them.
func TestPlaceFusedStacks(t *testing.T) {
	c := &Camera{places: calibration.NewPlaces(nil)}
	for _, s := range []struct {
		chips, weighed []string
		want           string
	}{
		{[]string{"red"}, []string{"blue"}, "red"},
		{nil, []string{"blue"}, "blue"},
	} {
		o := fact.Observation{Chips: []fact.Stack{{Chips: s.chips, P: 0.6, Abstain: "unsure", Low: 1, High: 2,
			Weighed: fact.Weighed{Chips: s.weighed}}}}
		got := c.Place([]fact.Observation{o})[0]
		if got.Best != s.want || len(got.Likeliest) != 1 || got.Likeliest[0] != s.want || got.P[0] != 0.6 {
			t.Errorf("%+v; want %s", got, s.want)
		}
	}
}
