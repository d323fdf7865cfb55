package track

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
)

// seatZone is the card zone of a seat.
func seatZone(seat int) string { return "seat:" + strconv.Itoa(seat) }

// Spots of the table that are no player's bets.
const (
	potSpot   = "pot"  // the chips of the intervals that are over
	rakeSpot  = "rake" // what the house has deducted
	boteSpot  = "bote" // before each player: what he bets in this interval
	openerOut = "opener_discard"
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

// atlas is the calibrated table as the tracker needs it: which zones are read
// for what, which places lie within them, and what a chip is worth.
type atlas struct {
	zones  map[string]*zone
	places *calibration.Places
	chips  map[string]chip
	hands  []string // card zones, sorted
}

type zone struct {
	name               string
	cards, chips, dice bool
	own                place // its own place; Spot "" when stacks are assigned by position
}

type chip struct {
	value money.Cents
	seat  int
}

func newAtlas(zones []calibration.Zone, palette []calibration.Chip, marker money.Cents) *atlas {
	a := &atlas{zones: map[string]*zone{}, places: calibration.NewPlaces(zones), chips: map[string]chip{}}
	for _, z := range zones {
		if len(z.Reads) == 0 {
			continue
		}
		v := &zone{name: z.Name, own: place{z.Seat, z.Spot}}
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
	on, ok := a.places.At(z.name, p)
	return place{on.Seat, on.Spot}, ok
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

func gap(p, q fact.Point) float64 { return math.Hypot(p[0]-q[0], p[1]-q[1]) }

func bettable(p place) bool { return p.Seat > 0 && p.Spot != paySpot }

// mayHoldBet tells that what lies on a place may be a bet, of a seat or, where the chips
// tell whose they are, of any.
func mayHoldBet(p place) bool { return p.Spot != paySpot && p.Spot != potSpot && p.Spot != "" }
