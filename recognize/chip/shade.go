package chip

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// A hand, or somebody who leans over the table, throws a shadow on a part of a zone. What the
// bare felt looks like tells the light there: chips in it are looked for in that light, besides
// those that were found in the light on most of the zone.

// shaded is the part of a zone, tile by tile, on or about which the felt lies in one light.
type shaded struct {
	light float64
	tiles []bool
}

// shades are the parts of the zone in another light than most of it by a step and more, the
// darkest first; none where the bare felt is not known.
func (s *search) shades(w wear) (out []shaded) {
	most, ok := s.lightOnMost(w)
	if !ok {
		return nil
	}
	usual, tiles := s.light(w), map[float64][]bool{}
	for i, light := range s.lightByTile() {
		if light == 0 || lightStepOf(light/most) == 0 {
			continue
		}
		step := math.Pow(par.colour.lightStep, float64(lightStepOf(light)))
		if step == usual {
			continue
		}
		if tiles[step] == nil {
			tiles[step] = make([]bool, len(s.ground.tiles))
			out = append(out, shaded{step, tiles[step]})
		}
		s.ground.about(i, func(j int) { tiles[step][j] = true })
	}
	slices.SortFunc(out, func(a, b shaded) int { return cmp.Compare(a.light, b.light) })
	return out
}

// lightByTile is by how much more light lies on the felt than on the picture of it bare, tile
// by tile; 0 where little of a tile shows felt.
func (s *search) lightByTile() []float64 {
	const some = 5 // one in so many of the felt's pixels is enough
	lights, all := make([][]float64, len(s.ground.tiles)), make([]int, len(s.ground.tiles))
	for k := 0; k < len(s.ground.felt); k += some {
		i, tile := int(s.ground.felt[k]), s.ground.under[k]
		all[tile]++
		if light, ok := againstBare(s.color(i), colorAt(s.hint.Felt.empty, i)); ok {
			lights[tile] = append(lights[tile], light)
		}
	}
	out := make([]float64, len(lights))
	for i, ls := range lights {
		if 2*len(ls) > all[i] {
			slices.Sort(ls)
			out[i] = ls[len(ls)/2]
		}
	}
	return out
}

// inShade finds the stacks in the parts of the zone in another light, besides those that were
// found in the light on most of it.
func (s *search) inShade(r *Reader, w wear, found []counted) (all []counted, err error) {
	usual := s.light(w)
	tones, memory := s.tones, s.memory
	defer func() { s.tones, s.memory, s.only, s.stood = tones, memory, nil, nil }()
	all = found
	beside := s.beside
	for _, sh := range s.shades(w) {
		if s.tones, err = r.tonesFor(s.hint.Palette, w, sh.light, s.felt.times(sh.light/usual)); err != nil {
			return nil, err
		}
		s.memory, s.only, s.stood = nil, sh.tiles, all
		s.scratch.forget()
		all = slices.Concat(all, s.findStacks())
		beside = slices.Concat(beside, s.beside)
		slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(b.px[1], a.px[1]) })
	}
	s.beside = beside
	if s.stood != nil {
		s.scratch.forget()
		s.coverAll(all, -1)
	}
	return all, nil
}

// withoutStood drops the faces that show in stacks which stand there, or would stand in one.
func (s *search) withoutStood(tops []top) []top {
	if len(s.stood) == 0 {
		return tops
	}
	s.taken = s.scratch.taken
	s.coverAll(s.stood, -1)
	return slices.DeleteFunc(tops, func(t top) bool {
		i, ok := s.index(t.px)
		return !ok || s.taken[i] || slices.ContainsFunc(s.stood, func(c counted) bool {
			wide := s.hint.Palette[t.kind].Diameter + s.hint.Palette[c.kinds[0]].Diameter
			return inOne(s.foot(t, t.px, 1), c.foot, wide)
		})
	})
}

// coverNearer covers the stacks that stand nearer to the camera than a face, of those from k on,
// nearest first; it gives the first that does not.
func (s *search) coverNearer(k int, px fact.Point) int {
	for ; k < len(s.stood) && s.stood[k].px[1] > px[1]; k++ {
		s.coverBy(s.stood[k])
	}
	return k
}
