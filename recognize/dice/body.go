package dice

import (
	"math"
	"slices"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// weigh holds the outline of the die that would carry the face against what is
// no felt: the die fills it, and little goes on beyond it. Only that distinguishes an
// upper face from one that is seen on a die's side.
func (s *search) weigh(f *face) {
	f.worth = f.score
	if s.hint.Drop <= 0 {
		return
	}
	in, out := s.outline(f)
	f.worth -= faceBodyWeight*(1-in) + faceRimWeight*out
}

// suppress leaves out the faces of which the whole die would stand in others:
// spots on their sides.
func (s *search) suppress(faces []face) []face {
	if s.hint.Drop <= 0 {
		return faces
	}
	for len(faces) > 1 {
		worst, most := -1, faceHiding
		for i := range faces {
			if c := s.covered(faces, i); c > most {
				worst, most = i, c
			}
		}
		if worst < 0 {
			break
		}
		faces = slices.Delete(faces, worst, worst+1)
	}
	return faces
}

// covered is the share of a die's picture that lies within the others'.
func (s *search) covered(faces []face, i int) float64 {
	others := s.others(faces, i, 1)
	n, in := 0.0, 0.0
	for _, p := range s.body(&faces[i]) {
		n++
		if inAny(others, p) {
			in++
		}
	}
	return in / n
}

// inside reports whether a point lies in the picture.
func (s *search) inside(p fact.Point) bool {
	return p[0] >= 0 && p[1] >= 0 && p[0] < float64(s.w) && p[1] < float64(s.h)
}

// others are the pictures of all dice but one, enlarged by a factor: what is
// close to one is blurred.
func (s *search) others(faces []face, i int, by float64) [][]fact.Point {
	var out [][]fact.Point
	for k := range faces {
		if k != i {
			out = append(out, grown(s.shape(&faces[k]), by))
		}
	}
	return out
}

// outline is the share of the die's picture that is no felt, and the share of
// a line close round it. What lies outside the picture counts as felt.
func (s *search) outline(f *face) (in, out float64) {
	filled, _ := s.filled(f)
	fore, _, all := s.line(s.shape(f), nil, faceRimAt)
	return filled / float64(3*len(inner)), fore / max(all, 1)
}

// filled counts the points of the die's picture that are no felt, and those
// that can be seen at all.
func (s *search) filled(f *face) (fore, seen float64) {
	for _, p := range s.body(f) {
		if s.inside(p) {
			seen++
		}
		if s.isFore(p[0], p[1]) {
			fore++
		}
	}
	return fore, seen
}

// inner are points all over a face, in half edges, row by row.
var inner = func() (out []fact.Point) {
	at := [5]float64{-0.88, -0.45, 0, 0.45, 0.88}
	for _, y := range at {
		for _, x := range at {
			out = append(out, fact.Point{x, y})
		}
	}
	return out
}()

// body are points all over the picture of the die that carries a face.
func (s *search) body(f *face) []fact.Point {
	out := s.points[:0]
	for _, p := range inner {
		top := s.at(f, p)
		foot := s.under(top, 1)
		for _, k := range [3]float64{0, 0.5, 1} {
			out = append(out, fact.Point{top[0] + k*(foot[0]-top[0]), top[1] + k*(foot[1]-top[1])})
		}
	}
	s.points = out
	return out
}

// shape is the outline of the die that carries a face.
func (s *search) shape(f *face) []fact.Point { return s.pile(f, 1) }

// at is a point of a face's plane, in half edges from its middle.
func (s *search) at(f *face, p fact.Point) fact.Point { return f.at(p, s.hint.Edge) }

// along is the share of a line round an outline, so many edges outside it, that
// is no felt; only what can be seen and does not lie in others counts.
func (s *search) along(outline []fact.Point, others [][]fact.Point, outside float64) float64 {
	fore, seen, _ := s.line(outline, others, outside)
	return fore / max(seen, 1)
}

// line measures a line round an outline, so many edges outside it, without what
// lies in others: what of it is no felt, what lies in the picture, and all of it. Known
// print counts as felt only outside the outline: a white die on white print is a die.
func (s *search) line(outline []fact.Point, others [][]fact.Point, outside float64) (fore, seen, all float64) {
	const samples = 6
	for i, a := range outline {
		b := outline[(i+1)%len(outline)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		l := math.Hypot(dx, dy)
		if l < s.hint.Edge/10 {
			continue
		}
		nx, ny := dy/l*outside*s.hint.Edge, -dx/l*outside*s.hint.Edge // the hull runs so that this is outward
		for k := range samples {
			t := (float64(k) + 0.5) / samples
			p := fact.Point{a[0] + t*dx + nx, a[1] + t*dy + ny}
			if inAny(others, p) {
				continue
			}
			if all += l; s.inside(p) {
				seen += l
			}
			if outside < 0 && s.isFore(p[0], p[1]) || outside >= 0 && s.occupied(p) {
				fore += l
			}
		}
	}
	return fore, seen, all
}

// inAny reports whether a point lies in one of some outlines.
func inAny(outlines [][]fact.Point, p fact.Point) bool {
	return slices.ContainsFunc(outlines, func(o []fact.Point) bool { return geometry.Contains(o, p) })
}

// grown is an outline enlarged about its middle.
func grown(outline []fact.Point, by float64) []fact.Point {
	var c fact.Point
	for _, p := range outline {
		c[0] += p[0] / float64(len(outline))
		c[1] += p[1] / float64(len(outline))
	}
	out := make([]fact.Point, len(outline))
	for i, p := range outline {
		out[i] = fact.Point{c[0] + by*(p[0]-c[0]), c[1] + by*(p[1]-c[1])}
	}
	return out
}
