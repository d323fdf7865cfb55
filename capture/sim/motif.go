package sim

import (
	"image"
	"math"
	"math/rand/v2"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/capture/sim/deck"
	"vision/capture/sim/ornament"
	"vision/capture/sim/scene"
	"vision/internal/card"
)

// motif is one thing to be printed, about a place that is still to be found.
type motif struct {
	kind  string
	parts []layout.Rect // what it fills, millimetres about its place
	draw  func(x, y float64)
}

// box is what holds all parts.
func (m *motif) box() layout.Rect {
	out := m.parts[0]
	for _, p := range m.parts[1:] {
		out = layout.Rect{min(out[0], p[0]), min(out[1], p[1]), max(out[2], p[2]), max(out[3], p[3])}
	}
	return out
}

func about(w, h float64) []layout.Rect { return []layout.Rect{{-w / 2, -h / 2, w / 2, h / 2}} }

// printer makes the motifs of one cloth by chance; sizes are millimetres.
type printer struct {
	*ink
	rng     *rand.Rand
	house   ornament.House
	texts   []string
	inks    [][3]float64 // of ornaments, the commonest first
	cloth   [3]float64
	deck    *deck.Deck // whose faces are printed; nil: no cards
	palette []calibration.Chip
}

func (p *printer) span(a, b float64) float64 { return a + (b-a)*p.rng.Float64() }

func (p *printer) colour() [3]float64 {
	return p.inks[min(p.rng.IntN(len(p.inks)), p.rng.IntN(len(p.inks)))]
}

// worn makes a drawing that is printed with a share of its ink worn off.
func (p *printer) worn(draw func(x, y float64)) func(x, y float64) {
	fade := p.span(0.05, 0.4)
	return func(x, y float64) {
		p.fade = fade
		draw(x, y)
		p.fade = 0
	}
}

// text is a line of text, straight or along an arc, that fits into w×h.
func (p *printer) text(w, h float64) *motif {
	s, c := p.texts[p.rng.IntN(len(p.texts))], p.colour()
	l := lettering{p.house.Font, math.Round(p.span(6, min(32, 0.6*h)))}
	if p.rng.IntN(2) == 0 {
		l.font = ornament.Fonts()[p.rng.IntN(len(ornament.Fonts()))]
	}
	radius, angle := 0.0, 0.0
	switch p.rng.IntN(6) {
	case 0, 1, 2:
		radius = p.span(300, 900) * float64(1-2*p.rng.IntN(2))
	case 3:
		angle = math.Pi // read by the croupier
	}
	for ; l.height >= 5; l.height = math.Floor(0.85 * l.height) {
		if m := p.lines(s, l, radius, angle, c); m != nil && fits(m, w, h) {
			return m
		}
	}
	return nil
}

// fits reports whether a motif goes into w×h.
func fits(m *motif, w, h float64) bool {
	b := m.box()
	return b[2]-b[0] <= w && b[3]-b[1] <= h
}

// lines is text with its middle at its place.
func (p *printer) lines(s string, l lettering, radius, angle float64, c [3]float64) *motif {
	letters := p.set(l, s, radius)
	if len(letters) == 0 {
		return nil
	}
	for k := range letters {
		letters[k].Y += radius * scene.FeltPx // from the circle's middle to the text's
	}
	return &motif{"text", extents(l, letters, angle), p.worn(func(x, y float64) { p.write(l, letters, x, y, angle, c) })}
}

// banner is text along a wide arc through the whole cloth.
func (p *printer) banner() *motif {
	l := lettering{p.house.Font, math.Round(p.span(13, 22))}
	return p.lines(p.texts[p.rng.IntN(len(p.texts))], l, -p.span(900, 2400), 0, p.colour())
}

// signs is a row of n emblems, or as many of the suits.
func (p *printer) signs(n int, w, h float64) *motif {
	size := p.span(9, min(46, 0.75*h))
	size = min(size, w/(1.6*float64(n)))
	if size < 7 {
		return nil
	}
	row := ornament.Suits()[:n]
	if all := ornament.Emblems(); n == 1 {
		row = []ornament.Emblem{all[min(p.rng.IntN(len(all)), p.rng.IntN(len(all)))]}
	}
	outline, plain, c := p.rng.IntN(3) == 0, p.rng.IntN(2) == 0, p.colour()
	return &motif{"sign", about(1.5*size*float64(n), 1.1*size), p.worn(func(x, y float64) {
		for k, e := range row {
			switch {
			case outline || plain:
				p.paint(c)
			case e.Red():
				p.paint(crimson)
			default:
				p.paint(coal)
			}
			e.Trace(p.Context, x+1.5*size*(float64(k)-float64(n-1)/2), y, size)
			if outline {
				p.SetLineWidth(1.2 * scene.FeltPx)
				p.Stroke()
				continue
			}
			p.Fill()
		}
	})}
}

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

// chip is a flat chip, at its own size or a smaller one, in colours of the table's set.
func (p *printer) chip(w, h float64) *motif {
	r := min(19.5, w/2-1, h/2-1)
	if p.rng.IntN(2) == 0 {
		r *= p.span(0.55, 0.9)
	}
	if r < 8 {
		return nil
	}
	kind, sectors := p.palette[p.rng.IntN(len(p.palette))], []int{6, 8}[p.rng.IntN(2)]
	body, edge := hex(kind.Face), hex(kind.Edge)
	value := ornament.Value(kind.Value)
	return &motif{"chip", about(2*r, 2*r), p.worn(func(x, y float64) {
		disc := func(r float64, c [3]float64) {
			p.paint(c)
			p.DrawCircle(x, y, r)
			p.Fill()
		}
		disc(r, body)
		p.paint(edge)
		for k := range sectors {
			a, half := 2*math.Pi*float64(k)/float64(sectors), 0.2*2*math.Pi/float64(sectors)
			p.NewSubPath()
			p.DrawArc(x, y, r, a-half, a+half)
			p.DrawArc(x, y, 0.76*r, a+half, a-half)
			p.ClosePath()
			p.Fill()
		}
		disc(0.55*r, cream)
		p.ink.text(value, x, y, math.Round(0.35*r), 0, coal)
	})}
}

// logo is the house's emblem with its name about it.
func (p *printer) logo(w, h float64) *motif {
	r := min(p.span(32, 70), w/2-1, h/2-1)
	if r < 22 {
		return nil
	}
	c := p.colour()
	l := lettering{p.house.Font, math.Round(0.16 * r)}
	name := p.set(l, p.house.Name, 0.78*r)
	return &motif{"logo", about(2*r, 2*r), p.worn(func(x, y float64) {
		p.paint(c)
		p.SetLineWidth(1.4 * scene.FeltPx)
		p.DrawCircle(x, y, r-1)
		p.Stroke()
		p.house.Emblem.Trace(p.Context, x, y+0.08*r, 0.8*r)
		p.Fill()
		p.write(l, name, x, y, 0, c)
	})}
}
