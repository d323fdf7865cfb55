package main

import (
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
	"vision/models/train/camera"
	"vision/recognize/stack"
)

// shots are the pictures that are taken of a drawn table.
const shots = 3

// drawn lays stacks on one of the simulator's tables and gives each of its pictures.
func drawn(d dice, each func(*table)) error {
	sizes := [][2]int{{960, 540}, {1280, 720}, {1920, 1080}, {1920, 1080}, {2560, 1440}}
	cfg := sim.Config{
		Game:    pick(d, sim.Games()...),
		Seed:    d.Uint64(),
		Plaques: d.is(0.15),
		Size:    pick(d, sizes...),
	}
	var err error
	name := pick(d, condition.Ideal, condition.House, condition.House, condition.Hard)
	if cfg.Condition, err = condition.Named(name); err != nil {
		return err
	}
	s, err := sim.NewStill(cfg)
	if err != nil {
		return err
	}
	defer s.Close()
	cam, err := camera.Of(s)
	if err != nil {
		return err
	}
	defer cam.Close()
	cal := s.Calibration()
	view, err := cal.View()
	if err != nil {
		return err
	}
	chips := slices.DeleteFunc(slices.Clone(cal.Palette), calibration.Chip.Plaque)
	for range shots {
		s.Clear()
		laid, err := laid(d, s, &cal)
		if err != nil {
			return err
		}
		others, err := plates(d, s, &cal, laid)
		if err != nil {
			return err
		}
		img, err := cam.Take()
		if err != nil {
			return err
		}
		pix, err := img.DataPtrUint8()
		if err != nil {
			return err
		}
		t := &table{
			dice:     d,
			view:     view,
			pic:      stack.Picture{Pix: pix, W: img.Cols(), H: img.Rows(), Red: 2},
			others:   others,
			diameter: chips[0].Diameter,
			thick:    chips[0].Thickness,
		}
		known, err := t.stand(laid, chips)
		if err != nil {
			return err
		}
		t.known = len(known)
		t.shown = func(kind int, light float64) (face, edge vec) {
			c := known[kind]
			return c[0].times(light), c[1].times(light)
		}
		each(t)
	}
	return nil
}

// laid lays stacks on the zones that hold some, and on places of a layout that are near one another.
func laid(d dice, s *sim.Still, cal *calibration.Table) (out []sim.Stack, err error) {
	if z, ok := cal.Zone("layout"); ok && z.Wants("chips") && d.is(0.5) {
		return crowd(d, s, cal)
	}
	for _, z := range cal.Zones {
		if !z.Wants("chips") || z.Spot == "pay" || d.is(0.3) {
			continue
		}
		most := 2
		if z.Name == "layout" {
			most = 8
		}
		list, err := s.Standing(z.Name, 1+d.IntN(most), pick(d, 5, 12, 20), d.is(0.5))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// crowd lays a stack on each of several places of a layout, all about one of them.
func crowd(d dice, s *sim.Still, cal *calibration.Table) (out []sim.Stack, err error) {
	var spots []calibration.Zone
	for _, z := range cal.Zones {
		if z.Spot != "" && z.Seat == 0 && len(z.Reads) == 0 {
			spots = append(spots, z)
		}
	}
	if len(spots) == 0 {
		return nil, nil
	}
	far := func(a, b fact.Point) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }
	middle, diameter := pick(d, spots...).Centre(), cal.Palette[0].Diameter
	for _, i := range d.Perm(len(spots)) {
		at := spots[i].Centre()
		near := slices.ContainsFunc(out, func(o sim.Stack) bool { return far(fact.Point(o.Foot), at) < 1.03*diameter })
		if far(middle, at) > pick(d, 60.0, 120, 250) || near {
			continue
		}
		list, err := s.Standing(spots[i].Name, 1, pick(d, 3, 8, 16), d.is(0.3))
		if err != nil {
			return nil, err
		}
		if out = append(out, list...); len(out) > 9 {
			break
		}
	}
	return out, nil
}

// plates lays piles of plaques where nothing stands yet, and gives where their faces are.
func plates(d dice, s *sim.Still, cal *calibration.Table, laid []sim.Stack) (out []standing, err error) {
	if !slices.ContainsFunc(cal.Palette, calibration.Chip.Plaque) {
		return nil, nil
	}
	for _, z := range cal.Zones {
		stands := func(o sim.Stack) bool { return z.Contains(fact.Point(o.Foot)) }
		if !z.Wants("chips") || d.is(0.5) || slices.ContainsFunc(laid, stands) {
			continue
		}
		n := 1 + d.IntN(4)
		if _, err := s.Plaques(z.Name, n, 0, true); err != nil {
			return nil, err
		}
		x := z.Centre()
		for range 2 {
			out = append(out, standing{face: fact.Point{x[0] + d.n(20), x[1] + d.n(12)}, tall: 4 * float64(n)})
		}
	}
	return out, nil
}

// stand takes the stacks over, and of the palette as many kinds as sides may name, among them those of the stacks.
func (t *table) stand(laid []sim.Stack, chips []calibration.Chip) (known [][2]vec, err error) {
	number := map[string]int{}
	add := func(c calibration.Chip) error {
		if _, ok := number[c.ID]; ok || len(known) == kindsKnown {
			return nil
		}
		face, err := calibration.ParseColor(c.Face)
		if err != nil {
			return err
		}
		edge, err := calibration.ParseColor(c.Edge)
		light := func(c calibration.RGB) vec {
			return vec{float64(c[0]), float64(c[1]), float64(c[2])}.times(1.0 / 255)
		}
		number[c.ID], known = len(known), append(known, [2]vec{light(face), light(edge)})
		return err
	}
	order := t.Perm(len(chips))
	used := func(c calibration.Chip) bool {
		return slices.ContainsFunc(laid, func(s sim.Stack) bool { return slices.Contains(s.Chips, c.ID) })
	}
	for _, first := range []bool{true, false} {
		for _, i := range order {
			if used(chips[i]) == first {
				if err := add(chips[i]); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, s := range laid {
		st := standing{face: fact.Point(s.Face), foot: fact.Point(s.Foot), tall: float64(len(s.Chips)) * t.thick}
		for _, id := range slices.Backward(s.Chips) {
			k, ok := number[id]
			if !ok {
				k = -1
			}
			st.kinds = append(st.kinds, k)
		}
		t.stacks = append(t.stacks, st)
	}
	return known, nil
}
