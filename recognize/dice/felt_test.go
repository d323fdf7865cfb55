package dice

import (
	"image"
	"image/color"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// read gives what is read of the one die in a picture.
func read(t *testing.T, r *Reader, p *picture, h Hint) fact.Die {
	t.Helper()
	got, err := r.Read(p.Mat, h)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 {
		t.Fatalf("%d dice read, want 1: %+v", len(got), got)
	}
	return got[0]
}

// Beside a die there is a printed bar: it might lean out over its outline there. Under
// another lies a chip of the felt's colour. Who knows how the empty felt looks doubts
// the first no more, and sees the second.
func TestWhoKnowsTheFelt(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	chip := color.RGBA{R: 60, G: 112, B: 62}
	printed := func(p *picture) {
		gocv.Rectangle(&p.Mat, image.Rect(405, 100, 417, 420), white, -1)
	}
	empty := newPicture(t, 4)
	printed(empty)
	beside := newPicture(t, 4)
	printed(beside)
	beside.die(5, 368, 220, 0, red, white)
	onChip := newPicture(t, 4)
	printed(onChip)
	gocv.Circle(&onChip.Mat, image.Pt(700, 290), 85, chip, -1)
	onChip.die(5, 700, 220, 0, red, white)

	r := newReader(t)
	known := hint
	known.Felt, known.Learn = new(Felt), true
	for k := range feltLearned {
		if got := read(t, r, beside, hint); got.Abstain == "" {
			t.Fatalf("beside print: %+v, want a doubt", got)
		}
		if k == feltLearned-1 { // once more is enough, and one less is not
			flat := Hint{Edge: hint.Edge, Eye: hint.Eye, Drop: hint.Drop, Felt: known.Felt}
			if got := read(t, r, onChip, flat); got.Irregular != "" {
				t.Errorf("felt seen %d times: %+v, want nothing said of the chip", k, got)
			}
		}
		if got, err := r.Read(empty.Mat, known); err != nil || len(got) > 0 {
			t.Fatalf("bare felt: %+v, %v", got, err)
		}
	}
	known.Learn = false
	if got := read(t, r, beside, known); got.Abstain != "" || got.Irregular != "" || got.Guesses[0].Label != "5" {
		t.Errorf("beside known print: %+v, want a five", got)
	}
	if got := read(t, r, onChip, known); got.Irregular != "on_chips" {
		t.Errorf("on a chip of the cloth's colour: %+v, want on_chips", got)
	}
	if got := read(t, r, onChip, hint); got.Irregular != "" {
		t.Errorf("on a chip of the cloth's colour, the felt not known: %+v; such a chip is meant to pass for cloth", got)
	}
}

// knowing is the hint of a reader that knows the felt of a bare picture, and that picture.
func knowing(t *testing.T, r *Reader) (known Hint, empty *picture) {
	t.Helper()
	known, empty = hint, newPicture(t, 4)
	known.Felt, known.Learn = new(Felt), true
	for range feltLearned {
		if _, err := r.Read(empty.Mat, known); err != nil {
			t.Fatal(err)
		}
	}
	return known, empty
}

// A face that fits as badly as those of dice beside print sometimes do is doubted where
// the felt is known, for then print is no excuse.
func TestKnownFeltAsksForMore(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	r := newReader(t)
	known, _ := knowing(t, r)
	p := newPicture(t, 4)
	p.die(5, 600, 150, 0, red, white)
	cloth, _, err := segment(p.Mat, hint.Edge)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		h     Hint
		score float64
		want  bool
	}{
		{"not known, a good fit", hint, 0.985, false}, {"not known, a middling one", hint, 0.967, false}, {"not known, a bad one", hint, 0.956, true},
		{"known, a good fit", known, 0.985, false}, {"known, a middling one", known, 0.967, true},
	} {
		s, err := newSearch(p.Mat, image.Point{}, cloth, c.h)
		if err != nil {
			t.Fatal(err)
		}
		faces, _ := s.run()
		if len(faces) != 1 {
			t.Fatalf("%d faces, want 1", len(faces))
		}
		if faces[0].score = c.score; s.askew(faces, 0) != c.want {
			t.Errorf("%s (%.3f): doubted %v, want %v", c.name, c.score, !c.want, c.want)
		}
	}
}

// In a light of another colour nothing looks as it is known: then nothing is reported of
// chips, and what is known is forgotten.
func TestFeltInAnotherLight(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	r := newReader(t)
	known, empty := knowing(t, r)
	tint := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(26, 0, 8, 0), empty.Rows(), empty.Cols(), gocv.MatTypeCV8UC3)
	defer tint.Close()
	for _, at := range [][2]float64{{300, 220}, {150, 300}, {600, 150}, {500, 320}} {
		p := newPicture(t, 4)
		p.die(5, at[0], at[1], 0, red, white)
		if got := read(t, r, p, known); got.Abstain != "" || got.Irregular != "" {
			t.Fatalf("in the light in which the felt was learned: %+v, want a five", got)
		}
		gocv.Add(p.Mat, tint, &p.Mat)
		for range 6 {
			if got := read(t, r, p, known); got.Irregular != "" || got.Abstain != "" || got.Guesses[0].Label != "5" {
				t.Fatalf("in another light: %+v, want a five", got)
			}
		}
		for range feltLearned { // as it was
			if _, err := r.Read(empty.Mat, known); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What lies is not learned, what was learned is forgotten where another felt shows, and
// a picture of another size begins anew.
func TestFeltLearns(t *testing.T) {
	const w, h = 40, 8
	fill := func(v byte) []byte {
		out := make([]byte, 3*w*h)
		for i := range out {
			out[i] = v
		}
		return out
	}
	taken := []image.Rectangle{image.Rect(20, 0, 30, 4), image.Rect(3, 2, 10, 6)}
	f := new(Felt)
	is := func(x, y int) float64 {
		if c, ok := f.at(x, y); ok {
			return c[0]
		}
		return -1
	}
	for range feltLearned {
		if got := is(0, 0); got != -1 {
			t.Errorf("known as %.0f after too few pictures", got)
		}
		f.learn(fill(100), w, h, taken)
	}
	for _, x := range []struct {
		x, y int
		want float64
	}{{0, 0, 100}, {39, 7, 100}, {19, 0, 100}, {20, 0, -1}, {29, 3, -1}, {30, 3, 100}, {25, 4, 100}, {3, 2, -1},
		{9, 5, -1}, {2, 5, 100}, {-1, 0, -1}, {40, 0, -1}} {
		if got := is(x.x, x.y); got != x.want {
			t.Errorf("at %d, %d: %.0f, want %.0f", x.x, x.y, got, x.want)
		}
	}
	for range 9 {
		f.learn(fill(108), w, h, taken)
	}
	if got := is(0, 0); got < 104 {
		t.Errorf("in another light for long: %.0f, want about 108", got)
	}
	f.learn(fill(200), w, h, taken)
	f.learn(fill(200), w, h, taken)
	if got := is(0, 0); got != -1 {
		t.Errorf("another felt seen twice: still %.0f", got)
	}
	for range feltLearned + 2 {
		f.learn(fill(200), w, h, taken)
	}
	if got := is(0, 0); got != 200 {
		t.Errorf("another felt: %.0f, want 200", got)
	}
	f.learn(make([]byte, 3*5*5), 5, 5, nil)
	if got := is(0, 0); got != -1 {
		t.Errorf("a picture of another size: %.0f, want nothing known", got)
	}
}
