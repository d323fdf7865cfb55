package cv

import (
	"errors"
	"image"
	"image/color"
	"testing"

	"gocv.io/x/gocv"
)

// Of a frame, a speck and a bar only what is within the limits comes back, in
// the mask's own pixels, also where it touches the edge of the mask.
func TestContours(t *testing.T) {
	mask := gocv.NewMatWithSize(60, 80, gocv.MatTypeCV8U)
	defer mask.Close()
	white := color.RGBA{R: 255, G: 255, B: 255}
	gocv.Rectangle(&mask, image.Rect(0, 0, 20, 30), white, -1)
	gocv.Rectangle(&mask, image.Rect(40, 40, 42, 42), white, -1)
	gocv.Rectangle(&mask, image.Rect(30, 55, 79, 58), white, -1)
	got, err := Contours(mask, ContourLimits{PointsMin: 20, PointsMax: 500, ShortMin: 10, LongMax: 60})
	if err != nil || len(got) != 1 {
		t.Fatalf("%d contours, %v; want one", len(got), err)
	}
	box := image.Rectangle{got[0][0], got[0][0]}
	for _, p := range got[0] {
		box = box.Union(image.Rectangle{p, p.Add(image.Pt(1, 1))})
	}
	if box.Min != image.Pt(0, 0) || box.Dx() < 20 || box.Dx() > 22 || box.Dy() < 30 || box.Dy() > 32 {
		t.Errorf("the frame lies at %v", box)
	}
	all, err := Contours(mask, ContourLimits{PointsMax: 500, LongMax: 80})
	if err != nil || len(all) != 3 {
		t.Errorf("%d contours, %v; want all three", len(all), err)
	}
}

func TestContoursRefusesWhatIsNoMask(t *testing.T) {
	empty, colour := gocv.NewMat(), gocv.NewMatWithSize(9, 9, gocv.MatTypeCV8UC3)
	whole := gocv.NewMatWithSize(20, 20, gocv.MatTypeCV8U)
	part := whole.Region(image.Rect(2, 2, 9, 9))
	for _, m := range []gocv.Mat{empty, colour, part} {
		if _, err := Contours(m, ContourLimits{}); !errors.Is(err, ErrMask) {
			t.Errorf("error %v, want ErrMask", err)
		}
	}
	for _, m := range []gocv.Mat{part, whole, colour, empty} {
		m.Close()
	}
}

func TestSimplifyKeepsTheCornersOfASquare(t *testing.T) {
	var square []image.Point
	for i := range 20 {
		square = append(square, image.Pt(i, 0))
	}
	for i := range 20 {
		square = append(square, image.Pt(20, i))
	}
	for i := range 20 {
		square = append(square, image.Pt(20-i, 20))
	}
	for i := range 20 {
		square = append(square, image.Pt(0, 20-i))
	}
	got := Simplify(square, 1.5)
	if len(got) != 4 {
		t.Fatalf("%v: want four corners", got)
	}
	for _, p := range got {
		if p.X%20 != 0 || p.Y%20 != 0 {
			t.Errorf("%v is no corner", p)
		}
	}
	if Simplify(nil, 1) != nil {
		t.Error("an empty contour has corners")
	}
}
