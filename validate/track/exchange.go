package track

import (
	"cmp"
	"maps"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
)

// Cards that are exchanged: backs look alike, so that a card that is taken and
// another that is laid in its place are one to the camera. The terminal says how
// many of a hand go; so many of the next that vanish are retired. Where hands
// were at the cards for long enough and as many lie there as before, those that
// were not seen to vanish were changed for others in the same place: nobody lays a
// card to the millimetre, so they are those that do not lie as they did.

// swap is an exchange of cards of one zone.
type swap struct {
	left int // cards that are still to go
	size int // of the hand
	// at the zone since from, hands left it at, complete and with some to go that
	// nobody saw go; zero: never.
	from, at time.Time
}

// swaps are the exchanges of a round by zone.
type swaps map[string]swap

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
	n, size := len(e.Discard), 0
	for i := range sc.slots { // what is gone already when the line is made
		sl := &sc.slots[i]
		if sl.zone == zone {
			sl.lain, sl.shift, sl.shifted = sl.at, 0, time.Time{}
		}
		if sl.zone == zone && sl.here && !sl.stale {
			size++
		}
		if n > 0 && sl.zone == zone && !sl.here && !sl.stale && sl.retired.IsZero() && !sl.left.IsZero() {
			sl.retired = at
			n--
			size++
		}
	}
	if n > 0 {
		if sc.swaps == nil {
			sc.swaps = swaps{}
		}
		sc.swaps[zone] = swap{left: sc.swaps[zone].left + n, size: size}
	}
}

// still is how far a card that nobody touched may seem to have moved, in millimetres: a
// reader finds it within 0.3, an arm beside it apart.
const still = 0.6

// nudged takes in where the back of a known card lies now, while cards of its hand
// are still to go.
func (sc *scene) nudged(s int, c fact.Card, at time.Time) {
	sl := &sc.slots[s]
	label, _ := fact.Best(c.Guesses)
	if w := sc.swaps[sl.zone]; w.left == 0 || !w.at.IsZero() || label != back {
		return
	}
	if sl.shift = gap(sl.lain, c.At); sl.shift <= still {
		sl.shift, sl.shifted = 0, time.Time{}
	} else if sl.shifted.IsZero() {
		sl.shifted = at
	}
}

// likelier orders cards by how likely they were exchanged unseen: those first that
// moved first, and of these those that moved most.
func (sl *slot) likelier(o *slot) int {
	if a, b := sl.shifted.IsZero(), o.shifted.IsZero(); a || b {
		return cmp.Compare(o.shift, sl.shift)
	}
	return cmp.Or(sl.shifted.Compare(o.shifted), cmp.Compare(o.shift, sl.shift))
}

// open tells that cards of a zone are still to go.
func (s swaps) open(zone string) bool { return s[zone].left > 0 }

// touched takes in that a zone with cards still to go was at rest again.
func (sc *scene) touched(zone string, r rest) {
	const changing = 600 * time.Millisecond // no croupier takes a card and lays another sooner
	w := sc.swaps[zone]
	if w.left == 0 || r.again || !w.at.IsZero() {
		return
	}
	if w.from.IsZero() {
		w.from = r.from
	}
	lying := 0
	for i := range sc.slots {
		if sl := &sc.slots[i]; sl.zone == zone && sl.here && !sl.stale {
			lying++
		}
	}
	if lying == w.size && r.at.Sub(w.from) >= changing {
		w.at = r.at
	}
	sc.swaps[zone] = w
}

// retire takes a card that has vanished out of the round if one of its zone is
// to be exchanged. Where they may have been exchanged unseen, cards that are all
// taken, or that were turned since, are not; others show that they were not.
func (sc *scene) retire(sl *slot, at time.Time) {
	if w := sc.swaps[sl.zone]; w.left > 0 && (w.at.IsZero() || !sl.alone && sl.back) {
		w.left--
		w.from, w.at = time.Time{}, time.Time{}
		sc.swaps[sl.zone] = w
		sl.retired = at
	}
}

// covered is the card of a zone that was taken for exchanged and is seen again
// at once where it lay: a hand lay over it. A back that lies otherwise is another card's,
// for nobody lays one to the millimetre. -1: none.
func (sc *scene) covered(zone string, c fact.Card, at time.Time) int {
	const moment = 700 * time.Millisecond // hands are seldom as fast
	within := float64(sameSpot)
	if label, _ := fact.Best(c.Guesses); label == back {
		within = still
	}
	for i := range sc.slots {
		sl := &sc.slots[i]
		if sl.zone == zone && !sl.retired.IsZero() && at.Sub(sl.retired) < moment && gap(sl.at, c.At) <= within && !another(c, sl) {
			return i
		}
	}
	return -1
}
