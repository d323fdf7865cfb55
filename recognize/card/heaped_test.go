package card

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/deck"
)

// Three backs over one another are three where a fourth, that lies by itself, says what
// they look like; what is printed in their colours is none.
func TestReadsBacksInAHeap(t *testing.T) {
	r := reader(t)
	d, err := deck.New("clasica")
	if err != nil {
		t.Fatal(err)
	}
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(120, 170, 190, 0), 560, 760, gocv.MatTypeCV8UC3)
	defer img.Close()
	heap := []fact.Quad{turned(190, 190, 100, 0.2), turned(240, 215, 100, -0.3), turned(305, 270, 100, 0.1)}
	for _, q := range append(heap, turned(600, 180, 100, 0.05)) {
		lay(t, &img, d.Face(vocab.Unseen), q)
	}
	for i, c := range []vocab.Card{3, 17} {
		lay(t, &img, d.Face(c), turned(480+150*float64(i), 430, 100, 0.05))
	}
	gocv.Rectangle(&img, image.Rect(60, 400, 160, 540), color.RGBA{R: 170, G: 40, B: 40}, -1)
	grain(img, rand.New(rand.NewPCG(2, 1)))
	read, err := r.Read(img, Hint{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range heap {
		best := 0.0
		for i := range read {
			if acceptedBack(&read[i]) {
				best = max(best, iou(read[i].Quad, q))
			}
		}
		if best < 0.7 {
			t.Errorf("no back at %.0f (%.2f of one)", centre(q), best)
		}
	}
	n := 0
	for i := range read {
		if acceptedBack(&read[i]) {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d backs are read, want 4", n)
	}
}

// Beside backs of one pack one of another is proved by what proves a first one.
func TestABackOfAnotherPackProvesItself(t *testing.T) {
	d, err := deck.New("casino")
	if err != nil {
		t.Fatal(err)
	}
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(120, 170, 190, 0), 240, 240, gocv.MatTypeCV8UC3)
	defer img.Close()
	q := turned(120, 120, 100, 0.2)
	lay(t, &img, d.Face(vocab.Unseen), q)
	for name, c := range map[string]struct {
		known   []cells
		corners int
		seen    bool
		back    float64
		want    bool
	}{
		"seen and named":                {[]cells{{}}, 4, true, 0.99, true},
		"of two corners":                {[]cells{{}}, 2, true, 0.99, true},
		"of one corner":                 {[]cells{{}}, 1, true, 0.99, false},
		"the first one, of two corners": {nil, 2, true, 0.99, false},
		"no corner seen by the network": {[]cells{{}}, 4, false, 0.99, false},
		"the face network names it not": {[]cells{{}}, 4, true, 0.9, false},
		"the first one, by an outline":  {nil, 4, true, 0.99, false},
	} {
		h := backHeap{img: img, known: c.known}
		s := supposal{quad: q, marks: ownCorners(q)[:c.corners], seen: c.seen, back: c.back, rough: 40}
		if got := h.score(&s); got > 0 != c.want {
			t.Errorf("%s: %.1f", name, got)
		}
	}
}
