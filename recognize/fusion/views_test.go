package fusion_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vision/internal/fact"
	"vision/recognize/fusion"
)

var start = time.Date(2026, 1, 2, 20, 0, 0, 0, time.UTC)

func at(s float64) time.Time { return start.Add(time.Duration(s * float64(time.Second))) }

// table is one that camera "a" sees whole and "b" in part; "c" sees nothing yet.
func table() *fusion.Views {
	zones := map[string][]string{"a": {"main", "far"}, "b": {"main"}}
	return fusion.NewViews([]string{"a", "b", "c"}, func(c string) []string { return zones[c] })
}

func moves(camera, zone string, s float64) fact.Observation {
	return fact.Observation{Camera: camera, Kind: fact.MotionStarted, Zone: zone, Time: at(s)}
}

func settles(camera, zone string, s float64, cards ...fact.Card) fact.Observation {
	return fact.Observation{Camera: camera, Kind: fact.Stable, Zone: zone, Time: at(s), Since: at(s - 0.2), Cards: cards}
}

func looked(camera string, s float64) fact.Observation {
	return fact.Observation{Camera: camera, Kind: fact.Watermark, Time: at(s)}
}

func cardOf(label string, p, x float64) fact.Card {
	return fact.Card{Guesses: []fact.Guess{{Label: label, P: p}}, At: fact.Point{x, 50}}
}

// words is the content of observations, one word each.
func words(obs []fact.Observation) string {
	var out []string
	for _, o := range obs {
		word := string(o.Kind)
		if o.Zone != "" {
			word += ":" + o.Zone
		}
		if o.OK {
			word += ":ok"
		}
		for _, c := range o.Cards {
			label, _ := fact.Best(c.Guesses)
			word += "," + label + c.Abstain
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// What is seen of one zone by two cameras, in order, and what the felt's story is.
func TestViews_story(t *testing.T) {
	as, four := cardOf("As", 0.97, 10), cardOf("4s", 0.97, 90)
	for name, c := range map[string]struct {
		seen []fact.Observation
		want string
	}{
		"an arm before one camera hides nothing": {[]fact.Observation{
			settles("a", "main", 1, as), settles("b", "main", 1, as), moves("b", "main", 2), settles("b", "main", 4, as),
		}, "settled:main,As"},
		"a hand in the zone moves in both": {[]fact.Observation{
			settles("a", "main", 1), settles("b", "main", 1), moves("b", "main", 2), moves("a", "main", 2.1),
			settles("b", "main", 3, as), settles("a", "main", 3.2, as),
		}, "settled:main stirred:main settled:main,As"},
		"one sees what the other's view hides": {[]fact.Observation{
			settles("a", "main", 1, as), settles("b", "main", 1.1, as, four),
		}, "settled:main,As settled:main,As,4s"},
		"what only one saw change begins a rest": {[]fact.Observation{
			settles("a", "main", 1, as), settles("b", "main", 1, as), moves("b", "main", 2), settles("b", "main", 3, as, four),
		}, "settled:main,As stirred:main settled:main,As,4s"},
		"who comes late only tells more": {[]fact.Observation{
			settles("a", "main", 1, as), moves("b", "main", 2), settles("b", "main", 3, as, four),
		}, "settled:main,As settled:main,As,4s"},
		"a zone of one camera is its own": {[]fact.Observation{
			settles("a", "far", 1), moves("a", "far", 2), settles("a", "far", 3, as),
		}, "settled:far stirred:far settled:far,As"},
		"who is blind leaves its zones to the other": {[]fact.Observation{
			settles("a", "main", 1, as), settles("b", "main", 1, as),
			{Camera: "b", Kind: fact.Blind, Time: at(2)}, moves("a", "main", 3), settles("a", "main", 4),
		}, "settled:main,As stirred:main settled:main"},
		"who is moved, too": {[]fact.Observation{
			settles("a", "main", 1, as), settles("b", "main", 1, as),
			{Camera: "b", Kind: fact.Moved, Time: at(2)}, {Camera: "b", Kind: fact.Moved, Time: at(3), OK: true},
		}, "settled:main,As"},
		"what rested for the blind one alone moves": {[]fact.Observation{
			settles("a", "main", 1, as), settles("b", "main", 1, as), moves("a", "main", 2),
			{Camera: "b", Kind: fact.Blind, Time: at(3)},
		}, "settled:main,As stirred:main"},
		"a zone that nobody sees is not seen, whatever is read elsewhere": {[]fact.Observation{
			settles("a", "main", 1), settles("b", "main", 1),
			{Camera: "a", Kind: fact.Blind, Time: at(2)},
			moves("b", "main", 3), settles("b", "main", 4, as), looked("a", 5), settles("a", "far", 6),
		}, "settled:main blind stirred:main settled:main,As blind looked settled:far"},
		"a camera that was moved is doubted until it is not needed": {[]fact.Observation{
			{Camera: "b", Kind: fact.Blind, Time: at(1)}, {Camera: "a", Kind: fact.Moved, Time: at(2)},
			{Camera: "a", Kind: fact.Moved, Time: at(3), OK: true},
		}, "moved moved:ok"},
		"what moves is glimpsed, and what rests is read": {[]fact.Observation{
			settles("a", "main", 1), settles("b", "main", 1), moves("b", "main", 2),
			{Camera: "b", Kind: fact.PartialReading, Zone: "main", Time: at(3), Cards: []fact.Card{as}}, moves("a", "main", 4),
			{Camera: "b", Kind: fact.PartialReading, Zone: "main", Time: at(5), Cards: []fact.Card{as}},
		}, "settled:main stirred:main glimpsed:main,As"},
		"the slowest is waited for while it sees": {[]fact.Observation{
			looked("a", 1), looked("b", 0.5), looked("a", 2), looked("b", 1.5),
			{Camera: "b", Kind: fact.Blind, Time: at(2)}, looked("a", 3),
		}, "looked looked looked"},
		"a reading ends that a camera is blind, and what a moved one read is none": {[]fact.Observation{
			{Camera: "a", Kind: fact.Blind, Time: at(2)}, settles("a", "main", 1.9, as),
			{Camera: "b", Kind: fact.Moved, Time: at(3)}, settles("b", "main", 4, four),
		}, "blind settled:main,As"},
		"each camera's rack is its own": {[]fact.Observation{
			{Camera: "b", Kind: fact.Rack, Zone: "rack", Time: at(1)},
		}, "rack:rack"},
	} {
		t.Run(name, func(t *testing.T) {
			v := table()
			var out []fact.Observation
			for _, o := range c.seen {
				out = append(out, v.Observe(o)...)
			}
			if got := words(out); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Both cameras' readings count: what each is unsure of they are surer of together, what they
// contradict is doubted, and a reading that accepts lifts the other's abstention.
func TestViews_fuse(t *testing.T) {
	stack := func(n, other int, p float64, abstain string) fact.Stack {
		chips := func(n int) []string { return slices.Repeat([]string{"e5"}, n) }
		return fact.Stack{Chips: chips(n), Low: min(n, other), High: max(n, other), P: p, Abstain: abstain,
			At: fact.Point{100, 100}, Others: []fact.Content{{Chips: chips(other), P: 0.99 - p}}}
	}
	for name, c := range map[string]struct {
		a, b      fact.Stack
		n         int
		low, high float64 // of its probability
		abstain   string
	}{
		"agree":             {stack(3, 4, 0.9, ""), stack(3, 4, 0.9, ""), 3, 0.93, 1, ""},
		"one abstains":      {stack(3, 4, 0.55, "unsure"), stack(3, 4, 0.95, ""), 3, 0.9, 1, ""},
		"of two minds":      {stack(3, 4, 0.9, ""), stack(4, 3, 0.9, ""), 3, 0.4, 0.6, ""},
		"one knows nothing": {stack(3, 4, 0.9, ""), fact.Stack{Abstain: fact.Unread, At: fact.Point{104, 98}, High: 9}, 3, 0.9, 0.9, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := table()
			see := func(camera string, s fact.Stack, when float64) []fact.Observation {
				o := settles(camera, "main", when)
				o.Chips = []fact.Stack{s}
				return v.Observe(o)
			}
			out := append(see("a", c.a, 1), see("b", c.b, 1.1)...)
			got := out[len(out)-1].Chips
			if len(got) != 1 {
				t.Fatalf("%d stacks, want the one", len(got))
			}
			if s := got[0]; len(s.Chips) != c.n && name != "of two minds" || s.Abstain != c.abstain {
				t.Errorf("read %+v, want %d chips", s, c.n)
			}
			// A reading whose words stay the same is not reported again.
			if p := got[0].P; len(out) > 1 && (p < c.low-1e-9 || p > c.high+1e-9) {
				t.Errorf("probability %.3f, want %.2f to %.2f", p, c.low, c.high)
			}
		})
	}
}

// What one camera missed and another did not is no gap, and what both missed is.
func TestViews_gaps(t *testing.T) {
	missed := func(camera string, from, to float64) fact.Observation {
		return fact.Observation{Camera: camera, Kind: fact.Watermark, Since: at(from), Time: at(to)}
	}
	for name, c := range map[string]struct {
		seen []fact.Observation
		want string
	}{
		"the other looked":        {[]fact.Observation{looked("a", 0), looked("b", 0), missed("b", 1, 3)}, ""},
		"both missed a part":      {[]fact.Observation{looked("a", 0), looked("b", 0), missed("b", 1, 3), missed("a", 2, 4)}, "2-3 2-4"},
		"what only it could see":  {[]fact.Observation{looked("a", 0), looked("b", 0), missed("a", 1, 3)}, "1-3"},
		"the other has not begun": {[]fact.Observation{missed("b", 1, 3)}, "1-3"},
	} {
		t.Run(name, func(t *testing.T) {
			v := table()
			var got []string
			for _, o := range c.seen {
				for _, m := range v.Observe(o) {
					if !m.Since.IsZero() {
						got = append(got, fmt.Sprintf("%g-%g", m.Since.Sub(start).Seconds(), m.Time.Sub(start).Seconds()))
					}
				}
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("gaps %q, want %q", s, c.want)
			}
		})
	}
}

// Clocks that are up to 200 ms apart are aligned by what moves, though a camera under a flatter
// angle sees each hand sooner and longer.
func TestViews_clocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		apart := rapid.Float64Range(-0.2, 0.2).Draw(t, "apart")
		v := table()
		for i := range 12 {
			s := float64(10 * i)
			v.Observe(moves("a", "main", s))
			v.Observe(moves("b", "main", s+apart-0.1))
			v.Observe(settles("a", "main", s+2))
			v.Observe(settles("b", "main", s+2+apart+0.1))
		}
		stirred := v.Observe(moves("b", "main", 200+apart))
		stirred = append(stirred, v.Observe(moves("a", "main", 199.9))...)
		rest := v.Observe(settles("b", "main", 201+apart))
		if len(stirred) != 1 || len(rest) != 1 {
			t.Fatalf("%d and %d reports, want 1 each", len(stirred), len(rest))
		}
		if d := rest[0].Time.Sub(at(201)).Abs(); d > 20*time.Millisecond {
			t.Errorf("clocks %.3f s apart: still %v off", apart, d)
		}
	})
}

// A table of one camera is what that reports, unchanged.
func TestViews_oneCamera(t *testing.T) {
	v := fusion.NewViews([]string{"a"}, func(string) []string { return []string{"main"} })
	for _, o := range []fact.Observation{looked("a", 1), settles("a", "main", 1), moves("a", "main", 2), moves("a", "main", 3),
		{Camera: "a", Kind: fact.Gap, Since: at(3), Time: at(9)}, {Camera: "a", Kind: fact.Blind, Time: at(9)}} {
		if got := v.Observe(o); len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(o) {
			t.Errorf("%+v became %+v", o, got)
		}
	}
}
