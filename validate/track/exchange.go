package track

import (
	"maps"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
)

// Cards that are exchanged: backs look alike, so that a card that is taken and
// another that is laid in its place are one to the camera. The terminal says how
// many of a hand go; so many of the next that vanish are retired.

// swaps is how many cards of each zone are still to go.
type swaps map[string]int

func (s swaps) clone() swaps { return maps.Clone(s) }

// exchange takes in the line that cards of a hand are changed.
func (sc *scene) exchange(e *round.Event, at time.Time) {
	if e.Type != round.Action || e.Action != "draw" && e.Action != "buy_card" {
		return
	}
	zone := e.Zone
	if e.Seat > 0 {
		zone = seatZone(e.Seat)
	}
	n := len(e.Discard)
	for i := range sc.slots { // what is gone already when the line is made
		sl := &sc.slots[i]
		if n > 0 && sl.zone == zone && !sl.here && !sl.stale && sl.retired.IsZero() && !sl.left.IsZero() {
			sl.retired = at
			n--
		}
	}
	if n > 0 {
		if sc.swaps == nil {
			sc.swaps = swaps{}
		}
		sc.swaps[zone] += n
	}
}

// retire takes a card that has vanished out of the round if one of its zone is
// to be exchanged.
func (sc *scene) retire(sl *slot, at time.Time) {
	if sc.swaps[sl.zone] > 0 {
		sc.swaps[sl.zone]--
		sl.retired = at
	}
}

// covered is the card of a zone that was taken for exchanged and is seen again
// at once: a hand lay over it. -1: none.
func (sc *scene) covered(zone string, c fact.Card, at time.Time) int {
	const moment = 700 * time.Millisecond // no croupier is so fast
	for i := range sc.slots {
		sl := &sc.slots[i]
		if sl.zone == zone && !sl.retired.IsZero() && at.Sub(sl.retired) < moment && gap(sl.at, c.At) <= sameSpot {
			return i
		}
	}
	return -1
}
