package calibration

import (
	"math"

	"vision/internal/fact"
)

// boundary is how far, in millimetres, a stack's centre may lie outside every place and
// still be counted to the nearest one.
const boundary = 15

// Places say on which spot of the layout a stack stands.
type Places struct {
	own  map[string]Zone // read zones that are a spot themselves
	list []Zone          // spots that are not read themselves
	area []float64
}

// NewPlaces takes the spots out of a calibration's zones.
func NewPlaces(zones []Zone) *Places {
	p := &Places{own: map[string]Zone{}}
	for _, z := range zones {
		switch {
		case z.Spot == "":
		case len(z.Reads) > 0:
			p.own[z.Name] = z
		default:
			p.list = append(p.list, z)
			p.area = append(p.area, z.Area())
		}
	}
	return p
}

// At is the spot of a stack whose foot lies at mm in a read zone: the zone itself where
// it is one, else the smallest place that contains mm, else the nearest one within
// 15 mm. False where it lies on no place.
func (p *Places) At(zone string, mm fact.Point) (Zone, bool) {
	if z, ok := p.own[zone]; ok {
		return z, true
	}
	best, least := -1, math.Inf(1)
	for i, z := range p.list {
		if p.area[i] < least && z.Contains(mm) {
			best, least = i, p.area[i]
		}
	}
	if best >= 0 {
		return p.list[best], true
	}
	near := math.Inf(1)
	for i, z := range p.list {
		if d := z.distance(mm); d < near {
			best, near = i, d
		}
	}
	if best < 0 || near > boundary {
		return Zone{}, false
	}
	return p.list[best], true
}

// distance from p to the zone's outline, millimetres.
func (z Zone) distance(p fact.Point) float64 {
	best := math.Inf(1)
	for i, a := range z.Polygon {
		b := z.Polygon[(i+1)%len(z.Polygon)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		t := 0.0
		if l := dx*dx + dy*dy; l > 0 {
			t = min(max(((p[0]-a[0])*dx+(p[1]-a[1])*dy)/l, 0), 1)
		}
		best = min(best, math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy))
	}
	return best
}
