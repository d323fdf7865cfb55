package ornament

import (
	"math"
	"testing"

	"github.com/fogleman/gg"
)

func TestValue(t *testing.T) {
	for cents, want := range map[int64]string{50: "0,5", 100: "1", 250: "2,5", 500000: "5000"} {
		if got := Value(cents); got != want {
			t.Errorf("%d cents: %q, want %q", cents, got, want)
		}
	}
}

// Text along an arc lies on the circle, about its top or its bottom, from the left to
// the right as it is read, letters as far from one another as they are wide.
func TestArc(t *testing.T) {
	g := gg.NewContext(10, 10)
	for _, f := range Fonts() {
		face, err := f.Face(20)
		if err != nil {
			t.Fatal(err)
		}
		g.SetFontFace(face)
		for _, under := range []bool{false, true} {
			letters := Arc(g, "PAGA 3 A 2", 200, under)
			if len(letters) != 10 {
				t.Fatalf("%d letters", len(letters))
			}
			for k, l := range letters {
				if r := math.Hypot(l.X, l.Y); math.Abs(r-200) > 1e-9 || (l.Y > 0) != under {
					t.Errorf("font %d: letter %d stands at %v %v", f, k, l.X, l.Y)
				}
				if k > 0 {
					last := letters[k-1]
					if d, want := math.Hypot(l.X-last.X, l.Y-last.Y), (l.Width+last.Width)/2; l.X <= last.X ||
						math.Abs(d-want) > 0.02*want {
						t.Errorf("font %d: letters %d and %d are %v apart, want %v", f, k-1, k, d, want)
					}
				}
			}
			if a, b := letters[0], letters[9]; math.Abs(a.Angle+b.Angle) > 0.1 {
				t.Errorf("font %d: the text is not in the middle: %v to %v", f, a.Angle, b.Angle)
			}
		}
	}
}

// Every emblem leaves ink about its place and within its height.
func TestEmblems(t *testing.T) {
	for _, e := range Emblems() {
		g := gg.NewContext(100, 100)
		g.SetRGB(1, 1, 1)
		e.Trace(g, 50, 50, 60)
		g.Fill()
		inked := 0
		for y := range 100 {
			for x := range 100 {
				if _, _, _, a := g.Image().At(x, y).RGBA(); a > 0 {
					inked++
					if x < 17 || x > 82 || y < 17 || y > 82 {
						t.Fatalf("emblem %d has ink at %d, %d", e, x, y)
					}
				}
			}
		}
		if inked < 300 {
			t.Errorf("emblem %d: %d pixels of ink", e, inked)
		}
	}
}

func TestHouses(t *testing.T) {
	if first := HouseOf(3); HouseOf(3) != first {
		t.Error("a seed has two houses")
	}
	seen := map[House]bool{}
	for seed := range uint64(20) {
		seen[HouseOf(seed)] = true
	}
	if len(seen) < 10 {
		t.Errorf("20 seeds have %d houses", len(seen))
	}
}
