package card

import (
	"image"
	"math"
	"slices"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// outline is a quadrilateral fitted to a contour.
type outline struct {
	quad    fact.Quad // clockwise in image coordinates (y down)
	support float64   // share of the perimeter along which the contour lies on the sides, 0 to 1
	fill    float64   // area of the contour over area of the quadrilateral
}

func add(a, b fact.Point) fact.Point             { return fact.Point{a[0] + b[0], a[1] + b[1]} }
func sub(a, b fact.Point) fact.Point             { return fact.Point{a[0] - b[0], a[1] - b[1]} }
func scale(a fact.Point, k float64) fact.Point   { return fact.Point{a[0] * k, a[1] * k} }
func cross(a, b fact.Point) float64              { return a[0]*b[1] - a[1]*b[0] }
func dot(a, b fact.Point) float64                { return a[0]*b[0] + a[1]*b[1] }
func norm(a fact.Point) float64                  { return math.Hypot(a[0], a[1]) }
func lerp(a, b fact.Point, t float64) fact.Point { return add(a, scale(sub(b, a), t)) }
func toPoint(p image.Point) fact.Point           { return fact.Point{float64(p.X), float64(p.Y)} }

// area of a polygon, positive when clockwise in image coordinates.
func area(p []fact.Point) float64 {
	s := 0.0
	for i := range p {
		s += cross(p[i], p[(i+1)%len(p)])
	}
	return s / 2
}

// hull is the convex hull, clockwise in image coordinates.
func hull(pts []image.Point) []fact.Point {
	s := rims(pts)
	if len(s) < 3 {
		return nil
	}
	return geometry.Hull(s)
}

// rims are the highest and the lowest point of each column, by x, then y: no
// others can be corners of the hull.
func rims(pts []image.Point) []fact.Point {
	if len(pts) == 0 {
		return nil
	}
	left, right := pts[0].X, pts[0].X
	for _, p := range pts {
		left, right = min(left, p.X), max(right, p.X)
	}
	type column struct{ low, high int }
	cols := make([]column, right-left+1)
	for i := range cols {
		cols[i] = column{math.MaxInt, math.MinInt}
	}
	for _, p := range pts {
		c := &cols[p.X-left]
		c.low, c.high = min(c.low, p.Y), max(c.high, p.Y)
	}
	out := make([]fact.Point, 0, 2*len(cols))
	for i, c := range cols {
		if c.low <= c.high {
			out = append(out, toPoint(image.Pt(left+i, c.low)))
		}
		if c.low < c.high {
			out = append(out, toPoint(image.Pt(left+i, c.high)))
		}
	}
	return out
}

// circumscribe shrinks a convex polygon to the quadrilateral round it, taking
// away, one by one, the side whose loss adds least area. Rounded corners become
// the corners the sides point to.
func circumscribe(p []fact.Point) (fact.Quad, bool) {
	p = slices.Clone(p)
	for len(p) > 4 {
		best, bestArea := -1, math.Inf(1)
		var bestAt fact.Point
		for i := range p {
			n := len(p)
			a, b, c, d := p[(i+n-1)%n], p[i], p[(i+1)%n], p[(i+2)%n]
			x, ok := intersect(a, b, d, c)
			if !ok || dot(sub(x, b), sub(b, a)) < 0 || dot(sub(x, c), sub(c, d)) < 0 {
				continue
			}
			if t := math.Abs(cross(sub(b, x), sub(c, x))) / 2; t < bestArea {
				best, bestArea, bestAt = i, t, x
			}
		}
		if best < 0 {
			return fact.Quad{}, false
		}
		p[best] = bestAt
		p = slices.Delete(p, (best+1)%len(p), (best+1)%len(p)+1)
	}
	if len(p) != 4 {
		return fact.Quad{}, false
	}
	return fact.Quad(p), true
}

// intersect gives where the lines a-b and c-d meet.
func intersect(a, b, c, d fact.Point) (fact.Point, bool) {
	u, v := sub(b, a), sub(d, c)
	den := cross(u, v)
	if math.Abs(den) < 1e-9*(norm(u)*norm(v)+1e-9) {
		return fact.Point{}, false
	}
	return add(a, scale(u, cross(sub(c, a), v)/den)), true
}

// fit finds the quadrilateral of a contour (all its points, in order).
func fit(contour []image.Point) (outline, bool) {
	h := hull(contour)
	if len(h) < 4 {
		return outline{}, false
	}
	q, ok := circumscribe(simplify(h, quadSimplify))
	if !ok || contourArea(contour) < quadHopeless*findFill*area(q[:]) {
		return outline{}, false
	}
	q, ok = refine(q, contour)
	if !ok || !convex(q) {
		return outline{}, false
	}
	return outline{quad: q, support: support(q, contour), fill: contourArea(contour) / area(q[:])}, true
}

// simplify drops hull points nearer than tol to the line of their neighbours.
func simplify(p []fact.Point, tol float64) []fact.Point {
	for len(p) > 4 {
		best, bestD := -1, tol
		for i := range p {
			a, b := p[(i+len(p)-1)%len(p)], p[(i+1)%len(p)]
			if d := lineDistance(a, b, p[i]); d < bestD {
				best, bestD = i, d
			}
		}
		if best < 0 {
			break
		}
		p = slices.Delete(slices.Clone(p), best, best+1)
	}
	return p
}

func lineDistance(a, b, p fact.Point) float64 {
	u := sub(b, a)
	n := norm(u)
	if n < 1e-9 {
		return norm(sub(p, a))
	}
	return math.Abs(cross(u, sub(p, a))) / n
}

// refine fits each side anew to the contour points along its middle, so that a
// rounded corner or a neighbour at one end does not tilt it.
func refine(q fact.Quad, contour []image.Point) (fact.Quad, bool) {
	var lines [4][2]fact.Point
	for i := range 4 {
		s := newSide(q[i], q[(i+1)%4])
		near := s.near(contour, quadFrom, 1-quadFrom, max(quadLeastNear, quadNear*s.length))
		lines[i] = [2]fact.Point{q[i], q[(i+1)%4]}
		if float64(len(near)) > quadPoints*s.length {
			lines[i] = leastSquares(near, s.along)
		}
	}
	out, ok := enclosed(lines)
	for i := range out {
		ok = ok && norm(sub(out[i], q[i])) <= quadMoved*norm(sub(q[i], q[(i+2)%4]))
	}
	return out, ok
}

// enclosed is the quadrilateral between the lines of its sides; false where neighbours do not meet.
func enclosed(lines [4][2]fact.Point) (q fact.Quad, ok bool) {
	for i, m := range lines {
		l := lines[(i+3)%4]
		if q[i], ok = intersect(l[0], l[1], m[0], m[1]); !ok {
			return q, false
		}
	}
	return q, true
}

// side is a side of a quadrilateral, made ready to place many points along it.
type side struct {
	from, along fact.Point // along: unit vector
	length      float64
}

func newSide(a, b fact.Point) side {
	l := norm(sub(b, a))
	return side{a, scale(sub(b, a), 1/max(l, 1e-9)), l}
}

// place gives where p lies along the side, 0 to 1, and its distance from the
// line, in pixels.
func (s *side) place(p fact.Point) (t, distance float64) {
	v := sub(p, s.from)
	return dot(v, s.along) / max(s.length, 1e-9), math.Abs(cross(s.along, v))
}

// near are the points of a contour that lie along the side from low to high and
// less than tol from it. Most do not, so the distance is tested first.
func (s *side) near(contour []image.Point, low, high, tol float64) []fact.Point {
	x0, y0, u, v := s.from[0], s.from[1], s.along[0], s.along[1]
	low, high = low*s.length, high*s.length
	var out []fact.Point
	for _, c := range contour {
		x, y := float64(c.X)-x0, float64(c.Y)-y0
		if d := u*y - v*x; d >= tol || -d >= tol {
			continue
		}
		if t := x*u + y*v; t > low && t < high {
			out = append(out, toPoint(c))
		}
	}
	return out
}

// leastSquares is the line through pts (total least squares), directed like u,
// with the outlying third left out in a second pass.
func leastSquares(pts []fact.Point, u fact.Point) [2]fact.Point {
	line := principal(pts, u)
	l := newSide(line[0], line[1])
	d := make([]float64, len(pts))
	for i, p := range pts {
		_, d[i] = l.place(p)
	}
	limit := max(quadInliers, slices.Sorted(slices.Values(d))[len(d)*2/3])
	kept := make([]fact.Point, 0, len(pts))
	for i, p := range pts {
		if d[i] <= limit {
			kept = append(kept, p)
		}
	}
	return principal(kept, u)
}

func principal(pts []fact.Point, u fact.Point) [2]fact.Point {
	var m fact.Point
	for _, p := range pts {
		m = add(m, p)
	}
	m = scale(m, 1/float64(len(pts)))
	var xx, xy, yy float64
	for _, p := range pts {
		d := sub(p, m)
		xx, xy, yy = xx+d[0]*d[0], xy+d[0]*d[1], yy+d[1]*d[1]
	}
	t := 0.5 * math.Atan2(2*xy, xx-yy)
	dir := fact.Point{math.Cos(t), math.Sin(t)}
	if dot(dir, u) < 0 {
		dir = scale(dir, -1)
	}
	return [2]fact.Point{m, add(m, dir)}
}

// support is the share of the quadrilateral's perimeter, corners left out, that
// has a contour point within a pixel or two.
func support(q fact.Quad, contour []image.Point) float64 {
	const cells = 40
	worst, from := 1.0, quadSupportFrom
	for i := range 4 {
		s := newSide(q[i], q[(i+1)%4])
		var hit [cells]bool
		n := 0
		for _, p := range s.near(contour, from, 1-from, max(quadSupportLeast, quadSupportNear*s.length)) {
			t, _ := s.place(p)
			if k := max(0, min(cells-1, int((t-from)/(1-2*from)*cells))); !hit[k] {
				hit[k] = true
				n++
			}
		}
		worst = min(worst, float64(n)/min(cells, (1-2*from)*s.length))
	}
	return min(1, worst)
}

func convex(q fact.Quad) bool {
	for i := range 4 {
		if cross(sub(q[(i+1)%4], q[i]), sub(q[(i+2)%4], q[(i+1)%4])) <= 0 {
			return false
		}
	}
	return true
}

// sides gives the mean lengths of the sides 0-1 with 2-3, and 1-2 with 3-0.
func sides(q fact.Quad) (a, b float64) {
	return (norm(sub(q[1], q[0])) + norm(sub(q[3], q[2]))) / 2, (norm(sub(q[2], q[1])) + norm(sub(q[0], q[3]))) / 2
}

func centre(q fact.Quad) fact.Point {
	if x, ok := intersect(q[0], q[2], q[1], q[3]); ok {
		return x
	}
	return scale(add(add(q[0], q[1]), add(q[2], q[3])), 0.25)
}

// turn starts the quadrilateral k corners later.
func turn(q fact.Quad, k int) fact.Quad { return fact.Quad{q[k%4], q[(k+1)%4], q[(k+2)%4], q[(k+3)%4]} }

// overlap is the shared area of two convex quadrilaterals.
func overlap(a, b fact.Quad) float64 {
	p := a[:]
	for i := range 4 {
		p = clip(p, b[i], b[(i+1)%4])
		if len(p) < 3 {
			return 0
		}
	}
	return math.Abs(area(p))
}

// clip keeps the part of polygon p on the inner side of the directed line a-b.
func clip(p []fact.Point, a, b fact.Point) []fact.Point {
	var out []fact.Point
	in := func(x fact.Point) bool { return cross(sub(b, a), sub(x, a)) >= 0 }
	for i := range p {
		c, d := p[i], p[(i+1)%len(p)]
		if in(c) {
			out = append(out, c)
		}
		if in(c) != in(d) {
			if x, ok := intersect(a, b, c, d); ok {
				out = append(out, x)
			}
		}
	}
	return out
}

func unit(a fact.Point) fact.Point { return scale(a, 1/max(1e-9, norm(a))) }
