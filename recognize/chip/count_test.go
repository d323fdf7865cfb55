package chip

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What the one witness is sure of stands unless the other shows otherwise, and
// nobody's guess is said to be sure.
func TestJudge(t *testing.T) {
	reds := func(n int, p float64) counted {
		return counted{kinds: slices.Repeat([]int{3}, n), low: n, high: n, p: p, kindsP: 1}
	}
	mix := func(p float64, kinds ...int) counted {
		return counted{kinds: kinds, low: len(kinds), high: len(kinds), p: p, kindsP: p}
	}
	hidden := func(c counted) counted { c.hidden = true; return c }
	for name, c := range map[string]struct {
		alike, chain counted
		doubt        float64
		kinds        []int
		sure         bool
		low, high    int
	}{
		"both sure":                 {reds(4, 0.99), reds(4, 0.99), 1, []int{3, 3, 3, 3}, true, 4, 4},
		"the chain is sure":         {reds(4, 0.7), reds(4, 0.99), 1, []int{3, 3, 3, 3}, true, 4, 4},
		"the chain is nearly sure":  {reds(4, 0.7), reds(4, 0.95), 1, []int{3, 3, 3, 3}, false, 4, 4},
		"other heights of one kind": {reds(4, 0.95), reds(5, 0.99), 1e6, []int{3, 3, 3, 3}, true, 4, 4},
		"other heights, neither":    {reds(4, 0.7), reds(5, 0.99), 1e6, []int{3, 3, 3, 3}, false, 4, 4},
		"others below":              {reds(2, 0.99), mix(0.99, 3, 3, 5, 5), 1e6, []int{3, 3, 5, 5}, true, 4, 4},
		"others below, hidden":      {reds(2, 0.99), hidden(mix(0.99, 3, 3, 5, 5)), 1e6, nil, false, 2, 4},
		"others, hidden, or not":    {reds(2, 0.99), hidden(mix(0.99, 3, 3, 5, 5)), 100, []int{3, 3}, true, 2, 2},
		"others below perhaps":      {reds(2, 0.99), mix(0.7, 3, 3, 5, 5), 100, nil, false, 2, 4},
		"others below, or not":      {reds(2, 0.99), mix(0.7, 3, 3, 5, 5), 3, []int{3, 3}, true, 2, 2},
		"others among them":         {reds(4, 0.99), mix(0.99, 3, 3, 5, 5), 1e6, []int{3, 3, 5, 5}, true, 4, 4},
		"others among them, surely": {reds(4, 0.99), mix(0.91, 3, 3, 5, 5), 40, []int{3, 3, 5, 5}, true, 4, 4},
		"others among them, or not": {reds(4, 0.99), mix(0.91, 3, 3, 5, 5), 4, []int{3, 3, 3, 3}, true, 4, 4},
		"others among them perhaps": {reds(4, 0.99), mix(0.8, 3, 3, 5, 5), 40, nil, false, 4, 4},
		"neither, and they differ":  {reds(4, 0.5), mix(0.5, 3, 5), 50, nil, false, 2, 4},
	} {
		got := arbitrate(c.alike, c.chain, c.doubt, 0.9)
		if sure := got.p >= 0.9; sure != c.sure || got.low != c.low || got.high != c.high {
			t.Errorf("%s: p %.2f, %d to %d; want sure %v, %d to %d", name, got.p, got.low, got.high, c.sure, c.low, c.high)
		}
		if named := got.kindsP >= 0.9; named != (c.kinds != nil) || named && !slices.Equal(got.kinds, c.kinds) {
			t.Errorf("%s: %v named %v, want %v", name, got.kinds, named, c.kinds)
		}
	}
}

// A judgement is never surer than both witnesses, and lies between their heights.
func TestJudgeIsModest(t *testing.T) {
	witness := func(t *rapid.T, name string, of int) counted {
		kinds := rapid.SliceOfN(rapid.IntRange(0, of), 1, 8).Draw(t, name)
		n := len(kinds)
		return counted{kinds: kinds, low: rapid.IntRange(1, n).Draw(t, name+" low"), high: rapid.IntRange(n, 9).Draw(t, name+" high"),
			p: rapid.Float64Range(0, 1).Draw(t, name+" p"), kindsP: 1, hidden: rapid.Bool().Draw(t, name+" hidden")}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, c := witness(t, "alike", 0), witness(t, "chain", 2)
		doubt := rapid.Float64Range(0, 1000).Draw(t, "doubt")
		got := arbitrate(a, c, doubt, 0.9)
		if got.p > max(a.p, c.p) || got.low < min(a.low, c.low) || got.high > max(a.high, c.high) {
			t.Fatalf("of %+v and %+v: %+v", a, c, got)
		}
		if got.mixed() && got.p >= 0.9 && (doubt < fitted.Layers.Excluded || got.hidden) {
			t.Fatalf("a mixed stack is taken too easily: %+v", got)
		}
	})
}

// A witness is the surer the likelier it finds its reading, and undecided where it was.
func TestFirmer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := rapid.Float64Range(0, 1).Draw(t, "p"), rapid.Float64Range(0, 1).Draw(t, "q")
		a, b := tempered(p, 2), tempered(q, 2)
		if p < q && a > b || p > 0.5 && a < p || p < 0.5 && a > p || a < 0 || a > 1 {
			t.Fatalf("%v and %v become %v and %v", p, q, a, b)
		}
	})
	if half := tempered(0.5, 2.6); half != 0.5 {
		t.Errorf("even odds become %v", half)
	}
}

// Chips of the felt's colour are reported no surer than they are weighed, others are.
func TestChipsOfTheClothsColour(t *testing.T) {
	s := &search{tones: &tones{paints: &paints{wear: asNew}, in: []float64{2.2, 1.0, 1.5},
		out: []float64{-4.5, -1.4, -1.9}}}
	for kind, want := range []float64{2, 1, 1} {
		if got := s.alikePower(kind); got != want {
			t.Errorf("kind %d: power %v, want %v", kind, got, want)
		}
	}
	chain := s.chainPower()
	if s.onPlaque = true; s.alikePower(0) != 1 || s.chainPower() != 1 || chain <= 1 {
		t.Errorf("on a plaque: powers %v and %v, want 1; a chain on the felt %v", s.alikePower(0), s.chainPower(), chain)
	}
	s.onPlaque, s.tones.wear = false, inUse
	if got := [2]float64{s.alikePower(0), s.chainPower()}; got != [2]float64{inUse.power, inUse.power} {
		t.Errorf("on known felt: powers %v, want %v", got, inUse.power)
	}
}
