package chip

import (
	"math"
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
	_, s := b.searched(palette, 80)
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
		case cut.score == par.colour.outlier && whole.score != par.colour.outlier:
			dropped++
		}
	}
	if dropped < 400 {
		t.Errorf("only %d of 4000 faces were dropped early", dropped)
	}
}

// The mesh shows every candidate, and what lies about it, to a pixel.
func TestMesh(t *testing.T) {
	b := newBench(t, [3]float64{22, 92, 58}, 3)
	_, s := b.searched(palette, 80)
	g, seen := s.ground, 0
	first := g.tiles[0].mm
	for k, p := range g.mesh.px {
		x, y := k%g.mesh.w-par.face.afield, k/g.mesh.w-par.face.afield
		q := b.view.ToImageAt(fact.Point{first[0] - par.face.tile/2 + par.face.grid*float64(x),
			first[1] - par.face.tile/2 + par.face.grid*float64(y)}, g.tall)
		if i, ok := s.index(q); p < 0 {
			if ok && q[0] > 1 && q[1] > 1 && q[0] < float64(s.w-2) && q[1] < float64(s.h-2) {
				t.Fatalf("candidate %d, %d is not in the picture, the camera shows it at %.1f", x, y, q)
			}
		} else if at := (fact.Point{float64(int(p) % s.w), float64(int(p) / s.w)}); ok &&
			math.Hypot(at[0]-q[0], at[1]-q[1]) > 1.2 {
			t.Fatalf("candidate %d, %d is at %v, the camera shows it at %.1f (pixel %d)", x, y, at, q, i)
		} else {
			seen++
		}
	}
	if seen < 5000 {
		t.Errorf("only %d places in the picture", seen)
	}
}

// Before a flat camera the faces of stacks in the zone are looked for as far behind it as they show.
func TestFacesOfHighStacksAreSearched(t *testing.T) {
	b := newBenchAt(t, [3]float64{22, 92, 58}, 3, 67*math.Pi/180, palette)
	img := b.shoot(80)
	defer img.Close()
	r := newReader(t)
	zone := []fact.Point{{500, 300}, {600, 300}, {600, 400}, {500, 400}}
	s, err := r.search(img, Hint{View: b.view, Palette: palette, Zone: zone})
	if err != nil {
		t.Fatal(err)
	}
	s.zone = calibration.Zone{Polygon: s.hint.Zone}
	g := r.groundOf(s)
	half := par.face.tile / 2
	first, last := g.tiles[0].mm, g.tiles[len(g.tiles)-1].mm
	for n := 1; n <= s.opts.Most; n++ {
		for _, foot := range s.hint.Zone {
			at := b.view.ToTableAt(b.view.ToImageAt(foot, float64(n)*palette[0].Thickness), g.tall)
			for k := range at {
				if at[k] < first[k]-half || at[k] > last[k]+half {
					t.Errorf("%d chips on %v: the face shows at %.0f, looked at is %.0f to %.0f", n, foot, at, first, last)
				}
			}
		}
	}
}
