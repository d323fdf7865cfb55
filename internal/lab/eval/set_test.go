package eval

import (
	"os"
	"strings"
	"testing"
	"time"

	"vision/internal/fact"
)

// A set has the form of its lines.
func TestTheFormOfASet(t *testing.T) {
	for truth, want := range map[string]string{
		`{"image":"a.jpg","cards":[{"label":"As"}]}`:                       "images",
		`{"image":"a.jpg","zones":{}}`:                                     "stills",
		`{"calibration":"c.yaml","rests":[{"image":"a.jpg","tubes":[1]}]}`: "racks",
		"\ufeff" + `{"image":"a.jpg","zones":{"bank":{"cards":["As"]}}}`:   "stills",
		`{"clip":"a.mp4","kind":"dice","rest":[]}` + "\r\n\r\n":            "clips",
		`{"clip":"a.mp4","rest":[{"from":1,"to":2,"number":"00"}]}` + "\n": "clips",
	} {
		set, err := ParseSet([]byte(truth))
		if err != nil {
			t.Errorf("%s: %v", truth, err)
			continue
		}
		got := map[bool]string{set.Images != nil: "images", set.Stills != nil: "stills", set.Clips != nil: "clips",
			set.Racks != nil: "racks"}[true]
		if got != want {
			t.Errorf("%s: %s, want %s", truth, got, want)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/truth.jsonl", []byte(`{"image":"a.jpg","zones":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "no set of photographs") {
		t.Errorf("stills as photographs: %v", err)
	}
}

// What is wrong with a line is said with its number and place.
func TestBadTruthOfTables(t *testing.T) {
	for truth, want := range map[string]string{
		``: "no line of truth",
		`{"image":"a.jpg","zones":{}}` + "\n" + `{"image":"b.jpg"}`:                        "line 2: image \"b.jpg\" has no zones",
		`{"image":"/a.jpg","zones":{}}`:                                                    `image "/a.jpg": want a path below`,
		`{"image":"a.jpg","zones":{},"calibration":"../c.yaml"}`:                           "calibration",
		`{"image":"a.jpg","zones":{},"views":[{"image":"b.jpg"},{"image":"../c.jpg"}]}`:    `views[1]: image "../c.jpg": want a path below`,
		`{"image":"a.jpg","zones":{"bank":{"cards":["9x"]}}}`:                              `zones, "bank": cards[0]`,
		`{"image":"a.jpg","zones":{"bank":{"stacks":[{"chips":[]}]}}}`:                     "stacks[0]",
		`{"image":"a.jpg","zones":{"dice":{"dice":[7]}}}`:                                  "die 7",
		`{"image":"a.jpg","zones":{"dice":{"dice":[1,2],"lie":["flat"]}}}`:                 "of 2 dice",
		`{"image":"a.jpg","zones":{"dice":{"dice":[1],"lie":["upright"]}}}`:                "upright",
		`{"image":"a.jpg","zones":{},"complete":["wheel"]}`:                                "complete",
		`{"calibration":"c.yaml","rests":[]}`:                                              "no rests",
		`{"calibration":"c.yaml","rests":[{"image":"/a.jpg","tubes":[1]}]}`:                "rests[0].image",
		`{"calibration":"c.yaml","rests":[{"image":"a.jpg","tubes":[-1]}]}`:                "rests[0].tubes[0]",
		`{"calibration":"c.yaml","rests":[{"image":"a","tubes":[1]},{"image":"b"}]}`:       "rests[1] has 0 tubes",
		`{"clip":"../a.mp4","kind":"dice"}`:                                                "clip",
		`{"clip":"a.mp4","kind":"hats"}`:                                                   `kind "hats"`,
		`{"clip":"a.mp4"}`:                                                                 `kind ""`,
		`{"clip":"a.mp4","rest":[{"from":1,"to":2,"cards":["As"],"dice":[1]}]}`:            "of several",
		`{"clip":"a.mp4","kind":"dice","rest":[{"from":2,"to":1}]}`:                        "rest[0]: from 2 to 1",
		`{"clip":"a.mp4","kind":"dice","rest":[{"from":1,"to":3},{"from":2,"to":4}]}`:      "rest[1]: begins at 2",
		`{"clip":"a.mp4","kind":"cards","rest":[{"from":1,"to":3,"cards":["K"]}]}`:         "rest[0]: cards[0]",
		`{"clip":"a.mp4","kind":"chips","rest":[{"from":1,"to":3,"chips":{"red":-1}}]}`:    "chips: -1 of red",
		`{"clip":"a.mp4","kind":"chips","rest":[{"from":1,"to":3,"chips":[{"n":1}]}]}`:     "chips:",
		`{"clip":"a.mp4","kind":"dice","hands":[[3,2]]}`:                                   "hands[0]",
		`{"clip":"a.mp4","round":{},"rest":[{"from":1,"to":3,"cards":["As"]}]}`:            "not both",
		`{"clip":"a.mp4","kind":"dice"}` + "\n" + `{"image":"a.jpg","zones":{}}`:           "line 2: clip",
		`{"clip":"a.mp4","kind":"wheel","rest":[{"from":1,"to":3,"number":{"pocket":1}}]}`: "number",
	} {
		if _, err := ParseSet([]byte(truth)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n\t%v, want %s", truth, err, want)
		}
	}
}

// Chips of a rest may be given in three ways.
func TestCounts(t *testing.T) {
	for _, chips := range []string{`{"red":2,"blue":1}`, `[{"color":"red","count":2},{"color":"blue"}]`, `["red","blue","red"]`} {
		set, err := ParseSet([]byte(`{"clip":"a.mp4","rest":[{"from":1,"to":2,"chips":` + chips + `}]}`))
		if err != nil {
			t.Errorf("%s: %v", chips, err)
			continue
		}
		if got := strings.Join(set.Clips[0].Rest[0].Things(Chips), " "); got != "blue red red" || set.Clips[0].Kind != Chips {
			t.Errorf("%s: %s of kind %s", chips, got, set.Clips[0].Kind)
		}
	}
}

// Whatever a truth file holds, it is refused or can be scored.
func FuzzParseSet(f *testing.F) {
	for _, s := range []string{
		`{"image":"a.jpg","cards":[{"label":"As","box":[1,2,3,4]}],"complete":["cards"]}`,
		`{"image":"a.jpg","zones":{"bank":{"cards":["8d","BK"]},"layout":{"stacks":[{"chips":["azul"],"spot":"rojo"}]},"dice":{"dice":[4,0],"lie":["flat","cocked"]}},"complete":["cards"]}`,
		`{"clip":"a.mp4","kind":"cards","rest":[{"from":3.2,"to":5.9,"cards":["9h","K?"]}],"events":[{"t":2.9,"what":"card"}],"hands":[[2.1,3.1]],"partial":true}`,
		`{"clip":"a.mp4","rest":[{"from":1,"to":2,"chips":{"red":2}},{"from":2,"to":3,"chips":["red"]}]}`,
		`{"clip":"a.mp4","kind":"wheel","rest":[{"from":1,"to":2,"number":17}]}`,
		`{"calibration":"c.yaml","tags":["near"],"rests":[{"image":"a.jpg","tubes":[12,3],"amiss":{"1":"gap"}}]}`,
		`{"clip":"a.mp4","round":{"record":{},"findings":[]},"calls":"calls.jsonl","config":"vision.yaml"}`,
	} {
		f.Add([]byte(s))
	}
	seen := Seen{Cards: []string{"9h", "?"}, Stacks: []SeenStack{{Counted: true, Chips: []string{"azul"}, Low: 1, High: 1},
		{Low: 1, High: 3}},
		Dice: []SeenDie{{Face: "4"}, {Face: "?", Lie: "cocked"}, {Face: "?"}}}
	held := []Held{{0, nil}, {2.5, []string{"9h"}}, {4, []string{"9h", "Kc"}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := ParseSet(data)
		if err != nil {
			return
		}
		var stills StillTally
		for i := range set.Stills {
			s := &set.Stills[i]
			all := map[string]Seen{}
			for name := range s.Zones {
				all[name] = seen
			}
			stills.Add(s, all, nil, 0)
		}
		r := stills.Result("set")
		for _, s := range []Share{r.Cards.Precision, r.Cards.Recall, r.Stacks.Exact, r.Dice.Right, r.Spurious.Zones} {
			if s.Right < 0 || s.Right > s.Samples {
				t.Errorf("a share of %d in %d", s.Right, s.Samples)
			}
		}
		var racks RackResult
		for i := range set.Racks {
			s := &set.Racks[i]
			told := make([][]fact.Tube, len(s.Rests))
			for n := range told {
				for k := range s.Rests[n].Tubes {
					told[n] = append(told[n], fact.Tube{Tube: k, Rest: time.Unix(int64(n), 0), Change: []fact.Change{{N: 0}}})
				}
			}
			racks.Add(s, told)
		}
		if n := racks.Exact.Right + racks.Wrong.Right + racks.Abstained.Right; n != racks.Exact.Samples {
			t.Errorf("%d tubes are exact, wrong or abstained of %d", n, racks.Exact.Samples)
		}
		var clips ClipTally
		for i := range set.Clips {
			clips.Add(&set.Clips[i], held, 10)
		}
		if c := clips.Result("set"); c.All != nil {
			for _, s := range []Share{c.All.Precision, c.All.Recall, c.All.Exact} {
				if s.Right < 0 || s.Right > s.Samples {
					t.Errorf("a share of %d in %d", s.Right, s.Samples)
				}
			}
		}
	})
}
