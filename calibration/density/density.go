// Package density tells how well a camera sees the zones of a table: in pixels per
// millimetre, per chip and per card, at which angle, and what the readers make of that by
// what was measured of them.
package density

import (
	"cmp"
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
)

// Zone is how a camera sees a zone, at the point of it that it sees worst.
type Zone struct {
	Name  string   `json:"name"`
	Reads []string `json:"reads"`
	// Inside reports whether the whole zone lies in the picture.
	Inside bool `json:"inside"`
	// Along and Across are pixels per millimetre of the felt in the directions in which it
	// is seen largest and smallest.
	Along  float64 `json:"along"`
	Across float64 `json:"across"`
	// Angle of the line of sight from straight down, degrees.
	Angle float64 `json:"angle"`
	// Chip is the height in pixels of a chip's side in a stack; 0 where it is not known how
	// the camera stands.
	Chip float64 `json:"chip,omitempty"`
	// Card is the width in pixels of a card, Index of the symbol in its corner, Die of the
	// edge of a die, seen in the worse direction.
	Card  float64 `json:"card,omitempty"`
	Index float64 `json:"index,omitempty"`
	Die   float64 `json:"die,omitempty"`
	// Quality is what is read in the zone, by what it reads.
	Quality map[string]Quality `json:"quality,omitempty"`
}

// PerMetre is the density in the unit of IEC 62676-4, pixels per metre.
func (z Zone) PerMetre() float64 { return z.Across * 1000 }

// Worst is the lowest quality of all that the zone reads.
func (z Zone) Worst() Quality {
	worst := Good
	for _, q := range z.Quality {
		worst = min(worst, q)
	}
	return worst
}

// Sizes of equipment where the calibration does not tell them, millimetres.
const (
	chipThickness = 3.3
	cardWidth     = 63
	// index is the width of the symbol in a card's corner, of a card's width: poker indices
	// measure 8 to 10 mm of 63.
	index   = 0.14
	dieEdge = 20
)

// Of measures all zones of a table that are read.
func Of(t *calibration.Table) ([]Zone, error) {
	v, err := t.View()
	if err != nil {
		return nil, err
	}
	card, die, chip := cmp.Or(t.Card[0], cardWidth), cmp.Or(t.Die, dieEdge), thinnest(t.Palette)
	var out []Zone
	for _, z := range t.Zones {
		if len(z.Reads) == 0 {
			continue
		}
		d := Zone{Name: z.Name, Reads: z.Reads, Inside: true, Across: math.Inf(1)}
		for _, p := range points(z) {
			px := v.ToImage(p)
			d.Inside = d.Inside && px[0] >= 0 && px[1] >= 0 && px[0] < float64(t.Size[0]) && px[1] < float64(t.Size[1])
			along, across := stretch(v, p)
			if across >= d.Across {
				continue
			}
			d.Along, d.Across = along, across
			if v.Raised() {
				eye := v.Eye()
				d.Angle = math.Atan2(math.Hypot(eye[0]-p[0], eye[1]-p[1]), eye[2]) * 180 / math.Pi
				top, foot := v.ToImageAt(p, chip), v.ToImageAt(p, 0)
				d.Chip = math.Hypot(top[0]-foot[0], top[1]-foot[1])
			} else {
				d.Angle = math.Acos(min(across/along, 1)) * 180 / math.Pi
			}
		}
		if z.Wants("cards") {
			d.Card, d.Index = card*d.Across, card*index*d.Across
		}
		if z.Wants("dice") {
			d.Die = die * d.Across
		}
		if !z.Wants("chips") {
			d.Chip = 0
		}
		d.judge()
		out = append(out, d)
	}
	return out, nil
}

// thinnest chip of a palette, millimetres.
func thinnest(palette []calibration.Chip) float64 {
	least := math.Inf(1)
	for _, c := range palette {
		if !c.Plaque() && c.Thickness > 0 {
			least = min(least, c.Thickness)
		}
	}
	if math.IsInf(least, 1) {
		return chipThickness
	}
	return least
}

// points of a zone: its corners and its middle.
func points(z calibration.Zone) []fact.Point { return append(slices.Clone(z.Polygon), z.Centre()) }

// stretch is the pixels per millimetre at p in the directions in which they are most and
// fewest: the singular values of the map's derivative.
func stretch(v *calibration.View, p fact.Point) (most, fewest float64) {
	o, x, y := v.ToImage(p), v.ToImage(fact.Point{p[0] + 1, p[1]}), v.ToImage(fact.Point{p[0], p[1] + 1})
	a, b, c, d := x[0]-o[0], y[0]-o[0], x[1]-o[1], y[1]-o[1]
	sum, diff := math.Hypot(a+d, b-c), math.Hypot(a-d, b+c)
	return (sum + diff) / 2, math.Abs(sum-diff) / 2
}

// Beside measures all zones of a table as its cameras see them together: each of the first one's,
// with what the best of the others reads there.
func Beside(t *calibration.Table, others ...*calibration.Table) ([]Zone, error) {
	zones, err := Of(t)
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		more, err := Of(o)
		if err != nil {
			continue // said of that camera
		}
		for _, z := range more {
			i := slices.IndexFunc(zones, func(own Zone) bool { return own.Name == z.Name })
			for what, q := range z.Quality {
				if i >= 0 && q > zones[i].Quality[what] {
					zones[i].Quality[what] = q
				}
			}
		}
	}
	return zones, nil
}
