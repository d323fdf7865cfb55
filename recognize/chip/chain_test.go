package chip

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/calibration"
)

// column makes a side whose layers show the kinds plainly, and felt below them.
func column(kinds []int, of int, lead float64) side {
	var sd side
	for i := range len(kinds) + par.count.ahead {
		l := layer{kinds: make([]float64, of), chip: make([]float64, of), seen: 1}
		for k := range of {
			switch {
			case i >= len(kinds):
				l.chip[k] = -5
			case k != kinds[i]:
				l.kinds[k], l.chip[k] = -lead, 2
			default:
				l.chip[k] = 6
			}
		}
		sd.layers = append(sd.layers, l)
	}
	return sd
}

// searchOf knows a palette on green felt, and no picture.
func searchOf(t *testing.T, palette []calibration.Chip) *search {
	t.Helper()
	p, err := newPaints(palette, asNew, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &search{hint: Hint{Palette: palette}, opts: Options{Most: 20}, tones: newTones(p, rgb{30, 100, 65})}
}

// Whatever lies under a known top chip is read in its order, and no other
// sequence of that height is likelier.
func TestPath(t *testing.T) {
	s := searchOf(t, palette)
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfN(rapid.IntRange(0, len(palette)-1), 1, 20).Draw(t, "kinds")
		c := s.chain(top{kind: kinds[0], p: 0.999})
		sd := column(kinds, len(palette), 8)
		if got := c.path(&sd, len(kinds)); !slices.Equal(got, kinds) {
			t.Fatalf("read %v, want %v", got, kinds)
		}
		other := slices.Clone(kinds)
		at := rapid.IntRange(0, len(kinds)-1).Draw(t, "at")
		other[at] = (other[at] + 1) % len(palette)
		if c.along(s, &sd, other) >= c.along(s, &sd, kinds) {
			t.Fatalf("%v is said to be as likely as %v", other, kinds)
		}
	})
}

// A chip of another size cannot stand in a stack.
func TestMayStand(t *testing.T) {
	mixed := append(slices.Clone(palette), calibration.Chip{ID: "plaque", Face: "#ffffff", Edge: "#000000", Diameter: 60, Thickness: 5})
	s := searchOf(t, mixed)
	c := s.chain(top{kind: 0, p: 0.95})
	for k := range palette {
		if !c.may(k) {
			t.Errorf("a %s may not lie under a %s", mixed[k].ID, mixed[0].ID)
		}
	}
	if c.may(len(palette)) {
		t.Error("a plaque may lie under a chip")
	}
	next := c.step(c.first)
	if !math.IsInf(next[len(palette)], -1) || slices.Max(next) > 1e-9 {
		t.Errorf("the next layer: %v", next)
	}
}

// The cut of a stack where its colour changes does not pay.
func TestEnds(t *testing.T) {
	kinds := []int{3, 3, 5, 5, 0, 1, 2, 6, 6, 6, 4}
	s := searchOf(t, palette)
	c := s.chain(top{kind: 3, p: 0.99})
	sd := column(kinds, len(palette), 8)
	whole := c.along(s, &sd, kinds)
	for n := 1; n < len(kinds); n++ {
		cut := side{layers: sd.layers}
		if v := c.along(s, &cut, kinds[:n]); v >= whole {
			t.Errorf("%d chips are worth %.1f, all %d only %.1f", n, v, len(kinds), whole)
		}
	}
}
