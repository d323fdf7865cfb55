package recognize

import (
	"errors"
	"slices"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/fact"
)

// alone reads a picture of a table and gives the observation of one zone.
func alone(t *testing.T, tab *Table, img gocv.Mat, zone string) fact.Observation {
	t.Helper()
	all, err := tab.Still(img, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(o fact.Observation) bool { return o.Zone == zone })
	if i < 0 {
		t.Fatalf("no zone %s", zone)
	}
	return all[i]
}

// With the picture of the empty felt what is printed there is not read, in half as much
// light as well; what lies on it is, and a picture of another size is refused.
func TestBareTellsPrint(t *testing.T) {
	s, tab := desk(t, "blackjack", 7)
	lay := func(zone string, c card.Card) {
		if err := s.Cards(zone, []card.Card{c}); err != nil {
			t.Fatal(err)
		}
	}
	shot := func(light float32) gocv.Mat {
		img, err := s.Picture()
		if err != nil {
			t.Fatal(err)
		}
		out := gocv.NewMat()
		img.ConvertToWithParams(&out, gocv.MatTypeCV8UC3, light, 0)
		t.Cleanup(func() { out.Close() })
		return out
	}
	lay("seat:3", 1)
	empty := shot(1)
	lay("seat:2", 20)
	if n := len(alone(t, tab, shot(1), "seat:3").Cards); n != 1 {
		t.Fatalf("%d cards read where one seems to be printed, before that is known", n)
	}
	if err := tab.LearnBackground(empty); err != nil {
		t.Fatal(err)
	}
	for _, light := range []float32{1, 0.75} {
		img := shot(light)
		if print := alone(t, tab, img, "seat:3").Cards; len(print) != 0 {
			t.Errorf("in light of %v print is read as %+v", light, print)
		}
		if read := alone(t, tab, img, "seat:2").Cards; len(read) != 1 || read[0].Abstain != "" {
			t.Errorf("in light of %v the card is read as %+v", light, read)
		}
	}
	small := gocv.NewMatWithSize(100, 100, gocv.MatTypeCV8UC3)
	defer small.Close()
	if err := tab.LearnBackground(small); !errors.Is(err, calibration.ErrOtherCamera) {
		t.Errorf("a picture of another size: %v", err)
	}
}

// A still is read alike whatever was read before it.
func TestStillsTeachNothing(t *testing.T) {
	s, tab := desk(t, "blackjack", 8)
	stacks, err := s.Stacks("seat:1 main", 1, 6, false)
	if err != nil {
		t.Fatal(err)
	}
	img, err := s.Picture()
	if err != nil {
		t.Fatal(err)
	}
	for k := range 5 {
		o := alone(t, tab, img, "seat:1 main")
		if len(o.Chips) != 1 || !o.Chips[0].Counted() || !slices.Equal(o.Chips[0].Chips, stacks[0]) {
			t.Errorf("reading %d: %+v, want %v", k, o.Chips, stacks[0])
		}
	}
}

// From straight above nobody can say how high things stand: stacks are not read, which
// is said, and the cards beside them are.
func TestAStillWithoutAPose(t *testing.T) {
	_, tab := desk(t, "blackjack", 8)
	w, h := 1280, 800
	cal := calibration.Table{Schema: calibration.Schema, Table: "t", Camera: "above", Size: [2]int{w, h},
		Plane: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, Card: tab.cal.Card, Palette: tab.cal.Palette, Zones: []calibration.Zone{
			{Name: "seat:1", Reads: []string{"cards", "chips"}, Polygon: []fact.Point{{100, 100}, {400, 100}, {400, 400}, {100, 400}}}}}
	above, err := NewTable(&cal, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer above.Close()
	img := gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3)
	defer img.Close()
	img.SetTo(gocv.NewScalar(60, 110, 40, 0))
	all, err := above.Still(img, time.Time{})
	if !errors.Is(err, calibration.ErrNoHeights) || len(all) != 1 || all[0].Zone != "seat:1" {
		t.Errorf("%+v, %v; want the zone, and that no pose is known", all, err)
	}
}

// Of an uncalibrated picture kind and size are checked.
func TestUncalibratedRefusals(t *testing.T) {
	for kind, size := range map[string][2]int{"wheel": {640, 480}, "cards": {8, 8}} {
		if _, err := NewUncalibrated(size[0], size[1], kind, Options{}); err == nil {
			t.Errorf("%s of %v: no error", kind, size)
		}
	}
}
