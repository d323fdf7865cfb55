package measure

import (
	"maps"
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

// Stills of two cameras are measured by each alone and by both as the live table fuses them: a stack that both see is
// one.
func TestStillsOfOneTablesCameras(t *testing.T) {
	s := newSet(t)
	var views []obj
	var laid []obj
	for view, name := range []string{"main", "side"} {
		bj := s.table(sim.Config{Game: "blackjack", Seed: 3, View: view})
		s.calibration(name+".yaml", bj.Calibration())
		s.picture(name+"-bare.jpg", bj)
		laid = nil
		for _, zone := range []string{"seat:1 main", "seat:2 main"} {
			laid = append(laid, obj{"stacks": []obj{{"chips": s.stack(bj, zone)}}})
		}
		s.picture(name+".jpg", bj)
		views = append(views, obj{"image": name + ".jpg", "calibration": name + ".yaml", "empty": name + "-bare.jpg"})
	}
	zones := obj{"seat:1 main": laid[0], "seat:2 main": laid[1], "seat:3 main": obj{"stacks": []obj{}}}
	line := obj{"zones": zones, "complete": []string{"chips"}, "views": views[1:]}
	for k, v := range views[0] {
		line[k] = v
	}
	s.line(line)
	line = maps.Clone(line)
	line["views"] = []obj{views[0]}
	s.line(line)
	r, err := Stills(s.dir, s.load().Stills, "", func() {})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failed) != 1 || !strings.Contains(r.Failed[0].Err, "names of their own") {
		t.Errorf("failed %+v; want the still that one camera took twice", r.Failed)
	}
	if r.Images != 1 || len(r.Alone) != 2 || r.Alone[0].Camera != "sim" || r.Alone[1].Camera != "sim-2" {
		t.Fatalf("%d stills, by cameras %+v", r.Images, r.Alone)
	}
	for _, by := range append(r.Alone, r) {
		if c := by.Stacks; c.Exact != (eval.Share{Right: 2, Samples: 2}) || c.Spurious > 0 {
			t.Errorf("camera %q: stacks %+v", by.Camera, c)
		}
	}
	var b strings.Builder
	if err := r.Write(&b); err != nil || !strings.Contains(b.String(), "stills, all cameras") {
		t.Errorf("%v: %s", err, &b)
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
