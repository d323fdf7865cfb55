package dice

import (
	"math"
	"slices"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// classify returns for each face whether its die lies flat on the felt, and if not, in
// the words of the round record, how. One on another die stands on a tower of
// two; one on chips is a flat die before whose foot there is no felt; one that
// leans fits badly or does not fill its outline. What reads like a face on the
// sides of such dice is left out.
func (s *search) classify(faces []face) []face {
	if s.hint.Drop <= 0 {
		return faces
	}
	for i := 0; i < len(faces); i++ {
		f := &faces[i]
		if s.leans(f) {
			continue
		}
		switch {
		case s.tower(faces, i):
			f.irregular = "stacked"
			faces, i = s.without(faces, i, 2)
		case s.before(f, s.upright(faces, i)) > flatRaised:
			f.irregular = "on_chips"
			faces, i = s.without(faces, i, 1)
		}
	}
	for i := range faces {
		if f := &faces[i]; f.irregular == "" {
			switch {
			case s.leans(f) && s.stands(f):
				f.doubtful = true // its outline shows that it does not, its spots that it does
			case s.leans(f), s.lacking(f) > flatTilted && !s.flat(f):
				f.irregular = "cocked"
			case s.askew(faces, i): // beside print, or it leans a little
				f.doubtful = true
			}
		}
	}
	s.damaged(faces)
	return faces
}

// leans reports whether a face is not that of a die which stands upright.
func (s *search) leans(f *face) bool {
	if s.flat(f) {
		return false
	}
	in, of := s.filled(f)
	if f.value() == 1 {
		return f.score < flatOne || in < flatBody*of
	}
	return f.score < flatPoor || in < flatBody*of ||
		f.score < flatFit && (in < flatFullBody*of || s.lacking(f) > flatLacks)
}

// lacking is the share of a line close within a die's outline that is felt.
func (s *search) lacking(f *face) float64 { return 1 - s.along(s.shape(f), nil, flatWithin) }

// askew reports whether something about a face is not as with dice that lie flat.
func (s *search) askew(faces []face, i int) bool {
	f, others := &faces[i], s.others(faces, i, flatOthers)
	in, of := s.filled(f)
	rim := s.along(s.shape(f), others, faceRimAt)
	close := s.along(s.shape(f), others, flatClose)
	if s.flat(f) { // what stands out about it may still be chips
		return rim > flatRim || s.before(f, others) > flatPerhaps && !(s.valueRead(f) && s.stands(f))
	}
	sum := flatSum
	if s.known(grown(s.shape(f), flatOthers)) {
		sum = flatSumKnown
	}
	return rim > flatRim || s.lacking(f)+close > flatEdge ||
		s.before(f, others) > flatPerhaps && close > flatEdge/3 ||
		(1-f.score)/flatFitUnit+(1-in/max(of, 1))/flatBodyUnit+rim/flatRimUnit > sum
}

// upright are the pictures of the other dice that do not lean.
func (s *search) upright(faces []face, i int) [][]fact.Point {
	list := []face{faces[i]}
	for k := range faces {
		if k != i && !s.leans(&faces[k]) {
			list = append(list, faces[k])
		}
	}
	return s.others(list, 0, flatOthers)
}

// without leaves out the leaning faces that show in the picture of a pile of
// high dice under the face at i, which keeps its place in the order.
func (s *search) without(faces []face, i, high int) ([]face, int) {
	pile := s.pile(&faces[i], high)
	top := faces[i]
	out := slices.DeleteFunc(faces, func(f face) bool {
		return f != top && s.leans(&f) && geometry.Contains(pile, fact.Point{f.x, f.y})
	})
	return out, slices.Index(out, top)
}

// pile is the outline of so many dice on one another, the uppermost with this face.
func (s *search) pile(f *face, high int) []fact.Point {
	var corners []fact.Point
	for _, c := range faceCorners {
		top := s.at(f, c)
		corners = append(corners, top, s.under(top, float64(high)))
	}
	return geometry.Hull(corners)
}

// under is where the point so many edges right under a point of a face shows: the picture
// is rectified to the plane of upper faces.
func (s *search) under(p fact.Point, edges float64) fact.Point {
	k := edges * s.hint.Drop
	return fact.Point{p[0] + k*(s.hint.Eye[0]-p[0]), p[1] + k*(s.hint.Eye[1]-p[1])}
}

// tower reports whether a die stands on another: where that would show there is
// something of its colour, the tower ends where the felt begins, and no other
// die's upper face is in it.
func (s *search) tower(faces []face, i int) bool {
	f := &faces[i]
	whole, own := s.pile(f, 2), s.pile(f, 1)
	for k := range faces {
		if k != i && !s.leans(&faces[k]) && geometry.Contains(whole, fact.Point{faces[k].x, faces[k].y}) {
			return false
		}
	}
	n, in := 0.0, 0.0
	for _, q := range inner {
		for _, edges := range towerAt {
			p := s.under(s.at(f, q), edges)
			if geometry.Contains(own, p) {
				continue
			}
			if n++; s.occupied(p) {
				in++
			}
		}
	}
	return n >= towerLeast && in >= towerBody*n &&
		s.along(whole, nil, faceRimAt) < towerRim && s.sameBelow(f)
}

// before is the share of what shows before a die's foot, on the side of the
// camera, that is no felt; 0 where the camera looks straight down.
func (s *search) before(f *face, others [][]fact.Point) float64 {
	own := s.shape(f)
	n, fore := 0.0, 0.0
	for _, q := range inner {
		p := s.under(s.at(f, q), flatBeforeAt)
		if geometry.Contains(own, p) || inAny(others, p) {
			continue
		}
		if n++; s.occupied(p) || s.otherHue(p) {
			fore++
		}
	}
	if n < flatLeastBefore {
		return 0
	}
	return fore / n
}

// otherHue reports whether a point is darker than the felt there and not of its colour:
// black chips pass for felt in the shade otherwise. Print that is not known is taken to be
// lighter.
func (s *search) otherHue(p fact.Point) bool {
	c, ok := s.colour(p)
	felt, known := s.knownFelt(p)
	if !known {
		felt = s.felt
	}
	light := c[0] + c[1] + c[2]
	return ok && light > flatDark && light < felt[0]+felt[1]+felt[2] && cosine(c[:], felt[:]) < flatOtherHue
}

// sameBelow reports whether what is seen beyond a die's foot, towards the camera, has
// the colour of its own sides: another die of its kind.
func (s *search) sameBelow(f *face) bool {
	side := s.colourAlong(f, towerSide[0], towerSide[1])
	under := s.colourAlong(f, towerBelow[0], towerBelow[1])
	if side == nil || under == nil {
		return false
	}
	return cosine(side, under) >= towerSameSide
}

// cosine of the angle between two colours.
func cosine(p, q []float64) float64 {
	var dot, a, b float64
	for c := range p {
		dot += p[c] * q[c]
		a += p[c] * p[c]
		b += q[c] * q[c]
	}
	return dot / max(math.Sqrt(a*b), 1e-9)
}

// colourAlong is the middle colour on lines from a face over its side towards the
// camera and on, from and to being shares of the die's height; nil where too
// little of it is no felt.
func (s *search) colourAlong(f *face, from, to float64) []float64 {
	var sum [3]float64
	n, all := 0.0, 0.0
	for _, q := range inner {
		for t := from; t <= to; t += towerStep {
			p := s.under(s.at(f, q), t)
			if s.onFace(f, p) {
				continue
			}
			all++
			if c, ok := s.colour(p); ok && s.occupied(p) {
				for k := range sum {
					sum[k] += c[k]
				}
				n++
			}
		}
	}
	if n < towerLeast || n < towerLeastShare*all {
		return nil
	}
	return []float64{sum[0] / n, sum[1] / n, sum[2] / n}
}

// onFace reports whether a point lies on a face.
func (s *search) onFace(f *face, p fact.Point) bool {
	sin, cos := math.Sincos(f.angle)
	dx, dy := p[0]-f.x, p[1]-f.y
	h := towerOnFace * s.hint.Edge
	return math.Abs(dx*cos+dy*sin) < h && math.Abs(dy*cos-dx*sin) < h
}

// colour is the pixel at a point, BGR.
func (s *search) colour(p fact.Point) (c [3]float64, ok bool) {
	i, j := int(p[0]+0.5), int(p[1]+0.5)
	if i < 0 || j < 0 || i >= s.w || j >= s.h {
		return c, false
	}
	at := 3 * (j*s.w + i)
	return [3]float64{float64(s.pix[at]), float64(s.pix[at+1]), float64(s.pix[at+2])}, true
}
