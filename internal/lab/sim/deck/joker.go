package deck

import (
	"math"

	"github.com/fogleman/gg"
)

// drawJoker draws a jester's head in a cap with bells, the same from both ends,
// and JOKER down the left side where other cards have their index.
func (d *Deck) drawJoker(g *gg.Context) {
	bothEnds(g, func() {
		d.jester(g)
		if !d.style.bare {
			d.jokerIndex(g)
		}
	})
}

// jokerIndex writes the word from the upper left corner down.
func (d *Deck) jokerIndex(g *gg.Context) {
	const size = 0.42 // of the type of an index
	g.SetColor(d.style.red)
	g.SetFontFace(d.ranks)
	for i, ch := range "JOKER" {
		x, y := -Width/2+d.style.indexX*0.8, -Height/2+d.style.index*(0.45+0.5*float64(i))
		g.Push()
		g.Translate(x, y)
		g.Scale(size, size)
		drawText(g, string(ch), 0, 0, 1)
		g.Pop()
	}
}

// jester is the upper half of the figure.
func (d *Deck) jester(g *gg.Context) {
	c := d.style.court
	for i, a := range []float64{-52, 0, 52} { // the cap's three points with their bells
		g.Push()
		g.Translate(0, -9)
		g.Rotate(gg.Radians(a))
		g.MoveTo(-6, 0)
		g.QuadraticTo(-3, -12, 0, -19)
		g.QuadraticTo(3, -12, 6, 0)
		g.ClosePath()
		g.SetColor(c[i%2])
		g.Fill()
		g.DrawCircle(0, -20, 1.8)
		g.SetColor(c[2])
		g.Fill()
		g.Pop()
	}
	g.DrawCircle(0, -8, 5.5)
	g.SetRGB(0.95, 0.84, 0.74)
	g.Fill()
	g.SetColor(d.style.black)
	g.DrawCircle(-2, -9, 0.7)
	g.DrawCircle(2, -9, 0.7)
	g.Fill()
	g.SetLineWidth(0.5 * PxPerMM)
	g.DrawArc(0, -8, 3, 0.2*math.Pi, 0.8*math.Pi)
	g.Stroke()
	for i := range 5 { // the collar
		g.MoveTo(-10+4*float64(i), -2.5)
		g.LineTo(-8+4*float64(i), 2.5)
		g.LineTo(-6+4*float64(i), -2.5)
		g.ClosePath()
		g.SetColor(c[i%3])
		g.Fill()
	}
}
