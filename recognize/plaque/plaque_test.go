package plaque

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
)

// plaqueSet has kinds whose sides are nearly alike (p500, p10000) and one whose sides
// are the felt's in half light (p100).
var plaqueSet = []calibration.Chip{
	{ID: "p100", Face: "#c43a44", Edge: "#1f4a3a", Length: 78, Width: 49, Thickness: 4, Value: 10000},
	{ID: "p500", Face: "#8a5fb4", Edge: "#e6c76a", Length: 78, Width: 49, Thickness: 4, Value: 50000},
	{ID: "p1000", Face: "#d9b44a", Edge: "#7a2230", Length: 78, Width: 49, Thickness: 4, Value: 100000},
	{ID: "p5000", Face: "#3f74b8", Edge: "#e8e2c8", Length: 78, Width: 49, Thickness: 4, Value: 500000},
	{ID: "p10000", Face: "#e9e4d6", Edge: "#b08a3a", Length: 112, Width: 70, Thickness: 4, Value: 1000000},
}

var withPlaques = slices.Concat(palette, plaqueSet)

// pile lays pieces on one another, a plaque's longer side turned by angle.
func (b *bench) pile(x, y, angle float64, ids ...string) {
	b.t.Helper()
	sp, err := b.sc.Pile(ids, x, y, angle)
	if err != nil {
		b.t.Fatal(err)
	}
	b.ids = append(b.ids, b.sc.Lay(sp, true, [2]float64{x, y}))
}

// about is a zone of 300×200 mm about a point.
func about(x, y float64) []fact.Point {
	return []fact.Point{{x - 150, y - 100}, {x + 150, y - 100}, {x + 150, y + 100}, {x - 150, y + 100}}
}

// bare is the picture of the felt with nothing on it.
func (b *bench) empty() []byte {
	b.t.Helper()
	img := b.shoot(85)
	defer img.Close()
	pix, err := img.DataPtrUint8()
	if err != nil {
		b.t.Fatal(err)
	}
	return slices.Clone(pix)
}

// searched reads a picture once, and keeps the search as the reading left it.
func (b *bench) searched() (*Reader, *search) {
	b.t.Helper()
	img := b.shoot(85)
	b.t.Cleanup(func() { img.Close() })
	pix, err := cv.Pixels(img)
	if err != nil {
		b.t.Fatal(err)
	}
	r := newReader(b.t)
	s := &search{picture: picture{pix: pix, w: img.Cols(), h: img.Rows()},
		hint: Hint{View: b.view, Palette: plaqueSet, Zone: b.zone}}
	if _, err := s.run(r); err != nil {
		b.t.Fatal(err)
	}
	return r, s
}

// show reads the zone about a point of what lies there now.
func (b *bench) show(r *Reader, palette []calibration.Chip, x, y float64, empty []byte) []Pile {
	b.t.Helper()
	img := b.shoot(85)
	defer img.Close()
	got, err := r.Plaques(img, Hint{View: b.view, Palette: palette, Zone: about(x, y), Background: empty})
	if err != nil {
		b.t.Fatal(err)
	}
	return got
}

// What lies there is read as it is, wherever and however it is turned.
func TestPlaquesAreRead(t *testing.T) {
	b := newBenchAt(t, [3]float64{22, 92, 58}, 4, 0.965, withPlaques)
	r := newReader(t)
	type laid struct {
		dx, dy, angle float64
		ids           []string
	}
	for _, c := range []struct {
		name string
		at   fact.Point
		laid []laid
	}{
		{"one", fact.Point{300, 300}, []laid{{0, 0, 0.2, []string{"p1000"}}}},
		{"one across, far from the camera", fact.Point{900, 130}, []laid{{0, 0, 1.5, []string{"p500"}}}},
		{"two", fact.Point{200, 450}, []laid{{20, 10, 2.2, []string{"p5000", "p5000"}}}},
		{"three", fact.Point{1000, 450}, []laid{{0, -10, 0.8, []string{"p1000", "p1000", "p1000"}}}},
		{"a large one", fact.Point{600, 200}, []laid{{0, 0, 2.9, []string{"p10000"}}}},
		{"two kinds", fact.Point{600, 420}, []laid{{0, 0, 0.1, []string{"p5000", "p1000"}}}},
		{"beside one another", fact.Point{500, 300}, []laid{{-60, 0, 0.1, []string{"p1000"}}, {60, 5, 1.2, []string{"p5000", "p5000"}}}},
		{"two of a kind, a finger apart", fact.Point{500, 300}, []laid{{-46, 0, 0, []string{"p500"}}, {46, 0, 0.03, []string{"p500"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.clear()
			for _, l := range c.laid {
				b.pile(c.at[0]+l.dx, c.at[1]+l.dy, l.angle, l.ids...)
			}
			got := b.show(r, plaqueSet, c.at[0], c.at[1], nil)
			if len(got) != len(c.laid) {
				t.Fatalf("%d things are read as %+v", len(c.laid), got)
			}
			for i, l := range c.laid { // from left to right
				s := got[i]
				if !slices.Equal(s.Chips, l.ids) || s.Abstain != "" || s.Low > len(l.ids) || s.High < len(l.ids) {
					t.Errorf("%v is read as %+v", l.ids, s)
				}
				if d := math.Hypot(s.At[0]-c.at[0]-l.dx, s.At[1]-c.at[1]-l.dy); d > 5 {
					t.Errorf("%v is read %.1f mm from where it lies", l.ids, d)
				}
			}
		})
	}
}

// A set of plaques alone can be read, and none of another set is.
func TestPlaquesWithoutChips(t *testing.T) {
	b := newBenchAt(t, [3]float64{24, 66, 104}, 4, 0.965, withPlaques)
	r := newReader(t)
	b.pile(600, 300, 0.5, "p1000", "p1000")
	if got := b.show(r, plaqueSet, 600, 300, nil); len(got) != 1 || !slices.Equal(got[0].Chips, []string{"p1000", "p1000"}) {
		t.Errorf("read as %+v", got)
	}
	if got := b.show(r, plaqueSet[3:4], 600, 300, nil); len(got) != 0 {
		t.Errorf("p1000 is read by a set without it as %+v", got)
	}
}

// The face of a plaque without sides is none, whether the empty felt is known or not.
func TestPrintIsNoPlaque(t *testing.T) {
	b := newBenchAt(t, [3]float64{22, 92, 58}, 4, 0.965, withPlaques)
	r := newReader(t)
	empty := b.empty()
	for i, id := range []string{"p500", "p1000", "p5000", "p10000"} {
		b.clear()
		sp, err := b.sc.Printed(id, 600, 300, 0.7*float64(i))
		if err != nil {
			t.Fatal(err)
		}
		b.ids = append(b.ids, b.sc.Lay(sp, false, [2]float64{600, 300}))
		for _, known := range [][]byte{nil, empty} {
			if got := b.show(r, plaqueSet, 600, 300, known); len(got) > 0 {
				t.Errorf("a flat %s is read as %+v", id, got)
			}
		}
	}
	b.clear()
	b.pile(600, 300, 0.4, "p1000")
	for _, known := range [][]byte{nil, empty} {
		if got := b.show(r, plaqueSet, 600, 300, known); len(got) != 1 || !slices.Equal(got[0].Chips, []string{"p1000"}) {
			t.Fatalf("read as %+v", got)
		}
	}
}

// From straight above, and where the sides look like the felt, the number of plaques
// is not known; it is not made up.
func TestPlaquesWhoseSidesTellNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		tilt float64
		kind string
	}{{"from above", 0.01, "p1000"}, {"sides like the cloth", 0.965, "p100"}} {
		t.Run(c.name, func(t *testing.T) {
			b := newBenchAt(t, [3]float64{22, 92, 58}, 4, c.tilt, withPlaques)
			r := newReader(t)
			empty := b.empty()
			for n := 1; n <= 3; n++ {
				b.clear()
				b.pile(600, 300, 0.6, slices.Repeat([]string{c.kind}, n)...)
				got := b.show(r, plaqueSet, 600, 300, empty)
				if len(got) != 1 || got[0].Abstain == "" || got[0].Low > n || got[0].High < n {
					t.Errorf("%d plaques are read as %+v; want an interval with them", n, got)
				}
			}
		})
	}
}

// What is computed quickly is what it would be computed slowly.
func TestSumsOfMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 20).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h")
		sorts := rapid.IntRange(1, 64).Draw(t, "sorts")
		marks := rapid.SliceOfN(rapid.Uint64(), w*h, w*h).Draw(t, "marks")
		c := newSums(w, h, sorts)
		for y := range h {
			c.put(y, marks[y*w:(y+1)*w])
		}
		sort := rapid.IntRange(0, sorts-1).Draw(t, "sort")
		half := rapid.IntRange(0, (min(w, h)-1)/2).Draw(t, "half")
		x, y := rapid.IntRange(half, w-1-half).Draw(t, "x"), rapid.IntRange(half, h-1-half).Draw(t, "y")
		want := 0
		for k, m := range marks {
			if m>>sort&1 != 0 && max(abs(k%w-x), abs(k/w-y)) <= half {
				want++
			}
		}
		if got := c.within(sort, x, y, half); got != want {
			t.Fatalf("%d marks within %d of %d,%d, want %d", got, half, x, y, want)
		}
	})
	// More marks than a sort's bits count.
	const side = 300
	full, row := newSums(side, side, 4), make([]uint64, side)
	for x := range row {
		row[x] = 0b1011
	}
	for y := range side {
		full.put(y, row)
	}
	for sort, want := range [4]int{441, 441, 0, 441} {
		if got := full.within(sort, 280, 280, 10); got != want {
			t.Errorf("%d marks of sort %d, want %d", got, sort, want)
		}
	}
}

// The frame of a face agrees with the camera to a quarter of a pixel, and places on it go
// to the table and back.
func TestFacesInThePicture(t *testing.T) {
	b := newBench(t, [3]float64{22, 92, 58}, 4)
	dyes, err := newDyes(plaqueSet)
	if err != nil {
		t.Fatal(err)
	}
	s := &plaques{search: &search{hint: Hint{View: b.view}}, dyes: dyes}
	rapid.Check(t, func(t *rapid.T) {
		c := slab{kind: rapid.IntRange(0, len(dyes.kinds)-1).Draw(t, "kind"), tall: 4, turn: rapid.Float64Range(-4, 4).Draw(t, "turn"),
			at: fact.Point{rapid.Float64Range(100, 1100).Draw(t, "x"), rapid.Float64Range(50, 570).Draw(t, "y")}}
		d := &dyes.kinds[c.kind]
		u, v := d.Length*rapid.Float64Range(-0.5, 0.5).Draw(t, "u"), d.Width*rapid.Float64Range(-0.5, 0.5).Draw(t, "v")
		f := s.framed(&c)
		p, q := f.at(u, v), b.view.ToImageAt(c.toTable(u, v), c.tall)
		if e := math.Hypot(p[0]-q[0], p[1]-q[1]); e > 0.25 {
			t.Fatalf("%v is off by %.2f pixels", c, e)
		}
		if x, y := c.within(c.toTable(u, v)); math.Hypot(x-u, y-v) > 1e-6 {
			t.Fatalf("%v, %v comes back as %v, %v", u, v, x, y)
		}
		if !c.holds(d, c.toTable(0.99*u, 0.99*v)) || c.holds(d, c.toTable(d.Length, v)) {
			t.Fatalf("%v does not hold what lies on it", c)
		}
		if o := s.overlap(c, c); o != 1 {
			t.Fatalf("%v lies in itself by %v", c, o)
		}
	})
}

// How well colours fit is remembered for the right colours, many of which share a slot.
func TestColoursAreRemembered(t *testing.T) {
	dyes, err := newDyes(plaqueSet)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	p := picture{pix: make([]byte, 3), w: 1, h: 1}
	want := make([]float32, parts)
	for range 20000 {
		for c := range p.pix {
			p.pix[c] = uint8(rng.IntN(6) + 32*rng.IntN(8))
		}
		got := dyes.of(&p, 0)
		for k := range dyes.kinds {
			dyes.kinds[k].fill(want, p.color(0))
			if !slices.Equal(got[parts*k:parts*(k+1)], want) {
				t.Fatalf("colour %v of %s fits %v, remembered %v", p.pix, dyes.kinds[k].ID, want, got[parts*k:parts*(k+1)])
			}
		}
	}
}

// A face of a plaque that cannot reach the floor is dropped, any other is rated as
// without one, at a glance as well.
func TestFloorOfPlaques(t *testing.T) {
	b := newBenchAt(t, [3]float64{22, 92, 58}, 4, 0.965, withPlaques)
	for i, c := range plaqueSet[:4] {
		b.pile(250+150*float64(i), 250+40*float64(i), float64(i), c.ID)
	}
	r, s := b.searched()
	p := &plaques{search: s, dyes: r.dyes, palette: plaqueSet}
	dropped := 0
	for range 4000 {
		c := slab{kind: b.rnd.IntN(4), tall: 4, turn: 4 * b.rnd.Float64(),
			at: fact.Point{200 + 600*b.rnd.Float64(), 200 + 250*b.rnd.Float64()}}
		floor := -3 * b.rnd.Float64()
		whole, cut, samples := c, c, r.dyes.kinds[c.kind].fine
		p.rate(&whole, samples, anyScore)
		p.rate(&cut, samples, floor)
		m := s.lens(c.at, c.tall)
		rough, quick := p.roughScore(&m, c, anyScore), p.roughScore(&m, c, floor)
		switch {
		case whole.score >= floor && cut != whole || rough >= floor && quick != rough:
			t.Fatalf("%+v with floor %.2f: %v and %v, without %v and %v", c, floor, cut.score, quick, whole.score, rough)
		case cut.score == colourOutlier && whole.score != colourOutlier:
			dropped++
		}
	}
	if dropped < 400 {
		t.Errorf("only %d of 4000 faces were dropped early", dropped)
	}
}
