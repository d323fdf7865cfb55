package chip

import (
	"testing"

	"pgregory.net/rapid"

	"vision/calibration"
	"vision/internal/fact"
)

// The spans of a shape are the pixels it contains.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const w, h = 40, 30
		corner := rapid.Custom(func(t *rapid.T) fact.Point {
			return fact.Point{rapid.Float64Range(-10, w+10).Draw(t, "x"), rapid.Float64Range(-10, h+10).Draw(t, "y")}
		})
		shape := rapid.SliceOfN(corner, 0, 7).Draw(t, "shape")
		var in [w * h]int
		for _, s := range spansOf(shape, w, h) {
			for x := s.from; x < s.to; x++ {
				in[s.y*w+x]++
			}
		}
		z := calibration.Zone{Polygon: shape}
		for i, n := range in {
			if p := (fact.Point{float64(i % w), float64(i / w)}); (n == 1) != z.Contains(p) || n > 1 {
				t.Fatalf("%v is %d times in the spans, contained %v", p, n, z.Contains(p))
			}
		}
	})
}

// A face that cannot reach the floor is dropped, any other is rated as without one.
func TestFloor(t *testing.T) {
	b := newBench(t, [3]float64{22, 92, 58}, 3)
	for i, c := range palette {
		b.lay(c.ID, 1+2*i, 300+60*float64(i), 200+20*float64(i))
	}
	img := b.shoot(80)
	defer img.Close()
	r := newReader(t)
	s, err := r.search(img, Hint{View: b.view, Palette: palette, Zone: b.zone})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.run(r); err != nil {
		t.Fatal(err)
	}
	dropped := 0
	for range 4000 {
		d := disc{at: fact.Point{250 + 500*b.rnd.Float64(), 150 + 250*b.rnd.Float64()}, tall: 14}
		m, floor := s.lens(d.at, d.tall), -3*b.rnd.Float64()
		whole, cut := d, d
		s.rate(&m, &whole, fine, anyScore)
		s.rate(&m, &cut, fine, floor)
		switch {
		case whole.score >= floor && cut != whole:
			t.Fatalf("at %.0f with floor %.2f: %+v, without %+v", d.at, floor, cut, whole)
		case cut.score == outlier && whole.score != outlier:
			dropped++
		}
	}
	if dropped < 400 {
		t.Errorf("only %d of 4000 faces were dropped early", dropped)
	}
}
