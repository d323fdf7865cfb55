package chip

import (
	"math"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// A hand's shadow lies on a part of the felt: chips in it are read, those beside it as well,
// and nothing else is.
func TestChipsInAShadowOnAPartOfTheZone(t *testing.T) {
	laid := []laid{
		{"5", 3, fact.Point{200, 200}}, {"1", 2, fact.Point{330, 460}},
		{"25", 1, fact.Point{760, 330}}, {"5", 1, fact.Point{802, 330}}, {"100", 4, fact.Point{880, 390}},
		{"500", 2, fact.Point{720, 260}},
	}
	w := newTwins(newBench(t, [3]float64{22, 92, 58}, 20), palette)
	w.showBare()
	for _, s := range laid {
		w.lay(s.kind, s.n, s.at[0], s.at[1])
	}
	lit := w.picture()
	defer lit.Close()
	for _, light := range []float64{0.68, 0.58} {
		img := lit.Clone()
		w.shadow(img, fact.Point{800, 330}, light)
		out := w.whole(img)
		img.Close()
		if got := compare(t, laid, out); got != len(laid) {
			t.Errorf("in a light of %g %d of %d stacks are read: %v", light, got, len(laid), out)
		}
	}
}

// shadow darkens a picture about a point of the felt, softly towards its edge.
func (w *twins) shadow(img gocv.Mat, at fact.Point, light float64) {
	w.t.Helper()
	pix, err := img.DataPtrUint8()
	if err != nil {
		w.t.Fatal(err)
	}
	const inner, outer = 150.0, 230.0 // pixels
	middle := w.view.ToImage(at)
	for i := range pix {
		x, y := float64(i/3%1920)-middle[0], float64(i/3/1920)-middle[1]
		far := (math.Hypot(x, 1.4*y) - inner) / (outer - inner)
		pix[i] = uint8(math.Round(float64(pix[i]) * (light + (1-light)*min(max(far, 0), 1))))
	}
}
