package still

import (
	"testing"

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
