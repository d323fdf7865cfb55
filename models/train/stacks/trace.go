package main

import "math"

// hit is what a ray from the eye meets.
type hit struct {
	at, n    vec
	pile     int // -1: the felt
	kind     *kind
	u, v     float64
	side     bool
	seed     float64
	over, on float64 // mm by which the chip above stands out, and from the place to that chip
	up       float64 // of the edge's rounding, -1 to 1
	last     bool    // the uppermost chip
	axis     vec     // of the stack, upwards
}

// primary is the first thing in a direction from the eye.
func (s *scene) primary(d vec) hit {
	best, chip := 1e9, (*disc)(nil)
	h := hit{pile: -1}
	if d[2] < -1e-4 {
		best = -s.eye[2] / d[2]
	}
	if s.tray != nil {
		best = s.tray.meet(s.eye, d, best)
	}
	for i := range s.piles {
		p := &s.piles[i]
		eye, d, r := p.seen(s.eye), p.turned(d), p.radius
		a := d[0]*d[0] + d[1]*d[1] + 1e-12
		from, to, ok := cylinder(eye, d, a, p.mx, p.my, p.bound, p.tall)
		if !ok || from > best {
			continue
		}
		low, high := eye[2]+from*d[2], eye[2]+to*d[2]
		for k := range p.chips {
			c := &p.chips[k]
			if c.z > max(low, high) || c.z+c.t < min(low, high) {
				continue
			}
			ox, oy, oz := eye[0]-c.x, eye[1]-c.y, eye[2]-c.z
			t := (c.t - oz) / d[2]
			if d[2] > 0 { // from below
				t = -oz / d[2]
			}
			x, y := ox+t*d[0], oy+t*d[1]
			face := x*x+y*y < r*r
			if !face {
				b := ox*d[0] + oy*d[1]
				disc := b*b - a*(ox*ox+oy*oy-r*r)
				if disc <= 0 {
					continue
				}
				t = (-b - math.Sqrt(disc)) / a
				if z := oz + t*d[2]; z <= 0 || z >= c.t {
					continue
				}
			}
			if t > 0 && t < best {
				best, chip = t, c
				h.pile, h.side, h.last = i, !face, k == len(p.chips)-1
				h.over, h.on = 0, 0
				if !face && !h.last {
					n := &p.chips[k+1]
					x, y, z := ox+t*d[0], oy+t*d[1], oz+t*d[2]
					h.over, h.on = ((n.x-c.x)*x+(n.y-c.y)*y)/r, c.t-z
				}
			}
		}
	}
	h.at = s.eye.plus(d.times(min(best, 1e5)))
	if chip == nil {
		h.n = vec{0, 0, 1}
		if s.tray != nil && h.at[2] < -1e-3 {
			h.n = s.tray.normal(h.at)
		}
		return h
	}
	p := &s.piles[h.pile]
	on, r := p.seen(h.at), p.radius
	x, y, z := on[0]-chip.x, on[1]-chip.y, on[2]-chip.z
	h.kind, h.seed = &s.palette[chip.kind], chip.seed
	_, h.u = math.Modf(math.Atan2(y, x)/(2*math.Pi) + chip.turn + 1)
	if h.side {
		h.v = z / chip.t
		if low := min(z, chip.t-z); low < s.edge {
			h.up = 1 - low/s.edge
			if z < chip.t/2 {
				h.up = -h.up
			}
		}
		flat := math.Sqrt(1 - 0.5*h.up*h.up)
		h.n = vec{x / r * flat, y / r * flat, 0.7 * h.up}
	} else {
		far := math.Hypot(x, y)
		h.v, h.n = far/r, vec{0, 0, 1}
		if in := r - far; in < s.edge {
			k := 0.7 * (1 - in/s.edge)
			h.n = vec{x / far * k, y / far * k, math.Sqrt(1 - k*k)}
		}
		if p.turned(d)[2] > 0 {
			h.n[2] = -h.n[2]
		}
	}
	h.n, h.axis = p.back(h.n), p.back(vec{0, 0, 1})
	return h
}

// cylinder is where a ray from o in direction d enters and leaves an upright cylinder on the felt; a is the square
// of the direction along the felt.
func cylinder(o, d vec, a, x, y, r, tall float64) (from, to float64, ok bool) {
	ox, oy := o[0]-x, o[1]-y
	b := ox*d[0] + oy*d[1]
	disc := b*b - a*(ox*ox+oy*oy-r*r)
	if disc <= 0 {
		return 0, 0, false
	}
	root := math.Sqrt(disc)
	from, to = max((-b-root)/a, 0.05), (-b+root)/a
	if to <= from {
		return 0, 0, false
	}
	z0, z1 := o[2]+from*d[2], o[2]+to*d[2]
	return from, to, min(z0, z1) < tall && max(z0, z1) > 0
}

// blocked is the nearest stack but own on the way from a place, and how far it is.
func (s *scene) blocked(p, d vec, own int, far float64) (int, float64) {
	which := -1
	for i := range s.piles {
		if i == own {
			continue
		}
		q := &s.piles[i]
		p, d := q.seen(p), q.turned(d)
		a := d[0]*d[0] + d[1]*d[1] + 1e-9
		if from, _, ok := cylinder(p, d, a, q.mx, q.my, q.radius, q.tall); ok && from < far {
			which, far = i, from
		}
	}
	return which, far
}

// lit is the light of the lamps on a place: diffuse, and what it mirrors to the eye. cell of cells is its part of
// a lamp.
func (s *scene) lit(h *hit, back vec, rough float64, cell, cells, samples int) (diffuse, shine vec) {
	d := s.d
	for i := range s.lamps {
		l := &s.lamps[i]
		for k := range samples {
			u, v := (float64(cell)+d.Float64())*2/float64(cells)-1, (float64(k)+d.Float64())*2/float64(samples)-1
			way := l.at.plus(l.u.times(u)).plus(l.v.times(v)).minus(h.at)
			far2 := way.dot(way)
			far := math.Sqrt(far2)
			way = way.times(1 / far)
			cos, off := way.dot(h.n), -way.dot(l.n)
			if cos <= 0 || off <= 0 {
				continue
			}
			if h.over > 0 && h.over*way.dot(h.axis) > h.on*max(cos, 1e-3) {
				continue
			}
			if which, _ := s.blocked(h.at, way, h.pile, far); which >= 0 || s.tray.shades(h.at, way) {
				continue
			}
			e := l.power.times(cos * off / far2 / float64(samples))
			diffuse = diffuse.plus(e)
			if h.kind != nil {
				m := way.plus(back).unit()
				a2, nh := math.Pow(rough, 4), max(m.dot(h.n), 0)
				x := nh*nh*(a2-1) + 1
				shine = shine.plus(e.times(min(a2/(math.Pi*x*x+1e-6)/4, 40)))
			}
		}
	}
	return diffuse, shine
}

// bounced is the light on a place by room, felt and stacks.
func (s *scene) bounced(h *hit, cell, cells, samples int) (out vec) {
	d := s.d
	for k := range samples {
		z := 1 - (float64(cell)+d.Float64())*2/float64(cells)
		sin, cos := math.Sincos((float64(k) + d.Float64()) * 2 * math.Pi / float64(samples))
		flat := math.Sqrt(max(0, 1-z*z))
		way := vec{h.n[0] + flat*cos, h.n[1] + flat*sin, h.n[2] + z}.unit()
		down := 1e8
		if way[2] < -1e-3 {
			down = -h.at[2] / way[2]
		}
		which, far := s.blocked(h.at, way, h.pile, down)
		switch {
		case which >= 0:
			q := &s.piles[which]
			p := h.at.plus(way.times(far))
			on := q.seen(p)
			n := q.back(vec{on[0] - q.mx, on[1] - q.my, 0}.unit())
			lit := 0.0
			for i := range s.lamps {
				lit += max(0, s.lamps[i].at.minus(p).unit().dot(n)) / float64(len(s.lamps))
			}
			out = out.plus(q.albedo.times(0.7 * lit).plus(q.albedo.by(s.room).times(0.5)))
		case s.tray.shades(h.at, way):
			out = out.plus(s.tray.paint.times(0.3).by(s.room.plus(vec{1, 1, 1})))
		case way[2] < -1e-3:
			p := h.at.plus(way.times(down))
			e := vec{1, 1, 1}.times(0.8).plus(s.room.times(0.8))
			for i := range s.piles { // felt near stacks is darker
				q := &s.piles[i]
				if off := math.Hypot(p[0]-q.mx, p[1]-q.my) - s.diameter/2; off < 8 {
					e = e.times(0.6 + 0.05*max(off, 0))
				}
			}
			out = out.plus(s.base.by(e))
		default:
			out = out.plus(s.room)
		}
	}
	return out.times(1 / float64(samples))
}

// felt is its colour at a place.
func (s *scene) felt(x, y float64) vec {
	if s.tray != nil && s.tray.holds(x, y) {
		return s.tray.paint
	}
	c := s.base
	for i := range s.prints {
		p := &s.prints[i]
		dx, dy := x-p.x, y-p.y
		switch p.what {
		case 0, 1:
			if off := math.Hypot(dx, dy) - p.r; math.Abs(off) < p.wide/2 || p.full && off < 0 {
				c = p.ink
			}
		case 2:
			if off := max(math.Abs(dx)-p.r, math.Abs(dy)-p.s); math.Abs(off) < p.wide/2 || p.full && off < 0 {
				c = p.ink
			}
		case 3:
			if math.Abs(math.Abs(math.Hypot(dx, dy)-4*p.r)-p.wide) < p.wide/2 {
				c = p.ink
			}
		case 4: // letters
			if _, line := math.Modf(math.Abs(dy) / (p.wide * 4.5)); max(math.Abs(dx)-p.r, math.Abs(dy)-p.s) < 0 && line < 0.8 &&
				hashed(math.Floor(dx/(p.wide*0.9)), math.Floor(dy/(p.wide*0.9)), p.r) < 0.5 {
				c = p.ink
			}
		case 5: // a chip's face
			far := math.Hypot(dx, dy) / (s.diameter / 2 * p.r)
			if far < 1 {
				_, u := math.Modf(math.Atan2(dy, dx)/(2*math.Pi) + p.turn + 1)
				c = p.kind.colour(u, far, false, 7)
			}
		case 6: // a card
			sin, cos := math.Sincos(p.turn)
			u, v := dx*cos+dy*sin, dy*cos-dx*sin
			if math.Abs(u) > 31.5 || math.Abs(v) > 44 {
				continue
			}
			c = vec{0.8, 0.8, 0.78}
			cell, of := 9.0, 0.3
			if p.full {
				cell, of = 3, 0.5
			}
			if math.Abs(u) < 28 && math.Abs(v) < 40 && hashed(math.Floor(u/cell), math.Floor(v/cell), p.s) < of {
				c = p.ink
			}
		}
	}
	if x*s.end[0]+y*s.end[1] > s.end[2] {
		c = s.rail
	}
	c = s.ground.at(c, x, y, s.eye[0], s.eye[1])
	return c.times(1 + s.grain*3.4*(hashed(math.Floor(x*1.5), math.Floor(y*1.5), s.grain)-0.5))
}

// light is what comes from a direction to the eye.
func (s *scene) light1(d vec, cell, cells, samples int) vec {
	h := s.primary(d)
	back := d.times(-1)
	rough := 0.95
	if h.kind != nil {
		rough = h.kind.rough
	}
	e, shine := s.lit(&h, back, rough, cell, cells, samples)
	room := s.bounced(&h, cell, cells, samples)
	if h.kind == nil {
		c := s.felt(h.at[0], h.at[1])
		return c.by(e.plus(room))
	}
	joint, shade := 1.0, 1.0
	if h.side && (h.v < 0.5 || !h.last) {
		joint = 1 - s.joint*h.up*h.up
	}
	if h.over > 0 {
		shade = 0.4 + 0.6*h.on/(h.over+h.on+1e-3)
	}
	cos := min(max(h.n.dot(back), 0), 1)
	x := 1 - cos
	mirror := h.kind.shine + x*x*x*x*x*(1-rough)*0.4
	paint := h.kind.colour(h.u, h.v, h.side, h.seed)
	return paint.by(e.plus(room.times(shade))).
		times(joint).
		plus(shine.times(math.Pi).plus(s.room.times(0.5 * joint)).times(mirror))
}

// project is the pixel of a place, from the principal point.
func (s *scene) project(p vec) (x, y float64) {
	p = p.minus(s.eye)
	k := s.focal / p.dot(s.ahead)
	return p.dot(s.right) * k, p.dot(s.down) * k
}

// rendered is the light in the pixels of a part of the picture, row by row.
func (s *scene) rendered(left, top, w, h int) []vec {
	cells := 1
	if s.scale < 1.8 {
		cells = 2
	}
	if s.again != nil {
		cells = 2 + int(4/s.scale)
	}
	out := make([]vec, w*h)
	for y := range h {
		for x := range w {
			var sum vec
			if s.again != nil {
				s.again.Seed(uint64(left+x), uint64(top+y))
			}
			for c := range cells {
				px, py := float64(left+x)+s.d.Float64()-0.5, float64(top+y)+(float64(c)+s.d.Float64())/float64(cells)-0.5
				sum = sum.plus(s.light1(s.ahead.plus(s.right.times(px/s.focal)).plus(s.down.times(py/s.focal)).unit(), c, cells, 1))
			}
			out[y*w+x] = sum.times(1 / float64(cells))
		}
	}
	return out
}
