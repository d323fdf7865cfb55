package scene

import (
	"fmt"
	"math"
	"slices"
)

// vessel is a thing of a player's that stands on the cloth: its surface is where the
// distance of a point of its own frame (x, y, height over the felt; millimetres) is 0.
type vessel struct {
	x, y, sin, cos float64
	reach, high    float64 // of a cylinder that holds it
	shape          func(x, y, h float64) float64
	paint          func(x, y, h float64) (rgb, float64) // colour and opacity
}

// Vessels are the kinds of things that players set down.
var Vessels = []string{"cup", "glass", "phone", "ashtray"}

// VesselReach is the radius of what holds a vessel of a kind, millimetres.
func VesselReach(kind string) float64 { return vessels[kind].reach }

// VesselHeight is how high a vessel of a kind stands, millimetres.
func VesselHeight(kind string) float64 { return vessels[kind].high }

var vessels = map[string]vessel{
	"cup": {reach: 66, high: 68, shape: cupShape, paint: func(x, y, h float64) (rgb, float64) {
		if r := math.Hypot(x, y); h < 57 && h > 40 && r < 31 {
			return rgb{58, 34, 20}, 1 // coffee
		}
		return rgb{232, 230, 224}, 1
	}},
	"glass": {reach: 40, high: 98, shape: glassShape, paint: func(x, y, h float64) (rgb, float64) {
		switch r := math.Hypot(x, y); {
		case h > 96:
			return rgb{235, 240, 240}, 0.8 // the rim
		case r < 31 && h > 40:
			return rgb{176, 112, 40}, 0.85
		case h < 62:
			return rgb{168, 110, 52}, 0.7
		}
		return rgb{205, 214, 214}, 0.4
	}},
	"phone": {reach: 86, high: 9, shape: phoneShape, paint: func(x, y, h float64) (rgb, float64) {
		if math.Abs(x) < 34 && math.Abs(y) < 71 && h > 8 {
			return mix(rgb{20, 22, 28}, rgb{70, 78, 92}, 0.5+0.5*math.Sin((x+y)/60)), 1
		}
		return rgb{44, 44, 48}, 1
	}},
	"ashtray": {reach: 62, high: 30, shape: ashtrayShape, paint: func(x, y, h float64) (rgb, float64) {
		if h < 8 && math.Hypot(x, y) < 46 {
			return rgb{96, 94, 92}, 1
		}
		return rgb{52, 46, 44}, 1
	}},
}

// shell is the distance from the wall of a round vessel, thick on both sides of its
// radius, and its bottom or what it is filled with up to level.
func shell(r, h, radius, thick, high, level float64) float64 {
	wall := max(math.Abs(r-radius)-thick, h-high, -h)
	return min(wall, max(r-radius, h-level, -h))
}

func cupShape(x, y, h float64) float64 {
	r := math.Hypot(x, y)
	cup := shell(r, h-4, 26+0.14*(h-4), 2, 64, 52)
	saucer := max(r-66, h-3-0.07*r, -h)
	loop := math.Hypot(math.Hypot(x-36, h-38)-16, y) - 3.5
	return min(cup, saucer, max(loop, 30-r))
}

func glassShape(x, y, h float64) float64 {
	return shell(math.Hypot(x, y), h, 32+0.05*h, 1.6, 98, 62)
}

func phoneShape(x, y, h float64) float64 {
	dx, dy, dh := math.Abs(x)-30, math.Abs(y)-68, math.Abs(h-4.5)-2.5
	flat := math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - 7
	return max(flat, dh-2)
}

func ashtrayShape(x, y, h float64) float64 {
	r := math.Hypot(x, y)
	rest := math.Hypot(min(math.Abs(x), math.Abs(y)), h-30) - 7 // notches for cigarettes
	return max(shell(r, h, 54, 7, 30, 6), -rest)
}

// Vessel makes the sprite of a thing of a kind that stands at x, y, turned by angle radians.
func (s *Scene) Vessel(kind string, x, y, angle float64) (*Sprite, error) {
	if !slices.Contains(Vessels, kind) {
		return nil, fmt.Errorf("vessel %q: want one of %q", kind, Vessels)
	}
	v := vessels[kind]
	v.x, v.y = x, y
	v.sin, v.cos = math.Sincos(angle)
	return s.cam.render(&v, 2, s.felt.lamp), nil
}

func (v *vessel) corners() []vec {
	var out []vec
	for k := range 16 {
		s, c := math.Sincos(float64(k) * math.Pi / 8)
		x, y := v.x+1.03*v.reach*c, v.y+1.03*v.reach*s
		out = append(out, vec{x, y, 0}, vec{x, y, -v.high}, vec{x + lampX*0.4*v.high, y + lampY*0.4*v.high, 0})
	}
	return out
}

// own is a point of the table in the vessel's frame.
func (v *vessel) own(p vec) (x, y, h float64) {
	dx, dy := p[0]-v.x, p[1]-v.y
	return dx*v.cos + dy*v.sin, dy*v.cos - dx*v.sin, -p[2]
}

// hit marches along the ray from the vessel's top plane down to the felt.
func (v *vessel) hit(eye, dir vec) (rgb, float64) {
	d := dir.unit()
	k, end := (-v.high-0.5-eye[2])/d[2], -eye[2]/d[2]
	if v.passes(eye.at(d, k), eye.at(d, end)) {
		return rgb{}, 0
	}
	for range 80 {
		p := eye.at(d, k)
		x, y, h := v.own(p)
		far := v.shape(x, y, h)
		if far < 0.15 {
			col, alpha := v.paint(x, y, h)
			return col.mul(v.light(x, y, h)), alpha
		}
		if k += max(0.8*far, 0.1); k > end {
			break
		}
	}
	return rgb{}, 0
}

// passes reports whether a ray stays outside the cylinder that holds the vessel, from a
// point over it to one on the felt.
func (v *vessel) passes(a, b vec) bool {
	ax, ay, dx, dy := v.x-a[0], v.y-a[1], b[0]-a[0], b[1]-a[1]
	k := clamp((ax*dx+ay*dy)/max(dx*dx+dy*dy, 1e-9), 0, 1)
	return math.Hypot(ax-k*dx, ay-k*dy) > v.reach+1
}

// light is that of the lamp on the surface, with a gleam.
func (v *vessel) light(x, y, h float64) float64 {
	const e = 0.2
	n := vec{
		v.shape(x+e, y, h) - v.shape(x-e, y, h),
		v.shape(x, y+e, h) - v.shape(x, y-e, h),
		v.shape(x, y, h+e) - v.shape(x, y, h-e),
	}
	n = n.mul(1 / max(n.norm(), 1e-9))
	n[0], n[1] = n[0]*v.cos-n[1]*v.sin, n[1]*v.cos+n[0]*v.sin
	to := vec{-0.45, -0.4, 0.8}
	facing := clamp(n.dot(to), 0, 1)
	return 0.58 + 0.42*facing + 0.25*math.Pow(facing, 24)
}

// shade is the soft shadow thrown away from the lamp.
func (v *vessel) shade(x, y float64) float64 {
	reach := 0.4 * v.high
	dx, dy := x-v.x, y-v.y
	along := clamp(dx*lampX+dy*lampY, 0, reach)
	if math.Hypot(dx-along*lampX, dy-along*lampY) > v.reach+4+0.2*v.high {
		return 0
	}
	ox, oy, _ := v.own(vec{x - along*lampX, y - along*lampY, 0})
	d := v.shape(ox, oy, 1)
	if math.Hypot(ox, oy) < 0.5*v.reach {
		d = min(d, 0)
	}
	return 0.5 * (1 - smooth(-1, 3+0.2*v.high, d)) * (1 - 0.4*along/(reach+1))
}
