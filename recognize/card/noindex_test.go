package card

import (
	"image"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/lab/sim/deck"
)

// Three cards of a pack without indices lie beside one another, pitch millimetres from
// middle to middle: a card's corner is not taken for that of a frame round its
// neighbour, and two that touch are distinguished.
func TestBareCardsSideBySide(t *testing.T) {
	d, err := deck.New("paño")
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct {
		pitch float64
		most  int // of 60 cards not found
	}{{70, 1}, {66, 20}} {
		rng := rand.New(rand.NewPCG(5, 1))
		missed, wrong := 0, 0
		for range 20 {
			tb := rowOf(t, d, c.pitch, rng)
			read, err := r.Read(tb.img, Hint{Short: 63.5 * 1.8, Deck: noIndexDeck})
			tb.img.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range tb.cards {
				found := false
				for _, k := range read {
					if max(iou(k.Quad, l.quad), iou(turn(k.Quad, 2), l.quad)) < 0.6 {
						continue
					}
					found = true
					if k.Abstain == "" && k.Guesses[0].Label != l.label() {
						wrong++
					}
				}
				if !found {
					missed++
				}
			}
		}
		if missed > c.most || wrong > 0 {
			t.Errorf("%.0f mm apart: %d of 60 not found, want at most %d; %d wrong", c.pitch, missed, c.most, wrong)
		}
		t.Logf("%.0f mm apart: %d of 60 not found, %d wrong", c.pitch, missed, wrong)
	}
}

func rowOf(t *testing.T, d *deck.Deck, pitch float64, rng *rand.Rand) table {
	const k, w, h = 1.8, 560, 300 // pixels per millimetre, size of the zone
	tb := table{img: gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 90, 40, 0), h, w, gocv.MatTypeCV8UC3)}
	for i := range 3 {
		c := vocab.Card(rng.IntN(52) + 1)
		q := turned(w/2+pitch*k*float64(i-1)+3*rng.NormFloat64(), h/2+5*rng.NormFloat64(), 63.5*k, 0.03*rng.NormFloat64())
		lay(t, &tb.img, d.Face(c), q)
		tb.cards = append(tb.cards, laid{c, q})
	}
	gocv.GaussianBlur(tb.img, &tb.img, image.Pt(3, 3), 0.8, 0.8, gocv.BorderDefault)
	grain(tb.img, rng)
	return tb
}
