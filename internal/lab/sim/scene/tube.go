package scene

import (
	"math"

	"vision/calibration"
)

// Tube is one of a rack, with the chips that stand in it on edge. It lies along y, level, and its axis
// below the felt.
type Tube struct {
	scene          *Scene
	x, depth       float64
	closed, open   float64 // y of its ends, the closed one nearer to the players
	radius, trough float64 // of the chips and of what they stand in
	chips          []edgeChip
	up             float64 // by which the chips are pushed off the closed end, millimetres
	lean           float64 // of the last chip, radians from upright; positive: its top towards the open end
}

// edgeChip is a chip in a tube: one piece, as it is turned, from low to high along the axis.
type edgeChip struct {
	id         string
	art        *chipArt
	turn, tone float64
	low, high  float64
}

// wall is how far the trough stands off the chips, millimetres.
const wall = 1.5

// NewTube makes the empty tube of a level rack.
func (s *Scene) NewTube(r *calibration.Rack, u *calibration.Tube, palette []calibration.Chip) *Tube {
	radius := u.Kinds(palette)[0].Diameter / 2
	return &Tube{scene: s, x: u.Axis[0][0], depth: r.Depth, closed: u.Axis[0][1], open: u.Axis[1][1],
		radius: radius, trough: radius + wall}
}

// Put stands chips on those in the tube, at its open end.
func (t *Tube) Put(ids ...string) error {
	arts, err := t.scene.stock.pieces(ids)
	if err != nil {
		return err
	}
	for i, a := range arts {
		low := t.filled()
		c := edgeChip{id: ids[i], art: a, turn: 2 * math.Pi * t.scene.rng.Float64(), low: low, high: low + a.chip.Thickness,
			tone: 0.97 + 0.06*t.scene.rng.Float64()}
		t.chips = append(t.chips, c)
	}
	return nil
}

// Take takes the last n chips, or as many as there are.
func (t *Tube) Take(n int) { t.chips = t.chips[:max(0, len(t.chips)-n)] }

// Push moves the chips so many millimetres off the closed end.
func (t *Tube) Push(up float64) { t.up = up }

// Lean tilts the last chip by an angle from upright; positive: its top towards the open end.
func (t *Tube) Lean(angle float64) { t.lean = angle }

// Pushed reports whether the chips stand off the closed end.
func (t *Tube) Pushed() bool { return t.up > 0 }

// Leaning reports whether the last chip leans.
func (t *Tube) Leaning() bool { return t.lean != 0 }

// Chips are those in the tube, the one at the closed end first.
func (t *Tube) Chips() (ids []string) {
	for _, c := range t.chips {
		ids = append(ids, c.id)
	}
	return ids
}

// filled is how far along the axis the chips reach.
func (t *Tube) filled() float64 {
	if n := len(t.chips); n > 0 {
		return t.chips[n-1].high
	}
	return 0
}

// Sprite is the tube as it looks now.
func (t *Tube) Sprite() *Sprite { return t.scene.cam.render(t, 3, t.scene.felt.lamp) }

func (t *Tube) corners() (out []vec) {
	for _, y := range [2]float64{t.closed + wall, t.open - wall} {
		for _, x := range [2]float64{t.x - t.trough, t.x + t.trough} {
			out = append(out, vec{x, y, 0}, vec{x, y, t.depth - t.radius})
		}
	}
	return out
}

// hit meets the chips, and through the opening in the felt what they stand in.
func (t *Tube) hit(eye, dir vec) (rgb, float64) {
	p := eye.at(dir, -eye[2]/dir[2])
	half := math.Sqrt(max(0, t.trough*t.trough-t.depth*t.depth))
	inside := math.Abs(p[0]-t.x) <= half && p[1] <= t.closed+wall && p[1] >= t.open-wall
	if k, col, ok := t.meet(eye, dir); ok && (inside || eye.at(dir, k)[2] <= 0) {
		return col, 1
	}
	if !inside {
		return rgb{}, 0
	}
	return t.bed(eye, dir), 1
}

// meet is where a ray meets the chips: round about, or a face that shows.
func (t *Tube) meet(eye, dir vec) (float64, rgb, bool) {
	chips := t.chips
	if t.lean != 0 && len(chips) > 0 {
		chips = chips[:len(chips)-1]
	}
	k, col, ok := t.column(eye, dir, chips)
	if len(chips) < len(t.chips) {
		if l, c, hits := t.leaning(eye, dir); hits && (!ok || l < k) {
			return l, c, true
		}
	}
	return k, col, ok
}

// column meets chips that stand upright.
func (t *Tube) column(eye, dir vec, chips []edgeChip) (float64, rgb, bool) {
	if len(chips) == 0 {
		return 0, rgb{}, false
	}
	first := t.closed - t.up
	if k := (first - eye[1]) / dir[1]; k > 0 {
		p := eye.at(dir, k)
		x, z := p[0]-t.x, p[2]-t.depth
		if x*x+z*z <= t.radius*t.radius {
			return k, chips[0].face(x, z, t.radius).mul(0.55 + 0.3*t.above(p[2])), true
		}
	}
	k, _, ok := t.round(eye, dir, t.radius)
	if !ok {
		return 0, rgb{}, false
	}
	p := eye.at(dir, k)
	along := first - p[1]
	if along < 0 || along > chips[len(chips)-1].high {
		return 0, rgb{}, false
	}
	for i := range chips {
		if c := &chips[i]; along <= c.high {
			return k, t.edge(c, math.Atan2(p[0]-t.x, t.depth-p[2]), (along-c.low)/(c.high-c.low), p[2]), true
		}
	}
	return 0, rgb{}, false
}

// leaning meets the last chip where it leans on the others with its top, or with its foot.
func (t *Tube) leaning(eye, dir vec) (float64, rgb, bool) {
	c := &t.chips[len(t.chips)-1]
	sin, cos := math.Sincos(t.lean)
	half := (c.high - c.low) / 2
	mid := vec{t.x, t.closed - t.up - c.low - half*cos - t.radius*math.Abs(sin), t.depth}
	upright := func(v vec) vec { return vec{v[0], v[1]*cos - v[2]*sin, v[1]*sin + v[2]*cos} }
	from, way := upright(eye.sub(mid)), upright(dir)
	if k := (half - from[1]) / way[1]; k > 0 {
		if p := from.at(way, k); p[0]*p[0]+p[2]*p[2] <= t.radius*t.radius {
			return k, c.face(p[0], p[2], t.radius).mul(0.55 + 0.3*t.above(eye.at(dir, k)[2])), true
		}
	}
	k, _, ok := (&Tube{}).round(from, way, t.radius)
	p := from.at(way, k)
	if !ok || math.Abs(p[1]) > half {
		return 0, rgb{}, false
	}
	return k, t.edge(c, math.Atan2(p[0], -p[2]), (half-p[1])/(2*half), eye.at(dir, k)[2]), true
}

// edge is how a chip's edge looks at an angle from its top, a share of its thickness, and a depth below the felt.
func (t *Tube) edge(c *edgeChip, angle, share, z float64) rgb {
	col := c.art.body
	if c.art.design.insert(angle - c.turn) {
		col = c.art.edge
	}
	light := (0.6 + 0.36*math.Cos(angle+0.35)) * (0.55 + 0.45*t.above(z))
	return col.mul(c.tone * c.art.dirt(angle-c.turn) * light * seam(share))
}

// face is the outer face of the chip at the closed end.
func (c *edgeChip) face(x, z, radius float64) rgb {
	sin, cos := math.Sincos(c.turn)
	k := chipFacePx / (2 * radius)
	col, _ := bilinear(c.art.face, (x*cos+z*sin+radius)*k-0.5, (z*cos-x*sin+radius)*k-0.5)
	return col.mul(c.tone)
}

// above is 1 at the height of the felt and over it, and falls to 0 at the trough's bottom.
func (t *Tube) above(z float64) float64 { return 1 - clamp(z/(t.depth+t.trough), 0, 1) }

// round gives where a ray enters and leaves the cylinder of a radius about the axis.
func (t *Tube) round(eye, dir vec, radius float64) (in, out float64, ok bool) {
	ox, oz := eye[0]-t.x, eye[2]-t.depth
	a := dir[0]*dir[0] + dir[2]*dir[2]
	b := ox*dir[0] + oz*dir[2]
	disc := b*b - a*(ox*ox+oz*oz-radius*radius)
	if disc < 0 {
		return 0, 0, false
	}
	root := math.Sqrt(disc)
	return (-b - root) / a, (-b + root) / a, true
}

// bed is what shows where no chip stands: the trough, or the wall at its open end.
func (t *Tube) bed(eye, dir vec) rgb {
	paint := rgb{52, 50, 54}
	_, k, ok := t.round(eye, dir, t.trough)
	if !ok {
		return paint.mul(0.5)
	}
	p := eye.at(dir, k)
	if end := t.open - wall; p[1] < end {
		p = eye.at(dir, (end-eye[1])/dir[1])
		return paint.mul(0.85 * (0.35 + 0.65*t.above(p[2])))
	}
	shadow := 0.3 * (1 - smooth(0, 12, p[0]-t.x+t.trough)) // of the rim towards the lamp
	return paint.mul((0.4 + 0.6*t.above(p[2])) * (1 - shadow))
}

func (t *Tube) shade(_, _ float64) float64 { return 0 }
