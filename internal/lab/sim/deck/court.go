package deck

import (
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"vision/internal/card"
)

// The half figure of a court stands in the upper half of the field, its waist
// at the card's middle; the lower half is the same turned round.
const (
	courtW = 40.0
	courtH = 70.0
)

func (d *Deck) drawCourt(g *gg.Context, c card.Card) {
	bothEnds(g, func() {
		g.DrawRectangle(-courtW/2, -courtH/2, courtW, courtH/2)
		g.Clip()
		d.drawHalf(g, c)
		g.ResetClip()
	})
	g.SetColor(d.ink(c))
	if d.style.frame {
		g.SetLineWidth(0.35 * PxPerMM)
		g.DrawRectangle(-courtW/2, -courtH/2, courtW, courtH)
		g.Stroke()
	}
}

func (d *Deck) drawHalf(g *gg.Context, c card.Card) {
	robe, lining, gold, hair := d.style.court[0], d.style.court[1], d.style.court[2], d.style.court[3]
	if s := c.Suit(); s == 's' || s == 'c' {
		robe, lining = lining, robe
	}
	d.drawRobe(g, c, robe, lining, gold)
	d.drawAttribute(g, c, gold)
	d.drawHead(g, c, hair)
	d.drawCrown(g, c, robe, gold)
	g.SetColor(d.ink(c))
	Sign(g, c.Suit(), -courtW/2+d.style.sign[0], -courtH/2+d.style.sign[1], d.style.sign[2])
	g.Fill()
}

func outline(g *gg.Context, fill color.Color) { outlined(g, fill, 0.3) }

// outlined fills a path and draws its outline, so wide in millimetres.
func outlined(g *gg.Context, fill color.Color, wide float64) {
	g.SetColor(fill)
	g.FillPreserve()
	g.SetRGB(0.08, 0.08, 0.1)
	g.SetLineWidth(wide * PxPerMM)
	g.Stroke()
}

// drawRobe covers shoulders and breast with bands that differ by rank.
func (d *Deck) drawRobe(g *gg.Context, c card.Card, robe, lining, gold color.Color) {
	g.MoveTo(-courtW/2, 2)
	g.LineTo(-courtW/2, -8)
	g.QuadraticTo(-14, -15, -4, -17)
	g.LineTo(4, -17)
	g.QuadraticTo(14, -15, courtW/2, -8)
	g.LineTo(courtW/2, 2)
	g.ClosePath()
	outline(g, robe)
	bands := 2 + c.Number() - 11
	for k := range bands {
		x := 5 + float64(k)*5.5
		for _, s := range []float64{-1, 1} {
			g.MoveTo(s*x, -16+x*0.45)
			g.LineTo(s*(x+2.8), -15+x*0.45)
			g.LineTo(s*(x*0.4+2.8), 2)
			g.LineTo(s*x*0.4, 2)
			g.ClosePath()
			outline(g, pick(k, lining, gold))
		}
	}
	g.MoveTo(-4.5, -17)
	g.LineTo(0, -6)
	g.LineTo(4.5, -17)
	g.ClosePath()
	outline(g, rgb(0xf4, 0xf0, 0xe0))
	g.SetColor(gold)
	for k := range 3 {
		g.DrawCircle(0, -4+float64(k)*2.6, 0.8)
	}
	g.Fill()
}

func pick(k int, a, b color.Color) color.Color {
	if k%2 == 0 {
		return a
	}
	return b
}

// drawAttribute is the sword of the king, the flower of the queen, the
// halberd of the jack.
func (d *Deck) drawAttribute(g *gg.Context, c card.Card, gold color.Color) {
	x := 15.0
	g.DrawRectangle(x-0.6, -31, 1.2, 32)
	outline(g, rgb(0xb8, 0xc0, 0xc8))
	switch c.Rank() {
	case 'K':
		g.DrawRectangle(x-4, -11, 8, 1.6)
		outline(g, gold)
	case 'Q':
		for k := range 6 {
			a := float64(k) * math.Pi / 3
			g.DrawCircle(x+2.4*math.Cos(a), -29+2.4*math.Sin(a), 1.7)
		}
		outline(g, d.style.court[0])
		g.DrawCircle(x, -29, 1.6)
		outline(g, gold)
	default:
		g.MoveTo(x, -33)
		g.QuadraticTo(x+6, -29, x, -23)
		g.LineTo(x-2.5, -28)
		g.ClosePath()
		outline(g, rgb(0xc8, 0xd0, 0xd8))
	}
}

func (d *Deck) drawHead(g *gg.Context, c card.Card, hair color.Color) {
	switch c.Rank() {
	case 'Q':
		g.MoveTo(-6.5, -27)
		g.QuadraticTo(-9.5, -18, -6.5, -13)
		g.LineTo(6.5, -13)
		g.QuadraticTo(9.5, -18, 6.5, -27)
		g.ClosePath()
	case 'K':
		g.DrawEllipse(0, -21, 6.8, 7.6)
	default:
		g.DrawRoundedRectangle(-6.8, -28, 13.6, 11.5, 3)
	}
	outline(g, hair)
	g.DrawEllipse(0, -22.5, 4.9, 6.2)
	outline(g, rgb(0xf2, 0xd6, 0xb8))
	if c.Rank() == 'K' {
		g.MoveTo(-4.7, -21)
		g.QuadraticTo(-4, -12.5, 0, -11.5)
		g.QuadraticTo(4, -12.5, 4.7, -21)
		g.QuadraticTo(0, -16.5, -4.7, -21)
		outline(g, hair)
	}
	g.SetRGB(0.1, 0.1, 0.12)
	g.DrawCircle(-1.9, -23.6, 0.55)
	g.DrawCircle(1.9, -23.6, 0.55)
	g.Fill()
	g.SetLineWidth(0.3 * PxPerMM)
	g.DrawLine(-2.9, -25.2, -1, -25.4)
	g.DrawLine(1, -25.4, 2.9, -25.2)
	g.DrawLine(0, -23.5, -0.7, -21.2)
	g.Stroke()
	g.SetRGB(0.75, 0.2, 0.2)
	g.DrawLine(-1.4, -19, 1.4, -19)
	g.Stroke()
}

func (d *Deck) drawCrown(g *gg.Context, c card.Card, robe, gold color.Color) {
	const y = -27.2
	switch c.Rank() {
	case 'K':
		g.MoveTo(-6, y)
		for k := range 5 {
			x := -6 + 3*float64(k)
			g.LineTo(x-0.4, y-5.2)
			if k < 4 {
				g.LineTo(x+1.5, y-2.2)
			}
		}
		g.LineTo(6, y)
	case 'Q':
		g.MoveTo(-5, y)
		g.QuadraticTo(-5.5, y-4.5, -2.5, y-3)
		g.QuadraticTo(0, y-6.4, 2.5, y-3)
		g.QuadraticTo(5.5, y-4.5, 5, y)
	default:
		g.MoveTo(-7.5, y+0.6)
		g.QuadraticTo(-6, y-4.5, 1, y-4.2)
		g.QuadraticTo(7.5, y-4, 7, y+0.6)
	}
	g.ClosePath()
	if c.Rank() == 'J' {
		outline(g, robe)
		return
	}
	outline(g, gold)
}
