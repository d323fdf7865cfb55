package sim

import (
	"image"
	"strconv"

	"github.com/fogleman/gg"

	"vision/internal/card"
	"vision/internal/lab/sim/deck"
	"vision/internal/lab/sim/ornament"
	"vision/internal/lab/sim/scene"
)

// card is a card printed at its own size or a smaller one: an outline, a card of a few
// flat lines, or a whole face; rarely a fan of two.
func (p *printer) card(w, h float64) *motif {
	scale := min(1, w/70, h/92)
	if p.rng.IntN(2) == 0 {
		scale *= p.span(0.4, 0.9)
	}
	if scale < 0.3 || p.deck == nil {
		return nil
	}
	if p.rng.IntN(3) == 0 {
		return p.outline(scale)
	}
	angles := []float64{0}
	if bw, bh := turned(cardW*scale, cardH*scale, 0.2); bw+14*scale < w && bh < h && p.rng.IntN(2) == 0 {
		angles = []float64{-0.2, 0.18}[:1+p.rng.IntN(2)]
	}
	all := p.deck.Cards()
	faces := make([]*image.RGBA, len(angles))
	fade := p.span(0.08, 0.35)
	for k := range faces {
		c := all[p.rng.IntN(len(all))]
		if p.rng.IntN(2) == 0 {
			c = all[p.rng.IntN(4)*len(all)/4] // an ace
		}
		faces[k] = bleached(p.face(c), p.cloth, fade)
	}
	bw, bh := turned(cardW*scale, cardH*scale, angles[0])
	spread := 14 * scale * float64(len(angles)-1)
	return &motif{"card", about(bw+spread, bh), func(x, y float64) {
		for k, img := range faces {
			p.picture(img, x+spread*(float64(k)-0.5*float64(len(angles)-1)), y, cardW*scale, angles[k])
		}
	}}
}

// face is a card's face as the deck has it, or of a few flat lines.
func (p *printer) face(c card.Card) *image.RGBA {
	if c.French() && p.rng.IntN(2) == 0 {
		return flatCard(c)
	}
	return p.deck.Face(c)
}

// outline is a place for a card.
func (p *printer) outline(scale float64) *motif {
	w, h, c := (cardW+3)*scale, (cardH+3)*scale, p.colour()
	dashed, sign := p.rng.IntN(2) == 0, ornament.Suits()[p.rng.IntN(4)]
	signed := p.rng.IntN(2) == 0
	return &motif{"card", about(w, h), p.worn(func(x, y float64) {
		if dashed {
			p.SetDash(6*scene.FeltPx, 4*scene.FeltPx)
		}
		p.frame(x-w/2, y-h/2, x+w/2, y+h/2, 3.5*scale, 1.2, c)
		p.SetDash()
		if signed {
			sign.Trace(p.Context, x, y, 0.3*h)
			p.Fill()
		}
	})}
}

// picture prints a picture w wide.
func (p *printer) picture(img *image.RGBA, x, y, w, angle float64) {
	p.Push()
	defer p.Pop()
	k := w / float64(img.Bounds().Dx())
	p.Translate(x, y)
	p.Rotate(angle)
	p.Scale(k, k)
	p.DrawImageAnchored(img, 0, 0, 0.5, 0.5)
}

// bleached is a picture as print on a cloth: its white is cream, and a share of it has
// faded to the cloth.
func bleached(img *image.RGBA, cloth [3]float64, share float64) *image.RGBA {
	out := image.NewRGBA(img.Rect)
	ink := [3]float64{0.95, 0.93, 0.86}
	for k := 0; k < len(img.Pix); k += 4 {
		alpha := img.Pix[k+3]
		for c := range ink {
			out.Pix[k+c] = uint8(float64(img.Pix[k+c])*ink[c]*(1-share) + cloth[c]*share*float64(alpha)/255)
		}
		out.Pix[k+3] = alpha
	}
	return out
}

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
