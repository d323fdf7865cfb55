package recognize

import (
	"image"
	"image/color"
	"slices"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/internal/lab/sim"
)

// A card beside print has one outline with it, which says nothing of what it hides: print of which
// one side shows otherwise is print, a card whose marks do is none.
func TestPrintBesideACard(t *testing.T) {
	felt, white, black := color.RGBA{40, 110, 60, 0}, color.RGBA{225, 222, 210, 0}, color.RGBA{30, 30, 30, 0}
	box := func(m *gocv.Mat, x0, y0, x1, y1 int, c color.RGBA) {
		gocv.Rectangle(m, image.Rect(x0, y0, x1, y1), c, -1)
	}
	empty := gocv.NewMatWithSize(200, 300, gocv.MatTypeCV8UC3)
	defer empty.Close()
	box(&empty, 0, 0, 300, 200, felt)
	box(&empty, 100, 60, 160, 140, white)
	box(&empty, 125, 85, 140, 115, black)
	print := fact.Quad{{100, 60}, {160, 60}, {160, 140}, {100, 140}}
	both := fact.Quad{{30, 55}, {165, 55}, {165, 145}, {30, 145}}
	for name, c := range map[string]struct {
		lay  func(*gocv.Mat)
		want bool
	}{
		"a card over a third of it": {func(m *gocv.Mat) { box(m, 30, 55, 120, 145, color.RGBA{170, 40, 50, 0}) }, true},
		"a card on it": {func(m *gocv.Mat) {
			box(m, 100, 60, 160, 140, white)
			for y := 64; y < 136; y += 16 {
				box(m, 108, y, 120, y+10, black)
				box(m, 140, y, 152, y+10, black)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			now := empty.Clone()
			defer now.Close()
			c.lay(&now)
			if got := printed(now, empty, []fact.Quad{print, both}); got[0] != c.want {
				t.Errorf("print: %v, want %v", got[0], c.want)
			}
		})
	}
}

// What the picture of the empty table shows is no chip, though it is counted: the reader of stacks
// knows no felt. Without such a picture it may be one.
func TestAPrintedChipIsNoStack(t *testing.T) {
	s, tab := deskOf(t, sim.Config{Game: "blackjack", Seed: 3})
	if _, err := s.Stacks("seat:1 main", 1, 1, false); err != nil {
		t.Fatal(err)
	}
	img, err := s.Picture()
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []bool{false, true} {
		if known {
			if err := tab.LearnBackground(img); err != nil {
				t.Fatal(err)
			}
		}
		seen, err := tab.Still(img, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(seen, func(o fact.Observation) bool { return o.Zone == "seat:1 main" })
		chips := seen[i].Chips
		if !known && (len(chips) != 1 || !chips[0].Counted()) {
			t.Fatalf("the chip is not counted: %+v", chips)
		}
		if known && len(chips) > 0 {
			t.Errorf("what the empty table shows is read: %+v", chips)
		}
	}
}
