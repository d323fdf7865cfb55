package card

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// alignSides gives q with each side moved to the edge of the paper near it; a side at which
// the picture shows none stays.
func alignSides(img gocv.Mat, q fact.Quad) fact.Quad {
	w, h := sides(q)
	short := min(w, h)
	s := ruler{bitmapOf(img), short}
	var lines [4][2]fact.Point
	for i := range 4 {
		lines[i] = s.side(q[i], q[(i+1)%4], max(alignLeast, alignReach*short))
	}
	if out, ok := enclosed(lines); ok && convex(out) {
		return out
	}
	return q
}

// side is the line of the paper's edge within reach of a-b, whose inside is to its right.
func (s ruler) side(a, b fact.Point, reach float64) [2]fact.Point {
	u := unit(sub(b, a))
	in := fact.Point{-u[1], u[0]}
	var pts []fact.Point
	var off []float64
	for i := range edgeSamples {
		p := lerp(a, b, alignFrom+(1-2*alignFrom)*(float64(i)+0.5)/edgeSamples)
		if at, v := s.steepest(p, in, reach); v >= edgePaler {
			pts, off = append(pts, at), append(off, dot(sub(at, p), in))
		}
	}
	if float64(len(pts)) < alignShare*edgeSamples {
		return [2]fact.Point{a, b}
	}
	mid := slices.Sorted(slices.Values(off))[len(off)/2]
	var on []fact.Point
	for i, p := range pts {
		if math.Abs(off[i]-mid) <= max(1, alignSame*reach) {
			on = append(on, p)
		}
	}
	if float64(len(on)) < alignShare*edgeSamples {
		return [2]fact.Point{a, b}
	}
	return leastSquares(on, u)
}
