package dice

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"gocv.io/x/gocv"
	"pgregory.net/rapid"
)

var (
	ivory = color.RGBA{R: 240, G: 238, B: 228}
	ink   = color.RGBA{R: 25, G: 25, B: 28}
	ruby  = color.RGBA{R: 190, G: 20, B: 32}
	gold  = color.RGBA{R: 200, G: 170, B: 40}
	teal  = color.RGBA{R: 20, G: 120, B: 110}
)

// closeUp is a picture of one thing on felt, drawn four times as large.
type closeUp struct {
	gocv.Mat
	edge float64
}

func newCloseUp(edge float64) *closeUp {
	side := int(16 * edge)
	return &closeUp{gocv.NewMatWithSizeFromScalar(gocv.NewScalar(50, 88, 30, 0), side, side, gocv.MatTypeCV8UC3), edge}
}

// at is a point in half edges from the middle, in the picture as it is drawn.
func (c *closeUp) at(x, y, angle float64) image.Point {
	sin, cos := math.Sincos(angle)
	h, mid := 2*c.edge, float64(c.Cols())/2
	return image.Pt(int(math.Round(mid+h*(x*cos-y*sin))), int(math.Round(mid+h*(x*sin+y*cos))))
}

func (c *closeUp) face(value int, angle float64, body, spots color.RGBA) {
	v := gocv.NewPointsVectorFromPoints([][]image.Point{{c.at(-1, -1, angle), c.at(1, -1, angle), c.at(1, 1, angle),
		c.at(-1, 1, angle)}})
	defer v.Close()
	gocv.FillPoly(&c.Mat, v, body)
	for i, q := range places {
		if pips[value]>>i&1 == 1 {
			gocv.Circle(&c.Mat, c.at(q[0], q[1], angle), int(0.4*c.edge), spots, -1)
		}
	}
}

// done is the picture in its size, blurred.
func (c *closeUp) done(blur float64) gocv.Mat {
	out := gocv.NewMat()
	gocv.Resize(c.Mat, &out, image.Pt(c.Cols()/4, c.Rows()/4), 0, 0, gocv.InterpolationArea)
	if blur > 0 {
		gocv.GaussianBlur(out, &out, image.Point{}, blur, blur, gocv.BorderReplicate)
	}
	c.Mat.Close()
	return out
}

// spotted is the value that the spots alone show in the middle of a picture
// which is closed; 0: none.
func spotted(t interface {
	Helper()
	Fatal(...any)
}, w *witness, img gocv.Mat, edge float64) int {
	t.Helper()
	defer img.Close()
	blank := hit{x: float64(img.Cols()-1) / 2, y: float64(img.Rows()-1) / 2, edge: edge, die: 1,
		values: [6]float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}}
	e, err := w.evidence(img, blank)
	if err != nil {
		t.Fatal(err)
	}
	d, err := decide(blank, e, func(p *pattern) (float64, error) { return w.roundness(img, blank, p) })
	if err != nil {
		t.Fatal(err)
	}
	if d.why != "" || d.p[d.value] < 0.9 || e.weight[d.value] < fitted.Witnesses.Bears[d.value] {
		return 0
	}
	return d.value + 1
}

func TestSpotsOfDrawnFaces(t *testing.T) {
	w := newWitness()
	for _, c := range []struct {
		name        string
		body, spots color.RGBA
		edge, blur  float64
		proposed    float64 // edge over the true one
	}{
		{"dark on light", ivory, ink, 30, 0, 1},
		{"light on dark", ruby, ivory, 30, 0, 1},
		{"colour on colour", teal, gold, 30, 0, 1},
		{"small", ivory, ink, 18, 0.4, 1},
		{"blurred", ivory, ink, 30, 1.5, 1},
		{"large", ruby, ivory, 90, 1, 1},
		{"taken too small", ivory, ink, 30, 0.5, 0.8},
		{"taken too large", ivory, ink, 30, 0.5, 1.25},
	} {
		for value := 1; value <= 6; value++ {
			for k := range 4 {
				p := newCloseUp(c.edge)
				p.face(value, 0.2+0.4*float64(k), c.body, c.spots)
				if got := spotted(t, w, p.done(c.blur), c.proposed*c.edge); got != value {
					t.Errorf("%s, turned %d: a %d is read as %d", c.name, k, value, got)
				}
			}
		}
	}
}

// However a face is turned, the same is read.
func TestSpotsDoNotDependOnTheTurn(t *testing.T) {
	w := newWitness()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.IntRange(1, 6).Draw(t, "value")
		edge := rapid.Float64Range(18, 60).Draw(t, "edge")
		p := newCloseUp(edge)
		p.face(value, rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle"), ivory, ink)
		if got := spotted(t, w, p.done(edge/60), edge); got != value {
			t.Fatalf("a %d is read as %d", value, got)
		}
	})
}

// A low camera makes a rhombus of a face that is turned by an eighth; the spots are
// long then, and lie level.
func TestSpotsBeforeALowCamera(t *testing.T) {
	w := newWitness()
	read := 0
	const turns = 8
	for value := 1; value <= 6; value++ {
		for k := range turns {
			p := newCloseUp(32)
			p.face(value, math.Pi/2*float64(k)/turns, ivory, ink)
			img := p.done(0)
			gocv.Resize(img, &img, image.Pt(img.Cols(), img.Rows()/2), 0, 0, gocv.InterpolationArea)
			switch got := spotted(t, w, img, 32*math.Sqrt(0.5)); got {
			case value:
				read++
			case 0:
			default:
				t.Errorf("turned by %d/%d of a quarter: a %d is read as %d", k, turns, value, got)
			}
		}
	}
	if read < 6*turns*8/10 {
		t.Errorf("%d of %d are read", read, 6*turns)
	}
	t.Logf("%d of %d are read", read, 6*turns)
}

// Spots that are round, or long in another way than the face they would make, make none.
func TestARhombusOfRoundSpotsIsNoFace(t *testing.T) {
	const c, long = (faceSide - 1) / 2.0, 2.0
	corner := func(x, y float64, s spot) spot {
		a := 2 * spread * faceEdge / 2 * math.Sqrt2
		s.x, s.y, s.area, s.height, s.round = c+a*x, c+a*y/long, 30, 50, 1
		return s
	}
	for name, s := range map[string]struct {
		spot
		want bool
	}{
		"long and level": {spot{long: long}, true},
		"round":          {spot{long: 1}, false},
		"upright":        {spot{long: long, turn: math.Pi / 2}, false},
	} {
		four := []spot{corner(-1, 0, s.spot), corner(1, 0, s.spot), corner(0, -1, s.spot), corner(0, 1, s.spot)}
		if p := many(four, c); (p != nil) != s.want || p != nil && p.value != 4 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestWhatIsNoFaceHasNoSpots(t *testing.T) {
	w := newWitness()
	for name, draw := range map[string]func(*closeUp){
		"felt":         func(*closeUp) {},
		"a blank face": func(c *closeUp) { c.face(0, 0.3, ivory, ink) },
		"a fleck on felt": func(c *closeUp) {
			gocv.Circle(&c.Mat, c.at(0, 0, 0), int(0.3*c.edge), ivory, -1)
		},
		"a row of flecks on felt": func(c *closeUp) {
			for k := -6; k <= 6; k++ {
				gocv.Circle(&c.Mat, c.at(0.6*float64(k), 0.1, 0), int(0.3*c.edge), ivory, -1)
			}
		},
		"a chip": func(c *closeUp) {
			gocv.Circle(&c.Mat, c.at(0, 0, 0), int(2*c.edge), ruby, -1)
			for k := range 8 {
				sin, cos := math.Sincos(float64(k) * math.Pi / 4)
				gocv.Line(&c.Mat, c.at(0.8*cos, 0.8*sin, 0), c.at(cos, sin, 0), ivory, int(0.5*c.edge))
			}
			gocv.Circle(&c.Mat, c.at(0, 0, 0), int(1.2*c.edge), ivory, int(0.15*c.edge))
		},
		"letters": func(c *closeUp) {
			gocv.PutText(&c.Mat, "PAY 8", c.at(-1.6, 0.5, 0), gocv.FontHersheySimplex, c.edge/9, ivory, int(0.3*c.edge))
		},
		"pips of a card": func(c *closeUp) { // rhombs, far from the middle of a large white
			c.face(0, 0, ivory, ink)
			for _, q := range places {
				v := gocv.NewPointsVectorFromPoints([][]image.Point{{c.at(q[0]-0.25, q[1], 0), c.at(q[0], q[1]-0.3, 0),
					c.at(q[0]+0.25, q[1], 0), c.at(q[0], q[1]+0.3, 0)}})
				gocv.FillPoly(&c.Mat, v, ruby)
				v.Close()
			}
		},
	} {
		for _, edge := range [2]float64{24, 80} {
			p := newCloseUp(edge)
			draw(p)
			if got := spotted(t, w, p.done(0.5), edge); got != 0 {
				t.Errorf("%s, edge %.0f: read as %d", name, edge, got)
			}
		}
	}
}

// Pits hold glint: half way to their shade they are none, near the body's they are
// round. Diamonds are not round.
func TestPitsAreRoundNearTheBodysShade(t *testing.T) {
	w := newWitness()
	glint := color.RGBA{R: 145, G: 142, B: 136}
	for value := 3; value <= 6; value++ {
		pits, print := newCloseUp(60), newCloseUp(60)
		pits.face(value, 0, ivory, ink)
		print.face(value, 0, ivory, ivory)
		for i, q := range places {
			if pips[value]>>i&1 == 0 {
				continue
			}
			at, r := pits.at(q[0], q[1], 0), int(0.4*pits.edge)
			gocv.Circle(&pits.Mat, at, r, glint, -1) // all but a bar
			gocv.Line(&pits.Mat, at.Sub(image.Pt(r-3, 0)), at.Add(image.Pt(r-3, 0)), ink, r/4)
			v := gocv.NewPointsVectorFromPoints([][]image.Point{{at.Add(image.Pt(r, 0)), at.Add(image.Pt(0, r)),
				at.Sub(image.Pt(r, 0)), at.Sub(image.Pt(0, r))}})
			gocv.FillPoly(&print.Mat, v, ink)
			v.Close()
		}
		img := pits.done(0.5)
		blank := hit{x: float64(img.Cols()-1) / 2, y: float64(img.Rows()-1) / 2, edge: 60, die: 1}
		e, err := w.evidence(img, blank)
		if err != nil {
			t.Fatal(err)
		}
		p := e.best[value-1]
		if p == nil {
			t.Fatalf("pits of a %d: not found", value)
		}
		round, err := w.roundness(img, blank, p)
		if err != nil {
			t.Fatal(err)
		}
		if half := w.discs(p, 1, 0.5, true); half > 0 || round < agreeDisc {
			t.Errorf("pits of a %d are %.3f round half way and %.3f at best, bound %.3f", value, half, round, agreeDisc)
		}
		if got := spotted(t, w, img, 60); got != value {
			t.Errorf("pits of a %d are read as %d", value, got)
		}
		if got := spotted(t, w, print.done(0.5), 60); got != 0 {
			t.Errorf("%d diamonds are read as a %d", value, got)
		}
	}
}

// A proposal at the picture's border is looked at as far as it can be seen.
func TestSpotsAtTheBorder(t *testing.T) {
	w := newWitness()
	p := newCloseUp(30)
	p.face(5, 0, ivory, ink)
	img := p.done(0)
	defer img.Close()
	for _, x := range []float64{-40, 0, 12, 1e6} {
		if e, err := w.evidence(img, hit{x: x, y: 60, edge: 30}); err != nil || e.weight != [6]float64{} {
			t.Errorf("at %v: %+v, %v: want nothing", x, e, err)
		}
	}
}

func BenchmarkWitness(b *testing.B) {
	w := newWitness()
	for _, value := range []int{0, 1, 6} {
		p := newCloseUp(30)
		p.face(value, 0.4, ivory, ink)
		img := p.done(0.5)
		b.Run(fmt.Sprint(value), func(b *testing.B) {
			for b.Loop() {
				if _, err := w.evidence(img, hit{x: 59.5, y: 59.5, edge: 30}); err != nil {
					b.Fatal(err)
				}
			}
		})
		img.Close()
	}
}

func TestASixOverTheEdgeOfADieIsBent(t *testing.T) {
	w := newWitness()
	six := pattern{value: 6, tall: true, spots: []spot{{x: 20, y: 20}, {x: 40, y: 20}, {x: 20, y: 40}, {x: 40, y: 40},
		{x: 20, y: 30}, {x: 40, y: 30}}}
	for _, c := range []struct {
		upper, lower byte
		want         bool
	}{{200, 200, false}, {200, 120, true}, {200, 160, false}} {
		for _, pl := range w.planes[:3] {
			for i := range pl.pix {
				if pl.pix[i] = c.upper; i/faceSide >= 36 {
					pl.pix[i] = c.lower
				}
			}
		}
		if got := w.bent(&six); got != c.want {
			t.Errorf("light %d over %d: %v", c.upper, c.lower, got)
		}
	}
}
