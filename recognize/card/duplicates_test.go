package card

import (
	"testing"

	"vision/internal/fact"
)

// One card that two of its corners, or its outline and a corner, tell unlike is one
// card, that which its face speaks for; two cards that agree stay two.
func TestTwice(t *testing.T) {
	// at is a card at x, as wide as w, seen by the corner at its top left
	at := func(x, w float64, label string, face float64) view {
		m := mark{apex: fact.Point{x, 0}, short: fact.Point{w, 0}, long: fact.Point{0, 1.4 * w}}
		return view{outline: outline{quad: m.quad()}, guesses: []fact.Guess{{Label: label, P: 1}}, covered: true,
			marks: []mark{m}, cornerScore: 0.6, faceP: face}
	}
	turned := func(v view) view { // seen by the opposite corner
		m := v.marks[0]
		v.marks = []mark{{apex: v.quad[2], short: scale(m.short, -1), long: scale(m.long, -1)}}
		return v
	}
	with := func(v view, m mark) view {
		v.marks = append(v.marks, m)
		return v
	}
	same := func(v, o view) bool { return v.guesses[0].Label == o.guesses[0].Label }
	far := mark{apex: fact.Point{300, 20}, short: fact.Point{-90, 0}, long: fact.Point{0, -120}}
	for _, c := range []struct {
		name string
		in   []view
		want int
	}{
		{"one corner at two sizes", []view{at(0, 80, "Qh", 0.7), at(2, 100, "Qh", 0.9)}, 1},
		{"another card there", []view{at(0, 80, "Qh", 0.7), at(2, 100, "Qd", 0.9)}, 2},
		{"twins side by side", []view{at(0, 100, "Qh", 0.7), at(60, 100, "Qh", 0.9)}, 2},
		{"twins in a fan", []view{at(0, 100, "Qh", 0.7), at(40, 100, "Qh", 0.9)}, 2},
		{"its two corners, apart", []view{at(0, 100, "Qh", 0.7), turned(at(40, 100, "Qh", 0.9))}, 1},
		{"its index at the right, taken for one at the left", []view{at(74, 100, "Qh", 0.7), at(0, 100, "Qh", 0.9)}, 1},
		{"another index there", []view{at(74, 100, "Qd", 0.7), at(0, 100, "Qh", 0.9)}, 2},
		{"a corner that both have", []view{with(at(0, 100, "Qh", 0.7), far), with(at(160, 100, "Qh", 0.9), far)}, 1},
	} {
		got := withoutDuplicates(c.in, same)
		if len(got) != c.want || got[0].faceP != 0.9 {
			t.Errorf("%s: %d views, the first with %v of the face; want %d with 0.9", c.name, len(got), got[0].faceP, c.want)
		}
	}
}

// A corner shows a card again that its outline shows, though it implies another place.
func TestACornerOfACardReadByItsOutline(t *testing.T) {
	read := view{outline: outline{quad: fact.Quad{{0, 0}, {100, 0}, {100, 140}, {0, 140}}}}
	at := func(x, y, short, long float64) *view {
		m := mark{apex: fact.Point{x, y}, short: fact.Point{short, 0}, long: fact.Point{0, long}}
		return &view{outline: outline{quad: m.quad()}, marks: []mark{m}}
	}
	for _, c := range []struct {
		name string
		v    *view
		want bool
	}{
		{"its own corner, too large", at(0, 0, 150, 210), true},
		{"its index at the bottom left, taken for one of a card below", at(0, 112, 100, 140), true},
		{"a card below", at(0, 150, 100, 140), false},
		{"a card that covers its lower end", at(0, 90, 100, 140), false},
	} {
		if got := c.v.doubles(read); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
