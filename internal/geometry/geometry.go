// Package geometry has what several packages ask of polygons.
package geometry

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// Contains reports whether p lies inside a polygon, by the even-odd rule.
func Contains(polygon []fact.Point, p fact.Point) bool {
	in := false
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0]-a[0])*(p[1]-a[1])/(b[1]-a[1])+a[0] {
			in = !in
		}
	}
	return in
}

// Bounds are the lowest and the highest coordinates of points.
func Bounds(points []fact.Point) (low, high fact.Point) {
	low, high = fact.Point{math.Inf(1), math.Inf(1)}, fact.Point{math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		for i := range p {
			low[i], high[i] = min(low[i], p[i]), max(high[i], p[i])
		}
	}
	return low, high
}

// Upright is the box between two corners, clockwise in a picture from its top left.
func Upright(low, high fact.Point) fact.Quad {
	return fact.Quad{low, {high[0], low[1]}, high, {low[0], high[1]}}
}

// Span is a run of pixels of one row, To not in it.
type Span struct{ Y, From, To int }

// Spans are the pixels of a picture of w × h that a polygon contains, row by row.
func Spans(polygon []fact.Point, w, h int) (out []Span) {
	if len(polygon) == 0 {
		return nil
	}
	low, high := Bounds(polygon)
	var cuts []float64
	for y := max(0, int(low[1])); y <= min(h-1, int(high[1])+1); y++ {
		cuts = cuts[:0]
		for i, a := range polygon {
			b := polygon[(i+1)%len(polygon)]
			if v := float64(y); (a[1] > v) != (b[1] > v) {
				cuts = append(cuts, (b[0]-a[0])*(v-a[1])/(b[1]-a[1])+a[0])
			}
		}
		slices.Sort(cuts)
		for k := 0; k+1 < len(cuts); k += 2 {
			from, to := max(0, int(math.Ceil(cuts[k]))), min(w, int(math.Ceil(cuts[k+1])))
			if from < to {
				out = append(out, Span{y, from, to})
			}
		}
	}
	return out
}

// Hull is the convex hull of points (Andrew's monotone chain), which it sorts:
// counterclockwise where y grows upward, clockwise in a picture.
func Hull(ps []fact.Point) []fact.Point {
	slices.SortFunc(ps, func(a, b fact.Point) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	turn := func(a, b, c fact.Point) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }
	half := func(ps []fact.Point) []fact.Point {
		var h []fact.Point
		for _, p := range ps {
			for len(h) > 1 && turn(h[len(h)-2], h[len(h)-1], p) <= 0 {
				h = h[:len(h)-1]
			}
			h = append(h, p)
		}
		return h[:len(h)-1]
	}
	lower := half(ps)
	slices.Reverse(ps)
	return append(lower, half(ps)...)
}
