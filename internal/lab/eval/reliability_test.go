package eval

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// said are readings of which so large a share is right as f makes of what is said.
func said(f func(p float64) float64) (out []Judged) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 6000 {
		p := 0.5 + 0.5*rng.Float64()
		out = append(
			out,
			Judged{
				Picture:  fmt.Sprint(i / 4),
				P:        []float64{p},
				Weighed:  []float64{p},
				Right:    rng.Float64() < f(p),
				Accepted: p > 0.9,
			},
		)
	}
	return out
}

// The error of calibrated readings is next to none, that of readings which are too sure
// is by how much they are.
func TestECE(t *testing.T) {
	right := Reliable(said(func(p float64) float64 { return p }), AsTold)
	if right.ECE > 0.02 || right.Interval[0] > 0.02 || right.Interval[1] > 0.03 {
		t.Errorf("calibrated readings: %s", right)
	}
	sure := Reliable(said(func(p float64) float64 { return p - 0.2 }), AsTold)
	if sure.ECE < 0.17 || sure.ECE > 0.23 || sure.Interval[0] < 0.15 || sure.Interval[1] > 0.25 {
		t.Errorf("readings that are right a fifth less often than said: %s", sure)
	}
	n := 0
	for _, b := range sure.Bins {
		if n += b.Count; b.Count > 0 &&
			(b.Mean < b.From || b.Mean > b.To || b.Accuracy < b.Interval[0] || b.Accuracy > b.Interval[1]) {
			t.Errorf("bin %+v", b)
		}
	}
	if n != sure.Readings || sure.Abstained == 0 || sure.Abstained == n {
		t.Errorf("%d readings in bins of %d, %d abstained", n, sure.Readings, sure.Abstained)
	}
	if Reliable(nil, AsTold) != nil {
		t.Error("no readings have a calibration")
	}
	edges := Reliable([]Judged{{P: []float64{0}}, {P: []float64{1}, Right: true}}, AsTold)
	if edges.ECE != 0 || edges.Bins[0].Count != 1 || edges.Bins[bins-1].Count != 1 {
		t.Errorf("never and always: %+v", edges)
	}
}

// A diagram is an XML document whatever the set is called, with a dot for each bin that
// has readings.
func TestDiagram(t *testing.T) {
	r := Reliable(said(func(p float64) float64 { return p }), AsTold)
	var b bytes.Buffer
	if err := Diagram(&b, []Panel{{"cards & <dice>", r}, {"told", r}}); err != nil {
		t.Fatal(err)
	}
	text, dots := "", 0
	d := xml.NewDecoder(&b)
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch v := tok.(type) {
		case xml.StartElement:
			if v.Name.Local == "circle" {
				dots++
			}
		case xml.CharData:
			text += string(v)
		}
	}
	full := 0
	for _, b := range r.Bins {
		if b.Count > 0 {
			full++
		}
	}
	if !strings.Contains(text, "cards & <dice>") || dots != 2*full {
		t.Errorf("%d dots of %d bins, texts %q", dots, full, text)
	}
}

// short says of judged readings whether they are right, accepted ones in capitals.
func short(all []Judged) string {
	var out []string
	for _, j := range all {
		s := map[bool]string{true: "right", false: "wrong"}[j.Right]
		if j.Accepted {
			s = strings.ToUpper(s)
		}
		out = append(out, fmt.Sprintf("%s %.1f", s, j.P[0]))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// Abstentions have a likeliest label, which is right or wrong; what the truth leaves open
// is not judged.
func TestJudgedOnPhotographs(t *testing.T) {
	box := func(x float64) *Box { return &Box{x, 0, 10, 10} }
	n := func(k int) *int { return &k }
	read := func(label, best string, x, p float64) Reading {
		return Reading{Label: label, Best: best, Box: *box(x), P: []float64{p}, Weighed: []float64{p}}
	}
	stack := func(colour string, count, low, high int, x, p float64) Reading {
		r := read(colour, colour, x, p)
		r.Count, r.Low, r.High = count, low, high
		return r
	}
	for _, c := range []struct {
		name string
		kind Kind
		m    Image
		read []Reading
		want string
	}{
		{"by place", Cards, Image{Cards: []Item{{Label: "As", Box: box(0)}, {Label: "2s", Box: box(20)},
			{Label: "3?", Box: box(40)}}, Complete: []Kind{Cards}},
			[]Reading{read("As", "As", 0, 0.9), read("?", "2h", 20, 0.4), read("?", "3h", 40, 0.6), read("Kh", "Kh", 90, 0.8), read("?", "", 90, 0.1)},
			"RIGHT 0.9, WRONG 0.8, right 0.6, wrong 0.4"},
		{"accepted ones first", Cards, Image{Cards: []Item{{Label: "As", Box: box(0)}}, Complete: []Kind{Cards}},
			[]Reading{read("?", "As", 0, 0.7), read("As", "As", 1, 0.9)}, "RIGHT 0.9, wrong 0.7"},
		{"not complete", Cards, Image{Cards: []Item{{Label: "As", Box: box(0)}}}, []Reading{read("Kh", "Kh", 90, 0.8), read("2s", "2s", 0, 0.9)}, "WRONG 0.9"},
		{"ignored", Cards, Image{Ignore: []Box{*box(90)}, Complete: []Kind{Cards}}, []Reading{read("Kh", "Kh", 90, 0.8)}, ""},
		{"by label", Dice, Image{Dice: []Item{{Label: "5"}, {Label: "5"}}, Complete: []Kind{Dice}},
			[]Reading{read("5", "5", 0, 0.9), read("?", "5", 20, 0.5), read("?", "5", 40, 0.4), read("6", "6", 60, 0.8)},
			"RIGHT 0.9, WRONG 0.8, right 0.5, wrong 0.4"},
		{"stacks", Chips, Image{Chips: []Item{{Color: "red", Count: n(3), Box: box(0)}, {Count: n(4), Box: box(20)},
			{Box: box(40)}, {Color: "red", Count: n(5), Box: box(60)}}},
			[]Reading{stack("red", 3, 0, 0, 0, 0.9), stack("blue", 0, 3, 6, 20, 0.8), stack("red", 2, 0, 0, 40, 0.7), stack("red", 0, 1, 4, 60, 0.6)},
			"RIGHT 0.8, RIGHT 0.9, WRONG 0.6"},
		{"colours", Chips, Image{Chips: []Item{{Color: "red", Count: n(3)}}, Complete: []Kind{Chips}},
			[]Reading{stack("red", 1, 0, 0, 0, 0.7), stack("red", 2, 0, 0, 20, 0.9), stack("red", 1, 0, 0, 40, 0.6),
				stack("red", 0, 1, 4, 60, 0.5), stack("blue", 1, 0, 0, 60, 0.4)},
			"RIGHT 0.7, RIGHT 0.9, WRONG 0.4, WRONG 0.6"},
	} {
		if got := short(judge(&c.m, c.kind, c.read)); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
}

// In a still each reading is judged once, in the zones of which the truth speaks.
func TestJudgedInStills(t *testing.T) {
	told := func(number int, k Kind, best string, p float64, accepted bool, chips ...string) Told {
		return Told{
			Number:   number,
			Kind:     k,
			Best:     best,
			Chips:    chips,
			P:        []float64{p},
			Weighed:  []float64{p},
			Accepted: accepted,
		}
	}
	lying := told(9, Dice, "6", 0.9, true)
	lying.Lie = "cocked"
	seen := map[string]Seen{
		"a": {
			Told: []Told{
				told(0, Cards, "As", 0.9, true),
				told(1, Cards, "2s", 0.4, false),
				told(2, Cards, "Kh", 0.8, true),
				told(3, Dice, "5", 0.7, true),
				lying,
			},
		},
		"b": {Told: []Told{told(4, Chips, "e5", 0.6, false, "e5", "e5"), told(5, Chips, "e1", 0.5, true, "e1")}},
		"c": {Told: []Told{told(4, Chips, "e5", 0.6, false, "e5", "e5"), told(6, Cards, "3s", 0.3, true)}},
		"d": {Told: []Told{told(7, Cards, "3s", 0.2, true)}},
	}
	s := Still{Image: "1.png", Zones: map[string]StillZone{
		"a": {Cards: []string{"As", "2s"}, Dice: []Face{5}},
		"b": {Stacks: []ChipStack{{Chips: []string{"e5", "e5"}}}},
		"c": {Stacks: []ChipStack{{Chips: []string{"e5", "e5"}}}, Cards: []string{"??"}},
	}}
	worth := map[string]int64{"e5": 500, "e1": 100}
	var all StillTally
	all.Add(&s, seen, worth, 0)
	got := all.Result("set").Judged
	for k, want := range map[Kind]string{Cards: "RIGHT 0.9, WRONG 0.8, right 0.4", Dice: "RIGHT 0.7", Chips: "WRONG 0.5, right 0.6"} {
		if short(got[k]) != want {
			t.Errorf("%s: %s; want %s", k, short(got[k]), want)
		}
	}
	dice := StillTally{Only: Dice}
	dice.Add(&s, seen, worth, 0)
	if r := dice.Result("set"); len(r.Judged[Cards]) > 0 || len(r.Judged[Dice]) != 1 {
		t.Errorf("only dice: %+v", r.Judged)
	}
	var text bytes.Buffer
	if r := all.Result("set"); r.Write(&text) != nil || !strings.Contains(text.String(), "cards, calibration") ||
		!strings.Contains(text.String(), "ECE ") {
		t.Errorf("printed: %s", text.String())
	}
}
