package main

import (
	"math"
	"math/rand/v2"
)

// vec is a place in millimetres (x to the right, y towards the camera's far side, z upwards), a direction, or light of
// three colours (linear sRGB).
type vec [3]float64

func (a vec) plus(b vec) vec      { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) minus(b vec) vec     { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) times(k float64) vec { return vec{a[0] * k, a[1] * k, a[2] * k} }
func (a vec) by(b vec) vec        { return vec{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }
func (a vec) dot(b vec) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) unit() vec           { return a.times(1 / math.Sqrt(a.dot(a)+1e-18)) }
func (a vec) mean() float64       { return (a[0] + a[1] + a[2]) / 3 }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// linear is sRGB, 0 to 1, as light (IEC 61966-2-1).
func (a vec) linear() vec {
	for c, v := range a {
		if v <= 0.04045 {
			a[c] = v / 12.92
		} else {
			a[c] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return a
}

// dice are random numbers.
type dice struct{ *rand.Rand }

func newDice(seed, number uint64) dice { return dice{rand.New(rand.NewPCG(seed, number))} }

func (d dice) u(low, high float64) float64 { return low + (high-low)*d.Float64() }
func (d dice) n(sd float64) float64        { return sd * d.NormFloat64() }
func (d dice) is(p float64) bool           { return d.Float64() < p }
func (d dice) log(low, high float64) float64 {
	return math.Exp(d.u(math.Log(low), math.Log(high)))
}
func pick[T any](d dice, of ...T) T { return of[d.IntN(len(of))] }

var (
	bodies = []vec{
		{226, 222, 210},
		{176, 28, 36},
		{34, 66, 150},
		{22, 104, 62},
		{28, 27, 30},
		{92, 44, 122},
		{222, 110, 30},
		{228, 190, 50},
		{222, 120, 150},
		{128, 130, 134},
		{104, 160, 206},
		{104, 66, 42},
		{124, 186, 140},
		{104, 22, 44},
	}
	felts = []vec{
		{18, 92, 58},
		{14, 74, 50},
		{20, 62, 110},
		{110, 22, 34},
		{34, 34, 40},
		{70, 40, 92},
		{10, 92, 98},
		{150, 120, 80},
	}
	inks = []vec{{232, 226, 206}, {214, 176, 60}, {190, 40, 40}, {240, 240, 240}, {30, 30, 30}}
)

// varied is an sRGB colour (0 to 255), a little lighter or darker, more or less saturated, as 0 to 1.
func (d dice) varied(c vec, by float64) vec {
	c = c.times(1.0 / 255)
	g := c.mean()
	s, l := d.u(1-by, 1+by), d.u(1-by, 1+by/2)
	for i := range c {
		c[i] = min(max((g+(c[i]-g)*s)*l+d.n(0.012), 0.01), 0.99)
	}
	return c
}

// kind of chip: what it looks like.
type kind struct {
	body, spot, third, paper, ink, tint                               vec
	style, spots                                                      int
	wide, inset, inlay, core, letter, rough, shine, worn, grime, band float64
	plain, dashed                                                     bool
}

func (d dice) kinds() []kind {
	n := 2 + d.IntN(7)
	order := d.Perm(len(bodies))
	rough, shine, worn, grime := d.u(0.25, 0.8), d.u(0.01, 0.05), d.u(0, 1), 0.0
	if d.is(0.6) {
		grime = 0.5
	}
	out := make([]kind, n)
	for i := range out {
		k := &out[i]
		body := d.varied(bodies[order[i]], 0.14)
		if d.is(0.12) {
			body = vec{d.u(0.04, 0.95), d.u(0.04, 0.95), d.u(0.04, 0.95)}
		}
		other := func() (c vec) {
			for range 5 {
				c = d.varied(pick(d, bodies...), 0.1)
				if math.Abs(c[0]-body[0])+math.Abs(c[1]-body[1])+math.Abs(c[2]-body[2]) > 0.51 {
					break
				}
			}
			return c
		}
		spot := other()
		if d.is(0.45) {
			spot = d.varied(bodies[0], 0.06)
			if body.mean() > 0.72 {
				spot = d.varied(bodies[2], 0.06)
			}
		}
		paper := d.varied(vec{242, 237, 220}, 0.06)
		if d.is(0.4) {
			paper = pick(d, spot, vec{d.u(0, 0.4), d.u(0, 0.4), d.u(0, 0.4)}, body)
		}
		k.ink = body.times(0.7)
		if paper.mean() < 0.5 {
			k.ink = vec{1, 1, 1}.minus(body.times(0.2))
		}
		if d.is(0.5) {
			k.style = 1 + d.IntN(3)
		}
		if d.is(0.25) {
			k.band = d.u(0.05, 0.25)
		}
		k.body, k.spot, k.third, k.paper, k.ink = body.linear(), spot.linear(), other().linear(),
			paper.linear(), k.ink.linear()
		k.tint = vec{math.Exp(d.n(0.07)), math.Exp(d.n(0.07)), math.Exp(d.n(0.07))}
		k.spots, k.wide = pick(d, 2, 3, 4, 4, 6, 6, 8, 8, 12), d.u(0.2, 0.6)
		k.plain, k.dashed = d.is(0.08), d.is(0.12)
		k.inset, k.inlay, k.core, k.letter = d.u(0.66, 0.86), d.u(0.42, 0.66), d.u(0, 0.7), d.u(3, 9)
		k.rough, k.shine, k.worn, k.grime = min(max(rough+d.n(0.08), 0.15), 0.9), shine, worn*d.u(0.3, 1.2), grime*d.u(0, 1)
	}
	return out
}

// hashed is noise of places, 0 to 1.
func hashed(x, y, z float64) float64 {
	h := uint64(int64(x))*0x9E3779B97F4A7C15 ^ uint64(int64(y))*0xC2B2AE3D27D4EB4F ^ uint64(int64(z*64))*0x165667B19E3779F9
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	h ^= h >> 32
	return float64(h>>11) / (1 << 53)
}

// cloud is smooth noise of places, 0 to 1, in sheets.
func cloud(x, y, z float64) float64 {
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := x-x0, y-y0
	fx, fy = fx*fx*(3-2*fx), fy*fy*(3-2*fy)
	return (hashed(x0, y0, z)*(1-fx)+hashed(x0+1, y0, z)*fx)*(1-fy) +
		(hashed(x0, y0+1, z)*(1-fx)+hashed(x0+1, y0+1, z)*fx)*fy
}

// colour of a place of a chip: u is the turn about its axis, v the radius in radii, or the height on its side.
func (k *kind) colour(u, v float64, side bool, seed float64) vec {
	turn, part := math.Modf(u * float64(k.spots))
	within := part < k.wide && !k.plain
	if side {
		within = within && v >= k.band && v <= 1-k.band && !(k.dashed && v > 0.38 && v < 0.62)
	} else {
		within = within && v > k.inset
	}
	out := k.body
	if within {
		out = k.spot
		inner := part / k.wide
		if k.style == 1 && inner > 0.5 || k.style == 2 && int(turn)%2 > 0 || k.style == 3 && inner > 0.3 && inner < 0.7 {
			out = k.third
		}
	}
	if !side && v < k.inlay {
		sin, cos := math.Sincos(u * 2 * math.Pi)
		dx, dy := v*cos, v*sin
		out = k.paper
		switch {
		case v < k.inlay*k.core:
			out = k.body
		case v > k.inlay*0.9 && v < k.inlay*0.96,
			v < k.inlay*0.7 && math.Abs(dy) < 0.5*k.inlay &&
				hashed(math.Floor(dx*k.letter), math.Floor(dy*k.letter*0.6), k.letter) < 0.45:
			out = k.ink
		}
	}
	var a, fine float64
	if side {
		a, fine = cloud(u*24, v, seed), hashed(math.Floor(u*300), math.Floor(v*8), seed)
	} else {
		sin, cos := math.Sincos(u * 2 * math.Pi)
		a, fine = cloud(v*cos*7, v*sin*7, seed), hashed(math.Floor(v*cos*60), math.Floor(v*sin*60), seed)
	}
	g := out.mean()
	worn := k.worn * a
	for c := range out {
		out[c] = (out[c] + 0.25*worn*(g-out[c])) * (1 - 0.16*worn) * (1 + 0.12*k.worn*(fine-0.5))
		if side {
			out[c] *= k.tint[c]
			if v < 0.13 || v > 0.87 {
				out[c] *= 1 - k.grime
			}
		}
	}
	return out
}

// edge is the commonest colour of the spots, the body's where it has none.
func (k *kind) edge() vec {
	if k.plain {
		return k.body
	}
	return k.spot
}

// disc is one chip: its foot's middle, thickness and turn.
type disc struct {
	x, y, z, t, turn, seed float64
	kind                   int
}

// pile is a stack.
type pile struct {
	chips      []disc
	lies       *frame  // in which it is upright; nil: it stands on the felt
	radius     float64 // of its discs
	mx, my     float64 // of the middles
	bound      float64 // radius about them that holds all chips
	tall       float64
	face, foot [2]float64
	albedo     vec
}

// frame is where what stands upright in it lies in a scene: its origin, and its axes, of which the third is upwards.
type frame struct {
	at   vec
	axes [3]vec
}

// seen is a place of the scene as a pile has it, turned a direction, and back the other way about.
func (p *pile) seen(v vec) vec {
	if p.lies == nil {
		return v
	}
	return p.turned(v.minus(p.lies.at))
}

func (p *pile) turned(v vec) vec {
	if p.lies == nil {
		return v
	}
	a := &p.lies.axes
	return vec{v.dot(a[0]), v.dot(a[1]), v.dot(a[2])}
}

func (p *pile) back(v vec) vec {
	if p.lies == nil {
		return v
	}
	a := &p.lies.axes
	return a[0].times(v[0]).plus(a[1].times(v[1])).plus(a[2].times(v[2]))
}

// measured fills in what follows from a pile's chips.
func (p *pile) measured(palette []kind) {
	var sx, sy float64
	for _, c := range p.chips {
		p.albedo = p.albedo.plus(palette[c.kind].body)
		sx, sy = sx+c.x, sy+c.y
	}
	n := float64(len(p.chips))
	last := p.chips[len(p.chips)-1]
	p.mx, p.my, p.tall, p.albedo = sx/n, sy/n, last.z+last.t, p.albedo.times(1/n)
	for _, c := range p.chips {
		p.bound = max(p.bound, math.Hypot(c.x-p.mx, c.y-p.my)+p.radius)
	}
	p.face = [2]float64{last.x, last.y}
}

// lamp is a square.
type lamp struct{ at, u, v, n, power vec }

// mark is something printed on the felt.
type mark struct {
	x, y, r, s, wide float64
	what             int
	full             bool
	ink              vec
	kind             *kind
	turn             float64
}

// scene is one stack and what is about it.
type scene struct {
	d                        dice
	palette                  []kind
	piles                    []pile
	lamps                    []lamp
	prints                   []mark
	room, base, rail         vec
	lamplight                vec // in which a kind's colours are taken: that of the lamps, on the felt at the origin
	grain, joint, gain, edge float64
	ground                   ground
	end                      [3]float64
	tray                     *tray     // of the bank's chips; nil: none is there
	again                    *rand.PCG // begins alike in a pixel of each picture; nil: light is drawn anew
	diameter, thick, scale   float64
	eye, right, down, ahead  vec
	focal                    float64
}

// contents are the kinds of a stack from the foot up: mostly of one kind.
func (s *scene) contents(most int) []int {
	d := s.d
	n := 1 + int(float64(pick(d, 5, 10, most, most))*d.Float64())
	n = min(n, most)
	turn := 0.0
	if d.is(0.5) {
		turn = pick(d, 1.0, 1, 2, 3, 20) / float64(n)
	}
	out := make([]int, n)
	for i := range out {
		if i == 0 || d.is(turn) {
			out[i] = d.IntN(len(s.palette))
		} else {
			out[i] = out[i-1]
		}
	}
	return out
}

// view is how a camera looks at a scene: its elevation, where about the scene it stands and the roll of its picture
// in radians, its distance in millimetres, and how far beside the scene it aims, in parts of that. From above the
// sides of chips hardly show, so its pixels are those along the faces.
type view struct {
	tilt, turn, roll, far, aim float64
	above                      bool
}

// fixed is the camera of a table.
func (d dice) fixed() view {
	return view{tilt: d.u(16, 72) * math.Pi / 180, turn: d.u(-0.5, 0.5), far: d.log(450, 2600), aim: 0.2}
}

// held is a camera in a hand.
func (d dice) held() view {
	v := view{tilt: d.u(4, 45), turn: d.u(-0.5, 0.5), aim: 0.3}
	v.roll, v.far = d.n(pick(d, 0.05, 0.05, 0.35)), d.log(220, 1500)
	if v.above = d.is(0.4); v.above {
		v.tilt = d.u(45, 90)
	}
	v.tilt *= math.Pi / 180
	return v
}

// newScene draws one for a camera of a table or, on any ground, for one in a hand: low and high are pixels per chip.
func newScene(d dice, most int, low, high float64, held bool) *scene {
	s := &scene{d: d, palette: d.kinds()}
	s.diameter = d.u(37, 45)
	s.thick = s.diameter / d.u(11, 13.6)
	v := d.fixed()
	if held {
		v = d.held()
	}
	s.camera(v, low, high)
	s.light()
	if held {
		s.lamplight = vec{1, 1, 1} // photographs are read by named colours, which nobody clicked in them
	}
	if v.above && d.is(0.95) || held && d.is(0.1) {
		most = 1 // how many lie there hardly shows from above: mostly players' bets are seen so, chip by chip
	}
	s.stand(most)
	s.cloth()
	if held {
		s.ground = d.ground()
		for i := range s.palette {
			if d.is(0.3) { // of one colour within its spots
				s.palette[i].inlay = 0
			}
		}
		if d.is(0.35) {
			s.splash()
		}
	}
	return s
}

// splash lays chips down one by one in the place of all stacks but the first, some on others.
func (s *scene) splash() {
	d := s.d
	s.piles = s.piles[:1]
	for k := range d.IntN(5) {
		far, turn := d.u(0.35, 2.2)*s.diameter, d.u(0, 2*math.Pi)
		c := disc{x: far * math.Cos(turn), y: far * math.Sin(turn), t: s.thick, turn: d.Float64(), seed: float64(d.IntN(500)),
			kind: d.IntN(len(s.palette))}
		for i := range s.piles {
			if o := &s.piles[i]; math.Hypot(o.mx-c.x, o.my-c.y) < s.diameter {
				c.z = max(c.z, o.tall)
			}
		}
		if k > 0 && c.z > 4*s.thick {
			continue
		}
		p := pile{chips: []disc{c}, radius: s.diameter / 2, foot: [2]float64{c.x, c.y}}
		p.measured(s.palette)
		s.piles = append(s.piles, p)
	}
}

// ground is what a scene has in the place of a plain felt: a grain along one direction, and a wall behind it.
type ground struct {
	x, y, deep float64 // of the grain, per millimetre, and how deep
	far        float64 // from the scene to the wall; 0: there is none
	wall       [2]vec
	cell       float64 // of the wall's pattern
}

func (d dice) ground() ground {
	g := ground{x: 0.01, y: 0.01}
	if d.is(0.6) {
		g.x, g.y, g.deep = d.log(0.003, 0.1), d.log(0.01, 0.6), d.u(0.1, 1.6)
	}
	if d.is(0.6) {
		g.far, g.cell = d.log(70, 1500), d.log(0.003, 0.06)
		for i := range g.wall {
			g.wall[i] = d.varied(pick(d, bodies...), 0.3).linear().times(d.log(0.2, 1.2))
		}
	}
	return g
}

// at is the colour of a place of the ground that would be c.
func (g *ground) at(c vec, x, y, eyeX, eyeY float64) vec {
	if g.far > 0 {
		// behind the scene as the camera sees it
		if reach := math.Hypot(eyeX, eyeY); -(x*eyeX+y*eyeY)/reach > g.far {
			a := math.Atan2(y-eyeY, x-eyeX)
			b := math.Atan2(reach, math.Hypot(x-eyeX, y-eyeY))
			k := cloud(a*g.cell*2e3, b*g.cell*6e3, g.cell)
			return g.wall[0].times(k).plus(g.wall[1].times(1 - k))
		}
	}
	if g.deep > 0 {
		return c.times(max(0.1, 1+g.deep*(cloud(x*g.x, y*g.y, g.deep)+0.5*cloud(3*x*g.x, 3*y*g.y, g.deep+1)-0.75)))
	}
	return c
}

func (s *scene) camera(v view, low, high float64) {
	d := s.d
	tilt, far, turn := v.tilt, v.far, v.turn
	aim := vec{d.u(-1.3, 1.3) * v.aim * far / 1.2, d.u(-1, 1) * v.aim * far / 1.2, 0}
	s.eye = vec{
		aim[0] - far*math.Cos(tilt)*math.Sin(turn),
		aim[1] - far*math.Cos(tilt)*math.Cos(turn),
		far * math.Sin(tilt),
	}
	s.ahead = aim.minus(s.eye).unit()
	right := vec{s.ahead[1], -s.ahead[0], 0}.unit()
	down := s.ahead.cross(right)
	sin, cos := math.Sincos(v.roll + d.n(0.03))
	s.right, s.down = right.times(cos).plus(down.times(sin)), down.times(cos).minus(right.times(sin))
	reach := math.Sqrt(s.eye.dot(s.eye))
	s.scale = low * math.Pow(high/low, math.Pow(d.Float64(), 1.2)) / s.thick
	if !v.above {
		s.scale /= math.Sqrt(1 - s.eye[2]*s.eye[2]/(reach*reach))
	}
	s.scale = min(s.scale, 4.2)
	s.focal = s.scale * reach
}

func (s *scene) light() {
	d := s.d
	n, sum := pick(d, 1, 2, 2, 3), 0.0
	for range n {
		at := vec{d.u(-1000, 1000), d.u(-1000, 1000), d.u(900, 2300)}
		half := d.u(100, 550)
		if d.is(0.25) {
			half = d.u(10, 100)
		}
		toward := at.times(-1).unit()
		u := vec{toward[1], -toward[0] + 1e-3, 0}.unit()
		warm := d.Float64()
		l := lamp{at: at, u: u.times(half), v: toward.cross(u).times(half), n: toward}
		far := at.dot(at)
		p := d.u(0.5, 1.5) * far * math.Sqrt(far) / at[2]
		sum += p * at[2] / far / math.Sqrt(far)
		l.power = vec{1, 0.97 - 0.17*warm, 0.95 - 0.4*warm}.times(p)
		s.lamps = append(s.lamps, l)
	}
	for i := range s.lamps {
		l := &s.lamps[i]
		l.power = l.power.times(1 / sum) // on the felt at the origin they make 1 together
		far := l.at.dot(l.at)
		s.lamplight = s.lamplight.plus(l.power.times(l.at[2] / far / math.Sqrt(far)))
	}
	s.room = vec{d.u(0.8, 1), d.u(0.85, 1), d.u(0.85, 1.05)}.times(d.u(0.05, 0.5))
	s.exposed()
}

// exposed sets the camera's exposure to the light.
func (s *scene) exposed() { s.gain = s.d.log(0.7, 3.5) / (1 + s.room.mean()) }

// stand puts up a stack at the origin and others about it.
func (s *scene) stand(most int) {
	d := s.d
	places := [][2]float64{{}}
	for range pick(d, 0, 1, 2, 3, 3, 4) {
		gap := d.u(5, 90)
		if d.is(0.6) {
			gap = d.u(0.3, 6)
		}
		angle := d.u(0, 2*math.Pi)
		if d.is(0.4) { // before it
			angle = math.Atan2(s.eye[1], s.eye[0]) + d.n(0.5)
		}
		at := [2]float64{math.Cos(angle) * (s.diameter + gap), math.Sin(angle) * (s.diameter + gap)}
		free := true
		for _, p := range places[1:] {
			free = free && math.Hypot(at[0]-p[0], at[1]-p[1]) > s.diameter+0.4
		}
		if free {
			places = append(places, at)
		}
	}
	sloppy := pick(d, 0.4, 1, 1, 1.6)
	for _, at := range places {
		lean := pick(d, 0, 0, 0.12, 0.25)
		lx, ly, each := d.n(lean), d.n(lean), pick(d, 0.15, 0.4, 0.7)*sloppy
		p := pile{foot: at, radius: s.diameter / 2}
		var dx, dy, z float64
		for i, k := range s.contents(most) {
			if i > 0 {
				dx, dy = 0.8*dx+d.n(each), 0.8*dy+d.n(each)
			}
			t := s.thick * d.u(1, 1.008)
			c := disc{
				x:    at[0] + dx + float64(i)*lx,
				y:    at[1] + dy + float64(i)*ly,
				z:    z,
				t:    t,
				turn: d.Float64(),
				seed: float64(d.IntN(500)),
				kind: k,
			}
			z += t
			p.chips = append(p.chips, c)
		}
		p.measured(s.palette)
		s.piles = append(s.piles, p)
	}
}

func (s *scene) cloth() {
	d := s.d
	base := d.varied(pick(d, felts...), 0.18)
	if d.is(0.15) {
		base = vec{d.u(0.05, 0.6), d.u(0.05, 0.6), d.u(0.05, 0.6)}
	}
	s.base = base.linear()
	at := func(far float64) (x, y float64) { return d.u(-far, far), d.u(-far, far) }
	for range pick(d, 0, 1, 2, 3, 5, 8, 12) {
		p := mark{
			r:    d.u(15, 90),
			s:    d.u(8, 80),
			wide: d.u(1.5, 7),
			what: d.IntN(5),
			full: d.is(0.3),
			ink:  d.varied(pick(d, inks...), 0.08).linear(),
		}
		p.x, p.y = at(130)
		s.prints = append(s.prints, p)
	}
	for range pick(d, 0, 0, 0, 1, 2) {
		p := mark{
			what: pick(d, 5, 6),
			turn: d.u(0, 6.3),
			ink:  vec{d.u(0, 0.5), d.u(0, 0.5), d.u(0, 0.5)},
			full: d.is(0.3),
			r:    d.u(0.7, 1.2),
			s:    d.u(1, 90),
		}
		p.x, p.y = at(110)
		k := pick(d, s.palette...)
		p.kind = &k
		s.prints = append(s.prints, p)
	}
	s.grain, s.joint, s.edge = d.u(0.02, 0.08), d.u(0.1, 0.8), d.u(0.25, 0.6)
	turn := d.u(0, 2*math.Pi)
	s.end = [3]float64{math.Cos(turn), math.Sin(turn), 1e6}
	if d.is(0.15) {
		s.end[2] = d.u(60, 300)
	}
	s.rail = d.varied(pick(d, vec{77, 46, 26}, vec{60, 60, 60}, vec{130, 130, 130}), 0.5).linear()
}
