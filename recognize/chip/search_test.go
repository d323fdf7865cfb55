package chip

import (
	"testing"

	"vision/internal/fact"
)

// A poor face may be the side of a higher stack behind it. It is not where that stack was
// counted down to the felt and is not so high.
func TestAFaceInTheSideOfAHigherStack(t *testing.T) {
	b := newBench(t, [3]float64{0.1, 0.25, 0.5}, 3)
	s := &search{hint: Hint{View: b.view, Palette: palette}, opts: Options{Most: par.reader.most}}
	const kind, thick = 3, 3.4
	foot := fact.Point{600, 300}
	face := func(n int, score float64) top {
		return top{kind: kind, px: b.view.ToImageAt(foot, float64(n)*thick), score: score}
	}
	low := counted{kinds: []int{kind, kind}, low: 2, high: 2, foot: foot}
	poor := face(2, -0.9)
	for name, c := range map[string]struct {
		higher top
		as     counted
		want   bool
	}{
		"its foot is hidden":             {face(12, -0.2), counted{low: 5, high: 20, hidden: true}, true},
		"counted so high":                {face(6, -0.2), counted{low: 6, high: 6}, true},
		"counted so high, perhaps":       {face(6, -0.2), counted{low: 4, high: 7}, true},
		"a single chip behind it":        {face(18, -0.2), counted{low: 1, high: 1}, false},
		"no better face":                 {face(6, -0.8), counted{low: 6, high: 6}, false},
		"below it":                       {face(1, -0.2), counted{low: 6, high: 6}, false},
		"hidden, but higher than stacks": {face(26, -0.2), counted{low: 5, high: 20, hidden: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.inSide(poor, low, c.higher, c.as); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
