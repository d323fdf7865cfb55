package card

import (
	"math/rand/v2"
	"slices"
	"testing"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
)

// Corners of a deck that never trained, expected as roughly as the corners network
// does, lie much nearer to the true ones afterwards.
func TestFitMovesMarksToTheirCorners(t *testing.T) {
	d, err := deck.New("tapete")
	if err != nil {
		t.Fatal(err)
	}
	tb := render(t, d, []vocab.Card{1, 7, 13, 20, 26, 30, 39, 44, 50, 52}, 90, 4)
	defer tb.img.Close()
	r := reader(t)
	rng := rand.New(rand.NewPCG(7, 1))
	var marks []mark
	var truth []fact.Point
	for _, c := range tb.cards {
		q := c.quad
		for _, k := range []int{0, 2} {
			m := mark{apex: q[k], short: sub(q[k^1], q[k]), long: sub(q[3-k], q[k])}
			truth = append(truth, m.apex)
			size := 1 + 0.1*rng.NormFloat64()
			m.apex = add(m.apex, fact.Point{4 * rng.NormFloat64(), 4 * rng.NormFloat64()})
			m.short, m.long = scale(turnedBy(m.short, 0.08*rng.NormFloat64()), size),
				scale(turnedBy(m.long, 0.06*rng.NormFloat64()), size)
			marks = append(marks, m)
		}
	}
	fitted, err := r.fitter.fit(tb.img, marks)
	if err != nil {
		t.Fatal(err)
	}
	far := func(ms []mark) float64 {
		var all []float64
		for i, m := range ms {
			all = append(all, norm(sub(m.apex, truth[i])))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	if before, after := far(marks), far(fitted); after > 0.5*before {
		t.Errorf("corners are %.1f px off, %.1f before", after, before)
	}
}

func turnedBy(v fact.Point, t float64) fact.Point {
	return add(v, scale(fact.Point{-v[1], v[0]}, t))
}

// the network's output is believed only as far as it learned, and where a frame is left.
func TestAMoveThatLeavesNoFrameIsNone(t *testing.T) {
	m := mark{apex: fact.Point{100, 100}, short: fact.Point{60, 0}, long: fact.Point{0, 84}}
	for _, c := range []struct {
		name   string
		output []float32
		ok     bool
	}{
		{"none", []float32{0, 0, 0, 0, 0, 0}, true},
		{"a tenth of the sides", []float32{0.5, -0.5, 0.5, 0, 0, 0.5}, true},
		{"farther than it learned", []float32{4, 0, 0, 0, 0, 0}, false},
		{"both sides along one line", []float32{0, 0, -2.6, 2.6, 2.6, -2.6}, false},
	} {
		got, ok := m.by(c.output)
		if ok != c.ok {
			t.Errorf("%s: %v, want %v", c.name, ok, c.ok)
		}
		if !ok && (got.apex != m.apex || got.short != m.short || got.long != m.long) {
			t.Errorf("%s: moved nevertheless", c.name)
		}
	}
	if got, _ := m.by([]float32{0.5, -0.5, 0, 0, 0, 0}); norm(sub(got.apex, fact.Point{106, 94})) > 1e-4 {
		t.Errorf("apex at %v", got.apex)
	}
}
