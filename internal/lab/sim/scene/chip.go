package scene

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"vision/calibration"
)

// chipArt is one kind of chip or plaque with its face drawn; of a worn set, one piece
// of several of the kind.
type chipArt struct {
	chip   calibration.Chip
	design *design
	face   *image.RGBA // top, as wide as the diameter or as long and wide as the plaque
	body   rgb
	edge   rgb
	grime  []float64 // light that dirt leaves of the side, by angle; nil: all
}

const chipFacePx = 160

// newChipArt draws a chip or plaque of a design.
func newChipArt(c calibration.Chip, d *design) (*chipArt, error) {
	a := &chipArt{chip: c, design: d}
	var err error
	if a.body, err = parseHex(c.Face); err != nil {
		return nil, fmt.Errorf("chip %q: face: %w", c.ID, err)
	}
	if a.edge, err = parseHex(c.Edge); err != nil {
		return nil, fmt.Errorf("chip %q: edge: %w", c.ID, err)
	}
	if err := a.draw(); err != nil {
		return nil, err
	}
	return a, nil
}

// draw draws the face in the piece's colours.
func (a *chipArt) draw() error {
	paint := a.drawChip
	if a.chip.Plaque() {
		paint = a.drawPlaque
	}
	g, err := paint()
	if err != nil {
		return fmt.Errorf("chip %q: %w", a.chip.ID, err)
	}
	a.face = g.Image().(*image.RGBA)
	return nil
}

// drawChip draws a chip's face: field, inserts at the rim, a pale inlay with the value.
func (a *chipArt) drawChip() (*gg.Context, error) {
	g := gg.NewContext(chipFacePx, chipFacePx)
	const r = chipFacePx / 2.0
	g.Translate(r, r)
	g.SetColor(nrgb(a.body))
	g.DrawCircle(0, 0, r)
	g.Fill()
	a.design.drawInserts(g, r, a.body, a.edge)
	g.SetColor(nrgb(mix(a.body, rgb{255, 255, 255}, a.design.pale)))
	g.DrawCircle(0, 0, r*a.design.inlay)
	g.Fill()
	g.SetColor(nrgb(a.body.mul(0.7)))
	g.SetLineWidth(3)
	g.DrawCircle(0, 0, r*a.design.line)
	g.Stroke()
	if err := a.design.sign(g, r*a.design.inlay, a.body); err != nil {
		return nil, err
	}
	return g, a.design.drawValue(g, a.chip.Value, 1)
}

func parseHex(s string) (rgb, error) {
	c, err := calibration.ParseColor(s)
	return rgb{float64(c[0]), float64(c[1]), float64(c[2])}, err
}

func nrgb(c rgb) color.RGBA {
	return color.RGBA{uint8(clamp(c[0], 0, 255)), uint8(clamp(c[1], 0, 255)), uint8(clamp(c[2], 0, 255)), 255}
}

// pile is chips and plaques lying on one another, from the felt upwards.
type pile struct {
	layers []layer
	x, y   float64
	reach  float64 // radius that holds every layer
	top    float64
}

// layer is one piece of a pile.
type layer struct {
	art      *chipArt
	x, y, r  float64
	low, top float64 // heights
	sin, cos float64
	turn     float64
	tone     float64 // of its colours beside the art's
}

// newPile stands pieces at x, y; each lies a little off. Chips are turned by chance;
// plaques by angle, and a little by chance.
func newPile(arts []*chipArt, x, y, angle float64, chance func() float64) *pile {
	p := &pile{x: x, y: y}
	for i, a := range arts {
		if i > 0 && !a.chip.Plaque() && arts[i-1].chip.Plaque() { // chips stand anywhere on a plaque
			c := arts[i-1].chip
			u, v := (c.Length-a.chip.Diameter)*(chance()-0.5), max(0, c.Width-a.chip.Diameter)*(chance()-0.5)
			sin, cos := math.Sincos(angle)
			x, y = x+u*cos-v*sin, y+v*cos+u*sin
		}
		turn := 2 * math.Pi * chance()
		l := layer{art: a, x: x + 1.4*(chance()-0.5), y: y + 1.4*(chance()-0.5), r: a.chip.Diameter / 2, tone: 1,
			low: p.top, top: p.top + a.chip.Thickness}
		if a.chip.Plaque() {
			turn = angle + askew*(turn/math.Pi-1)
			l.r = math.Hypot(a.chip.Length, a.chip.Width) / 2
		}
		l.turn = turn
		l.sin, l.cos = math.Sincos(turn)
		p.layers = append(p.layers, l)
		p.top = l.top
		p.reach = max(p.reach, l.r+1)
	}
	return p
}

func (p *pile) corners() []vec {
	var out []vec
	for _, z := range []float64{0, -p.top} {
		for k := range 16 {
			s, c := math.Sincos(float64(k) * math.Pi / 8)
			out = append(out, vec{p.x + p.reach*1.03*c, p.y + p.reach*1.03*s, z})
		}
	}
	return out
}

func (p *pile) hit(eye, dir vec) (rgb, float64) {
	best, col, ok := math.Inf(1), rgb{}, false
	for i := range p.layers {
		if k, c, hit := p.layers[i].hit(eye, dir); hit && k < best {
			best, col, ok = k, c, true
		}
	}
	if !ok {
		return rgb{}, 0
	}
	return col, 1
}

// hit meets one piece: its top first, then its side.
func (l *layer) hit(eye, dir vec) (float64, rgb, bool) {
	if l.art.chip.Plaque() {
		return l.hitPlaque(eye, dir)
	}
	k := (-l.top - eye[2]) / dir[2]
	x, y := eye[0]+k*dir[0]-l.x, eye[1]+k*dir[1]-l.y
	if x*x+y*y <= l.r*l.r {
		return k, l.face(x, y), true
	}
	ox, oy := eye[0]-l.x, eye[1]-l.y
	a := dir[0]*dir[0] + dir[1]*dir[1]
	b := ox*dir[0] + oy*dir[1]
	disc := b*b - a*(ox*ox+oy*oy-l.r*l.r)
	if disc < 0 {
		return 0, rgb{}, false
	}
	k = (-b - math.Sqrt(disc)) / a
	h := -(eye[2] + k*dir[2])
	if h < l.low || h > l.top {
		return 0, rgb{}, false
	}
	return k, l.side(ox+k*dir[0], oy+k*dir[1], (h-l.low)/(l.top-l.low)), true
}

func (l *layer) face(x, y float64) rgb {
	x, y = x*l.cos+y*l.sin, y*l.cos-x*l.sin
	k := chipFacePx / (2 * l.r)
	c, _ := bilinear(l.art.face, (x+l.r)*k-0.5, (y+l.r)*k-0.5)
	if edge := math.Hypot(x, y) / l.r; edge > 0.94 {
		c = c.mul(1 - 0.25*smooth(0.94, 1, edge))
	}
	return c.mul(l.tone)
}

// side is the edge's colour: inserts by angle, a worn seam above and below.
func (l *layer) side(x, y, h float64) rgb {
	c := l.art.body
	angle := math.Atan2(y, x) - l.turn
	if l.art.design.insert(angle) {
		c = l.art.edge
	}
	return c.mul(l.tone * l.art.dirt(angle) * sideLight(x, y, l.r) * seam(h))
}

// sideLight is the light on an upright side that faces x, y, a vector r long.
func sideLight(x, y, r float64) float64 { return 0.62 + 0.3*clamp((y*0.8-x*0.45)/r, -1, 1) }

// seam darkens a side near its upper and lower rim; h is the height in its thickness.
func seam(h float64) float64 { return 1 - 0.55*smooth(0.78, 1, math.Abs(2*h-1)) }

// shade is the soft shadow of the column, thrown away from the lamp.
func (p *pile) shade(x, y float64) float64 {
	if p.layers[0].art.chip.Plaque() {
		return p.shadePlaque(x, y)
	}
	reach := p.top * 0.5
	dx, dy := x-p.x, y-p.y
	along := clamp(dx*lampX+dy*lampY, 0, reach)
	d := math.Hypot(dx-along*lampX, dy-along*lampY) - p.reach
	soft := 3 + 0.25*p.top
	return 0.55 * (1 - smooth(-1, soft, d)) * (1 - 0.35*along/(reach+1))
}

// The lamp hangs to the left over the croupier: shadows fall to the right and
// towards the players.
const (
	lampX = 0.75
	lampY = 0.66
)
