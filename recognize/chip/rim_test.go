package chip

import (
	"math"
	"testing"

	"vision/internal/fact"
)

// A face parts from its side and from what is behind it by the light; a place within the
// side does not, and the bare felt is no face at all.
func TestLightTellsAFace(t *testing.T) {
	b := newBench(t, [3]float64{22, 92, 58}, 5)
	for kind, c := range palette {
		if c.ID == "25" || c.ID == "100" { // as dark as the felt
			continue
		}
		s, _, at := b.onKnownFelt(t, kind, 8, fact.Point{})
		s.uncover()
		far, front, seen := s.steps(at, 8)
		if seen < par.rim.seen || front < par.rim.front || far < par.rim.far {
			t.Errorf("%s: face %.2f over the side, %.2f over what is behind it, of %d angles", c.ID, front, far, seen)
		}
		if c := (counted{kinds: make([]int, 8), foot: fact.Point{at[0] + 70, at[1]}}); s.solid(&c) {
			_, front, _ := s.steps(c.foot, 8)
			t.Errorf("the bare felt beside %s: taken for a face, %.2f over its side", palette[kind].ID, front)
		}
	}
}

// Kinds of one hue are each other in less light, others are not.
func TestTwins(t *testing.T) {
	s := searchOf(t, palette)
	r := newReader(t)
	var err error
	if s.tones, err = r.tonesFor(palette, foreign, 1, rgb{22, 92, 58}); err != nil {
		t.Fatal(err)
	}
	s.tones.kinds[0].field = rgb{192, 216, 195}
	s.tones.kinds[1].field = rgb{144, 191, 153}
	s.tones.kinds[2].field = rgb{196, 35, 43}
	if !s.litAlike(0, 1) || s.litAlike(0, 2) || s.litAlike(1, 2) {
		t.Error("mint and green are alike in other light, and neither is red")
	}
	c := counted{kinds: []int{0, 1}, p: 1, kindsP: 1, foot: fact.Point{math.NaN(), 0}, hidden: true}
	s.opts.Accept = 0.9
	if d := s.doubted(c); d.p >= 0.9 || d.kindsP >= 0.9 {
		t.Errorf("a change of light passes for another kind at %v", d.p)
	}
}
