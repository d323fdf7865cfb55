package dice

import (
	"image"
	"image/color"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// searched is a search of a picture with a single face, and the face.
func searched(t *testing.T, p *picture, h Hint) (*search, *face) {
	t.Helper()
	cloth, _, err := segment(p.Mat, h.Edge)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSearch(p.Mat, image.Point{}, cloth, h)
	if err != nil {
		t.Fatal(err)
	}
	faces, _ := s.run()
	if len(faces) != 1 {
		t.Fatalf("%d faces, want 1", len(faces))
	}
	return s, &faces[0]
}

// A die whose outline is filled, with known felt about it, stands upright. Then a face that fits
// badly leans no more where the network read its value too, and otherwise nobody says how it lies.
func TestADieStandsByItsOutline(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	cloth := color.RGBA{R: 30, G: 88, B: 50}
	r := newReader(t)
	known, _ := knowing(t, r)
	label := func(l string) *upper {
		return &upper{hit: hit{x: 600, y: 150, edge: edge}, die: fact.Die{Guesses: []fact.Guess{{Label: l, P: 1}}}}
	}
	for _, c := range []struct {
		name      string
		h         Hint
		change    func(*picture)
		seen      []*upper
		stands    bool
		irregular string
		doubtful  bool
	}{
		{name: "the network read it", h: known, seen: []*upper{label("3")}, stands: true},
		{name: "the network read another value", h: known, seen: []*upper{label("2")}, stands: true, doubtful: true},
		{name: "the network read one elsewhere", h: known, seen: []*upper{{hit: hit{x: 300, y: 150}, die: label("3").die}}, stands: true, doubtful: true},
		{name: "the felt is not known", h: hint, seen: []*upper{label("3")}, irregular: "cocked"},
		{name: "its far side is not where it would be", h: known, seen: []*upper{label("3")}, irregular: "cocked", change: func(p *picture) {
			gocv.Rectangle(&p.Mat, image.Rect(570, 118, 631, 130), cloth, -1)
		}},
		{name: "it leans out over its side", h: known, seen: []*upper{label("3")}, irregular: "cocked", change: func(p *picture) {
			gocv.Rectangle(&p.Mat, image.Rect(631, 122, 640, 210), red, -1)
		}},
	} {
		p := newPicture(t, 4)
		p.die(3, 600, 150, 0, red, white)
		s, f := searched(t, p, c.h)
		f.score, s.hint.seen = 0.86, c.seen // as of spots further apart, or edges that are round
		if c.change != nil {
			c.change(p)
			var err error
			at := *f
			if s, err = newSearch(p.Mat, image.Point{}, s.felt, s.hint); err != nil {
				t.Fatal(err)
			}
			f = &at
		}
		if got := s.stands(f); got != c.stands {
			t.Errorf("%s: stands %v, want %v", c.name, got, c.stands)
		}
		f.irregular, f.doubtful = "", false
		if got := s.classify([]face{*f})[0]; got.irregular != c.irregular || got.doubtful != c.doubtful {
			t.Errorf("%s: lies %q, doubtful %v; want %q, %v", c.name, got.irregular, got.doubtful, c.irregular, c.doubtful)
		}
	}
}

// What is seen before a die's foot may be its deep shadow, or the blur of its own red. Where the
// network read it and its outline stands on known felt it lies on no chips, which show about it.
func TestAShadowAtTheFootIsNoChip(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	r := newReader(t)
	known, _ := knowing(t, r)
	p := newPicture(t, 4)
	p.die(3, 600, 150, 0, red, white)
	_, f := searched(t, p, known)
	for _, x := range [3]int{585, 599, 612} { // of ten places before its foot three
		gocv.Rectangle(&p.Mat, image.Rect(x-4, 257, x+5, 266), color.RGBA{R: 40, G: 34, B: 20}, -1)
	}
	reported := &upper{hit: hit{x: 600, y: 150, edge: edge}, die: fact.Die{Guesses: []fact.Guess{{Label: "3", P: 1}}}}
	square := &upper{hit: reported.hit, square: true}
	for _, c := range []struct {
		name string
		seen *upper
		want bool
	}{{"its value was read", reported, false}, {"only that it is a square", square, true}} {
		known.seen = []*upper{c.seen}
		s, err := newSearch(p.Mat, image.Point{}, [3]float64{50, 88, 30}, known)
		if err != nil {
			t.Fatal(err)
		}
		if b := s.before(f, nil); !(b > flatPerhaps && b < flatRaised) {
			t.Fatalf("%s: %.2f of what is before its foot stands out, want a doubt", c.name, b)
		}
		if got := s.classify([]face{*f})[0]; got.doubtful != c.want || got.irregular != "" {
			t.Errorf("%s: doubtful %v, lies %q; want %v", c.name, got.doubtful, got.irregular, c.want)
		}
	}
}

// Print before a die's foot, darker than the felt, is nothing that it stands on where it is known.
func TestKnownPrintBeforeADieIsNoChip(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	ink := color.RGBA{R: 60, G: 20, B: 66}
	r := newReader(t)
	printed := func(p *picture) { gocv.Circle(&p.Mat, image.Pt(600, 260), 70, ink, -1) }
	empty, p := newPicture(t, 4), newPicture(t, 4)
	printed(empty)
	printed(p)
	p.die(5, 600, 150, 0, red, white)
	known := hint
	known.Felt = new(Felt)
	pix, err := empty.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	known.Felt.LearnBackground(pix, empty.Cols(), empty.Rows())
	if got := read(t, r, p, known); got.Irregular != "" || got.Abstain != "" || got.Guesses[0].Label != "5" {
		t.Errorf("known: %+v, want a five", got)
	}
	if got := read(t, r, p, hint); got.Irregular == "" && got.Abstain == "" {
		t.Errorf("not known: %+v, want a doubt", got)
	}
}

// A shadow takes more of the dark channels of bright print than of its bright one. Values are of
// a path-traced picture, in sRGB.
func TestAShadowOnPrintIsNoThing(t *testing.T) {
	for _, c := range []struct {
		name       string
		empty, now gocv.Scalar
		something  bool
	}{
		{"red print in the shade", gocv.NewScalar(82, 101, 221, 0), gocv.NewScalar(37, 54, 163, 0), false},
		{"felt in the shade", gocv.NewScalar(36, 115, 75, 0), gocv.NewScalar(17, 68, 37, 0), false},
		{"a blue chip on red print", gocv.NewScalar(82, 101, 221, 0), gocv.NewScalar(150, 66, 34, 0), true},
		{"an ivory die on the felt", gocv.NewScalar(36, 115, 75, 0), gocv.NewScalar(212, 230, 236, 0), true},
	} {
		empty := gocv.NewMatWithSizeFromScalar(c.empty, 8, 8, gocv.MatTypeCV8UC3)
		now := gocv.NewMatWithSizeFromScalar(c.now, 8, 8, gocv.MatTypeCV8UC3)
		s := &search{w: 8, h: 8, pix: now.ToBytes(), hint: Hint{Felt: new(Felt)}}
		s.hint.Felt.LearnBackground(empty.ToBytes(), 8, 8)
		empty.Close()
		now.Close()
		if got := s.occupied(fact.Point{4, 4}); got != c.something {
			t.Errorf("%s: %v, want %v", c.name, got, c.something)
		}
	}
}
