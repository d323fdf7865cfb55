package calibration

import (
	"math"
	"slices"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// Float is the name of the zone in which the house's own chips lie (anticipo): they are no
// bets, and are compared with what is counted of them.
const Float = "float"

// Wants reports whether what ("cards", "chips", "dice") is read in the zone.
func (z Zone) Wants(what string) bool { return slices.Contains(z.Reads, what) }

// Contains reports whether p (millimetres) lies inside the zone.
func (z Zone) Contains(p fact.Point) bool { return geometry.Contains(z.Polygon, p) }

// Area of the zone in square millimetres.
func (z Zone) Area() float64 { return math.Abs(signedArea(z.Polygon)) }

// Centre of gravity of the zone.
func (z Zone) Centre() fact.Point {
	var x, y, sum float64
	for i, a := range z.Polygon {
		b := z.Polygon[(i+1)%len(z.Polygon)]
		c := a[0]*b[1] - b[0]*a[1]
		x, y, sum = x+(a[0]+b[0])*c, y+(a[1]+b[1])*c, sum+c
	}
	if sum == 0 {
		return fact.Point{}
	}
	return fact.Point{x / (3 * sum), y / (3 * sum)}
}

// Bounds is the zone's smallest box along the axes.
func (z Zone) Bounds() (low, high fact.Point) {
	return geometry.Bounds(z.Polygon)
}

// Zone finds a zone by its name.
func (t *Table) Zone(name string) (Zone, bool) {
	for _, z := range t.Zones {
		if z.Name == name {
			return z, true
		}
	}
	return Zone{}, false
}

func signedArea(ps []fact.Point) float64 {
	var sum float64
	for i, a := range ps {
		b := ps[(i+1)%len(ps)]
		sum += a[0]*b[1] - b[0]*a[1]
	}
	return sum / 2
}

// crosses reports whether two edges that share no corner meet.
func crosses(ps []fact.Point) bool {
	n := len(ps)
	for i := range n {
		for j := i + 2; j < n; j++ {
			if i == 0 && j == n-1 {
				continue
			}
			if meet(ps[i], ps[i+1], ps[j], ps[(j+1)%n]) {
				return true
			}
		}
	}
	return false
}

func meet(a, b, c, d fact.Point) bool {
	side := func(p, q, r fact.Point) float64 { return (q[0]-p[0])*(r[1]-p[1]) - (q[1]-p[1])*(r[0]-p[0]) }
	return side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0
}
