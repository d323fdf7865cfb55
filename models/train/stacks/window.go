package main

import (
	"math"

	"vision/recognize/stack"
)

// Sizes of pictures of whole scenes: the stacks that are told of each, and what is told of one.
const (
	pileMost = 6
	pileTold = 8 // middle x, y, half axes and foot x, y in pixels, the share of the face that shows, the number of chips
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
	s.picture = append(s.picture, d.lens().developed(d, sc.rendered(left, top, w, h), w, h, sc.gain)...)
	s.size = append(s.size, int32(h), int32(w))
	told := make([]float32, pileMost*pileTold)
	for i := range sc.piles {
		p := &sc.piles[i]
		f := stack.Face{Px: view.ToImageAt(at(p.face[0], p.face[1]), p.tall), Count: 1, Diameter: sc.diameter, Thick: p.tall}
		foot := view.ToImage(at(p.foot[0], p.foot[1]))
		half := func(right, near float64) float64 {
			a, b := f.Moved(view, right, near).Px, f.Moved(view, -right, -near).Px
			return math.Hypot(a[0]-b[0], a[1]-b[1]) / 2
		}
		for k, v := range []float64{f.Px[0], f.Px[1], half(sc.diameter/2, 0), half(0, sc.diameter/2), foot[0], foot[1],
			sc.shows(view, i, sc.nearer(i)), float64(len(p.chips))} {
			told[i*pileTold+k] = float32(v)
		}
	}
	s.stacks = append(s.stacks, told...)
	return nil
}
