package scene

import (
	"bytes"
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// at renders the scene with an arm at each of the tips, one moment after the other.
func at(s *Scene, l *Limb, tips ...image.Point) []uint8 {
	for _, p := range tips {
		s.Moment()
		s.Arm(l, p, image.Pt(200, 500))
	}
	p, _ := s.Render()
	return bytes.Clone(p.Pix)
}

// A picture of several moments is the mean of the pictures of each, and leaves nothing
// behind in the next.
func TestMomentsAreAveraged(t *testing.T) {
	s := testScene(t)
	limb := NewLimb(
		Look{Skin: [3]float64{200, 150, 120}, Sleeve: [3]float64{60, 80, 140}, Cuff: [3]float64{236, 236, 234}},
		0.6,
	)
	bare := at(s, limb)
	rapid.Check(t, func(t *rapid.T) {
		from := image.Pt(rapid.IntRange(20, 380).Draw(t, "x"), rapid.IntRange(20, 220).Draw(t, "y"))
		n := rapid.IntRange(2, MaxMoments).Draw(t, "moments")
		var tips []image.Point
		for i := range n { // far enough apart that each of them counts
			tips = append(tips, from.Add(image.Pt(int(smear)*i, 2*i)))
		}
		sum := make([]int, len(bare))
		for _, p := range tips {
			for i, v := range at(s, limb, p) {
				sum[i] += int(v)
			}
		}
		for i, v := range at(s, limb, tips...) {
			if want := float64(sum[i]) / float64(n); math.Abs(float64(v)-want) > 0.51 {
				t.Fatalf("byte %d is %d, the mean is %v", i, v, want)
			}
		}
		if !bytes.Equal(at(s, limb), bare) {
			t.Fatal("the arm stays behind")
		}
	})
}

// An arm at rest takes one drawing, however many moments it is asked for, and one that
// moves a little takes few.
func TestOnlyMovementTakesMoments(t *testing.T) {
	for _, c := range []struct{ step, want int }{{0, 1}, {1, 2}, {2, 3}, {9, 6}} {
		var takes [][]arm
		for i := range 6 {
			takes = append(takes, []arm{{limb: &Limb{}, tip: image.Pt(c.step*i, 0)}})
		}
		got := thin(takes)
		if len(got) != c.want {
			t.Errorf("steps of %d pixels: %d moments, want %d", c.step, len(got), c.want)
		}
		if last := got[len(got)-1][0].tip; last != takes[5][0].tip {
			t.Errorf("steps of %d pixels end at %v", c.step, last)
		}
	}
}

// A shadow lies over arms as over the felt.
func TestShadeLiesOverEverything(t *testing.T) {
	s := testScene(t)
	limb := NewLimb(Look{Skin: [3]float64{200, 150, 120}, Sleeve: [3]float64{60, 80, 140}}, 0.6)
	tip := image.Pt(200, 110)
	lit := at(s, limb, tip)
	s.Shade(s.Shadow([2]float64{300, 200}, 250, 0.4), image.Point{})
	dim := at(s, limb, tip)
	i := s.out.at(200, 120)
	if q := float64(dim[i]) / float64(lit[i]); q < 0.5 || q > 0.75 {
		t.Errorf("the hand keeps %.2f of its light", q)
	}
	if !bytes.Equal(at(s, limb, tip), lit) {
		t.Error("the shadow stays behind")
	}
}
