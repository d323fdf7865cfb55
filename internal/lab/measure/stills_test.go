package measure

import (
	"os"
	"strings"
	"testing"

	"vision/internal/lab/eval"
	"vision/internal/lab/sim"
)

// Cards, stacks and dice of three cameras in one set are measured each by its own
// calibration, and a zone with nothing on it gives nothing.
func TestStillsOfSeveralCameras(t *testing.T) {
	s := newSet(t)
	bj := s.table(sim.Config{Game: "blackjack", Seed: 3})
	s.calibration("calibration.yaml", bj.Calibration())
	s.picture("empty.jpg", bj)
	s.cards(bj, "seat:2", "9h", "Kc", "4s")
	s.cards(bj, "bank", "8d", "5c")
	chips := s.stack(bj, "seat:1 main")
	s.picture("images/1.jpg", bj)
	s.line(obj{"image": "images/1.jpg", "zones": obj{
		"seat:2": obj{"cards": []string{"9h", "Kc", "4s"}}, "bank": obj{"cards": []string{"8d", "5c"}},
		"seat:1 main": obj{"stacks": []obj{{"chips": chips, "spot": "main"}}}, "seat:3 main": obj{"stacks": []obj{}}, "seat:1": obj{}},
		"complete": []string{"cards", "chips", "dice"}})

	craps := s.table(sim.Config{Game: "dados_craps", Seed: 3})
	s.calibration("craps/calibration.yaml", craps.Calibration())
	faces := s.dice(craps)
	s.picture("images/2.png", craps)
	s.line(obj{"image": "images/2.png", "calibration": "craps/calibration.yaml", "zones": obj{"dice": obj{"dice": faces}}})

	wheel := s.table(sim.Config{Game: "ruleta_francesa", Seed: 3})
	s.calibration("ruleta.yaml", wheel.Calibration())
	laid := s.stack(wheel, "pleno:17")
	s.picture("images/3.jpg", wheel)
	s.line(obj{"image": "images/3.jpg", "calibration": "ruleta.yaml", "zones": obj{
		"layout": obj{"stacks": []obj{{"chips": laid, "spot": "pleno:17"}}}, "pleno:17": obj{"stacks": []obj{{"chips": laid}}}, "pleno:20": obj{"stacks": []obj{}}}})

	r, err := Stills(s.dir, s.load().Stills, "", func() {})
	if err != nil {
		t.Fatal(err)
	}
	if r.Images != 3 || len(r.Failed) > 0 {
		t.Fatalf("%d pictures, failed %v", r.Images, r.Failed)
	}
	if c := r.Cards; c.Recall != (eval.Share{Right: 5, Samples: 5}) || c.Precision != c.Recall ||
		c.OrderExact != (eval.Share{Right: 2, Samples: 2}) {
		t.Errorf("cards %+v", c)
	}
	if c := r.Stacks; c.Exact != (eval.Share{Right: 3, Samples: 3}) || c.Spot != (eval.Share{Right: 2, Samples: 2}) ||
		c.Spurious > 0 {
		t.Errorf("stacks %+v", c)
	}
	if r.Dice.Right != (eval.Share{Right: 1, Samples: 1}) || r.Spurious.Zones.Right > 0 {
		t.Errorf("dice %+v, spurious %+v", r.Dice, r.Spurious)
	}
}

// A card that is printed on the felt is read where nobody shows the bare felt, and with
// its picture it is not, while the cards that lie there still are.
func TestTheEmptyPictureTellsPrint(t *testing.T) {
	for _, known := range []bool{false, true} {
		s := newSet(t)
		bj := s.table(sim.Config{Game: "blackjack", Seed: 5})
		s.calibration("calibration.yaml", bj.Calibration())
		s.cards(bj, "seat:3", "As") // as if it were print: it lies in the empty picture too
		if known {
			s.picture("empty.jpg", bj)
		}
		s.cards(bj, "seat:2", "9h", "Kc")
		s.picture("1.jpg", bj)
		s.line(obj{"image": "1.jpg", "zones": obj{"seat:2": obj{"cards": []string{"9h", "Kc"}}, "seat:3": obj{"cards": []string{}}}})
		r, err := Stills(s.dir, s.load().Stills, eval.Cards, func() {})
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]int{false: 1, true: 0}[known]
		if r.Spurious.Cards != want || r.Cards.Recall != (eval.Share{Right: 2, Samples: 2}) {
			t.Errorf("empty picture %v: %+v, spurious %+v; want %d spurious", known, r.Cards, r.Spurious, want)
		}
	}
}

// A picture, a calibration or a line of truth that is no good costs nothing but itself,
// and says what it is.
func TestBadStillsCostNoOthers(t *testing.T) {
	s := newSet(t)
	bj := s.table(sim.Config{Game: "blackjack", Seed: 3})
	cal := bj.Calibration()
	s.calibration("calibration.yaml", cal)
	other := cal
	other.Size = [2]int{1936, 1088}
	s.calibration("other.yaml", other)
	s.cards(bj, "seat:2", "9h")
	s.picture("1.jpg", bj)
	if err := os.WriteFile(s.path("cut.jpg"), []byte("a receipt"), 0o600); err != nil {
		t.Fatal(err)
	}
	zones := obj{"seat:2": obj{"cards": []string{"9h"}}}
	want := []string{"missing.jpg", "cut.jpg", "calibrated for another camera", "nowhere.yaml", `"roof"`, `"gold"`, "picture of the empty table"}
	s.line(obj{"image": "missing.jpg", "zones": zones})
	s.line(obj{"image": "cut.jpg", "zones": zones})
	s.line(obj{"image": "1.jpg", "calibration": "other.yaml", "zones": zones})
	s.line(obj{"image": "1.jpg", "calibration": "nowhere.yaml", "zones": zones})
	s.line(obj{"image": "1.jpg", "zones": obj{"roof": obj{}}})
	s.line(obj{"image": "1.jpg", "zones": obj{"seat:1 main": obj{"stacks": []obj{{"chips": []string{"gold"}}}}}})
	s.line(obj{"image": "1.jpg", "empty": "cut.jpg", "zones": zones})
	s.line(obj{"image": "1.jpg", "zones": zones})
	r, err := Stills(s.dir, s.load().Stills, "", func() {})
	if err != nil {
		t.Fatal(err)
	}
	if r.Images != 1 || r.Cards.Recall != (eval.Share{Right: 1, Samples: 1}) {
		t.Errorf("%d pictures measured, cards %+v", r.Images, r.Cards)
	}
	if len(r.Failed) != len(want) {
		t.Fatalf("failed: %+v; want %d", r.Failed, len(want))
	}
	for i, f := range r.Failed {
		if !strings.Contains(f.Err, want[i]) || strings.Contains(f.Err, "\n") {
			t.Errorf("%s: %q; want one line with %s", f.Name, f.Err, want[i])
		}
	}
}

// Without a lens and a pose cards are read, and stacks where lens and pose follow from
// the plane; from straight above it is said that they are not.
func TestStillsWithoutALens(t *testing.T) {
	s := newSet(t)
	bj := s.table(sim.Config{Game: "blackjack", Seed: 3})
	cal := bj.Calibration()
	cal.Pose.R, cal.Pose.T = [3]float64{}, [3]float64{}
	s.calibration("calibration.yaml", cal)
	s.cards(bj, "seat:2", "9h")
	chips := s.stack(bj, "seat:1 main")
	s.picture("1.jpg", bj)
	s.line(obj{"image": "1.jpg", "zones": obj{"seat:2": obj{"cards": []string{"9h"}}, "seat:1 main": obj{"stacks": []obj{{"chips": chips}}}}})
	r, err := Stills(s.dir, s.load().Stills, "", func() {})
	if err != nil {
		t.Fatal(err)
	}
	if r.Cards.Recall.Right != 1 || r.Stacks.Exact.Right != 1 {
		t.Errorf("without a pose: cards %+v, stacks %+v, notes %v", r.Cards, r.Stacks, r.Notes)
	}
}
