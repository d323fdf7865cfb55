package still

import (
	"fmt"
	"image"
	"image/color"

	"gocv.io/x/gocv"
)

// Colours of the drawn readings: read, a back, found and not read.
var (
	readColor    = color.RGBA{R: 40, G: 220, B: 60}
	backColor    = color.RGBA{R: 60, G: 140, B: 255}
	abstainColor = color.RGBA{R: 255, G: 170, B: 30}
)

// Annotate draws the readings on img.
func Annotate(img *gocv.Mat, all []Found) {
	size := max(0.5, float64(max(img.Cols(), img.Rows()))/1600)
	width := max(2, int(2*size))
	for _, f := range all {
		c := readColor
		switch f.Label {
		case "BK":
			c = backColor
		case "?":
			c = abstainColor
		}
		var pts []image.Point
		for _, p := range f.Quad {
			pts = append(pts, image.Pt(int(p[0]+0.5), int(p[1]+0.5)))
		}
		poly := gocv.NewPointsVectorFromPoints([][]image.Point{pts})
		gocv.Polylines(img, poly, true, c, width)
		poly.Close()
		at := image.Pt(int(f.Box[0]), int(max(12*size, f.Box[1]-4)))
		gocv.PutText(img, f.caption(), at, gocv.FontHersheySimplex, 0.6*size, color.RGBA{}, 3*width)
		gocv.PutText(img, f.caption(), at, gocv.FontHersheySimplex, 0.6*size, c, width)
	}
}

func (f Found) caption() string {
	switch {
	case f.Reason != "":
		return "? " + f.Reason
	case f.Count > 0 && f.Low < f.High:
		return fmt.Sprintf("%s x%d (%d-%d)", f.Label, f.Count, f.Low, f.High)
	case f.Count > 0:
		return fmt.Sprintf("%s x%d", f.Label, f.Count)
	case f.High > 0:
		return fmt.Sprintf("%s x%d-%d", f.Label, f.Low, f.High)
	}
	return fmt.Sprintf("%s %.0f%%", f.Label, 100*f.Confidence)
}
