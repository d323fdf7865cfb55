package card

import (
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// Of the corners of heaps those on paper as pale as a read card's stay, whatever
// the network found stays.
func TestOnPaper(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(20, 90, 20, 0), 300, 600, gocv.MatTypeCV8UC3)
	defer img.Close()
	px, err := img.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	white := func(x0, y0, w, h int, v uint8) {
		for y := y0; y < y0+h; y++ {
			for x := x0; x < x0+w; x++ {
				for c := range 3 {
					px[3*(600*y+x)+c] = v
				}
			}
		}
	}
	white(20, 20, 100, 140, 200)  // the card that was read
	white(200, 20, 100, 140, 150) // one in shadow
	white(400, 20, 100, 140, 90)  // a grey thing
	face := view{outline: outline{quad: fact.Quad{{20, 20}, {120, 20}, {120, 160}, {20, 160}}}}
	corner := func(x float64, edged bool) mark {
		return mark{edged: edged, apex: fact.Point{x, 20}, short: fact.Point{100, 0}, long: fact.Point{0, 140}}
	}
	marks := []mark{corner(200, true), corner(400, true), corner(300, true), corner(400, false)}
	got, err := onPaper(img, marks, []view{face})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].apex != marks[0].apex || got[1].edged {
		t.Errorf("%d kept: %v", len(got), got)
	}
	if got, err := onPaper(img, marks, nil); err != nil || len(got) != len(marks) {
		t.Errorf("without a card read: %d of %d kept, %v", len(got), len(marks), err)
	}
}
