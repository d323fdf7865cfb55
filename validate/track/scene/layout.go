package scene

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
)

// SeatZone is the card zone of a seat.
func SeatZone(seat int) string { return "seat:" + strconv.Itoa(seat) }

// Spots of the table that are no player's bets.
const (
	PotSpot   = "pot"  // the chips of the intervals that are over
	RakeSpot  = "rake" // what the house has deducted
	BoteSpot  = "bote" // before each player: what he bets in this interval
	OpenerOut = "opener_discard"
)

// Place is where chips lie: seat and spot of the round record.
type Place struct {
	Seat int
	Spot string
}

// PaySpot is the spot of the zone where a seat's winnings are pushed to.
const PaySpot = "pay"

// PayPlace is where a seat's winnings are pushed to.
func PayPlace(seat int) Place { return Place{Seat: seat, Spot: PaySpot} }

// Compare orders places by seat and spot.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Seat, q.Seat), cmp.Compare(p.Spot, q.Spot))
}

// Layout is the calibrated table as the tracker needs it: which zones are read
// for what, which places lie within them, and what a chip is worth.
type Layout struct {
	Zones       map[string]*Zone
	places      *calibration.Places
	chips       map[string]chip
	widest      float64 // diameter of the widest chip
	countErrors CountErrors
	Racks       Racks // of the bank's chips; nil: none is read
}

// Zone is an area that is read as a whole, and for what.
type Zone struct {
	name               string
	Cards, Chips, Dice bool
	Own                Place // its own place; Spot "" when stacks are assigned by position
}

type chip struct {
	value money.Cents
	seat  int
}

// NewLayout makes the layout of a calibrated table; a chip without a value is worth the
// marker. countErrors are how readings of stacks err.
func NewLayout(
	zones []calibration.Zone, palette []calibration.Chip, marker money.Cents, countErrors CountErrors,
) *Layout {
	a := &Layout{
		Zones: map[string]*Zone{}, places: calibration.NewPlaces(zones), chips: map[string]chip{}, countErrors: countErrors,
	}
	for _, z := range zones {
		if len(z.Reads) == 0 {
			continue
		}
		a.Zones[z.Name] = &Zone{
			name: z.Name, Own: Place{z.Seat, z.Spot}, Cards: slices.Contains(z.Reads, "cards"),
			Chips: slices.Contains(z.Reads, "chips"), Dice: slices.Contains(z.Reads, "dice"),
		}
	}
	for _, c := range palette {
		a.chips[c.ID] = chip{cmp.Or(money.Cents(c.Value), marker), c.Seat}
		a.widest = max(a.widest, c.Diameter)
	}
	return a
}

// locate is the spot of a stack that lies at p in zone z; ok is false when it
// lies on no place.
func (a *Layout) locate(z *Zone, p fact.Point) (at Place, ok bool) {
	if z.Own.Spot != "" {
		return z.Own, true
	}
	on, ok := a.places.At(z.name, p)
	return Place{on.Seat, on.Spot}, ok
}

// HandOf is the seat of a card zone "seat:N" or "seat:N/K"; 0 for the others.
func HandOf(zone string) (seat int, hand int) {
	rest, ok := strings.CutPrefix(zone, "seat:")
	if !ok {
		return 0, 0
	}
	n, k, split := strings.Cut(rest, "/")
	seat = Digits(n)
	if !split {
		return seat, 1
	}
	return seat, Digits(k)
}

// SeatOf is the seat alone.
func SeatOf(zone string) int {
	seat, _ := HandOf(zone)
	return seat
}

// Digits is the number that a string of digits writes; 0 for any other, and for one beyond 16 bits.
func Digits(s string) int {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return 0
	}
	return int(n)
}

// within reports whether two points are no more than so many of the table's widest chips apart.
func (a *Layout) within(chips float64, p, q fact.Point) bool {
	return distance(p, q) <= chips*cmp.Or(a.widest, usualChip)
}

// usualChip is the diameter of a casino's round chip in millimetres, where the palette has none.
const usualChip = 39

func distance(p, q fact.Point) float64 { return math.Hypot(p[0]-q[0], p[1]-q[1]) }

// Bettable reports whether chips on a place are a seat's stake.
func Bettable(p Place) bool { return p.Seat > 0 && p.Spot != PaySpot }

// MayHoldBet reports whether what lies on a place may be a bet, of a seat or, where the chips
// show whose they are, of any.
func MayHoldBet(p Place) bool { return p.Spot != PaySpot && p.Spot != PotSpot && p.Spot != "" }
