package dice

import (
	"math"
	"slices"
	"strconv"

	"vision/internal/fact"
)

// stands reports whether a die's outline is that of one which stands upright: no felt close
// within it, but at its foot, where a side in the shade passes for felt, and felt all about.
// Round edges and spots of other spacings, which make a face fit badly, do not change it; a die
// that leans has another. It needs a felt that is known: print about a die is no part of it then.
func (s *search) stands(f *face) bool {
	shape := s.shape(f)
	if s.hint.Drop <= 0 || !s.known(grown(shape, flatOthers)) {
		return false
	}
	in, of := s.filled(f)
	fore, seen := 0.0, 0.0
	for _, p := range s.above(f) {
		if seen++; s.isFore(p[0], p[1]) {
			fore++
		}
	}
	return in >= flatShaded*of && fore >= flatAbove*seen &&
		s.along(shape, nil, flatClose) <= flatRim && s.along(shape, nil, faceRimAt) <= flatRim
}

// above are points close within a die's outline, of the half that is further from its foot,
// between its corners, which may be round.
func (s *search) above(f *face) (out []fact.Point) {
	shape := s.shape(f)
	foot := s.under(fact.Point{f.x, f.y}, 1)
	down := fact.Point{foot[0] - f.x, foot[1] - f.y}
	for i, a := range shape {
		b := shape[(i+1)%len(shape)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		l := math.Hypot(dx, dy)
		if l < s.hint.Edge/10 {
			continue
		}
		for _, t := range [4]float64{0.2, 0.4, 0.6, 0.8} {
			p := fact.Point{a[0] + t*dx + dy/l*flatWithin*s.hint.Edge, a[1] + t*dy - dx/l*flatWithin*s.hint.Edge}
			if (p[0]-f.x)*down[0]+(p[1]-f.y)*down[1] <= 0.5*sq(math.Hypot(down[0], down[1])) && s.inside(p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// standing reports for each face that the network read whether its die stands upright, turned in
// some way: the search may have found no face there.
func (s *search) standing() {
	for _, u := range s.hint.seen {
		at := fact.Point{u.x - float64(s.corner.X), u.y - float64(s.corner.Y)}
		for k := range faceTurns {
			f := face{x: at[0], y: at[1], angle: float64(k) * math.Pi / float64(2*faceTurns)}
			u.stands = u.stands || s.inside(at) && s.stands(&f)
		}
	}
}

// flat reports whether both agree that the die of a face lies flat: the network by the square of
// its spots or, where it read the value alone, the search by the die's outline.
func (s *search) flat(f *face) bool { return s.square(f) || s.valueRead(f) && s.stands(f) }

// square reports whether the network saw that a face lies flat.
func (s *search) square(f *face) bool {
	return slices.ContainsFunc(s.hint.seen, func(u *upper) bool { return u.square && s.here(u, f) })
}

// valueRead reports whether the network read the value of a face.
func (s *search) valueRead(f *face) bool {
	return slices.ContainsFunc(s.hint.seen, func(u *upper) bool {
		label, _ := fact.Best(u.die.Guesses)
		return label == strconv.Itoa(f.value()) && s.here(u, f)
	})
}

// here reports whether the network saw a face where the search found one.
func (s *search) here(u *upper, f *face) bool {
	return math.Hypot(u.x-float64(s.corner.X)-f.x, u.y-float64(s.corner.Y)-f.y) < upperSame*s.hint.Edge/2
}
