package deck

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/fogleman/gg"

	"vision/internal/card"
)

// hand is what Spanish designs differ in beside the style's own fields.
type hand struct {
	inset    float64    // of the frame from the card's edge; 0: no frame
	double   bool       // a second line inside the first
	ring     int        // rays of the coin
	tapered  bool       // cups narrow towards the foot
	three    bool       // the three stands as a triangle
	crossed  bool       // the middle sword or club of the five lies across
	gold     color.RGBA // coins, trimmings
	cup      color.RGBA
	blade    color.RGBA
	wood     color.RGBA
	robes    [4]color.RGBA // by suit: oros, copas, espadas, bastos
	horse    color.RGBA
	mirrored bool // figures face the other way
}

// Signs' places in the pip field, in half columns and half heights.
var spanishPlaces = [8][][2]float64{
	1: {{0, 0}},
	2: {{0, -0.62}, {0, 0.62}},
	3: {{0, -0.72}, {0, 0}, {0, 0.72}},
	4: {{-0.8, -0.6}, {0.8, -0.6}, {-0.8, 0.6}, {0.8, 0.6}},
	5: {{-0.8, -0.7}, {0.8, -0.7}, {0, 0}, {-0.8, 0.7}, {0.8, 0.7}},
	6: {{-0.8, -0.72}, {0.8, -0.72}, {-0.8, 0}, {0.8, 0}, {-0.8, 0.72}, {0.8, 0.72}},
	7: {{-0.85, -0.72}, {0.85, -0.72}, {0, -0.36}, {-0.85, 0}, {0.85, 0}, {-0.85, 0.72}, {0.85, 0.72}},
}

var triangle = [][2]float64{{0, -0.6}, {-0.75, 0.55}, {0.75, 0.55}}

func (d *Deck) drawSpanish(g *gg.Context, c card.Card) {
	if d.style.hand.inset > 0 {
		d.drawFrame(g, c)
	}
	if n := c.Number(); n > 7 {
		d.drawFigure(g, c)
	} else {
		d.drawSigns(g, c, n)
	}
	label := strconv.Itoa(c.Number())
	if c.Number() > 7 {
		label = strconv.Itoa(c.Number() + 2) // sota 10, caballo 11, rey 12
	}
	bothEnds(g, func() {
		g.SetColor(d.style.black)
		g.SetFontFace(d.ranks)
		w, _ := g.MeasureString(label)
		drawText(g, label, -Width/2+d.style.indexX, -Height/2+d.style.indexY, min(1, 8*PxPerMM/w))
	})
}

// drawFrame is the line round the card whose gaps (pintas) tell the suit: none
// for oros, one for copas, two for espadas, three for bastos.
func (d *Deck) drawFrame(g *gg.Context, c card.Card) {
	h := d.style.hand
	g.SetColor(d.style.black)
	for k := range 2 {
		if k == 1 && !h.double {
			break
		}
		in := h.inset + 1.1*float64(k)
		g.SetLineWidth((0.5 - 0.2*float64(k)) * PxPerMM)
		g.DrawRectangle(-Width/2+in, -Height/2+in, Width-2*in, Height-2*in)
		g.Stroke()
	}
	gaps := strings.IndexByte(card.SpanishSuits, c.Suit())
	g.SetColor(d.style.paper)
	for i := range gaps {
		x := (float64(i) - float64(gaps-1)/2) * 10
		for _, s := range []float64{-1, 1} {
			g.DrawRectangle(x-2, s*(Height/2-h.inset-0.6)-1.2, 4, 2.4)
		}
	}
	g.Fill()
}

func (d *Deck) drawSigns(g *gg.Context, c card.Card, n int) {
	places := spanishPlaces[n]
	if n == 3 && d.style.hand.three {
		places = triangle
	}
	size := [8]float64{0, d.style.ace, 27, 22, 22, 20, 18, 17}[n]
	long := c.Suit() == 'E' || c.Suit() == 'B'
	if !long && n > 1 {
		size *= 0.85
	}
	for i, p := range places {
		g.Push()
		g.Translate(p[0]*d.style.fieldX, p[1]*d.style.fieldY)
		if long && n == 5 && i == 2 && d.style.hand.crossed {
			g.Rotate(math.Pi / 2)
		}
		d.sign(g, c.Suit(), size)
		g.Pop()
	}
}

// sign draws a suit's sign of height s at the origin.
func (d *Deck) sign(g *gg.Context, suit byte, s float64) {
	g.Push()
	defer g.Pop()
	g.Scale(s, s)
	switch suit {
	case 'O':
		d.coin(g)
	case 'K':
		d.goblet(g)
	case 'E':
		d.sword(g)
	default:
		d.cudgel(g)
	}
}

// edge fills and outlines a path drawn in a sign's unit square.
func edge(g *gg.Context, fill color.Color) { outlined(g, fill, 0.25) }

func polygon(g *gg.Context, fill color.Color, pts ...float64) {
	for i := 0; i < len(pts); i += 2 {
		g.LineTo(pts[i], pts[i+1])
	}
	g.ClosePath()
	edge(g, fill)
}

func (d *Deck) coin(g *gg.Context) {
	h := d.style.hand
	g.DrawCircle(0, 0, 0.48)
	edge(g, h.gold)
	g.DrawCircle(0, 0, 0.36)
	edge(g, h.robes[0])
	for k := range h.ring {
		a := 2 * math.Pi * float64(k) / float64(h.ring)
		g.DrawCircle(0.26*math.Cos(a), 0.26*math.Sin(a), 0.06)
		edge(g, h.gold)
	}
	g.DrawCircle(0, 0, 0.13)
	edge(g, h.gold)
}

func (d *Deck) goblet(g *gg.Context) {
	h := d.style.hand
	foot := 0.3
	if h.tapered {
		foot = 0.14
	}
	polygon(g, h.cup, -0.36, -0.4, 0.36, -0.4, foot, -0.02, 0.1, 0.12, -0.1, 0.12, -foot, -0.02)
	polygon(g, h.gold, -0.38, -0.48, 0.38, -0.48, 0.36, -0.36, -0.36, -0.36)
	polygon(g, h.gold, -0.06, 0.12, 0.06, 0.12, 0.06, 0.32, -0.06, 0.32)
	polygon(g, h.cup, -0.26, 0.48, -0.07, 0.3, 0.07, 0.3, 0.26, 0.48)
}

func (d *Deck) sword(g *gg.Context) {
	h := d.style.hand
	polygon(g, h.blade, 0, -0.5, 0.07, -0.38, 0.07, 0.2, -0.07, 0.2, -0.07, -0.38)
	polygon(g, h.gold, -0.22, 0.19, 0.22, 0.19, 0.22, 0.26, -0.22, 0.26)
	polygon(g, h.robes[2], -0.045, 0.26, 0.045, 0.26, 0.045, 0.42, -0.045, 0.42)
	g.DrawCircle(0, 0.45, 0.055)
	edge(g, h.gold)
}

func (d *Deck) cudgel(g *gg.Context) {
	h := d.style.hand
	polygon(g, h.wood, -0.14, -0.48, 0.14, -0.48, 0.16, -0.3, 0.1, 0, 0.06, 0.48, -0.06, 0.48, -0.1, 0, -0.16, -0.3)
	for _, p := range [][3]float64{{-1, 0.14, -0.32}, {1, 0.12, -0.12}, {-1, 0.1, 0.08}} {
		polygon(g, h.gold, p[0]*p[1], p[2]-0.05, p[0]*(p[1]+0.13), p[2]-0.1, p[0]*p[1], p[2]+0.05)
	}
	for _, y := range []float64{-0.3, -0.08, 0.2} {
		g.DrawCircle(0, y, 0.025)
		edge(g, h.robes[3])
	}
}

// drawFigure is the sota on foot, the caballo on a horse, the rey crowned.
func (d *Deck) drawFigure(g *gg.Context, c card.Card) {
	h := d.style.hand
	k := strings.IndexByte(card.SpanishSuits, c.Suit())
	robe, trim := h.robes[k], h.robes[(k+1)%4]
	g.Push()
	if h.mirrored {
		g.Scale(-1, 1)
	}
	head := -24.0
	switch c.Rank() {
	case 'S':
		polygon(g, trim, -6, 10, -1, 10, -1, 34, -6, 34)
		polygon(g, trim, 1, 10, 6, 10, 6, 34, 1, 34)
		polygon(g, robe, -7, -17, 7, -17, 11, 14, -11, 14)
	case 'C':
		head = -26
		d.drawHorse(g)
		polygon(g, robe, -8, -19, 4, -19, 6, 10, -10, 10)
		polygon(g, trim, -5, 8, 1, 8, 0, 25, -5, 25)
	default:
		polygon(g, robe, -8, -17, 8, -17, 19, 35, -19, 35)
		polygon(g, trim, -3, -17, 3, -17, 6, 35, -6, 35)
		polygon(g, trim, -8, -16, -16, 4, -10, 6, -5, -10)
	}
	x := 0.0
	if c.Rank() == 'C' {
		x = -2
	}
	g.DrawEllipse(x, head, 4.6, 5.4)
	outline(g, rgb(0xf2, 0xd6, 0xb8))
	if c.Rank() == 'R' {
		polygon(g, h.gold, x-6, head-3, x-7, head-10, x-3, head-6, x, head-11, x+3, head-6, x+7, head-10, x+6, head-3)
		polygon(g, h.horse, x-4, head+2, x+4, head+2, x, head+10)
	} else {
		polygon(g, trim, x-7, head-2.5, x+7, head-2.5, x+3, head-8, x-5, head-7)
	}
	g.Pop()
	side := 17.0
	if h.mirrored {
		side = -side
	}
	g.Push()
	g.Translate(side, -14)
	size := 24.0
	if c.Suit() == 'O' {
		size = 17
	}
	d.sign(g, c.Suit(), size)
	g.Pop()
}

func (d *Deck) drawHorse(g *gg.Context) {
	c := d.style.hand.horse
	polygon(g, c, -18, 8, 14, 6, 17, 20, -16, 22)
	for _, x := range []float64{-15, -8, 9, 13} {
		polygon(g, c, x, 18, x+4, 18, x+2, 36, x-1, 36)
	}
	polygon(g, c, 11, 10, 16, -8, 24, -5, 26, 2, 20, 3, 18, 14)
	polygon(g, d.style.hand.gold, -17, 9, -24, 16, -22, 26, -15, 15)
}
