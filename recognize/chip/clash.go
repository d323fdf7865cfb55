package chip

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// Two stacks cannot stand in one another: of such a pair the worse face was seen in the other's
// side, or twice.

// clash names the worse of two stacks that stand in one another, -1 when none do.
func (s *search) clash(tops []top, cs []counted) int {
	for i := range cs {
		for j := range cs {
			if i != j && s.inSide(tops[i], cs[i], tops[j], cs[j]) && !s.stands(tops, cs, i, j) {
				return i
			}
		}
	}
	for i := range cs {
		for j := range i {
			wide := s.hint.Palette[cs[i].kinds[0]].Diameter + s.hint.Palette[cs[j].kinds[0]].Diameter
			if !inOne(cs[i].foot, cs[j].foot, wide) {
				continue
			}
			if tops[i].score < tops[j].score {
				return i
			}
			return j
		}
	}
	return -1
}

// inOne reports whether stacks whose feet are on two places would stand in one another, of
// diameters of so many millimetres together.
func inOne(a, b fact.Point, wide float64) bool {
	return math.Hypot(a[0]-b[0], a[1]-b[1]) < par.place.clash*wide
}

// coverBy marks the pixels of a stack as taken, and where it may stand.
func (s *search) coverBy(c counted) {
	covers := len(s.covers)
	s.cover(s.contour(c))
	for i := range s.covers[covers:] {
		by := &s.covers[covers+i]
		by.wide = s.hint.Palette[c.kinds[0]].Diameter
		by.feet = [2]fact.Point{s.foot(c.top, c.px, c.low), s.foot(c.top, c.px, c.high)}
	}
}

// withoutClashing are the heights under a face by which it does not stand in a nearer stack, wherever that
// may stand. All, where the likeliest does: then one of the two faces is none (clash).
func (s *search) withoutClashing(
	all []hypothesis, best hypothesis, foot func(hypothesis) fact.Point, kind int,
) []hypothesis {
	inNearer := func(h hypothesis) bool {
		at, wide := foot(h), s.hint.Palette[kind].Diameter
		return slices.ContainsFunc(s.covers, func(c cover) bool {
			return c.wide > 0 && inOne(at, c.feet[0], wide+c.wide) && inOne(at, c.feet[1], wide+c.wide)
		})
	}
	if s.onPlaque || inNearer(best) {
		return all
	}
	return slices.DeleteFunc(all, inNearer)
}

// inSide reports whether a poor face is only the side of a higher stack, of which
// the far better face was found above it and which may stand in the same place: as it was
// counted, where its foot shows.
func (s *search) inSide(t top, c counted, higher top, h counted) bool {
	if higher.score < t.score+par.place.poorer || higher.px[1] >= t.px[1] {
		return false
	}
	thick, width := s.hint.Palette[higher.kind].Thickness, s.hint.Palette[higher.kind].Diameter
	most := s.opts.Most
	if !h.hidden {
		most = min(most, h.high)
	}
	for n := len(c.kinds) + 1; n <= most; n++ {
		foot := s.hint.View.ToTableAt(higher.px, float64(n)*thick)
		if inOne(foot, c.foot, width) {
			return true
		}
	}
	return false
}

// stands reports whether a face that may be the side of a higher stack has a stack of its own:
// chips that were counted surely down to the felt, without which nobody can count the higher
// one, though nothing hides its foot then.
func (s *search) stands(tops []top, cs []counted, i, higher int) bool {
	if cs[i].hidden || cs[i].p < s.opts.Accept {
		return false
	}
	s.coverAll(cs[:higher], i)
	c := s.counted(tops[higher], s.showing(tops[higher+1:]))
	s.coverAll(cs, -1)
	return c.p < s.opts.Accept
}
