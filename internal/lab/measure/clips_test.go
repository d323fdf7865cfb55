package measure

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"vision/internal/lab/eval"
	"vision/internal/lab/sim"
	"vision/recognize"
)

func (s *set) play(only eval.Kind) eval.ClipResult {
	s.t.Helper()
	r, err := Clips(s.t.Context(), s.dir, s.load().Clips, only, recognize.Options{}, func() {})
	if err != nil {
		s.t.Fatal(err)
	}
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		s.t.Error(err)
	}
	s.t.Log(text.String())
	return r
}

// Cards are dealt in two steps before a calibrated camera, at rates of 5 and 15 pictures
// a second.
func TestAClipOfACalibratedCamera(t *testing.T) {
	for _, fps := range []float64{5, 15} {
		s := newSet(t)
		bj := s.table(sim.Config{Game: "blackjack", Seed: 4})
		s.calibration("calibration.yaml", bj.Calibration())
		c := s.clip("clips/deal.mp4", bj, fps)
		c.roll(1)
		s.cards(bj, "seat:2", "9h", "Kc")
		c.roll(2)
		s.cards(bj, "bank", "4s")
		c.roll(2)
		bj.Clear()
		c.roll(1)
		c.end()
		s.line(obj{"clip": "clips/deal.mp4", "kind": "cards", "calibration": "calibration.yaml",
			"rest": []obj{{"from": 1, "to": 2.9, "cards": []string{"9h", "Kc"}}, {"from": 3, "to": 4.9, "cards": []string{"Kc", "9h", "4s"}}}})
		all := s.play("").All
		if all.Exact != (eval.Share{Right: 2, Samples: 2}) || all.Recall != (eval.Share{Right: 5, Samples: 5}) ||
			all.Precision != all.Recall ||
			all.Spurious > 0 {
			t.Errorf("%v pictures a second: %+v", fps, all)
		}
		if all.P95 == nil || *all.P95 > 1 || all.Minutes < 5.7/60 || all.Minutes > 6.3/60 {
			t.Errorf("%v pictures a second: delay %v, %v minutes", fps, all.P95, all.Minutes)
		}
	}
}

// Of a camera that nobody calibrated the picture is one zone: cards and dice are read, a
// bare table gives nothing, and what cannot be played costs nothing but itself.
func TestClipsOfUncalibratedCameras(t *testing.T) {
	s := newSet(t)
	bj := s.table(sim.Config{Game: "blackjack", Seed: 4})
	c := s.clip("cards.mp4", bj, 6)
	c.roll(1)
	s.cards(bj, "seat:2", "9h", "Kc")
	c.roll(3)
	c.end()
	s.line(obj{"clip": "cards.mp4", "kind": "cards", "rest": []obj{{"from": 1, "to": 4, "cards": []string{"9h", "K?"}}}})
	craps := s.table(sim.Config{Game: "dados_craps", Seed: 4})
	c = s.clip("dice.mp4", craps, 6)
	c.roll(3)
	c.end()
	s.line(obj{"clip": "dice.mp4", "kind": "dice", "rest": []obj{}})
	if err := os.WriteFile(s.path("cut.mp4"), []byte("no film"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.line(obj{"clip": "cut.mp4", "kind": "dice"})
	s.line(obj{"clip": "missing.mp4", "kind": "wheel"})
	s.line(obj{"clip": "dice.mp4", "kind": "wheel", "rest": []obj{{"from": 1, "to": 2, "number": 17}}})
	r := s.play("")
	if r.Clips != 3 || len(r.Failed) != 2 {
		t.Fatalf("%d clips, failed %+v", r.Clips, r.Failed)
	}
	if k := r.Kinds[eval.Cards]; k.ExactEnd != (eval.Share{Right: 1, Samples: 1}) {
		t.Errorf("cards %+v", k)
	}
	if k := r.Kinds[eval.Dice]; k.Spurious > 0 || k.Exact.Samples != 0 {
		t.Errorf("no dice: %+v", k)
	}
	if k := r.Kinds[eval.Wheel]; k.Recall != (eval.Share{Right: 0, Samples: 1}) || k.Precision.Samples != 0 ||
		len(r.Notes) != 1 {
		t.Errorf("wheel %+v, notes %v", k, r.Notes)
	}
}

// A clip with a whole round is judged as the live table judges it.
func TestAClipWithAWholeRound(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: plays a round twice")
	}
	s := newSet(t)
	films := sim.Studio{Out: s.path("film.mp4"), Truth: s.path("calls.jsonl"), Calibration: s.dir, Rounds: 1,
		Tables: []sim.Config{{Game: "dados_craps", Table: "DC1", Seed: 1, Speed: 2, FPS: 8}}}
	if err := films.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(s.path("calls.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var truth sim.TruthLine
	if err := json.Unmarshal(raw, &truth); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path("table.yaml"), []byte("id: DC1\ngame: dados_craps\nmin: 500\nmax: 100000\nnorm: "+truth.Record.Norm+"\ncameras:\n  - calibration: DC1.yaml\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.line(obj{"clip": "film.mp4", "round": truth.Record, "calls": "calls.jsonl", "config": "table.yaml"})
	s.line(obj{"clip": "film.mp4", "round": obj{"record": truth.Record, "findings": []obj{{"code": "pay_under"}}}, "calls": truth.Calls, "calibration": "DC1.yaml"})
	s.line(obj{"clip": "film.mp4", "round": truth.Record, "calls": "calls.jsonl"})
	r := s.play("")
	if r.Rounds == nil || len(r.Failed) != 1 {
		t.Fatalf("rounds %+v, failed %+v", r.Rounds, r.Failed)
	}
	if n := r.Rounds; n.Exact != (eval.Share{Right: 2, Samples: 2}) || n.Wanted != 1 || n.Missed != 1 || n.False > 0 {
		t.Errorf("rounds %+v", n)
	}
}

// A set that the simulator shot says of each kind when what lies still, and the readers of a
// table under ideal conditions hold just that.
func TestClipsOfTheSimulator(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: plays a round and reads it twice")
	}
	s := newSet(t)
	studio := sim.Studio{Clips: s.dir, Rounds: 1, Tables: []sim.Config{{Game: "dados_craps", Table: "DC1", Seed: 3, Speed: 2, FPS: 8}}}
	if err := studio.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := studio.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("shot again into the same set: %v", err)
	}
	lines, err := os.ReadFile(s.path("truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s.lines.Write(lines)
	r := s.play("")
	for kind, least := range map[eval.Kind]int{eval.Chips: 3, eval.Dice: 2} {
		k := r.Kinds[kind]
		if k == nil || k.Exact.Samples < least || k.Exact.Right < k.Exact.Samples || k.Recall.Samples < 2 {
			t.Errorf("%s: %+v; want at least %d rests, all exact", kind, k, least)
		}
	}
	if len(r.Kinds) != 2 || r.Clips != 2 {
		t.Errorf("%d clips of %d kinds", r.Clips, len(r.Kinds))
	}
}
