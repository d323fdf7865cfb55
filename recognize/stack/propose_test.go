package stack

import (
	"math"
	"testing"

	"vision/internal/fact"
)

// From where the foot is seen follows about how many chips stand there.
func TestProposalStands(t *testing.T) {
	view := oblique(t, 40, 900, 2, 640, 480)
	for _, n := range []int{1, 3, 8, 17} {
		at := fact.Point{20, 10}
		q := proposal{px: view.ToImageAt(at, float64(n)*3.3), foot: view.ToImage(at)}
		if f := q.stands(view, 40, 3.3); int(f.Count) != n {
			t.Errorf("%d chips: %g", n, f.Count)
		}
		q.foot[1] += 0.4 // pixels beside it
		if f := q.stands(view, 40, 3.3); math.Abs(f.Count-float64(n)) > 1 {
			t.Errorf("%d chips, foot a little off: %g", n, f.Count)
		}
	}
}

// Of two stacks that would stand in one another the likelier one stays; ones that touch both do.
func TestApart(t *testing.T) {
	c := func(x, real float64) *candidate {
		return &candidate{shown: shown{belief: belief{real: real}}, stand: Standing{fact.Point{x, 0}, 20, 33}, p: 1}
	}
	got := apart([]*candidate{c(0, 0.6), c(3, 0.9), c(43.5, 0.8)})
	if len(got) != 2 || got[0].real != 0.9 || got[1].real != 0.8 {
		t.Errorf("%d stay", len(got))
	}
}
