package main

import (
	"math"
	"slices"

	"vision/recognize/stack"
)

// Sizes of pictures of whole scenes: the stacks that are told of each, and what is told of one.
const (
	pileMost = 6
	// middle x, y, half axes and foot x, y in pixels, the share of the face that shows, the number of chips, and
	// the way down in the picture, a unit vector
	pileTold = 10
	pixMost  = 90_000
)

// scenes is a shard of pictures of whole scenes.
type scenes struct {
	picture []byte
	size    []int32
	stacks  []float32
}

// arrays are what the file holds.
func (s *scenes) arrays() []array {
	n := len(s.size) / 2
	return []array{{"picture", "|u1", []int{len(s.picture)}, s.picture}, {"size", "<i4", []int{n, 2}, s.size},
		{"stacks", "<f4", []int{n, pileMost, pileTold}, s.stacks}}
}

func (s *scenes) sides() int { return len(s.size) / 2 }

// add renders a scene; one that is too large is left out.
func (s *scenes) add(sc *scene, _ int32) error {
	d := sc.d
	x0, y0, x1, y1 := 1e9, 1e9, -1e9, -1e9
	r := 0.6 * sc.diameter
	for i := range sc.piles {
		p := &sc.piles[i]
		for k := range 8 {
			x, y := sc.project(vec{p.mx + r*float64(k&1*2-1), p.my + r*float64(k>>1&1*2-1), p.tall * float64(k>>2)})
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
	}
	room := func() float64 { return d.u(0, 1.5) * sc.diameter * sc.scale }
	left, top := int(x0-room()), int(y0-room())
	w, h := int(x1+room())-left, int(y1+room())-top
	if w*h > pixMost || len(sc.piles) > pileMost {
		return nil
	}
	view, err := sc.view(left, top, w, h)
	if err != nil {
		return err
	}
	l := d.lens()
	t := sc.table(view, l)
	t.pic = stack.Picture{Pix: l.developed(d, sc.rendered(left, top, w, h), w, h, sc.gain), W: w, H: h}
	s.keep(t)
	return nil
}

// keep adds a picture and what stands in it.
func (s *scenes) keep(t *table) {
	s.picture = append(s.picture, t.pic.Pix...)
	s.size = append(s.size, int32(t.pic.H), int32(t.pic.W))
	told := make([]float32, pileMost*pileTold)
	for i := range t.stacks {
		p := &t.stacks[i]
		f := stack.Face{Px: t.view.ToImageAt(p.face, p.tall), Count: 1, Diameter: t.diameter, Thick: p.tall}
		foot := t.view.ToImage(p.foot)
		// not where the foot is: a stack may lean
		down := t.view.ToImageAt(p.face, p.tall-t.diameter/2)
		dx, dy := down[0]-f.Px[0], down[1]-f.Px[1]
		long := max(math.Hypot(dx, dy), 1e-6)
		half := func(right, near float64) float64 {
			a, b := f.Moved(t.view, right, near).Px, f.Moved(t.view, -right, -near).Px
			return math.Hypot(a[0]-b[0], a[1]-b[1]) / 2
		}
		for k, v := range []float64{
			f.Px[0] - t.at[0], f.Px[1] - t.at[1], half(t.diameter/2, 0), half(0, t.diameter/2),
			foot[0] - t.at[0], foot[1] - t.at[1], t.shows(i), float64(len(p.kinds)), dx / long, dy / long,
		} {
			told[i*pileTold+k] = float32(v)
		}
	}
	s.stacks = append(s.stacks, told...)
}

// tell adds windows of a picture, each about one of the things in it.
func (s *scenes) tell(t *table, _ int32) {
	for _, o := range slices.Concat(t.stacks, t.others) {
		if t.is(0.6) {
			continue
		}
		// of a window without stacks the scale is not known
		w := min(t.pic.W, int(t.u(120, 400)))
		h := min(t.pic.H, int(t.u(0.4, 1)*float64(pixMost)/float64(w)))
		px := t.view.ToImageAt(o.face, o.tall)
		left := min(max(0, int(px[0]-t.u(0.1, 0.9)*float64(w))), t.pic.W-w)
		top := min(max(0, int(px[1]-t.u(0.1, 0.9)*float64(h))), t.pic.H-h)
		if cut := t.window(left, top, w, h); len(cut.stacks) > 0 && len(cut.stacks) <= pileMost {
			s.keep(cut)
		}
	}
}
