package dice

import (
	"math"

	"vision/calibration"
	"vision/internal/fact"
)

// leastWorth of a face whose die's outline is known.
const leastWorth = 0.55

// weigh holds the outline of the die that would carry the face against what is
// no cloth: the die fills it, and little goes on beyond it. Only that tells an
// upper face from one that is seen on a die's side.
func (s *search) weigh(f *face) {
	f.worth = f.score
	if s.hint.Drop <= 0 {
		return
	}
	in, out := s.outline(f)
	f.worth -= 1.2*(1-in) + 0.5*out
}

// outline is the share of the die's picture that is no cloth, and the share of
// a line close round it.
func (s *search) outline(f *face) (in, out float64) {
	sin, cos := math.Sincos(f.angle)
	h := s.hint.Edge / 2
	at := func(x, y float64) fact.Point {
		return fact.Point{f.x + h*(x*cos-y*sin), f.y + h*(x*sin+y*cos)}
	}
	n := 0.0
	for _, y := range inner {
		for _, x := range inner {
			top := at(x, y)
			foot := s.below(top)
			for _, k := range [3]float64{0, 0.5, 1} {
				n++
				if s.isFore(top[0]+k*(foot[0]-top[0]), top[1]+k*(foot[1]-top[1])) {
					in++
				}
			}
		}
	}
	in /= n
	var corners []fact.Point
	for _, c := range [4]fact.Point{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		top := at(c[0], c[1])
		corners = append(corners, top, s.below(top))
	}
	return in, s.beyond(calibration.Hull(corners))
}

var inner = [5]float64{-0.88, -0.45, 0, 0.45, 0.88}

// below is where the point of the felt right under a point of the upper plane
// shows: the picture is straightened to the upper plane.
func (s *search) below(p fact.Point) fact.Point {
	k := s.hint.Drop
	return fact.Point{p[0] + k*(s.hint.Eye[0]-p[0]), p[1] + k*(s.hint.Eye[1]-p[1])}
}

// beyond is the share of a line round an outline, a fifth of an edge away from
// it, that is no cloth.
func (s *search) beyond(outline []fact.Point) float64 {
	const samples = 6
	n, out := 0.0, 0.0
	for i, a := range outline {
		b := outline[(i+1)%len(outline)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		l := math.Hypot(dx, dy)
		if l < s.hint.Edge/10 {
			continue
		}
		nx, ny := dy/l*s.hint.Edge/5, -dx/l*s.hint.Edge/5 // the hull runs so that this is outward
		for k := range samples {
			t := (float64(k) + 0.5) / samples
			n += l
			if s.isFore(a[0]+t*dx+nx, a[1]+t*dy+ny) {
				out += l
			}
		}
	}
	return out / max(n, 1)
}
