package dice

import (
	"image"
	"image/color"
	"testing"

	"vision/internal/fact"
)

// A blot of the dice's colour and size is a die that leans; one of another
// colour or size is something that was not read.
func TestLeaningDice(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	blot := func(x, y, w, h int) []image.Point {
		return []image.Point{{x + w/3, y}, {x + w, y + h/4}, {x + 2*w/3, y + h}, {x, y + 2*h/3}}
	}
	for name, c := range map[string]struct {
		colour color.RGBA
		w, h   int
		want   string
	}{
		"a die":          {red, 90, 130, "cocked"},
		"another colour": {color.RGBA{R: 40, G: 60, B: 200}, 90, 130, ""},
		"much larger":    {red, 240, 300, ""},
		"a crumb":        {red, 55, 55, ""},
	} {
		p := newPicture(t, 6)
		p.die(4, 200, 200, 0.2, red, white)
		p.fill(blot(500, 120, c.w, c.h), c.colour)
		got, err := newReader(t).Read(p.Mat, hint)
		if err != nil {
			t.Fatal(err)
		}
		var read, lying []string
		for _, d := range got {
			if l, _ := fact.Best(d.Guesses); d.Abstain == "" && d.Irregular == "" {
				read = append(read, l)
			} else {
				lying = append(lying, d.Irregular)
			}
		}
		if len(read) != 1 || read[0] != "4" {
			t.Errorf("%s: read %v, want the 4 alone: %+v", name, read, got)
		}
		if len(lying) != 1 || lying[0] != c.want {
			t.Errorf("%s: said to lie %q, want %q", name, lying, c.want)
		}
	}
}

// Where no die was read, nothing says what the others would look like.
func TestNothingToCompareWith(t *testing.T) {
	p := newPicture(t, 7)
	p.fill([]image.Point{{300, 200}, {370, 220}, {360, 300}, {290, 280}}, color.RGBA{R: 205, G: 22, B: 34})
	got, err := newReader(t).Read(p.Mat, hint)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range got {
		if d.Irregular != "" {
			t.Errorf("said to lie %q: %+v", d.Irregular, d)
		}
	}
}
