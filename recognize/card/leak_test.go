//go:build matprofile

package card

import (
	"testing"

	"gocv.io/x/gocv"

	vocab "vision/internal/card"
	"vision/internal/lab/sim/deck"
)

// Run with -tags matprofile: every Mat that reading makes is closed.
func TestReadingLeaksNoMat(t *testing.T) {
	r := reader(t)
	d, err := deck.New("clasica")
	if err != nil {
		t.Fatal(err)
	}
	tb := render(t, d, []vocab.Card{vocab.Unseen, 1, 20, 40}, 80, 1)
	defer tb.img.Close()
	before := gocv.MatProfile.Count()
	for range 3 {
		if _, err := r.Read(tb.img, Hint{}); err != nil {
			t.Fatal(err)
		}
	}
	if after := gocv.MatProfile.Count(); after != before {
		t.Errorf("%d Mats before reading, %d after", before, after)
	}
}

func TestWhatIsSeenLeaksNoMat(t *testing.T) {
	img, cards := lie(t, upright(50, 50, 100, 150), upright(100, 45, 110, 160))
	before := gocv.MatProfile.Count()
	shown(img, cards, nil)
	if after := gocv.MatProfile.Count(); after != before {
		t.Errorf("%d Mats before, %d after", before, after)
	}
}
