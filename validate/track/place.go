package track

import (
	"math"
	"sort"
	"strings"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
)

// place is where chips lie: seat and spot of the round record.
type place struct {
	Seat int
	Spot string
}

// paySpot is the spot of the zone where a seat's winnings are pushed to.
const paySpot = "pay"

func (p place) less(q place) bool {
	if p.Seat != q.Seat {
		return p.Seat < q.Seat
	}
	return p.Spot < q.Spot
}

// boundary is how far, in millimetres, a stack's centre may lie outside every
// place and still be counted to the nearest one.
const boundary = 15

// atlas is the calibrated table as the tracker needs it: which zones are read
// for what, which places lie within them, and what a chip is worth.
type atlas struct {
	zones  map[string]*zone
	places []polygon // places that are not read themselves
	chips  map[string]chip
	hands  []string // card zones, sorted
}

type zone struct {
	name               string
	cards, chips, dice bool
	own                place // its own place; Spot "" when stacks are assigned by position
}

type polygon struct {
	place   place
	corners []fact.Point
	area    float64
}

type chip struct {
	value money.Cents
	seat  int
}

func newAtlas(zones []calibration.Zone, palette []calibration.Chip, marker money.Cents) *atlas {
	a := &atlas{zones: map[string]*zone{}, chips: map[string]chip{}}
	for _, z := range zones {
		p := place{z.Seat, z.Spot}
		if len(z.Reads) == 0 {
			if z.Spot != "" {
				a.places = append(a.places, polygon{p, z.Polygon, area(z.Polygon)})
			}
			continue
		}
		v := &zone{name: z.Name, own: p}
		for _, r := range z.Reads {
			v.cards = v.cards || r == "cards"
			v.chips = v.chips || r == "chips"
			v.dice = v.dice || r == "dice"
		}
		if v.cards {
			a.hands = append(a.hands, z.Name)
		}
		a.zones[z.Name] = v
	}
	sort.Strings(a.hands)
	for _, c := range palette {
		v := money.Cents(c.Value)
		if v == 0 {
			v = marker
		}
		a.chips[c.ID] = chip{v, c.Seat}
	}
	return a
}

// locate is the spot of a stack that lies at p in zone z; ok is false when it
// lies on no place.
func (a *atlas) locate(z *zone, p fact.Point) (at place, ok bool) {
	if z.own.Spot != "" {
		return z.own, true
	}
	best, bestArea := -1, math.Inf(1)
	for i, q := range a.places {
		if q.area < bestArea && inside(q.corners, p) {
			best, bestArea = i, q.area
		}
	}
	if best >= 0 {
		return a.places[best].place, true
	}
	near := math.Inf(1)
	for i, q := range a.places {
		if d := distance(q.corners, p); d < near {
			best, near = i, d
		}
	}
	if best < 0 || near > boundary {
		return place{}, false
	}
	return a.places[best].place, true
}

// handOf is the seat of a card zone "seat:N" or "seat:N/K"; 0 for the others.
func handOf(zone string) (seat int, hand int) {
	rest, ok := strings.CutPrefix(zone, "seat:")
	if !ok {
		return 0, 0
	}
	n, k, split := strings.Cut(rest, "/")
	seat = digits(n)
	if !split {
		return seat, 1
	}
	return seat, digits(k)
}

func digits(s string) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 1e6 {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func area(c []fact.Point) float64 {
	var s float64
	for i, p := range c {
		q := c[(i+1)%len(c)]
		s += p[0]*q[1] - q[0]*p[1]
	}
	return math.Abs(s) / 2
}

func inside(c []fact.Point, p fact.Point) bool {
	in := false
	for i, a := range c {
		b := c[(i+1)%len(c)]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0]-a[0])*(p[1]-a[1])/(b[1]-a[1])+a[0] {
			in = !in
		}
	}
	return in
}

func distance(c []fact.Point, p fact.Point) float64 {
	best := math.Inf(1)
	for i, a := range c {
		b := c[(i+1)%len(c)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		t := 0.0
		if l := dx*dx + dy*dy; l > 0 {
			t = math.Max(0, math.Min(1, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/l))
		}
		best = math.Min(best, math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy))
	}
	return best
}

func gap(p, q fact.Point) float64 { return math.Hypot(p[0]-q[0], p[1]-q[1]) }
