package card

import (
	"testing"

	"vision/internal/fact"
)

// A card that touches another has its corner where the other has one, and keeps it.
func TestACornerBelongsToTheCardItPointsInto(t *testing.T) {
	read := view{outline: outline{quad: fact.Quad{{100, 100}, {160, 100}, {160, 184}, {100, 184}}}}
	at := func(x, y, short, long float64) mark {
		return mark{apex: fact.Point{x, y}, short: fact.Point{short, 0}, long: fact.Point{0, long}}
	}
	for _, c := range []struct {
		name string
		m    mark
		want bool
	}{
		{"its top left", at(102, 101, 60, 84), true},
		{"its bottom right", at(158, 185, -60, -84), true},
		{"its top right, with an index there too", at(161, 99, -60, 84), true},
		{"the top left of a neighbour at its right", at(162, 101, 60, 84), false},
		{"the bottom left of a neighbour at its right", at(162, 184, 60, -84), false},
		{"the top left of one below", at(100, 186, 60, 84), false},
		{"one of a card that lies on it", at(130, 140, 60, 84), false},
	} {
		if got := read.explains(c.m); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Only a face that two corners show, clearly, measures others.
func TestWhatMeasuresOthers(t *testing.T) {
	face := func(label string, p float64, marks int) view {
		return view{guesses: []fact.Guess{{Label: label, P: p}}, covered: true, cornerScore: 0.9, indexP: p,
			marks: make([]mark, marks)}
	}
	for _, c := range []struct {
		name string
		v    view
		want bool
	}{
		{"two corners", face("7d", 0.99, 2), true},
		{"one corner", face("7d", 0.999, 1), false},
		{"two that are not sure", face("7d", 0.9, 2), false},
		{"a back", face("BK", 0.99, 2), false},
	} {
		if got := c.v.measured(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A view of a corner that is located by the cards measured gives the card its place, also
// where another view of it reads the index more clearly; of two located ones the first.
func TestTheToldSizeIsKept(t *testing.T) {
	at := func(k float64, reported bool, p float64) hypothesis {
		m := mark{cornerScore: 0.7, apex: fact.Point{100, 100}, short: fact.Point{60 * k, 0}, long: fact.Point{0, 84 * k}}
		return hypothesis{quad: m.quad(), marks: []mark{m}, labels: []float64{p, 1 - p}, located: reported}
	}
	small, true1, true2 := at(0.7, false, 0.99), at(1, true, 0.9), at(1.1, true, 0.8)
	for _, c := range []struct {
		name string
		all  []hypothesis
		want fact.Quad
	}{
		{"told after", []hypothesis{small, true1, true2}, true1.quad},
		{"told first", []hypothesis{true1, at(0.7, false, 0.6)}, true1.quad},
		{"none told", []hypothesis{small, at(1, false, 0.9)}, small.quad},
	} {
		got := join(c.all)
		if len(got) != 1 || got[0].quad != c.want {
			t.Errorf("%s: %d cards, the first at %v; want one at %v", c.name, len(got), got[0].quad, c.want)
			continue
		}
		if _, p := top(got[0].labels); p != max(c.all[0].labels[0], c.all[1].labels[0]) {
			t.Errorf("%s: the index is read with %v", c.name, p)
		}
	}
}

// A pattern of the ground that looks like a back tells nobody's size.
func TestAnUnprovenBackTellsNoSize(t *testing.T) {
	back := view{outline: outline{quad: fact.Quad{{100, 100}, {160, 100}, {160, 184}, {100, 184}}},
		guesses: []fact.Guess{{Label: "BK", P: 1}}}
	face := back
	face.guesses = []fact.Guess{{Label: "7d", P: 1}}
	seen := []mark{{plain: true, cornerScore: 0.6, apex: fact.Point{103, 102}}}
	if back.unproven(seen) || !back.unproven(nil) || face.unproven(nil) {
		t.Errorf("back with a corner %v (want false), without %v (want true), face %v (want false)", back.unproven(seen), back.unproven(nil), face.unproven(nil))
	}
}

// What the outline of a heap supposes is not asked where the network sees a corner clearly.
func TestWithoutStairs(t *testing.T) {
	at := func(x, score float64, edged bool) mark {
		return mark{apex: fact.Point{x, 0}, short: fact.Point{60, 0}, long: fact.Point{0, 84},
			cornerScore: score, edged: edged}
	}
	empty := at(0, 0.9, false)
	empty.plain = true
	for name, c := range map[string]struct {
		seen mark
		edge float64
		want int
	}{
		"at it": {at(0, 0.9, false), 3, 1}, "beside it": {at(0, 0.9, false), 20, 2},
		"hardly seen": {at(0, 0.4, false), 3, 2}, "no index": {empty, 3, 2},
	} {
		if got := withoutStairs([]mark{c.seen, at(c.edge, 0, true)}); len(got) != c.want {
			t.Errorf("%s: %d are left, want %d", name, len(got), c.want)
		}
	}
}
