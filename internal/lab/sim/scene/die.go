package scene

import "math"

// cube is a casino die: translucent red, square edges, flush white pips.
type cube struct {
	x, y, lift float64 // centre on the felt, height of the lowest point
	rot        mat     // die's frame to the table's
	edge       float64 // millimetres
	gone       []cut   // what broke off
}

// cut is a plane in a die's own frame, through which it broke: what lies beyond
// off along n is gone.
type cut struct {
	n   vec
	off float64
}

// chippedDie has lost a corner of its upper face, the three edges there by bite
// of their length.
func chippedDie(value int, x, y, angle, bite, edge float64) *cube {
	c := restingDie(value, x, y, angle, edge)
	up := vec{}
	for _, f := range dieFaces {
		if f.value == value {
			up = f.n.add(f.u).add(f.v)
		}
	}
	n := up.mul(1 / math.Sqrt(3))
	c.gone = []cut{{n, math.Sqrt(3) * edge * (0.5 - bite/3)}}
	return c
}

// whole reports whether a point of the die's frame is still there.
func (c *cube) whole(p vec) bool {
	for _, g := range c.gone {
		if g.n.dot(p) > g.off+1e-9 {
			return false
		}
	}
	return true
}

// broken is where a ray meets a plane through which the die broke, and its light.
func (c *cube) broken(o, d vec) (rgb, bool) {
	for _, g := range c.gone {
		n := g.n.dot(d)
		if n >= 0 {
			continue
		}
		p := o.at(d, (g.off-g.n.dot(o))/n)
		h := c.edge/2 + 1e-9
		if max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2])) > h || !c.whole(p) {
			continue
		}
		light := 0.55 + 0.3*clamp(-c.rot.apply(g.n)[2], 0, 1)
		rough := 0.12 * math.Sin(3*p[0]+5*p[1]) * math.Sin(4*p[1]-3*p[2]) // of a splinter
		return mix(rgb{214, 60, 66}, rgb{244, 168, 164}, 0.5+rough).mul(light), true
	}
	return rgb{}, false
}

// The faces of a right-handed die in its own frame; opposite faces sum to 7.
var dieFaces = [6]struct {
	n, u, v vec
	value   int
}{
	{vec{0, 0, -1}, vec{1, 0, 0}, vec{0, 1, 0}, 1},
	{vec{0, 0, 1}, vec{1, 0, 0}, vec{0, 1, 0}, 6},
	{vec{0, 1, 0}, vec{1, 0, 0}, vec{0, 0, 1}, 2},
	{vec{0, -1, 0}, vec{1, 0, 0}, vec{0, 0, 1}, 5},
	{vec{1, 0, 0}, vec{0, 1, 0}, vec{0, 0, 1}, 3},
	{vec{-1, 0, 0}, vec{0, 1, 0}, vec{0, 0, 1}, 4},
}

// restingDie lies with the given value up, turned by angle about the vertical.
func restingDie(value int, x, y, angle, edge float64) *cube {
	up := map[int]vec{1: {}, 6: {math.Pi, 0, 0}, 2: {-math.Pi / 2, 0, 0}, 5: {math.Pi / 2, 0, 0},
		3: {0, math.Pi / 2, 0}, 4: {0, -math.Pi / 2, 0}}[value]
	return &cube{x: x, y: y, rot: rodrigues(vec{0, 0, angle}).times(rodrigues(up)), edge: edge}
}

// centre is half the die's vertical extent above its lowest point.
func (c *cube) centre() vec {
	m := c.rot[2]
	half := c.edge / 2 * (math.Abs(m[0]) + math.Abs(m[1]) + math.Abs(m[2]))
	return vec{c.x, c.y, -c.lift - half}
}

func (c *cube) corners() []vec {
	o := c.centre()
	var out []vec
	for k := range 8 {
		p := vec{float64(k&1)*2 - 1, float64(k>>1&1)*2 - 1, float64(k>>2)*2 - 1}.mul(c.edge / 2)
		out = append(out, o.add(c.rot.apply(p)))
	}
	return out
}

func (c *cube) hit(eye, dir vec) (rgb, float64) {
	o, d := c.rot.back(eye.sub(c.centre())), c.rot.back(dir)
	h := c.edge / 2
	for i, f := range dieFaces {
		n := f.n.dot(d)
		if n >= 0 {
			continue
		}
		k := (h - f.n.dot(o)) / n
		p := o.at(d, k)
		a, b := p.dot(f.u), p.dot(f.v)
		if math.Abs(a) <= h && math.Abs(b) <= h && c.whole(p) {
			return c.colour(i, a/h, b/h), 0.97
		}
	}
	if colour, ok := c.broken(o, d); ok {
		return colour, 0.97
	}
	return rgb{}, 0
}

// colour of a face at a, b in -1..1.
func (c *cube) colour(face int, a, b float64) rgb {
	f := dieFaces[face]
	n := c.rot.apply(f.n)
	light := 0.62 + 0.38*clamp(-n[2]*0.9-n[0]*0.3-n[1]*0.15, 0, 1)
	red := mix(rgb{205, 22, 34}, rgb{238, 70, 70}, 0.5*(a*a+b*b)/2)
	if m := max(math.Abs(a), math.Abs(b)); m > 0.9 {
		red = mix(red, rgb{250, 150, 145}, 0.5*smooth(0.9, 1, m))
	}
	for _, p := range diePips[f.value] {
		if d := math.Hypot(a-p[0], b-p[1]); d < 0.22 {
			return mix(rgb{250, 248, 244}, red, smooth(0.19, 0.22, d)).mul(light)
		}
	}
	return red.mul(light)
}

const pipOff = 0.52

var diePips = [7][][2]float64{
	1: {{0, 0}},
	2: {{-pipOff, -pipOff}, {pipOff, pipOff}},
	3: {{-pipOff, -pipOff}, {0, 0}, {pipOff, pipOff}},
	4: {{-pipOff, -pipOff}, {pipOff, pipOff}, {-pipOff, pipOff}, {pipOff, -pipOff}},
	5: {{-pipOff, -pipOff}, {pipOff, pipOff}, {-pipOff, pipOff}, {pipOff, -pipOff}, {0, 0}},
	6: {{-pipOff, -pipOff}, {pipOff, pipOff}, {-pipOff, pipOff}, {pipOff, -pipOff}, {-pipOff, 0}, {pipOff, 0}},
}

func (c *cube) shade(x, y float64) float64 {
	reach := c.edge*0.4 + c.lift
	dx, dy := x-c.x-c.lift*lampX*0.5, y-c.y-c.lift*lampY*0.5
	along := clamp(dx*lampX+dy*lampY, 0, reach)
	d := math.Hypot(dx-along*lampX, dy-along*lampY) - c.edge*0.52
	return 0.5 / (1 + c.lift/30) * (1 - smooth(-2, 5+c.lift*0.4, d))
}
