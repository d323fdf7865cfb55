package card

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"gocv.io/x/gocv"
	"pgregory.net/rapid"

	"vision/internal/fact"
)

var white = color.RGBA{R: 255, G: 255, B: 255}

// contourOf draws the outlines filled with white and gives the contour round all.
func contourOf(t testing.TB, size image.Point, polys ...[]image.Point) []image.Point {
	t.Helper()
	m := gocv.NewMatWithSize(size.Y, size.X, gocv.MatTypeCV8U)
	defer m.Close()
	m.SetTo(gocv.NewScalar(0, 0, 0, 0))
	for _, p := range polys {
		v := gocv.NewPointsVectorFromPoints([][]image.Point{p})
		gocv.FillPoly(&m, v, white)
		v.Close()
	}
	cs := gocv.FindContours(m, gocv.RetrievalExternal, gocv.ChainApproxNone)
	defer cs.Close()
	if cs.Size() != 1 {
		t.Fatalf("%d contours, want one", cs.Size())
	}
	return cs.At(0).ToPoints()
}

// rounded is a card with rounded corners as a polygon.
func rounded(cx, cy, w, h, r, angle float64) []image.Point {
	s, c := math.Sincos(angle)
	var out []image.Point
	for k, corner := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		for i := range 9 {
			a := (float64(k) + float64(i)/8) * math.Pi / 2
			x, y := corner[0]*(w/2-r)+r*math.Cos(a), corner[1]*(h/2-r)+r*math.Sin(a)
			out = append(out, image.Pt(int(math.Round(cx+c*x-s*y)), int(math.Round(cy+s*x+c*y))))
		}
	}
	return out
}

func TestFitFindsTheCornersOfRoundedCards(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// The 40 cells in which support is counted are as wide as the steps of a contour round a
		// card of 51 px: of 150,000 such cards 17 below 54 px are refused, none above.
		w := rapid.Float64Range(54, 120).Draw(rt, "short")
		angle := rapid.Float64Range(0, math.Pi).Draw(rt, "angle")
		o, ok := fit(contourOf(t, image.Pt(400, 400), rounded(200, 200, w, 1.4*w, 0.055*w, angle)))
		if !ok || !o.cardlike(findMinShort, 300, findAspect) {
			rt.Fatalf("no outline (%v, %+v)", ok, o)
		}
		a, b := sides(o.quad)
		if s, l := min(a, b), max(a, b); math.Abs(s-w) > 2.5 || math.Abs(l-1.4*w) > 2.5 {
			rt.Fatalf("sides %.1f and %.1f, want %.1f and %.1f", s, l, w, 1.4*w)
		}
		if c := centre(o.quad); norm(sub(c, fact.Point{200, 200})) > 1.5 {
			rt.Fatalf("centre %v", c)
		}
	})
}

func TestFitRefusesWhatIsNoCard(t *testing.T) {
	circle := make([]image.Point, 0, 60)
	for i := range 60 {
		s, c := math.Sincos(float64(i) * math.Pi / 30)
		circle = append(circle, image.Pt(200+int(60*c), 200+int(60*s)))
	}
	for name, poly := range map[string][]image.Point{
		"a chip":     circle,
		"a triangle": {{100, 100}, {250, 120}, {150, 260}},
		"a strip":    {{50, 100}, {350, 100}, {350, 150}, {50, 150}},
		"a cross": {{150, 50}, {200, 50}, {200, 150}, {300, 150}, {300, 200}, {200, 200}, {200, 300}, {150, 300}, {150, 200},
			{50, 200}, {50, 150}, {150, 150}},
	} {
		if o, ok := fit(contourOf(t, image.Pt(400, 400), poly)); ok && o.cardlike(findMinShort, 300, findAspect) {
			t.Errorf("%s is taken for a card: %+v", name, o)
		}
	}
}

func TestOverlap(t *testing.T) {
	unit := fact.Quad{{0, 0}, {10, 0}, {10, 10}, {0, 10}}
	for _, c := range []struct {
		name string
		b    fact.Quad
		want float64
	}{
		{"itself", unit, 100},
		{"half", fact.Quad{{5, 0}, {15, 0}, {15, 10}, {5, 10}}, 50},
		{"apart", fact.Quad{{20, 0}, {30, 0}, {30, 10}, {20, 10}}, 0},
		{"turned inside", fact.Quad{{5, 0}, {10, 5}, {5, 10}, {0, 5}}, 50},
	} {
		if got := overlap(unit, c.b); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := overlap(c.b, unit); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, the other way: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestHullHoldsAllPoints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var pts []image.Point
		for range rapid.IntRange(0, 40).Draw(rt, "n") {
			pts = append(pts, image.Pt(rapid.IntRange(0, 30).Draw(rt, "x"), rapid.IntRange(0, 30).Draw(rt, "y")))
		}
		h := hull(pts)
		if len(h) < 3 {
			return
		}
		for i := range h {
			for _, p := range pts {
				if cross(sub(h[(i+1)%len(h)], h[i]), sub(toPoint(p), h[i])) < -1e-9 {
					rt.Fatalf("%v lies outside %v", p, h)
				}
			}
		}
	})
}

func TestFreeCornersOfTwoCards(t *testing.T) {
	a := rounded(160, 200, 100, 140, 6, 0)
	b := rounded(230, 215, 100, 140, 6, 0.3)
	corners, straight := freeCorners(contourOf(t, image.Pt(400, 400), a, b), 100)
	if straight < heapStraight {
		t.Errorf("only %.2f of the outline is straight", straight)
	}
	for name, p := range map[string]fact.Point{"top left of the left card": {110, 130}, "bottom left": {110, 270}} {
		found := false
		for _, c := range corners {
			found = found || norm(sub(c.at, p)) < 3
		}
		if !found {
			t.Errorf("no free corner at %s", name)
		}
	}
	for _, c := range corners { // clockwise: from prev over the corner to next is a right turn
		if cross(c.prev, c.next) > 0 {
			t.Errorf("corner at %v is not convex", c.at)
		}
	}
	if n := len(corners); n < 4 || n > 7 {
		t.Errorf("%d free corners, want 4 to 7", n)
	}
}

func TestACornerSupposesItsCard(t *testing.T) {
	c := free{at: fact.Point{10, 10}, next: fact.Point{1, 0}, prev: fact.Point{0, 1}, nextLen: 40, prevLen: 90}
	m, ok := c.mark(size{60, 84}, false)
	if want := (fact.Quad{{10, 10}, {70, 10}, {70, 94}, {10, 94}}); !ok || m.quad() != want {
		t.Errorf("upright: %v %v, want %v", m.quad(), ok, want)
	}
	if _, ok := c.mark(size{60, 70}, false); ok {
		t.Error("a visible side longer than the card is accepted")
	}
	c.prevLen = 50
	m, ok = c.mark(size{60, 84}, true) // the corner is the top right, the long side lies along next
	if want := (fact.Quad{{10, 70}, {10, 10}, {94, 10}, {94, 70}}); !ok || m.quad() != want {
		t.Errorf("across: %v %v, want %v", m.quad(), ok, want)
	}
}

// A back of another size than the faces beside it is none, nor is one without
// corners where nothing tells the size.
func TestBacksAreDoubted(t *testing.T) {
	at := func(x, short, long float64, label string) fact.Card {
		q := fact.Quad{{x, 0}, {x + short, 0}, {x + short, long}, {x, long}}
		return fact.Card{Quad: q, At: centre(q), Guesses: []fact.Guess{{Label: label, P: 1}}}
	}
	corner := func(x float64) []mark { return []mark{{plain: true, cornerScore: 0.6, apex: fact.Point{x + 5, 3}}} }
	faint := corner(0)
	faint[0].cornerScore = 0.4
	for name, c := range map[string]struct {
		cards []fact.Card
		marks []mark
		hint  Hint
		doubt bool
	}{
		"as large as the face":   {[]fact.Card{at(0, 100, 140, "As"), at(200, 95, 135, "BK")}, corner(200), Hint{}, false},
		"a pip of the face":      {[]fact.Card{at(0, 100, 140, "As"), at(20, 35, 50, "BK")}, corner(20), Hint{}, true},
		"a table beside a card":  {[]fact.Card{at(0, 100, 140, "As"), at(200, 300, 420, "BK")}, corner(200), Hint{}, true},
		"alone":                  {[]fact.Card{at(0, 100, 140, "BK")}, corner(0), Hint{}, false},
		"a key, without corners": {[]fact.Card{at(0, 100, 140, "BK")}, nil, Hint{}, true},
		"another's corner":       {[]fact.Card{at(0, 100, 140, "BK")}, corner(300), Hint{}, true},
		"a printed frame":        {[]fact.Card{at(0, 100, 140, "BK")}, faint, Hint{}, true},
		"of a known size":        {[]fact.Card{at(0, 100, 140, "BK")}, nil, Hint{Short: 100}, false},
	} {
		doubtBacks(c.cards, make([]view, len(c.cards)), c.marks, c.hint)
		if got := c.cards[len(c.cards)-1].Abstain != ""; got != c.doubt {
			t.Errorf("%s: doubted %v, want %v", name, got, c.doubt)
		}
	}
}

// A longer side is the card's, unless it may only seem so: opposite sides that are
// unlike run away from the camera.
func TestOrientations(t *testing.T) {
	for name, c := range map[string]struct {
		q    fact.Quad
		want []float64 // the y of each one's own top left
	}{
		"upright":                         {fact.Quad{{0, 0}, {100, 0}, {100, 140}, {0, 140}}, []float64{0}},
		"lying":                           {fact.Quad{{0, 0}, {140, 1}, {140, 101}, {0, 100}}, []float64{1}},
		"shortened to a square":           {fact.Quad{{0, 0}, {100, 1}, {100, 111}, {0, 110}}, []float64{0, 1}},
		"far, its long side away from it": {fact.Quad{{0, 0}, {140, 1}, {160, 101}, {-20, 100}}, []float64{0, 1}},
		"upright, running away":           {fact.Quad{{12, 0}, {92, 0}, {104, 140}, {0, 140}}, []float64{0}},
		"seen from its side":              {fact.Quad{{0, 0}, {100, -20}, {100, 160}, {0, 140}}, []float64{0, -20}},
	} {
		var got []float64
		for _, o := range orientations(outline{quad: c.q}) {
			got = append(got, o.quad[0][1])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: own top left at y = %v, want %v", name, got, c.want)
		}
	}
}
