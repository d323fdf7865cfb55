package scene

import (
	"bytes"
	"image"
	"math"
	"slices"
	"testing"

	"vision/calibration"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/ornament"
)

var wornPalette = append(slices.Clone(testPalette),
	calibration.Chip{ID: "black", Face: "#26262b", Edge: "#e9c34a", Diameter: 39, Thickness: 3.4, Value: 250},
	calibration.Chip{ID: "plaque", Face: "#c9607a", Edge: "#6e2c86", Length: 78, Width: 49, Thickness: 4, Value: 50000})

func wornScene(t *testing.T, c condition.Chips) *Scene {
	t.Helper()
	s, err := New(testCamera(), NewFelt(image.Rect(-300, -300, 900, 800), [3]float64{20, 90, 60}), wornPalette, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Use(c, ornament.HouseOf(1), 1); err != nil {
		t.Fatal(err)
	}
	return s
}

func chipsOf(t *testing.T, name string) condition.Chips {
	t.Helper()
	c, err := condition.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return c.Chips
}

func TestNewChipsStayNew(t *testing.T) {
	used, asNew := wornScene(t, condition.Chips{}), testScene(t)
	for _, c := range testPalette {
		a, b := used.stock.arts[c.ID], asNew.stock.arts[c.ID]
		if len(a) != 1 || !bytes.Equal(a[0].face.Pix, b[0].face.Pix) {
			t.Errorf("%s: no longer as new", c.ID)
		}
	}
}

// lost is the share of its way to what is left of a faded colour that c has gone.
func lost(nominal, c rgb) float64 {
	way := vec(drab(nominal)).sub(vec(nominal))
	return vec(c).sub(vec(nominal)).dot(way) / way.dot(way)
}

// The pieces of a kind have lost about the condition's share of their colours, each
// another share, and the face that is drawn shows it.
func TestPiecesFade(t *testing.T) {
	for _, name := range []string{condition.House, condition.Hard} {
		want := chipsOf(t, name)
		clean := want
		clean.Wear = 0 // dirt darkens too
		for wear, c := range map[string]condition.Chips{"clean": clean, "dirty": want} {
			s := wornScene(t, c)
			for _, kind := range wornPalette {
				nominal, _ := parseHex(kind.Face)
				var body, drawn, least, most float64
				least = 1
				for _, a := range s.stock.arts[kind.ID] {
					k := lost(nominal, a.body)
					body, least, most = body+k/pieces, min(least, k), max(most, k)
					drawn += lost(nominal, field(a)) / pieces
				}
				if math.Abs(body-c.Fade) > 0.02 || most-least < 0.5*c.Fade {
					t.Errorf("%s, %s: pieces lost %.2f to %.2f, %.2f on the mean: want about %.2f", name, kind.ID, least, most, body, c.Fade)
				}
				if wear == "clean" && math.Abs(drawn-c.Fade) > 0.04 {
					t.Errorf("%s, %s: the drawn field lost %.2f: want about %.2f", name, kind.ID, drawn, c.Fade)
				}
			}
		}
	}
}

// field is the commonest colour of a face: that of its field.
func field(a *chipArt) rgb {
	count := map[rgb]int{}
	var best rgb
	for i := 0; i < len(a.face.Pix); i += 4 {
		p := a.face.Pix[i:][:4:4]
		c := rgb{float64(p[0]), float64(p[1]), float64(p[2])}
		if vec(c).sub(vec(a.body)).norm() > 3 || p[3] != 255 {
			continue
		}
		if count[c]++; count[c] > count[best] {
			best = c
		}
	}
	return best
}

func TestNoTwoChipsAreAlike(t *testing.T) {
	s := wornScene(t, chipsOf(t, condition.House))
	for id, kind := range s.stock.arts {
		for i := range kind {
			for j := range i {
				if bytes.Equal(kind[i].face.Pix, kind[j].face.Pix) {
					t.Errorf("%s: pieces %d and %d look the same", id, i, j)
				}
			}
		}
	}
	arts, err := s.stock.pieces(slices.Repeat([]string{"red"}, 20))
	if err != nil {
		t.Fatal(err)
	}
	p := newPile(arts, 0, 0, 0, func() float64 { return 0.5 })
	s.stock.settle(p)
	tones := map[float64]bool{}
	for _, l := range p.layers {
		tones[l.tone] = true
		if l.tone < 0.9 || l.tone > 1.1 {
			t.Errorf("tone %v", l.tone)
		}
	}
	if len(tones) != 20 {
		t.Errorf("20 chips have %d tones", len(tones))
	}
}

// Kinds differ in their design within one house, and houses in that of a kind.
func TestDesigns(t *testing.T) {
	s := wornScene(t, chipsOf(t, condition.House))
	other, err := New(testCamera(), NewFelt(image.Rect(-300, -300, 900, 800), [3]float64{}), wornPalette, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Use(chipsOf(t, condition.House), ornament.HouseOf(2), 2); err != nil {
		t.Fatal(err)
	}
	red, blue := *s.stock.arts["red"][0].design, *s.stock.arts["blue"][0].design
	if red == blue || red == *other.stock.arts["red"][0].design {
		t.Errorf("designs: %+v, %+v", red, blue)
	}
}

// Worn piles lie off as far as the condition says, and within what is drawn of them.
func TestPilesAreAskew(t *testing.T) {
	for _, name := range []string{condition.House, condition.Hard} {
		c := chipsOf(t, name)
		s := wornScene(t, c)
		var sum, n float64
		for range 200 {
			arts, err := s.stock.pieces(slices.Repeat([]string{"red"}, 8))
			if err != nil {
				t.Fatal(err)
			}
			p := newPile(arts, 30, 40, 0, func() float64 { return 0.5 })
			s.stock.settle(p)
			for i, l := range p.layers {
				if off := math.Hypot(l.x-30, l.y-40); off > 1.5*mostOff || off+l.r > p.reach {
					t.Fatalf("%s: a chip lies %.1f mm off in a pile that reaches %.1f mm", name, off, p.reach)
				}
				if i > 0 {
					below := p.layers[i-1]
					sum += sq(l.x-below.x) + sq(l.y-below.y)
					n += 2
				}
			}
		}
		if std := math.Sqrt(sum / n); std < 0.6*c.Askew || std > 1.2*c.Askew {
			t.Errorf("%s: chips lie %.2f mm off one another: want about %.2f", name, std, c.Askew)
		}
	}
}

func TestWearStaysOnTheBed(t *testing.T) {
	area, bed := image.Rect(-300, -300, 900, 800), image.Rect(-300, -100, 900, 600)
	print := func(grey float64) *image.RGBA {
		f := NewFelt(area, [3]float64{30, 90, 60})
		f.Wear(bed, grey, 5)
		return f.Draw.Image().(*image.RGBA)
	}
	clean := print(0)
	means := []float64{}
	for _, grey := range []float64{4, 9} {
		worn, sum, off := print(grey), 0.0, 0
		for y := range worn.Rect.Dy() {
			for x := range worn.Rect.Dx() {
				i := worn.PixOffset(x, y)
				d := math.Abs(float64(worn.Pix[i+1]) - float64(clean.Pix[i+1]))
				sum += d
				if at := (image.Point{X: area.Min.X + x/FeltPx, Y: area.Min.Y + y/FeltPx}); d > 0 && !at.In(bed) {
					off++
				}
			}
		}
		if off > 0 {
			t.Errorf("%v grey levels: %d pixels beside the bed are worn", grey, off)
		}
		means = append(means, sum/float64(worn.Rect.Dx()*worn.Rect.Dy()))
	}
	if means[0] <= 0 || means[1] <= means[0] || means[1] > 9 {
		t.Errorf("mean wear %v grey levels", means)
	}
}
