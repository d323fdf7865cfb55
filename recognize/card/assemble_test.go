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
		return view{guesses: []fact.Guess{{Label: label, P: p}}, covered: true, heat: 0.9, indexP: p, marks: make([]mark, marks)}
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
