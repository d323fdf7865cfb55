package stack_test

import (
	"errors"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/lab/sim/scene"
	"vision/recognize/stack"
)

// drawn is a photograph of stacks of one kind each, some chips high, by a camera at such an elevation in radians.
func drawn(t testing.TB, counts map[string]int, elevation float64) gocv.Mat {
	t.Helper()
	palette := []calibration.Chip{
		{ID: "red", Face: "#c4232b", Edge: "#f2efe6", Diameter: 39, Thickness: 3.4, Value: 500},
		{ID: "green", Face: "#1f8a4c", Edge: "#f0e9d2", Diameter: 39, Thickness: 3.4, Value: 2500},
		{ID: "black", Face: "#26262b", Edge: "#e9e9e0", Diameter: 39, Thickness: 3.4, Value: 10000},
		{ID: "blue", Face: "#2a4fa0", Edge: "#f0f0f0", Diameter: 39, Thickness: 3.4, Value: 1000},
	}
	view := scene.View{
		Size: [2]int{960, 540}, Target: [2]float64{200, 0}, Distance: 700, Tilt: math.Pi/2 - elevation, Scale: 2.2,
	}
	cam := scene.NewCamera(view)
	felt := scene.NewFelt(image.Rect(-400, -700, 800, 500), [3]float64{20, 92, 60})
	sc, err := scene.New(cam, felt, palette, 5)
	if err != nil {
		t.Fatal(err)
	}
	x := 60.0
	for _, c := range palette {
		n := counts[c.ID]
		if n == 0 {
			continue
		}
		sp, err := sc.Stack(slices.Repeat([]string{c.ID}, n), x, 0)
		if err != nil {
			t.Fatal(err)
		}
		sc.Lay(sp, true, [2]float64{x, 0})
		x += 90
	}
	p, _ := sc.Render()
	m, err := gocv.NewMatFromBytes(p.H, p.W, gocv.MatTypeCV8UC3, p.Pix)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A photograph of which nothing is known: each stack is found once and named by its colour, and what is reported of its
// number holds. So it is with red and green chips that lie flat, seen from above.
func TestPhotograph(t *testing.T) {
	r, err := stack.NewPhotographs(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for elevation, want := range map[float64]map[string]int{
		0.62: {"red": 5, "green": 9, "black": 3, "blue": 14},
		1.4:  {"red": 1, "green": 1}, // black and blue ones are not sure: internal/lab/NOTES.md
	} {
		img := drawn(t, want, elevation)
		got, err := r.Photograph(img)
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for _, s := range got {
			if s.P < 0.5 {
				continue
			}
			name := s.Chips[0]
			found[name]++
			if n := want[name]; n < s.Low || n > s.High {
				t.Errorf("elevation %v: %d of %s are %d to %d", elevation, n, name, s.Low, s.High)
			}
		}
		for name := range want {
			if found[name] != 1 {
				t.Errorf("elevation %v: %s found %d times", elevation, name, found[name])
			}
		}
	}
}

// Where no chips are, none are read with any certainty: cards, lines and noise.
func TestPhotograph_withoutChips(t *testing.T) {
	r, err := stack.NewPhotographs(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 100, 30, 0), 480, 640, gocv.MatTypeCV8UC3)
	defer img.Close()
	for i := range 5 {
		x := 40 + 110*i
		box := image.Rect(x, 120, x+80, 240)
		gocv.Rectangle(&img, box, color.RGBA{240, 240, 240, 0}, -1)
		index := []string{"A", "9", "K", "4", "7"}[i]
		gocv.PutText(&img, index, image.Pt(x+8, 160), gocv.FontHersheySimplex, 1, color.RGBA{200, 20, 30, 0}, 2)
	}
	gocv.Line(&img, image.Pt(0, 400), image.Pt(640, 330), color.RGBA{230, 220, 120, 0}, 5)
	got, err := r.Photograph(img)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range got {
		if s.P >= 0.5 {
			t.Errorf("%d of %s at %v, %.2f", len(s.Chips), s.Chips[0], s.Quad[0], s.P)
		}
	}
}

// What is no picture is refused, and a picture too small for chips has none.
func TestPhotograph_refuses(t *testing.T) {
	r, err := stack.NewPhotographs(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	none := gocv.NewMat()
	defer none.Close()
	grey := gocv.NewMatWithSize(100, 100, gocv.MatTypeCV8UC1)
	defer grey.Close()
	for _, img := range []gocv.Mat{none, grey} {
		if _, err := r.Photograph(img); !errors.Is(err, cv.ErrPicture) {
			t.Errorf("Photograph: %v", err)
		}
	}
	tiny := gocv.NewMatWithSize(4, 4, gocv.MatTypeCV8UC3)
	defer tiny.Close()
	if got, err := r.Photograph(tiny); err != nil || len(got) > 0 {
		t.Errorf("4×4 pixels: %v, %v", got, err)
	}
}
