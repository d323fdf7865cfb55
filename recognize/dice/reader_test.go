package dice

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
)

const edge = 60

// picture draws upper faces on felt, rectified as the reader gets them.
type picture struct {
	gocv.Mat
	rnd *rand.Rand
}

func newPicture(t *testing.T, seed uint64) *picture {
	t.Helper()
	p := &picture{gocv.NewMatWithSizeFromScalar(gocv.NewScalar(50, 88, 30, 0), 500, 900, gocv.MatTypeCV8UC3),
		rand.New(rand.NewPCG(seed, 1))}
	t.Cleanup(func() { p.Close() })
	for range 30 { // printed lines
		y := p.rnd.IntN(500)
		gocv.Line(&p.Mat, image.Pt(0, y), image.Pt(900, y+3), color.RGBA{R: 235, G: 230, B: 210}, 1)
	}
	return p
}

var pips = [7]uint8{1: 0b0001000, 2: 0b1000001, 3: 0b1001001, 4: 0b1100011, 5: 0b1101011, 6: 0b1110111}

// die draws a face, and the die's side below it as a camera from there shows it.
func (p *picture) die(value int, x, y, angle float64, body, spots color.RGBA) {
	sin, cos := math.Sincos(angle)
	at := func(a, b float64) image.Point {
		a, b = a*edge/2, b*edge/2
		return image.Pt(int(x+a*cos-b*sin+0.5), int(y+a*sin+b*cos+0.5))
	}
	square := []image.Point{at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)}
	side := color.RGBA{R: body.R / 2, G: body.G / 2, B: body.B / 2}
	for k := range 60 { // the side, swept towards the camera
		var low []image.Point
		for _, q := range square {
			low = append(low, q.Add(image.Pt(0, 60-k)))
		}
		p.fill(low, side)
	}
	p.fill(square, body)
	for i, q := range places {
		if pips[value]>>i&1 == 1 {
			gocv.Circle(&p.Mat, at(q[0], q[1]), edge/10, spots, -1)
		}
	}
}

func (p *picture) fill(poly []image.Point, c color.RGBA) {
	v := gocv.NewPointsVectorFromPoints([][]image.Point{poly})
	defer v.Close()
	gocv.FillPoly(&p.Mat, v, c)
}

func newReader(t *testing.T) *Reader {
	t.Helper()
	r, err := NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// The camera stands far below the picture: sides are swept straight down.
var hint = Hint{Edge: edge, Eye: fact.Point{450, 1e7}, Drop: 60e-7}

// Every value of red, white and blue dice, at any turn.
func TestValues(t *testing.T) {
	white, black, red := color.RGBA{R: 245, G: 243, B: 238}, color.RGBA{R: 25, G: 25, B: 28},
		color.RGBA{R: 205, G: 22, B: 34}
	r := newReader(t)
	for name, c := range map[string][2]color.RGBA{"red": {red, white}, "white": {white, black}, "blue": {{R: 30, G: 50, B: 190}, white}} {
		t.Run(name, func(t *testing.T) {
			p := newPicture(t, 1)
			for v := 1; v <= 6; v++ {
				p.die(v, 80+140*float64(v-1), 150, 0.25*float64(v), c[0], c[1])
				p.die(v, 80+140*float64(v-1), 350, 0.9-0.2*float64(v), c[0], c[1])
			}
			got, err := r.Read(p.Mat, hint)
			if err != nil {
				t.Fatal(err)
			}
			count := map[string]int{}
			for _, d := range got {
				l, _ := fact.Best(d.Guesses)
				if d.Abstain != "" {
					l = "?"
				}
				count[l]++
				want := string(rune('1' + int((d.Quad[0][0]+d.Quad[2][0])/2-10)/140))
				if l != want && l != "?" {
					t.Errorf("a %s was read as %s", want, l)
				}
			}
			for v := 1; v <= 6; v++ {
				if n := count[string(rune('0'+v))]; n != 2 {
					t.Errorf("%d read %d times, want 2 (%v)", v, n, count)
				}
			}
		})
	}
}

// A die seen over its edge shows two sides with spots of their own, and printed
// lines run past it: only the upper face is read.
func TestSidesAreNoFaces(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	for value := 1; value <= 6; value++ {
		p := newPicture(t, uint64(10+value))
		p.die(value, 300, 200, math.Pi/4, red, white)
		half := edge / math.Sqrt2
		gocv.Line(&p.Mat, image.Pt(0, int(200-half)-4), image.Pt(900, int(200-half)-2), color.RGBA{R: 235, G: 230, B: 210}, 6)
		for _, q := range [][2]float64{{-0.75, 0.5}, {-0.25, 1}, {-0.75, 1.2}, {-0.25, 1.7}, {0.35, 1}, {0.7, 1.4}} {
			at := image.Pt(int(300+q[0]*half), int(200+q[1]*half))
			gocv.Ellipse(&p.Mat, at, image.Pt(edge/14, edge/10), 0, 0, 360, white, -1)
		}
		got, err := newReader(t).Read(p.Mat, hint)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].Abstain != "" {
			t.Errorf("a %d: %+v", value, got)
			continue
		}
		if l, _ := fact.Best(got[0].Guesses); l != string(rune('0'+value)) {
			t.Errorf("a %d was read as %s", value, l)
		}
	}
}

// What is no die's face in the plane is not guessed: something is there that was
// not read.
func TestAbstains(t *testing.T) {
	p := newPicture(t, 2)
	p.fill([]image.Point{{300, 200}, {370, 220}, {360, 300}, {290, 280}}, color.RGBA{R: 205, G: 22, B: 34})
	got, err := newReader(t).Read(p.Mat, hint)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Abstain == "" {
		t.Errorf("a face without spots: %+v", got)
	}
}

func TestEmptyCloth(t *testing.T) {
	p := newPicture(t, 3)
	// Printed dice: outlines with dots.
	gocv.Rectangle(&p.Mat, image.Rect(200, 200, 260, 260), color.RGBA{R: 230, G: 200, B: 60}, 4)
	gocv.Circle(&p.Mat, image.Pt(230, 230), 6, color.RGBA{R: 230, G: 200, B: 60}, -1)
	got, err := newReader(t).Read(p.Mat, hint)
	if err != nil || len(got) != 0 {
		t.Errorf("on empty cloth: %+v, %v", got, err)
	}
}

// A row of letters that the picture cuts off is no die that was not read, however
// long it is.
func TestARowOfLettersIsNoDie(t *testing.T) {
	p := newPicture(t, 6)
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	p.die(4, 300, 90, 0.3, red, white)
	p.fill([]image.Point{{200, 0}, {420, 0}, {420, edge / 3}, {200, edge / 3}}, color.RGBA{R: 235, G: 230, B: 210})
	got, err := newReader(t).Read(p.Mat, hint)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Abstain != "" {
		t.Errorf("a four beside letters: %+v", got)
	}
}

func TestTouchingDice(t *testing.T) {
	p := newPicture(t, 4)
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	p.die(5, 300, 200, 0, red, white)
	p.die(3, 361, 200, 0, red, white)
	got, err := newReader(t).Read(p.Mat, hint)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, d := range got {
		l, _ := fact.Best(d.Guesses)
		if d.Abstain == "" {
			sum += int(l[0] - '0')
		}
	}
	if len(got) != 2 || sum != 8 {
		t.Errorf("touching 5 and 3: %+v", got)
	}
}

func TestRefusals(t *testing.T) {
	r := newReader(t)
	grey := gocv.NewMatWithSize(100, 100, gocv.MatTypeCV8U)
	defer grey.Close()
	if _, err := r.Read(grey, hint); !errors.Is(err, cv.ErrPicture) {
		t.Errorf("a grey picture: %v", err)
	}
	p := newPicture(t, 5)
	if _, err := r.Read(p.Mat, Hint{Edge: 5}); err == nil {
		t.Error("an edge of 5 pixels")
	}
}
