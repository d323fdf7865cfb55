package chip

import (
	"math"
	"testing"

	"vision/internal/fact"
)

// A bright chip on dark felt ends halfway, however far the blur spreads it.
func TestCrossingIsHalfway(t *testing.T) {
	b := newBench(t, [3]float64{22, 92, 58}, 5)
	s, found, _ := b.onKnownFelt(t, 0, 4, fact.Point{})
	foot := s.foot(found, found.px, 4)
	m := s.lens(foot, 0)
	r := palette[0].Diameter / 2
	toward := math.Atan2(s.eye[1]-foot[1], s.eye[0]-foot[0])
	at := m.at(foot[0]+r*math.Cos(toward), foot[1]+r*math.Sin(toward))
	out := fact.Point{at[0] - m.px[0], at[1] - m.px[1]}
	l := math.Hypot(out[0], out[1])
	out = fact.Point{out[0] / l, out[1] / l}
	first, found1, hidden := s.crossing(at, out)
	if !found1 || hidden || math.Abs(first) > 2 {
		t.Fatalf("off %.2f, found %v, hidden %v", first, found1, hidden)
	}
	const by = 1.0
	moved, found2, _ := s.crossing(fact.Point{at[0] + by*out[0], at[1] + by*out[1]}, out)
	if !found2 || math.Abs(moved-first+by) > 0.5 {
		t.Errorf("asked %v pixel farther out: off %.2f after %.2f", by, moved, first)
	}
	if _, found, _ := s.crossing(fact.Point{at[0] + 20*out[0], at[1] + 20*out[1]}, out); found {
		t.Error("an outline on bare felt")
	}
	s.cover([]fact.Point{{0, 0}, {float64(s.w), 0}, {float64(s.w), float64(s.h)}, {0, float64(s.h)}})
	if _, found, hidden := s.crossing(at, out); found || !hidden {
		t.Errorf("under a nearer stack: found %v, hidden %v", found, hidden)
	}
}

// Where the bare felt is not known no outline is looked for.
func TestNoBordersWithoutFelt(t *testing.T) {
	s := searchOf(t, palette)
	if v := s.borders(1, fact.Point{100, 100}, 3); v != 0 {
		t.Errorf("log odds %v", v)
	}
}

// What has no outline where a stack would have it is not surely one.
func TestOutlinedDoubtsWhatHasNoOutline(t *testing.T) {
	b := newBench(t, [3]float64{22, 92, 58}, 6)
	s, found, at := b.onKnownFelt(t, 1, 5, fact.Point{})
	stack := counted{kinds: []int{1, 1, 1, 1, 1}, p: 0.99, px: found.px}
	if got := s.outlined(stack); got.p != stack.p {
		t.Errorf("five chips: p %v, want %v", got.p, stack.p)
	}
	bare := stack
	bare.px = b.view.ToImage(fact.Point{at[0] + 100, at[1]})
	if got := s.outlined(bare); got.p >= s.opts.Accept {
		t.Errorf("bare felt is taken for five chips: p %v", got.p)
	}
	if bare.hidden = true; s.outlined(bare).p != bare.p {
		t.Error("a stack whose lower part is hidden has no outline there")
	}
}
