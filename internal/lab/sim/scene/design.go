package scene

import (
	"math"
	"math/rand/v2"

	"github.com/fogleman/gg"

	"vision/internal/lab/sim/ornament"
)

// design is how a kind of chip or plaque is made beside its two colours. Radii are
// shares of the chip's.
type design struct {
	inserts  float64 // number of coloured inserts round the edge
	half     float64 // half an insert's share of its sector
	split    float64 // half the stripe of the body's colour in an insert's middle, share of the sector
	rim      float64 // to where the inserts go in
	inlay    float64 // the pale disc
	pale     float64 // how pale
	line     float64 // the dark ring about it
	ring     ring
	font     ornament.Font
	value    float64         // size of the value's type, 1 a plain chip's
	lettered *ornament.House // whose name and emblem it bears; nil: none
}

// plain is the design of a chip of which no more is known than its colours.
var plain = &design{
	inserts: 6,
	half:    0.21,
	rim:     0.76,
	inlay:   0.52,
	pale:    0.85,
	line:    0.58,
	font:    ornament.Bold,
	value:   1,
}

// ring is what is printed between inlay and inserts.
type ring int

const (
	noRing ring = iota
	dashes
	dots
	fineLine
	rings
)

// newDesign draws the design of one kind of a house's set by chance.
func newDesign(h *ornament.House, rng *rand.Rand) *design {
	d := &design{
		inserts:  []float64{4, 6, 8, 8, 12}[rng.IntN(5)],
		half:     0.14 + 0.16*rng.Float64(),
		rim:      0.72 + 0.12*rng.Float64(),
		inlay:    0.46 + 0.12*rng.Float64(),
		pale:     0.65 + 0.25*rng.Float64(),
		ring:     ring(rng.IntN(int(rings))),
		font:     ornament.Fonts()[rng.IntN(len(ornament.Fonts()))],
		value:    0.7 + 0.2*rng.Float64(),
		lettered: h,
	}
	d.line = d.inlay + 0.03 + 0.03*rng.Float64()
	if rng.IntN(3) == 0 {
		d.split = d.half * (0.2 + 0.25*rng.Float64())
	}
	return d
}

// insert reports whether an insert lies at an angle of the edge.
func (d *design) insert(angle float64) bool {
	sector := angle * d.inserts / (2 * math.Pi)
	off := math.Abs(sector - math.Round(sector))
	return off < d.half && off >= d.split
}

// drawInserts draws the face's rim, and what lies between it and the inlay, for a chip
// of radius r about the origin.
func (d *design) drawInserts(g *gg.Context, r float64, body, edge rgb) {
	sectors := func(half float64, c rgb) {
		g.SetColor(nrgb(c))
		for k := range int(d.inserts) {
			a0 := (float64(k) - half) * 2 * math.Pi / d.inserts
			a1 := (float64(k) + half) * 2 * math.Pi / d.inserts
			g.NewSubPath()
			g.DrawArc(0, 0, r, a0, a1)
			g.DrawArc(0, 0, r*d.rim, a1, a0)
			g.ClosePath()
			g.Fill()
		}
	}
	sectors(d.half, edge)
	if d.split > 0 {
		sectors(d.split, body)
	}
	at := r * (d.rim + d.line) / 2
	g.SetColor(nrgb(edge))
	switch d.ring {
	case dots, dashes:
		for k := range 24 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 12)
			if d.ring == dots {
				g.DrawCircle(at*cos, at*sin, 0.025*r)
				g.Fill()
				continue
			}
			g.SetLineWidth(0.03 * r)
			g.DrawLine(0.96*at*cos, 0.96*at*sin, 1.05*at*cos, 1.05*at*sin)
			g.Stroke()
		}
	case fineLine:
		g.SetLineWidth(0.02 * r)
		g.DrawCircle(0, 0, at)
		g.Stroke()
	}
}

// sign prints the house's name along an inlay of radius r, and its emblem pale behind
// the value.
func (d *design) sign(g *gg.Context, r float64, body rgb) error {
	if d.lettered == nil {
		return nil
	}
	ink := nrgb(body.mul(0.55))
	ink.A = 255
	face, err := d.lettered.Font.Face(0.24 * r)
	if err != nil {
		return err
	}
	g.SetFontFace(face)
	g.SetColor(ink)
	ornament.Draw(g, ornament.Arc(g, d.lettered.Name, 0.8*r, false))
	d.lettered.Emblem.Trace(g, 0, 0.72*r, 0.3*r)
	g.Fill()
	g.SetRGBA(body[0]/255, body[1]/255, body[2]/255, 0.25)
	d.lettered.Emblem.Trace(g, 0, 0, 1.1*r)
	g.Fill()
	return nil
}

// drawValue prints a value about the origin, large times as high as on a chip.
func (d *design) drawValue(g *gg.Context, cents int64, large float64) error {
	if cents == 0 {
		return nil
	}
	text := ornament.Value(cents)
	face, err := d.font.Face(d.value * large * []float64{46, 46, 42, 34, 28}[min(len(text), 4)])
	if err != nil {
		return err
	}
	g.SetFontFace(face)
	g.SetRGB(0.1, 0.1, 0.12)
	ornament.Draw(g, ornament.Line(g, text))
	return nil
}
