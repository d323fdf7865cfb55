package main

import "math"

// tray is the body of a bank's rack in the felt: troughs that lie along y, their axes below the felt.
type tray struct {
	tubes               int
	pitch, radius, deep float64 // of the troughs: from one to the next, their own, of their axes below the felt
	half                float64 // of their length
	paint               vec
}

// rim is how wide the rack's top is about its troughs, millimetres.
const rim = 9.0

// axis is the x of a trough's axis, and of the nearest one.
func (t *tray) axis(i int) float64 { return t.pitch * (float64(i) - float64(t.tubes-1)/2) }

func (t *tray) nearest(x float64) float64 {
	i := int(math.Round(x/t.pitch + float64(t.tubes-1)/2))
	return t.axis(min(max(i, 0), t.tubes-1))
}

// holds reports whether a place at the felt's height is the rack's.
func (t *tray) holds(x, y float64) bool {
	return math.Abs(x) < t.pitch*float64(t.tubes)/2+rim && math.Abs(y) < t.half+rim
}

// open reports whether a place at the felt's height is above the trough whose axis is at x.
func (t *tray) open(p vec, x float64) bool {
	return math.Hypot(p[0]-x, t.deep) < t.radius && math.Abs(p[1]) < t.half
}

// meet is where a ray that meets the felt at best goes on to.
func (t *tray) meet(eye, d vec, best float64) float64 {
	p := eye.plus(d.times(best))
	x := t.nearest(p[0])
	if best > 1e8 || !t.open(p, x) {
		return best
	}
	ox, oz := p[0]-x, p[2]+t.deep
	a, b := d[0]*d[0]+d[2]*d[2]+1e-12, ox*d[0]+oz*d[2]
	more := (-b + math.Sqrt(max(0, b*b-a*(ox*ox+oz*oz-t.radius*t.radius)))) / a
	if wall := (math.Copysign(t.half, d[1]) - p[1]) / d[1]; d[1] != 0 && wall < more {
		more = wall
	}
	return best + more
}

// normal of a trough, or of the wall at its end.
func (t *tray) normal(p vec) vec {
	if math.Abs(p[1]) > t.half-1e-3 {
		return vec{0, -math.Copysign(1, p[1]), 0}
	}
	return vec{t.nearest(p[0]) - p[0], 0, -t.deep - p[2]}.unit()
}

// shades reports whether the rack is on the way from a place below the felt's height: what is not seen through
// its trough's opening.
func (t *tray) shades(p, way vec) bool {
	if t == nil || p[2] > -1e-3 {
		return false
	}
	return way[2] <= 1e-6 || !t.open(p.plus(way.times(-p[2]/way[2])), t.nearest(p[0]))
}
