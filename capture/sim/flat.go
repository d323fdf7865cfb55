package sim

import (
	"image"
	"strconv"

	"github.com/fogleman/gg"

	"vision/calibration/layout"
	"vision/capture/sim/deck"
	"vision/capture/sim/ornament"
	"vision/internal/card"
)

// flatCard is a card as cloths have it printed: a white face, one index and one large
// sign, in flat colours.
func flatCard(c card.Card) *image.RGBA {
	const k = 3.0 // pixels per millimetre
	g := gg.NewContext(cardW*k, cardH*k)
	g.Scale(k, k)
	g.DrawRoundedRectangle(0.5, 0.5, cardW-1, cardH-1, 4)
	g.SetRGB(1, 1, 0.97)
	g.FillPreserve()
	g.SetRGB(0.1, 0.1, 0.1)
	g.SetLineWidth(1 * k)
	g.Stroke()
	if s := c.Suit(); s == 'h' || s == 'd' {
		g.SetRGB(0.75, 0.12, 0.14)
	}
	deck.Sign(g, c.Suit(), cardW*0.58, cardH*0.6, 38)
	g.Fill()
	label := string(c.Rank())
	if c.Number() == 10 {
		label = strconv.Itoa(10)
	}
	if face, err := ornament.Serif.Face(28 * k); err == nil {
		g.SetFontFace(face)
		g.Translate(14, 16)
		g.Scale(1/k, 1/k)
		ornament.Draw(g, ornament.Line(g, label))
	}
	return g.Image().(*image.RGBA)
}

// dieDots are the places of a die face's dots, in halves of the distance of the outer ones.
var dieDots = [7][][2]float64{
	1: {{0, 0}},
	2: {{-1, -1}, {1, 1}},
	3: {{-1, -1}, {1, 1}, {0, 0}},
	4: {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}},
	5: {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {0, 0}},
	6: {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, 0}, {1, 0}},
}

// dieFace prints the outline of a die's face and its dots.
func (i *ink) dieFace(x, y, edge float64, value int, c [3]float64) {
	i.frame(x-edge/2, y-edge/2, x+edge/2, y+edge/2, edge/8, 1.5*edge/40, c)
	i.dots(x, y, edge, value, c)
}

func (i *ink) dots(x, y, edge float64, value int, c [3]float64) {
	i.paint(c)
	for _, d := range dieDots[value] {
		i.DrawCircle(x+d[0]*edge/4, y+d[1]*edge/4, 0.075*edge)
	}
	i.Fill()
}

// dieFaces prints flat faces of dice in a row about x, y.
func (i *ink) dieFaces(values []int, x, y, edge float64) {
	n := float64(len(values))
	for k, value := range values {
		at := x + 1.2*edge*(float64(k)-(n-1)/2)
		if !i.solid {
			i.dieFace(at, y, edge, value, cream)
			continue
		}
		i.paint(cream)
		i.DrawRoundedRectangle(at-edge/2, y-edge/2, edge, edge, edge/7)
		i.Fill()
		dot := coal
		if value == 1 || value == 4 {
			dot = crimson // as the dice of sic bo have it
		}
		i.dots(at, y, edge, value, dot)
	}
	i.taken = append(i.taken, layout.Rect{x - 0.6*edge*n, y - edge/2, x + 0.6*edge*n, y + edge/2})
}

// die is a row of faces of dice.
func (p *printer) die(values []int, edge float64) *motif {
	return &motif{"die", about(1.2*edge*float64(len(values)), edge), p.worn(func(x, y float64) { p.dieFaces(values, x, y, edge) })}
}

// named are the faces of dice that a field's text names, as "doble:2".
func named(c layout.Cell) []int { return diceNames[c.Text] }

var diceNames = func() map[string][]int {
	out := map[string][]int{"ases": {1, 1, 1}}
	for a := 1; a <= 6; a++ {
		s := strconv.Itoa(a)
		out["unica:"+s], out["doble:"+s], out["triple:"+s] = []int{a}, []int{a, a}, []int{a, a, a}
		for b := a + 1; b <= 6; b++ {
			out["combinacion:"+s+"-"+strconv.Itoa(b)] = []int{a, b}
		}
	}
	return out
}()
