package deck

import (
	"math"

	"github.com/fogleman/gg"
)

// drawBack covers the card with the design's pattern inside a white border.
func (d *Deck) drawBack(g *gg.Context) {
	const border = 4.5
	w, h := Width-2*border, Height-2*border
	g.DrawRoundedRectangle(-w/2, -h/2, w, h, 1.5)
	g.ClipPreserve()
	g.SetColor(d.style.back)
	g.Fill()
	g.SetColor(d.style.paper)
	switch d.style.weave {
	case 0:
		lattice(g)
	case 1:
		rosettes(g)
	default:
		waves(g)
	}
	g.ResetClip()
}

func lattice(g *gg.Context) {
	g.SetLineWidth(0.7 * PxPerMM)
	for k := -16; k <= 16; k++ {
		x := float64(k) * 5
		g.DrawLine(x-50, -50, x+50, 50)
		g.DrawLine(x+50, -50, x-50, 50)
	}
	g.Stroke()
	for y := -45.0; y <= 45; y += 5 {
		for x := -30.0; x <= 30; x += 5 {
			g.DrawCircle(x, y+2.5, 0.8)
		}
	}
	g.Fill()
}

func rosettes(g *gg.Context) {
	g.SetLineWidth(0.5 * PxPerMM)
	for y := -45.0; y <= 45; y += 9 {
		for x := -36.0; x <= 36; x += 9 {
			for r := 1.2; r <= 6.6; r += 1.8 {
				g.DrawCircle(x, y, r)
			}
		}
	}
	g.Stroke()
}

func waves(g *gg.Context) {
	g.SetLineWidth(0.8 * PxPerMM)
	for y := -50.0; y <= 50; y += 2.6 {
		g.MoveTo(-35, y)
		for x := -35.0; x <= 35; x++ {
			g.LineTo(x, y+1.8*math.Sin(x*0.7)+1.2*math.Sin(y))
		}
		g.Stroke()
	}
}
