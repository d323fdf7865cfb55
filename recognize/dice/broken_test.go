package dice

import (
	"image"
	"image/color"
	"testing"

	"vision/internal/fact"
)

// One corner that shows the felt is gone; one that is only of another colour may
// be a lamp mirrored there, and the die is not believed.
func TestChippedDice(t *testing.T) {
	red, white, cloth := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238},
		color.RGBA{R: 30, G: 88, B: 50}
	for name, c := range map[string]struct {
		corners   []int // at which something else shows
		shows     color.RGBA
		irregular string
		read      bool
	}{
		"whole":                 {nil, cloth, "", true},
		"a corner off":          {[]int{0}, cloth, "broken", false},
		"the other one":         {[]int{1}, cloth, "broken", false},
		"something mirrored":    {[]int{0}, color.RGBA{R: 175, G: 85, B: 90}, "", false},
		"mirrored, and no more": {[]int{0}, color.RGBA{R: 205, G: 45, B: 52}, "", true},
	} {
		p := newPicture(t, 5)
		p.die(4, 200, 200, 0, red, white)
		for _, k := range c.corners {
			out := 1 - 2*k // to the left, to the right
			x, y := 200-out*(edge/2+2), 200-edge/2-2
			p.fill([]image.Point{{x, y}, {x + out*edge*4/10, y}, {x, y + edge*4/10}}, c.shows)
		}
		got, err := newReader(t).Read(p.Mat, hint)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 {
			t.Errorf("%s: %d dice, want one: %+v", name, len(got), got)
			continue
		}
		d := got[0]
		if l, _ := fact.Best(d.Guesses); d.Irregular != c.irregular || c.read != (d.Abstain == "" && d.Irregular == "") || l != "4" {
			t.Errorf("%s: %q %q %q, want the 4 that lies %q, believed %v", name, l, d.Irregular, d.Abstain, c.irregular, c.read)
		}
	}
}

// Two pieces of the dice's colour that lie together are a die that broke.
func TestPiecesOfADie(t *testing.T) {
	red, white := color.RGBA{R: 205, G: 22, B: 34}, color.RGBA{R: 245, G: 243, B: 238}
	piece := func(x int) []image.Point { return []image.Point{{x, 160}, {x + 48, 170}, {x + 40, 255}, {x, 250}} }
	for name, c := range map[string]struct {
		second int
		want   string
	}{"together": {590, "broken"}, "far apart": {800, ""}} {
		p := newPicture(t, 6)
		p.die(4, 200, 200, 0.2, red, white)
		p.fill(piece(520), red)
		p.fill(piece(c.second), red)
		got, err := newReader(t).Read(p.Mat, hint)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, d := range got {
			if len(d.Guesses) == 0 && d.Irregular == c.want {
				n++
			}
		}
		if n != 2 || len(got) != 3 {
			t.Errorf("%s: %d of %d pieces said to lie %q: %+v", name, n, len(got)-1, c.want, got)
		}
	}
}
