package ornament

import (
	"math"

	"github.com/fogleman/gg"

	"vision/internal/lab/sim/deck"
)

// Emblem is a sign that stands for the house or for ornament.
type Emblem int

// The emblems; the suits come first.
const (
	Spade Emblem = iota
	Heart
	Diamond
	Club
	Star
	Crown
	Sun
	Lozenge
	Wave
	emblems
)

// Suits are the four signs in the order of a row.
func Suits() []Emblem { return []Emblem{Spade, Heart, Diamond, Club} }

// Emblems lists all of them.
func Emblems() []Emblem {
	out := make([]Emblem, emblems)
	for i := range out {
		out[i] = Emblem(i)
	}
	return out
}

// Red reports whether the emblem is a red suit.
func (e Emblem) Red() bool { return e == Heart || e == Diamond }

// Trace traces the emblem, of the given height, about x, y; the caller fills or strokes it.
func (e Emblem) Trace(g *gg.Context, x, y, height float64) {
	if e <= Club {
		deck.Sign(g, "shdc"[e], x, y, height)
		return
	}
	g.Push()
	defer g.Pop()
	g.Translate(x, y)
	g.Scale(height/2, height/2)
	switch e {
	case Star:
		points(g, 5, 0.4)
	case Sun:
		points(g, 12, 0.68)
	case Crown:
		polygon(g, [][2]float64{{-0.9, 0.7}, {-1, -0.5}, {-0.5, 0.1}, {0, -0.9}, {0.5, 0.1}, {1, -0.5}, {0.9, 0.7}})
	case Lozenge:
		polygon(g, [][2]float64{{0, -1}, {0.55, 0}, {0, 1}, {-0.55, 0}})
		polygon(g, [][2]float64{{0, -0.6}, {-0.32, 0}, {0, 0.6}, {0.32, 0}})
	case Wave:
		for _, dy := range []float64{-0.5, 0.25} {
			g.NewSubPath()
			g.MoveTo(-1, dy)
			g.CubicTo(-0.5, dy-0.7, 0.2, dy+0.7, 1, dy-0.1)
			g.LineTo(1, dy+0.25)
			g.CubicTo(0.2, dy+1.05, -0.5, dy-0.35, -1, dy+0.35)
			g.ClosePath()
		}
	}
}

func polygon(g *gg.Context, at [][2]float64) {
	g.NewSubPath()
	for _, p := range at {
		g.LineTo(p[0], p[1])
	}
	g.ClosePath()
}

// points traces a star of n points, the first upwards; inner is how far in it goes
// between them.
func points(g *gg.Context, n int, inner float64) {
	g.NewSubPath()
	for k := range 2 * n {
		r := 1.0
		if k%2 == 1 {
			r = inner
		}
		sin, cos := math.Sincos(math.Pi * float64(k) / float64(n))
		g.LineTo(r*sin, -r*cos)
	}
	g.ClosePath()
}
