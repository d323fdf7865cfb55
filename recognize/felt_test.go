package recognize

import (
	"image"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
)

// What is known of the felt of a zone of dice is learned once a rest, and is worth
// nothing where the camera was moved.
func TestTheFeltOfDice(t *testing.T) {
	s, tab := desk(t, "dados_craps", 3)
	img, err := s.Picture()
	if err != nil {
		t.Fatal(err)
	}
	var dice *zone
	for _, z := range tab.zones {
		if z.Name == "dice" {
			dice = z
		}
	}
	dice.reset()
	for k := range 3 { // all of one rest
		if got := tab.dieHint(dice); got.Learn != (k == 0) || got.Felt != dice.diceFelt {
			t.Errorf("reading %d of a rest learns: %v", k, got.Learn)
		}
		if _, _, err := tab.read(dice, img); err != nil {
			t.Fatal(err)
		}
	}
	known := dice.diceFelt

	turned := gocv.NewMat()
	defer turned.Close()
	way := gocv.GetRotationMatrix2D(image.Pt(img.Cols()/2, img.Rows()/2), 3, 1)
	defer way.Close()
	gocv.WarpAffine(img, &turned, way, image.Pt(img.Cols(), img.Rows()))
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	moved := false
	for k := 0; k < 600 && !moved; k++ {
		show := img
		if k > 50 {
			show = turned
		}
		out, err := tab.Frame(cv.Still(show), at.Add(time.Duration(k)*100*time.Millisecond), uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range out {
			moved = moved || o.Kind == fact.Moved && !o.OK
		}
	}
	if !moved {
		t.Fatal("nobody told that the camera was moved")
	}
	if dice.diceFelt == known {
		t.Error("the camera was moved: what is known of the felt was kept")
	}
}
