package sim

import (
	"math"
	"math/rand/v2"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/lab/sim/deck"
	"vision/internal/lab/sim/ornament"
	"vision/internal/lab/sim/scene"
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
	texts   []string // in the order in which they are printed
	said    int
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

// say is the next text.
func (p *printer) say() string {
	p.said++
	return p.texts[p.said%len(p.texts)]
}

// text is a line of text, straight or along an arc, that fits into w×h.
func (p *printer) text(w, h float64) *motif {
	s, c := p.say(), p.colour()
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
	return p.lines(p.say(), l, -p.span(900, 2400), 0, p.colour())
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
		p.ink.text(value, x, y, math.Round(0.35*r), coal)
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
