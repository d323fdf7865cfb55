package dice

import (
	"testing"

	"vision/internal/fact"
)

// faceOf is a pattern with these half sides, as seen on the planes of a witness.
func faceOf(value int, u, v fact.Point) *pattern {
	return &pattern{value: value, u: u, v: v, look: 1}
}

// A face lies flat where its spots make a square of the known size; few spots say less.
func TestFlatFacesAreSquaresOfTheKnownSize(t *testing.T) {
	const h = faceEdge / 2
	for _, c := range []struct {
		what         string
		p            *pattern
		scale        float64
		flat, square bool
	}{
		{"a five as large as known", faceOf(5, fact.Point{h, 0}, fact.Point{0, h}), 1, true, true},
		{"turned by an eighth, spots far apart", faceOf(4, fact.Point{0.8 * h, 0.8 * h}, fact.Point{-0.8 * h, 0.8 * h}), 1, true, true},
		{"a six foreshortened by a fifth", faceOf(6, fact.Point{h, 0}, fact.Point{0, 0.8 * h}), 1.1, false, false},
		{"a four sheared", faceOf(4, fact.Point{h, 0}, fact.Point{0.3 * h, h}), 1, false, false},
		{"a five half as large again", faceOf(5, fact.Point{h, 0}, fact.Point{0, h}), 1.5, false, true},
		{"a three of the known size", faceOf(3, fact.Point{h, 0}, fact.Point{0, h}), 1, true, false},
		{"a two of another", faceOf(2, fact.Point{h, 0}, fact.Point{0, h}), 0.7, false, false},
		{"a one of any", faceOf(1, fact.Point{h, 0}, fact.Point{0, h}), 2, true, false},
	} {
		if flat, square := c.p.flat(c.scale), c.p.square(); flat != c.flat || square != c.square {
			t.Errorf("%s: flat %v, square %v; want %v, %v", c.what, flat, square, c.flat, c.square)
		}
	}
}

// What lies half an edge aside and half a height down from an upper face is a side of its
// die; the die itself and one that lies by itself are none.
func TestASideIsNoUpperFace(t *testing.T) {
	hint := Hint{Edge: 30, Eye: fact.Point{100, 1100}, Drop: 0.03} // a die's foot shows 30 px further down
	at := func(x, y float64) upper { return upper{hit: hit{x: x, y: y, edge: 30}} }
	for _, c := range []struct {
		what  string
		x, y  float64
		tower bool
		side  bool
	}{
		{"the die itself", 100, 102, false, false},
		{"its side towards the camera", 100, 130, false, true},
		{"the same of one turned by an eighth", 111, 126, false, true},
		{"a die behind it", 100, 65, false, false},
		{"a die beside it", 135, 100, false, false},
		{"a die before it", 100, 160, false, false},
		{"the lower of two", 100, 160, true, true},
	} {
		if got := at(c.x, c.y).sideOf(100, 100, c.tower, hint); got != c.side {
			t.Errorf("%s: side %v, want %v", c.what, got, c.side)
		}
	}
}

// A face that the network finds and does not read is one more die that is not read.
func TestADieThatTheNetworkDoesNotReadIsThere(t *testing.T) {
	unread := upper{hit: hit{x: 100, y: 100, edge: 30}, die: fact.Die{Abstain: unsure}}
	at := fact.Quad{{85, 85}, {115, 85}, {115, 115}, {85, 115}}
	read := []fact.Die{{Guesses: []fact.Guess{{Label: "4", P: 1}}, Quad: at}}
	if out := joined(read, []upper{unread}, Hint{Edge: 30}); len(out) != 1 || out[0].Abstain != "" {
		t.Errorf("where the search read it: %+v", out)
	}
	if out := joined(nil, []upper{unread}, Hint{Edge: 30}); len(out) != 1 || out[0].Abstain != unsure {
		t.Errorf("where nothing was found: %+v", out)
	}
}

// Where the search took a side, or all that a die shows, for a die that leans, the network's upper
// face stands for it; one that leans beside it stays.
func TestASideTakenForADieThatLeans(t *testing.T) {
	hint := Hint{Edge: 30, Eye: fact.Point{100, 1100}, Drop: 0.03}
	leans := func(x, y float64) fact.Die {
		return fact.Die{Irregular: "cocked", Guesses: []fact.Guess{{Label: "2", P: 1}},
			Quad: fact.Quad{{x - 15, y - 10}, {x + 15, y - 10}, {x + 15, y + 10}, {x - 15, y + 10}}}
	}
	for name, shows := range map[string]func(*upper){
		"its outline": func(u *upper) { u.stands = true }, "its spots": func(u *upper) { u.square = true }, "": func(*upper) {}} {
		u := upper{hit: hit{x: 100, y: 100, edge: 30}, die: fact.Die{Guesses: []fact.Guess{{Label: "1", P: 1}}}}
		shows(&u)
		unread := leans(100, 100)
		unread.Guesses, unread.Abstain = nil, unsure
		if out := u.into([]fact.Die{unread}, hint); len(out) != 1 || (out[0].Irregular == "") != (name != "") {
			t.Errorf("a blot of a die's colour, of which %q shows that it stands: %+v", name, out)
		}
	}
	face := upper{hit: hit{x: 100, y: 100, edge: 30}, die: fact.Die{Guesses: []fact.Guess{{Label: "1", P: 1}}}}
	if out := face.into([]fact.Die{leans(100, 130)}, hint); len(out) != 1 || out[0].Irregular != "" {
		t.Errorf("its own side: %+v", out)
	}
	if out := face.into([]fact.Die{leans(160, 100)}, hint); len(out) != 2 || out[0].Irregular == "" {
		t.Errorf("a die beside it: %+v", out)
	}
}

// What the network reads fills in what the search left open, and takes back what it says
// otherwise; how a die lies stays the search's word.
func TestTheNetworkFillsInWhatTheSearchLeftOpen(t *testing.T) {
	square := func(x, y float64) fact.Quad {
		return fact.Quad{{x - 15, y - 15}, {x + 15, y - 15}, {x + 15, y + 15}, {x - 15, y + 15}}
	}
	labelled := func(label string) []fact.Guess { return []fact.Guess{{Label: label, P: 0.99}} }
	seen := upper{hit: hit{x: 100, y: 100, edge: 30}, die: fact.Die{Guesses: labelled("4"), Quad: square(100, 100)}}
	for _, c := range []struct {
		what                      string
		before                    []fact.Die
		n                         int
		label, abstain, irregular string
	}{
		{"nothing was found", nil, 1, "4", "", ""},
		{"something was not read", []fact.Die{{Abstain: unsure, Quad: square(105, 98)}}, 1, "4", "", ""},
		{"the same was read", []fact.Die{{Guesses: labelled("4"), Quad: square(101, 99)}}, 1, "4", "", ""},
		{"another value was read", []fact.Die{{Guesses: labelled("6"), Quad: square(101, 99)}}, 1, "6", contradicted, ""},
		{"it stands on chips", []fact.Die{{Guesses: labelled("4"), Irregular: "on_chips", Quad: square(101, 99)}}, 1, "4", "", "on_chips"},
		{"it leans and is not read", []fact.Die{{Abstain: unsure, Irregular: "cocked", Quad: square(101, 99)}}, 1, "", unsure, "cocked"},
		{"a die far away", []fact.Die{{Guesses: labelled("1"), Quad: square(300, 99)}}, 2, "1", "", ""},
	} {
		out := joined(c.before, []upper{seen}, Hint{Edge: 30})
		if len(out) != c.n {
			t.Fatalf("%s: %d dice, want %d", c.what, len(out), c.n)
		}
		if l, _ := fact.Best(out[0].Guesses); l != c.label || out[0].Abstain != c.abstain || out[0].Irregular != c.irregular {
			t.Errorf("%s: %q %q %q, want %q %q %q", c.what, l, out[0].Abstain, out[0].Irregular, c.label, c.abstain, c.irregular)
		}
	}
}

// Before a low camera a face of few spots may be a side; from higher up it is read.
func TestBeforeALowCameraSidesAreDoubted(t *testing.T) {
	high := Hint{Edge: 30, Eye: fact.Point{100, 900}, Drop: 0.03}
	low := Hint{Edge: 30, Eye: fact.Point{100, 1600}, Drop: 0.03}
	for _, c := range []struct {
		name   string
		h      Hint
		change func(*upper)
		read   bool
	}{
		{"from high up", high, func(*upper) {}, true},
		{"a low camera", low, func(*upper) {}, false},
		{"its spots are those of a flat face", low, func(u *upper) { u.square = true }, true},
		{"its outline is that of a die", low, func(u *upper) { u.stands = true }, true},
	} {
		u := upper{hit: hit{x: 100, y: 100, edge: 30}, die: fact.Die{Guesses: []fact.Guess{{Label: "1", P: 1}}}}
		c.change(&u)
		if out := joined(nil, []upper{u}, c.h); len(out) != 1 || (out[0].Abstain == "") != c.read {
			t.Errorf("%s: %+v, want it read: %v", c.name, out, c.read)
		}
	}
}
