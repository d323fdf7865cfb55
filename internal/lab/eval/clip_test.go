package eval

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/fact"
)

// What is held within rests and outside them. The clip's rests are of two cards from 3 to
// 6 s and of three from 8 to 12 s.
func TestWhatIsHeldInAClip(t *testing.T) {
	two, three := []string{"9h", "Kc"}, []string{"9h", "Kc", "4s"}
	rest := []Rest{{From: 3, To: 6, Cards: two}, {From: 8, To: 12, Cards: three}}
	type want struct {
		exact, end, precision, recall Share
		spurious, never               int
		delays                        []float64
	}
	for _, c := range []struct {
		name    string
		held    []Held
		partial bool
		want    want
	}{
		{"all right", []Held{{3.4, two}, {8.4, three}}, false, want{of(2, 2), of(2, 2), of(5, 5), of(5, 5), 0, 0, []float64{0.4, 0.4}}},
		{"right before the rest", []Held{{2.5, two}, {7.5, three}}, false, want{of(2, 2), of(2, 2), of(5, 5), of(5, 5), 0, 0, []float64{0, 0}}},
		{"late", []Held{{4.5, two}, {8.4, three}}, false, want{of(1, 2), of(2, 2), of(5, 5), of(3, 5), 0, 0, []float64{1.5, 0.4}}},
		{"nothing", nil, false, want{of(0, 2), of(0, 2), of(0, 0), of(0, 5), 0, 2, nil}},
		{"a wrong card corrected in time", []Held{{3.4, []string{"9h", "Kd"}}, {3.9, two}, {8.4, three}}, false,
			want{of(2, 2), of(2, 2), of(5, 5), of(5, 5), 0, 0, []float64{0.9, 0.4}}},
		{"a wrong card for a while", []Held{{3.4, two}, {9.5, []string{"9h", "Kc", "4s", "As"}}, {10, three}}, false,
			want{of(1, 2), of(2, 2), of(5, 6), of(4, 5), 0, 0, []float64{0.4, 2}}},
		{"spurious between", []Held{{3.4, two}, {7, []string{"9h", "Kc", "As"}}, {8.4, three}}, false,
			want{of(2, 2), of(2, 2), of(5, 5), of(5, 5), 1, 0, []float64{0.4, 0.4}}},
		{"spurious after the last", []Held{{3.4, two}, {8.4, three}, {13, []string{"9h", "Kc", "4s", "2h", "2h"}}}, false,
			want{of(2, 2), of(2, 2), of(5, 5), of(5, 5), 2, 0, []float64{0.4, 0.4}}},
		{"the same card twice, before the rest", []Held{{2.5, []string{"9h", "9h", "Kc"}}, {3.4, two}, {8.4, three}}, false,
			want{of(2, 2), of(2, 2), of(5, 5), of(5, 5), 1, 0, []float64{0.4, 0.4}}},
		{"taken away", []Held{{3.4, two}, {8.4, three}, {13, nil}}, false,
			want{of(2, 2), of(2, 2), of(5, 5), of(5, 5), 0, 0, []float64{0.4, 0.4}}},
		{"other things too", []Held{{3.4, []string{"9h", "Kc", "As"}}, {7, []string{"2h"}}, {8.4, three}}, true,
			want{of(2, 2), of(2, 2), of(0, 0), of(5, 5), 0, 0, []float64{0.4, 0.4}}},
	} {
		var tally ClipTally
		tally.Add(&Clip{Clip: "a.mp4", Kind: Cards, Rest: rest, Partial: c.partial}, c.held, 30)
		r := tally.Result("set")
		for what, s := range map[string]*RestScore{"all": r.All, "cards": r.Kinds[Cards], "clip": r.Each[0].RestScore} {
			close := slices.EqualFunc(s.delays, slices.Sorted(slices.Values(c.want.delays)), func(a, b float64) bool {
				return a-b < 1e-9 && b-a < 1e-9
			})
			got := want{s.Exact, s.ExactEnd, s.Precision, s.Recall, s.Spurious, s.Never, nil}
			if got.exact != c.want.exact || got.end != c.want.end || got.precision != c.want.precision ||
				got.recall != c.want.recall || got.spurious != c.want.spurious || got.never != c.want.never || !close {
				t.Errorf("%s, %s: %+v delays %v; want %+v", c.name, what, got, s.delays, c.want)
			}
			if (s.PerMinute == nil) != c.partial || !c.partial && *s.PerMinute != 2*float64(c.want.spurious) {
				t.Errorf("%s: %v spurious a minute of %d in half a minute", c.name, s.PerMinute, s.Spurious)
			}
		}
		var text bytes.Buffer
		if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "a.mp4") {
			t.Errorf("%v: %s", err, text.String())
		}
	}
}

// Of a rest shorter than two seconds its second half counts.
func TestAShortRest(t *testing.T) {
	for at, right := range map[float64]bool{1.5: true, 1.6: false} {
		var tally ClipTally
		tally.Add(&Clip{Clip: "a", Kind: Dice, Rest: []Rest{{From: 1, To: 2, Dice: []Face{3}}}}, []Held{{at, []string{"3"}}}, 5)
		if got := tally.Result("").All.Exact.Right == 1; got != right {
			t.Errorf("held from %v s: right %v, want %v", at, got, right)
		}
	}
}

// A pipeline holds what its last readings vouch for, zone by zone, until they are read anew.
func TestHolder(t *testing.T) {
	card := func(label, abstain string) fact.Card {
		return fact.Card{Guesses: []fact.Guess{{Label: label, P: 0.9}}, Abstain: abstain}
	}
	h := NewHolder(Cards)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	hear := func(s float64, kind fact.Kind, zone string, cards ...fact.Card) {
		h.Hear(fact.Observation{Kind: kind, Zone: zone, Time: at, Cards: cards}, s)
	}
	hear(1, fact.Stable, "seat:1", card("9h", ""), card("As", "unsure"))
	hear(1, fact.Stable, "bank", card("Kc", ""))
	hear(2, fact.MotionStarted, "seat:1")
	hear(3, fact.Stable, "seat:1", card("9h", "occluded"))
	hear(3, fact.Stable, "seat:2")
	var got []string
	for _, l := range h.Log() {
		got = append(got, strings.Join(l.Things, "+"))
	}
	if strings.Join(got, " ") != "9h+Kc Kc" || h.Log()[1].At != 3 {
		t.Errorf("held %v", h.Log())
	}
	d := NewHolder(Dice)
	d.Hear(fact.Observation{Kind: fact.Stable,
		Dice: []fact.Die{{Guesses: []fact.Guess{{Label: "4", P: 1}}}, {Guesses: []fact.Guess{{Label: "2", P: 1}}, Irregular: "cocked"}}}, 1)
	c := NewHolder(Chips)
	c.Hear(fact.Observation{Kind: fact.Stable,
		Chips: []fact.Stack{{Chips: []string{"azul", "azul"}}, {Chips: []string{"rojo"}, Abstain: "unsure", Low: 1, High: 4}}}, 1)
	if a, b := strings.Join(d.Log()[0].Things, "+"), strings.Join(c.Log()[0].Things, "+"); a != "4" || b != "azul+azul" {
		t.Errorf("dice %s, chips %s", a, b)
	}
}
