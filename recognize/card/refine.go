package card

import (
	"math"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// The corners network gives where a corner is and how its sides run to some
// pixels and degrees. The picture shows it better: each side is a straight edge
// near where it is expected. Lengths in shorter sides of the card.
const edgeSamples = 24

// refined moves the mark's sides to the edges of the picture; a side where none
// is found stays.
func (m mark) refined(img gocv.Mat) mark {
	unitLen := math.Sqrt(math.Abs(cross(m.short, m.long)) / cardRatio)
	s := ruler{bitmapOf(img), unitLen}
	a, okA := s.edge(m.apex, m.short, m.long)
	b, okB := s.edge(m.apex, m.long, m.short)
	if !okA && !okB {
		return m
	}
	apex, ok := intersect(a[0], a[1], b[0], b[1])
	if !ok || norm(sub(apex, m.apex)) > edgeMoved*edgeNear*unitLen {
		return m
	}
	m.apex = apex
	m.short, m.long = scale(unit(sub(a[1], a[0])), norm(m.short)), scale(unit(sub(b[1], b[0])), norm(m.long))
	return m
}

// ruler looks for the edges of a card of the given size in a picture.
type ruler struct {
	*bitmap
	unit float64 // shorter side of the card, pixels
}

// edge is the line (two points of it, a pixel apart) of the side that leaves at along, where
// the card lies towards in; without an edge in the picture the expected one.
func (s ruler) edge(at, along, in fact.Point) ([2]fact.Point, bool) {
	u := unit(along)
	n := fact.Point{-u[1], u[0]}
	if dot(n, in) < 0 {
		n = scale(n, -1)
	}
	var pts []fact.Point
	var steep []float64
	for i := range edgeSamples {
		t := edgeFrom + edgeOver*(float64(i)+0.5)/edgeSamples
		if p, v := s.steepest(add(at, scale(u, t*s.unit)), n, (edgeNear+edgeSwing*t)*s.unit); v >= edgePaler {
			pts, steep = append(pts, p), append(steep, v)
		}
	}
	line, ok := straightest(pts, steep, u, max(1, edgeTight*s.unit))
	if !ok {
		return [2]fact.Point{at, add(at, u)}, false
	}
	return line, true
}

// steepest is the point of p + d*n, |d| <= reach, inside of which the picture is
// paler by most, and by how many grey levels.
func (s ruler) steepest(p, n fact.Point, reach float64) (fact.Point, float64) {
	band := max(edgeLeastBand, edgeBand*s.unit)
	best, at := 0.0, p
	for d := -reach; d <= reach; d++ {
		q := add(p, scale(n, d))
		x, okx := s.at(add(q, scale(n, band)))
		y, oky := s.at(sub(q, scale(n, band)))
		if !okx || !oky {
			continue
		}
		v := float64(s.paleness(x)) - float64(s.paleness(y))
		if v > best {
			best, at = v, q
		}
	}
	return at, best
}

// paleness is that of palest.
func (s ruler) paleness(i int) uint8 { return min(s.px[i], s.px[i+1], s.px[i+2]) }

// straightest is the line through two of the points on which the steepest lie
// together, fitted to those within tol of it.
func straightest(pts []fact.Point, steep []float64, along fact.Point, tol float64) ([2]fact.Point, bool) {
	var best []fact.Point
	most := 0.0
	for i := range pts {
		for j := i + edgeLeast/2; j < len(pts); j++ {
			u := unit(sub(pts[j], pts[i]))
			if dot(u, along) < edgeAlong {
				continue
			}
			sum := 0.0
			var on []fact.Point
			for k, p := range pts {
				if math.Abs(cross(u, sub(p, pts[i]))) < tol {
					sum += min(steep[k], edgeSteepest)
					on = append(on, p)
				}
			}
			sum *= math.Exp(-math.Pow(cross(u, along)/edgeTurn, 2) / 2)
			if len(on) >= edgeLeast && sum > most {
				best, most = on, sum
			}
		}
	}
	if best == nil {
		return [2]fact.Point{}, false
	}
	return leastSquares(best, along), true
}
