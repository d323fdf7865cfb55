package card

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// tilt is how an oblique camera makes cards smaller that lie farther off: in
// coordinates divided by w(p) = 1 + v·(p - about) all of them are of one size. The
// zero tilt is a view from straight above.
type tilt struct {
	about, v fact.Point
	reach    float64 // of the cards that determine it, from about
}

// tiltOf fits the tilt to the areas of the cards read, which go with w³.
func tiltOf(read []view) tilt {
	if len(read) < metricTiltCards {
		return tilt{}
	}
	var about fact.Point
	for _, v := range read {
		about = add(about, scale(centre(v.quad), 1/float64(len(read))))
	}
	reach, roots := 0.0, make([]float64, len(read))
	for i, v := range read {
		roots[i] = math.Cbrt(area(v.quad[:]))
		reach = max(reach, norm(sub(centre(v.quad), about)))
	}
	mid := slices.Sorted(slices.Values(roots))[len(roots)/2]
	if reach*reach < mid*mid*mid { // all in one place
		return tilt{}
	}
	var n [3][3]float64
	var r [3]float64
	for i, v := range read {
		d := scale(sub(centre(v.quad), about), 1/reach)
		row := [3]float64{1, d[0], d[1]}
		for a := range 3 {
			for b := range 3 {
				n[a][b] += row[a] * row[b]
			}
			r[a] += row[a] * roots[i] / mid
		}
	}
	n[1][1] += metricTiltDoubt * float64(len(read))
	n[2][2] += metricTiltDoubt * float64(len(read))
	x, ok := solve3(n, r)
	if !ok || x[0] <= 0 || math.Hypot(x[1], x[2]) > metricTiltMost*x[0] {
		return tilt{}
	}
	return tilt{about, fact.Point{x[1] / x[0] / reach, x[2] / x[0] / reach}, reach}
}

// reaches reports whether the cards that determine the tilt lie round p: far from them it is a guess.
func (t tilt) reaches(p fact.Point) bool { return norm(sub(p, t.about)) < metricTiltReach*t.reach }

// level takes a point of the picture to where all cards are of one size.
func (t tilt) level(p fact.Point) fact.Point {
	d := sub(p, t.about)
	return add(t.about, scale(d, 1/max(metricTiltLeast, 1+dot(t.v, d))))
}

// seen is the inverse of level.
func (t tilt) seen(p fact.Point) fact.Point {
	d := sub(p, t.about)
	return add(t.about, scale(d, 1/max(metricTiltLeast, 1-dot(t.v, d))))
}

// moved takes the mark's corner and the ends of its sides elsewhere.
func (m mark) moved(to func(fact.Point) fact.Point) mark {
	at := to(m.apex)
	m.short, m.long = sub(to(add(m.apex, m.short)), at), sub(to(add(m.apex, m.long)), at)
	m.apex = at
	return m
}

// views are the cards read as level takes them.
func (t tilt) views(read []view) []view {
	out := slices.Clone(read)
	for i := range out {
		for k, p := range out[i].quad {
			out[i].quad[k] = t.level(p)
		}
	}
	return out
}
