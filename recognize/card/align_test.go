package card

import (
	"image"
	"image/color"
	"math"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// An outline inside or outside the paper comes to its edge; where the card touches
// another as pale, and where nothing lies, it stays.
func TestSnug(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 100, 40, 0), 400, 500, gocv.MatTypeCV8UC3)
	defer img.Close()
	q := turned(200, 200, 100, 0.3)
	along := unit(sub(q[1], q[0]))
	next := q // touches q on its right
	for i := range next {
		next[i] = add(next[i], scale(along, 100))
	}
	fill := func(q fact.Quad) {
		var pts []image.Point
		for _, p := range q {
			pts = append(pts, image.Pt(int(math.Round(p[0])), int(math.Round(p[1]))))
		}
		pv := gocv.NewPointsVectorFromPoints([][]image.Point{pts})
		defer pv.Close()
		gocv.FillPoly(&img, pv, color.RGBA{230, 230, 230, 0})
	}
	fill(q)
	gocv.GaussianBlur(img, &img, image.Pt(5, 5), 1, 1, gocv.BorderDefault)
	off := func(a, b fact.Quad) float64 {
		most := 0.0
		for i := range a {
			most = max(most, norm(sub(a[i], b[i])))
		}
		return most
	}
	for _, by := range []float64{-0.035, -0.02, 0.02, 0.035} {
		if d := off(alignSides(img, widened(q, by, by)), q); d > 1.5 {
			t.Errorf("an outline wider by %v of each side comes to %.1f pixels from the edge, want at most 1.5", by, d)
		}
	}
	away := turned(400, 60, 60, 0)
	if got := alignSides(img, away); off(got, away) > 0.01 {
		t.Errorf("an outline round nothing moves to %v", got)
	}
	fill(q)
	fill(next)
	gocv.GaussianBlur(img, &img, image.Pt(5, 5), 1, 1, gocv.BorderDefault)
	small := widened(q, -0.02, -0.02)
	got := alignSides(img, small)
	x := newSide(q[0], q[3])
	if _, d := x.place(got[0]); d > 1.5 {
		t.Errorf("the free side is %.1f pixels off", d)
	}
	y := newSide(small[1], small[2])
	if _, d := y.place(got[2]); d > 0.01 {
		t.Errorf("the side at the other card moved by %.2f pixels", d)
	}
}
