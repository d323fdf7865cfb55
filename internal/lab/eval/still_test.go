package eval

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// share is so many of so many, for tables.
func of(right, samples int) Share { return Share{right, samples} }

// Cards of a zone: precision, recall, order, what is one too many.
func TestCardsOfAZone(t *testing.T) {
	for _, c := range []struct {
		name        string
		truth, read []string
		complete    []Kind
		want        CardScore
		spurious    int
	}{
		{"right", []string{"9h", "Kc"}, []string{"9h", "Kc"}, nil, CardScore{of(2, 2), of(2, 2), of(1, 1), 0}, 0},
		{"another order", []string{"9h", "Kc"}, []string{"Kc", "9h"}, nil, CardScore{of(2, 2), of(2, 2), of(0, 1), 0}, 0},
		{"an abstention is not wrong", []string{"9h", "Kc"}, []string{"9h", "?"}, nil, CardScore{of(1, 1), of(1, 2), of(0, 1), 1}, 0},
		{"a wrong one is not spurious", []string{"9h", "Kc"}, []string{"9h", "Ks"}, nil, CardScore{of(1, 2), of(1, 2), of(0, 1), 0}, 0},
		{"one too many", []string{"9h"}, []string{"9h", "As"}, nil, CardScore{of(1, 2), of(1, 1), of(0, 1), 0}, 1},
		{"not complete", []string{"9h"}, []string{"9h", "As"}, []Kind{Chips}, CardScore{of(0, 0), of(1, 1), of(0, 1), 0}, 0},
		{"nothing there", []string{}, []string{"As"}, []Kind{}, CardScore{of(0, 1), of(0, 0), of(0, 0), 0}, 1},
		{"nothing there, abstained", []string{}, []string{"?"}, []Kind{}, CardScore{of(0, 0), of(0, 0), of(0, 0), 1}, 0},
		{"nothing said", nil, []string{"As"}, []Kind{Dice}, CardScore{}, 1},
		{"nothing said, complete", nil, []string{"As"}, []Kind{Cards}, CardScore{of(0, 1), of(0, 0), of(0, 0), 0}, 1},
		{"a rank alone, a back", []string{"K?", "BK"}, []string{"Kd", "BK"}, nil, CardScore{of(2, 2), of(2, 2), of(1, 1), 0}, 0},
		{"nobody can read it", []string{"??", "9h"}, []string{"4c", "9h"}, nil, CardScore{of(1, 1), of(1, 1), of(0, 0), 0}, 0},
		{"twice", []string{"9h", "9h"}, []string{"9h"}, nil, CardScore{of(1, 1), of(1, 2), of(0, 1), 0}, 0},
	} {
		zone := StillZone{Cards: c.truth}
		if c.name == "nothing said" {
			zone.Dice = []Face{} // the zone is not silent
			c.spurious, c.want = 0, CardScore{}
		}
		s := &Still{Image: "a", Zones: map[string]StillZone{"z": zone}, Complete: c.complete}
		var tally StillTally
		tally.Add(s, map[string]Seen{"z": {Cards: c.read}, "not named": {Cards: []string{"2h"}}}, nil, 0)
		r := tally.Result("set")
		if r.Cards != c.want || r.Spurious.Cards != c.spurious || r.Spurious.Zones != of(min(1, c.spurious), 1) {
			t.Errorf("%s: %+v, spurious %+v; want %+v and %d", c.name, r.Cards, r.Spurious, c.want, c.spurious)
		}
	}
}

// Stacks of a zone: amounts, intervals, spots, what is one too many.
func TestStacksOfAZone(t *testing.T) {
	worth := map[string]int64{"e5": 500, "e25": 2500}
	counted := func(spot string, chips ...string) SeenStack {
		return SeenStack{Chips: chips, Low: len(chips), High: len(chips), Counted: true, Spots: []string{spot, "seat:1 " + spot}}
	}
	rough := func(spot string, low, high int) SeenStack {
		return SeenStack{Low: low, High: high, Spots: []string{spot}}
	}
	stack := func(spot string, chips ...string) ChipStack { return ChipStack{chips, spot} }
	for _, c := range []struct {
		name                            string
		truth                           []ChipStack
		read                            []SeenStack
		exact, wrong, within, off, lost int
		spots                           Share
		spurious                        int
	}{
		{"right", []ChipStack{stack("main", "e25", "e5")}, []SeenStack{counted("main", "e5", "e25")}, 1, 0, 0, 0, 0, of(1, 1), 0},
		{"its spot with the seat", []ChipStack{stack("seat:1 main", "e5")}, []SeenStack{counted("main", "e5")}, 1, 0, 0, 0, 0, of(1, 1), 0},
		{"elsewhere", []ChipStack{stack("rojo", "e5")}, []SeenStack{counted("negro", "e5")}, 1, 0, 0, 0, 0, of(0, 1), 0},
		{"wrong", []ChipStack{stack("", "e5", "e5")}, []SeenStack{counted("main", "e5")}, 0, 1, 0, 0, 0, of(0, 0), 0},
		{"another colour", []ChipStack{stack("", "azul", "azul")}, []SeenStack{counted("main", "azul", "rojo")}, 0, 1, 0, 0, 0, of(0, 0), 0},
		{"within", []ChipStack{stack("", "e5", "e5", "e5")}, []SeenStack{rough("main", 3, 4)}, 0, 0, 1, 0, 0, of(0, 0), 0},
		{"not within", []ChipStack{stack("", "e5")}, []SeenStack{rough("main", 2, 4)}, 0, 0, 0, 1, 0, of(0, 0), 0},
		{"not found", []ChipStack{stack("", "e5")}, nil, 0, 0, 0, 0, 1, of(0, 0), 0},
		{"print", []ChipStack{}, []SeenStack{counted("main", "e5"), rough("main", 1, 9)}, 0, 0, 0, 0, 0, of(0, 0), 1},
		{"other spot and amount", []ChipStack{stack("rojo", "e5")}, []SeenStack{counted("negro", "e25")}, 0, 0, 0, 0, 1, of(0, 0), 1},
		{"each its own", []ChipStack{stack("rojo", "e5", "e5"), stack("negro", "e5")}, []SeenStack{counted("negro", "e5"), counted("rojo", "e5")}, 1, 1, 0, 0, 0, of(2, 2), 0},
		{"amounts before chance", []ChipStack{stack("", "e5"), stack("", "e25")}, []SeenStack{counted("", "e25"), counted("", "e5")}, 2, 0, 0, 0, 0, of(0, 0), 0},
	} {
		s := &Still{Image: "a", Zones: map[string]StillZone{"z": {Stacks: c.truth}}}
		var tally StillTally
		tally.Add(s, map[string]Seen{"z": {Stacks: c.read}}, worth, 0)
		n := len(c.truth)
		want := StackScore{of(c.exact, n), of(c.wrong, n), of(c.within, n), of(c.off, n), of(c.lost, n), c.spots, c.spurious}
		if got := tally.Result("set").Stacks; got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}

// Dice of a zone: all faces right, wrong or abstained; how they lie.
func TestDiceOfAZone(t *testing.T) {
	die := func(face string) SeenDie { return SeenDie{Face: face} }
	odd := func(lie string) SeenDie { return SeenDie{Face: "?", Lie: lie} }
	for _, c := range []struct {
		name     string
		dice     []Face
		lie      []string
		read     []SeenDie
		outcome  string // "right", "wrong", "abstained" or ""
		named    Share
		misnamed int
		spurious int
	}{
		{"right", []Face{4, 6}, nil, []SeenDie{die("6"), die("4")}, "right", of(0, 0), 0, 0},
		{"a face wrong", []Face{4, 6}, nil, []SeenDie{die("4"), die("5")}, "wrong", of(0, 0), 0, 0},
		{"one not read", []Face{4, 6}, nil, []SeenDie{die("4"), die("?")}, "abstained", of(0, 0), 0, 0},
		{"one not found", []Face{4, 6}, nil, []SeenDie{die("4")}, "wrong", of(0, 0), 0, 0},
		{"one wrong, one not read", []Face{4, 6}, nil, []SeenDie{die("5"), die("?")}, "wrong", of(0, 0), 0, 0},
		{"one too many", []Face{4}, nil, []SeenDie{die("4"), die("2")}, "wrong", of(0, 0), 0, 1},
		{"clutter beside them", []Face{4}, nil, []SeenDie{die("4"), die("?")}, "right", of(0, 0), 0, 0},
		{"cocked, and named", []Face{4, 6}, []string{"flat", "cocked"}, []SeenDie{die("4"), odd("cocked")}, "right", of(1, 1), 0, 0},
		{"cocked, and read plainly", []Face{4, 6}, []string{"flat", "cocked"}, []SeenDie{die("4"), die("6")}, "right", of(0, 1), 0, 0},
		{"cocked, face unknown", []Face{4, 0}, []string{"flat", "cocked"}, []SeenDie{die("4"), die("2")}, "right", of(0, 1), 0, 0},
		{"cocked, called broken", []Face{4, 6}, []string{"flat", "cocked"}, []SeenDie{die("4"), odd("broken")}, "wrong", of(0, 1), 0, 0},
		{"flat, called stacked", []Face{4, 6}, nil, []SeenDie{die("4"), odd("stacked")}, "wrong", of(0, 0), 1, 0},
		{"none there", []Face{}, nil, []SeenDie{die("4"), die("?")}, "", of(0, 0), 0, 1},
	} {
		s := &Still{Image: "a", Zones: map[string]StillZone{"z": {Dice: c.dice, Lie: c.lie}}}
		var tally StillTally
		tally.Add(s, map[string]Seen{"z": {Dice: c.read}}, nil, 0)
		d := tally.Result("set").Dice
		got := ""
		for name, share := range map[string]Share{"right": d.Right, "wrong": d.Wrong, "abstained": d.Abstained} {
			if share.Right > 0 {
				got += name
			}
			if n := min(1, len(c.dice)); share.Samples != n {
				t.Errorf("%s: %s of %d zones, want %d", c.name, name, share.Samples, n)
			}
		}
		if got != c.outcome || d.Named != c.named || d.Misnamed != c.misnamed || tally.Result("set").Spurious.Dice != c.spurious {
			t.Errorf("%s: %q %+v, spurious %+v; want %q %v %d %d", c.name, got, d, tally.Result("set").Spurious, c.outcome, c.named, c.misnamed, c.spurious)
		}
	}
}

// A zone that is named with nothing in it gives nothing of any kind; one kind alone can
// be measured; results are written for people and machines.
func TestASilentZone(t *testing.T) {
	seen := map[string]Seen{"z": {Cards: []string{"As"}, Stacks: []SeenStack{{Counted: true, Chips: []string{"e5"}, Low: 1, High: 1}},
		Dice: []SeenDie{{Face: "3"}}}}
	s := &Still{Image: "a", Zones: map[string]StillZone{"z": {}}, Complete: []Kind{}}
	for only, want := range map[Kind]int{"": 3, Cards: 1, Chips: 1, Dice: 1} {
		tally := StillTally{Only: only}
		tally.Add(s, seen, nil, 0)
		tally.Fail("b.jpg", io.ErrUnexpectedEOF)
		tally.Note("chips are not read")
		tally.Note("chips are not read")
		r := tally.Result("set")
		if n := r.Spurious.Cards + r.Spurious.Stacks + r.Spurious.Dice; n != want || len(r.Failed) != 1 || len(r.Notes) != 1 {
			t.Errorf("only %q: %+v", only, r)
		}
		var text bytes.Buffer
		if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "zones with any: 1 of 1") {
			t.Errorf("%v: %s", err, text.String())
		}
		if b, err := json.Marshal(r); err != nil || !strings.Contains(string(b), `"recall":{"count":0,"samples":0,"value":null,"interval":null}`) {
			t.Errorf("%v: %s", err, b)
		}
	}
}

// Stacks are counted by kinds, height and pixels besides, each in one part of a scale.
func TestStacksByParts(t *testing.T) {
	stack := func(chips ...string) ChipStack { return ChipStack{Chips: chips} }
	read := func(chips ...string) SeenStack {
		return SeenStack{Chips: chips, Low: len(chips), High: len(chips), Counted: true}
	}
	five := []string{"a", "a", "a", "a", "b"}
	s := &Still{Image: "a", Zones: map[string]StillZone{
		"near": {
			Stacks: []ChipStack{stack("a"), stack(five...)},
		},
		"far":     {Stacks: []ChipStack{stack("b", "b")}},
		"unknown": {Stacks: []ChipStack{stack("b")}},
	}}
	var tally StillTally
	tally.Add(
		s,
		map[string]Seen{"near": {Stacks: []SeenStack{read("a"), read("a", "a")}, Pixels: 9}, "far": {Pixels: 2.4}},
		map[string]int64{"a": 1, "b": 7},
		0,
	)
	got := tally.Result("set").StacksBy
	for name, want := range map[string][3]Share{ // exact, wrong, not found
		"of one kind": {of(1, 3), of(0, 3), of(2, 3)}, "of several kinds": {of(0, 1), of(1, 1), of(0, 1)},
		"1 to under 5 chips": {of(1, 3), of(0, 3), of(2, 3)}, "5 to under 10 chips": {of(0, 1), of(1, 1), of(0, 1)},
		"of one kind, 9 px a chip and more": {of(1, 1), of(0, 1), of(0, 1)}, "of several kinds, 9 px a chip and more": {of(0, 1), of(1, 1), of(0, 1)},
		"of one kind, 0 to under 2.5 px a chip": {of(0, 1), of(0, 1), of(1, 1)},
	} {
		by := got[name]
		if have := [3]Share{by.Exact, by.Wrong, by.NotFound}; have != want {
			t.Errorf("%s: %v, want %v", name, have, want)
		}
	}
	if len(got) != 7 {
		t.Errorf("%d parts: %v", len(got), got)
	}
	var b bytes.Buffer
	r := tally.Result("set")
	r.Alone, r.Alike = []StillResult{{Set: "set", Camera: "far"}}, map[string]Alike{"stacks": {0.456, 12}}
	for _, want := range []string{"set, calibrated stills, all cameras", "set, calibrated stills, far", "correlation 0.46 of 12"} {
		if err := r.Write(&b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v; no %q in %s", err, want, &b)
		}
	}
	if err := r.Write(&b); err != nil || !strings.Contains(b.String(), "of one kind, 9 px a chip and more") {
		t.Errorf("%v: %s", err, &b)
	}
}
