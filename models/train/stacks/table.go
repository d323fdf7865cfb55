package main

import (
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
	"vision/recognize/stack"
)

// table is a picture of stacks of which everything is known, path-traced or drawn.
type table struct {
	dice
	view            *calibration.View
	pic             stack.Picture
	at              fact.Point // of the picture's first pixel, in the camera's
	stacks          []standing
	others          []standing // places of other things
	diameter, thick float64
	known           int // kinds of chips
	// shown are the colours of a kind's face and edge as the camera takes them, 0 to 1, in a light so many
	// times the picture's.
	shown func(kind int, light float64) (face, edge vec)
}

// standing is a stack: the middles of its upper face and of its lowest chip and its height in millimetres, its
// kinds from the upper chip down.
type standing struct {
	face, foot fact.Point
	tall       float64
	kinds      []int
}

// window is a part of the picture and the stacks whose upper faces have their middle in it.
func (t *table) window(left, top, w, h int) *table {
	out := *t
	out.at, out.stacks = fact.Point{float64(left), float64(top)}, nil
	out.pic = stack.Picture{Pix: make([]byte, 0, 3*w*h), W: w, H: h}
	for y := range h {
		row := t.pic.Pix[3*((top+y)*t.pic.W+left):][:3*w]
		for x := 0; x < len(row); x += 3 {
			out.pic.Pix = append(out.pic.Pix, row[x+t.pic.Red], row[x+1], row[x+2-t.pic.Red])
		}
	}
	for _, s := range t.stacks {
		px := t.view.ToImageAt(s.face, s.tall)
		if px[0] >= out.at[0] && px[1] >= out.at[1] && px[0] < out.at[0]+float64(w) && px[1] < out.at[1]+float64(h) {
			out.stacks = append(out.stacks, s)
		}
	}
	return &out
}

// shows is the share of the i-th stack's face that no nearer one hides.
func (t *table) shows(i int) float64 {
	p, nearer, shown := &t.stacks[i], t.nearer(i), 0
	for k := range 48 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 8)
		r := []float64{0.35, 0.65, 0.9}[k/16] * t.diameter / 2
		at := fact.Point{p.face[0] + r*cos, p.face[1] + r*sin}
		if !slices.ContainsFunc(nearer, func(n stack.Standing) bool { return n.Hides(t.view, at, p.tall) }) {
			shown++
		}
	}
	return float64(shown) / 48
}

// nearer are the stacks between the camera and the i-th one, and what lies on it.
func (t *table) nearer(i int) (out []stack.Standing) {
	eye := t.view.Eye()
	far := func(s *standing) float64 { return math.Hypot(s.face[0]-eye[0], s.face[1]-eye[1]) }
	for k := range t.stacks {
		s, o := &t.stacks[k], &t.stacks[i]
		on := s.tall > o.tall && math.Hypot(s.face[0]-o.face[0], s.face[1]-o.face[1]) < t.diameter
		if on || far(s) < far(o) {
			out = append(out, stack.Standing{At: s.face, R: t.diameter / 2, Tall: s.tall})
		}
	}
	return out
}

// look unrolls one side under a face that is nearly, or not, where the i-th stack's is.
func (s *shard) look(t *table, i int, number int32, real bool) {
	d, p, view, pic, near := t.dice, &t.stacks[i], t.view, t.pic, t.nearer(i)
	n := len(p.kinds)
	f := stack.Face{
		Px:       view.ToImageAt(p.face, p.tall),
		Count:    float64(n),
		Diameter: t.diameter * math.Exp(d.n(0.006)),
		Thick:    t.thick * 1.004 * math.Exp(d.n(0.005)),
	}
	sd := pick(d, 0.15, 0.3, 0.6, 0.6, 1.4)
	f = f.Moved(view, d.n(sd), d.n(sd))
	if d.is(0.4) {
		f.Count = max(1, f.Count+math.Round(d.n(2.5)))
	}
	if !real {
		far, turn := d.u(0.25, 0.9)*t.diameter, d.u(0, 2*math.Pi)
		if d.is(0.6) { // up or down the side
			a, b := f.Px, view.ToImageAt(view.ToTableAt(f.Px, f.Tall()), f.Tall()-t.thick)
			k := d.u(1.6, 8)
			if d.is(0.3) {
				k = -k / 2
			}
			f.Px = fact.Point{a[0] + k*(b[0]-a[0]), a[1] + k*(b[1]-a[1])}
			far = d.u(0, 0.1) * t.diameter
		}
		f = f.Moved(view, far*math.Cos(turn), far*math.Sin(turn))
		if len(t.others) > 0 && d.is(0.5) {
			o := pick(d, t.others...)
			f.Px = view.ToImageAt(o.face, o.tall)
		}
		for i := range t.stacks { // not the face of another
			q := &t.stacks[i]
			a := view.ToImageAt(q.face, q.tall)
			g := f
			g.Count = q.tall / g.Thick
			if r, b := g.Between(view, q.face); math.Hypot(r, b) < 0.16*t.diameter ||
				math.Hypot(a[0]-f.Px[0], a[1]-f.Px[1]) < 1 {
				return
			}
		}
		if f.Px[0] < 3 || f.Px[1] < 3 || f.Px[0] > float64(pic.W)-3 || f.Px[1] > float64(pic.H)-3 {
			return
		}
		f.Count = max(1, math.Round(d.u(0, 12)))
	}
	var hiding []stack.Standing
	for _, c := range near {
		if d.is(0.9) {
			if d.is(0.3) {
				c.Tall = max(t.thick, c.Tall+pick(d, -1.0, 1, 2)*t.thick)
			}
			c.At[0], c.At[1] = c.At[0]+d.n(0.4), c.At[1]+d.n(0.4)
			hiding = append(hiding, c)
		}
	}
	side := make([]byte, pixels)
	pic.Unroll(view, f, hiding, side)
	seen := f.Seen(view)
	s.side, s.seen, s.scene = append(s.side, side...), append(s.seen, seen[:]...), append(s.scene, number)
	if real {
		g := f
		g.Count = p.tall / g.Thick
		right, nearer := g.Between(view, p.face)
		s.offset, s.count = append(s.offset, float32(right), float32(nearer)), append(s.count, int32(n))
	} else {
		s.offset, s.count = append(s.offset, 0, 0), append(s.count, 0)
	}
	for i := range stack.Most {
		k := int8(-1)
		if real && i < n {
			k = int8(p.kinds[i])
		}
		s.kinds = append(s.kinds, k)
	}
	light := math.Exp(d.n(0.1)) // it may have changed since the palette was taken
	for i := range kindsKnown {
		var c [2]vec
		if i < t.known {
			c[0], c[1] = t.shown(i, light)
		}
		for _, v := range append(c[0][:], c[1][:]...) {
			s.palette = append(s.palette, float32(min(max(255*v+d.n(4), 0), 255)))
		}
	}
	s.known = append(s.known, int32(t.known))
	share := func(from, to int) float32 {
		hidden, all := 0, 0
		for y := max(0, from); y < min(to, stack.High); y++ {
			for x := range stack.Wide {
				all++
				hidden += int(side[(3*stack.High+y)*stack.Wide+x]) / 255
			}
		}
		return 1 - float32(hidden)/float32(max(1, all))
	}
	foot := stack.Rows * (stack.Above + n)
	s.shown = append(s.shown, share(stack.Rows*stack.Above, foot), share(foot-stack.Rows, foot+stack.Rows))
}
