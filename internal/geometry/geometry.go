// Package geometry has what several packages ask of polygons.
package geometry

import (
	"cmp"
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
