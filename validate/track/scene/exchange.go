package scene

import (
	"cmp"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
)

// Cards that are exchanged: backs look alike, so that a card that is taken and
// another that is laid in its place are one to the camera. The terminal reports how
// many of a hand go; so many of the next that vanish are retired. Where hands
// were at the cards for long enough and as many lie there as before, those that
// were not seen to vanish were changed for others in the same place: nobody lays a
// card to the millimetre, so they are those that do not lie as they did.

// Exchange is an exchange of cards of one zone.
type Exchange struct {
	Left int // cards that are still to go
	size int // of the hand
	// at the zone since from, hands left it at, complete and with some to go that
	// nobody saw go; zero: never.
	From, At time.Time
}

// Exchanges are those of a round by zone.
type Exchanges map[string]Exchange

// announceExchange takes in the line that cards of a hand are changed.
func (sc *Scene) announceExchange(e *round.Event, at time.Time) {
	if e.Type != round.Action || e.Action != "draw" && e.Action != "buy_card" {
		return
	}
	zone := e.Zone
	if e.Seat > 0 {
		zone = SeatZone(e.Seat)
	}
	n, size := len(e.Discard), 0
	for i := range sc.Tracks { // what is gone already when the line is made
		sl := &sc.Tracks[i]
		if sl.Zone == zone {
			sl.lain, sl.shift, sl.Shifted = sl.at, 0, time.Time{}
		}
		if sl.Zone == zone && sl.OnTable && !sl.Earlier {
			size++
		}
		if n > 0 && sl.Zone == zone && !sl.OnTable && !sl.Earlier && sl.Retired.IsZero() && !sl.Left.IsZero() &&
			!sc.dealtOn(sl) {
			sl.Retired = at
			n--
			size++
		}
	}
	if n > 0 {
		if sc.Exchanges == nil {
			sc.Exchanges = Exchanges{}
		}
		sc.Exchanges[zone] = Exchange{Left: sc.Exchanges[zone].Left + n, size: size}
	}
}

// still is how far a card that nobody touched may seem to have moved, in millimetres: a
// reader finds it within 0.3, an arm beside it apart.
const still = 0.6

// noteShift takes in where the back of a known card lies now, while cards of its hand
// are still to go.
func (sc *Scene) noteShift(s int, c fact.Card, at time.Time) {
	sl := &sc.Tracks[s]
	if w := sc.Exchanges[sl.Zone]; w.Left == 0 || !w.At.IsZero() || !backUp(c) {
		return
	}
	if sl.shift = distance(sl.lain, c.At); sl.shift <= still {
		sl.shift, sl.Shifted = 0, time.Time{}
	} else if sl.Shifted.IsZero() {
		sl.Shifted = at
	}
}

// Likelier orders cards by how likely they were exchanged unseen: those first that
// moved first, and of these those that moved most.
func (sl *Track) Likelier(o *Track) int {
	if a, b := sl.Shifted.IsZero(), o.Shifted.IsZero(); a || b {
		return cmp.Compare(o.shift, sl.shift)
	}
	return cmp.Or(sl.Shifted.Compare(o.Shifted), cmp.Compare(o.shift, sl.shift))
}

// open reports whether cards of a zone are still to go.
func (s Exchanges) open(zone string) bool { return s[zone].Left > 0 }

// atRest takes in that a zone with cards still to go was at rest again.
func (sc *Scene) atRest(zone string, r rest) {
	const changing = 600 * time.Millisecond // no croupier takes a card and lays another sooner
	w := sc.Exchanges[zone]
	if w.Left == 0 || r.again || !w.At.IsZero() {
		return
	}
	if w.From.IsZero() {
		w.From = r.from
	}
	lying := 0
	for i := range sc.Tracks {
		if sl := &sc.Tracks[i]; sl.Zone == zone && sl.OnTable && !sl.Earlier {
			lying++
		}
	}
	if lying == w.size && r.at.Sub(w.From) >= changing {
		w.At = r.at
	}
	sc.Exchanges[zone] = w
}

// retire takes a card that has vanished out of the round if one of its zone is
// to be exchanged. Where they may have been exchanged unseen, cards that are all
// taken, or that were turned since, are not; others show that they were not.
func (sc *Scene) retire(sl *Track, at time.Time) {
	if w := sc.Exchanges[sl.Zone]; w.Left > 0 && (w.At.IsZero() || !sl.alone && sl.Back) {
		w.Left--
		w.From, w.At = time.Time{}, time.Time{}
		sc.Exchanges[sl.Zone] = w
		sl.Retired = at
	}
}

// covered is the card of a zone that was taken for exchanged and is seen again
// at once where it lay: a hand lay over it. A back that lies otherwise is another card's,
// for nobody lays one to the millimetre. -1: none.
func (sc *Scene) covered(zone string, c fact.Card, at time.Time) int {
	const moment = 500 * time.Millisecond // hands are seldom as fast: made ones laid another after 0.53 s
	within := float64(sameSpot)
	if backUp(c) {
		within = still
	}
	for i := range sc.Tracks {
		sl := &sc.Tracks[i]
		if sl.Zone == zone && !sl.Retired.IsZero() && at.Sub(sl.Retired) < moment && distance(sl.at, c.At) <= within &&
			!another(c, sl) {
			return i
		}
	}
	return -1
}
