package recognize

import (
	"slices"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
	"vision/recognize/dice"
	"vision/recognize/rack"
)

// zone is the reading of one zone since it last came to rest.
type zone struct {
	calibration.Zone
	index                         int          // among those that are watched
	flat                          *patch       // the felt about the zone, for cards; nil where none are read
	top                           *patch       // the plane of the dice's upper faces
	diceFelt                      *dice.Felt   // what the reader of dice learned of the felt there
	flatBackground, topBackground gocv.Mat     // the same with nothing on the table; without memory where not known
	tubes                         *rack.Reader // of the bank's rack; nil in all other zones
	asked                         bool         // it is to be read again, see again
	lasting                       [3]lasting   // what has been there for as long as the table was seen, by kind
	// the felt as the camera shows it empty, where chips are read; nil where that is not known
	ground   *background
	since    time.Time
	glimpse  bool        // something lies still in a part of it while the rest moves
	hands    []string    // sides of the table from which arms reached in before that
	next     []time.Time // when it is read next; empty while it is stirred or done
	reads    int
	fused    rest
	reported string // key of what was last reported
}

// newZone prepares a zone whose patches show so many millimetres of felt about it.
func newZone(cal *calibration.Table, view *calibration.View, z calibration.Zone, index int, about float64) *zone {
	out := &zone{Zone: z, index: index}
	if z.Wants("cards") {
		out.flat = newPatch(view, z, tableCardScale, 0, about)
	}
	if z.Wants("dice") {
		out.top, out.diceFelt = newPatch(view, z, tableDieScale, cal.Die, about), new(dice.Felt)
	}
	return out
}

func (z *zone) close() {
	z.forgetBackground()
	z.flat.close()
	z.top.close()
}

// reset forgets what was read, but for what may still lie there untouched.
func (z *zone) reset() {
	z.next, z.reads, z.reported, z.fused, z.glimpse, z.asked = nil, 0, "", z.fused.next(), false, false
}

// unseenSince is since when nobody saw what the zone shows, now that it stirs:
// since the picture before, or since it came to rest where it was not read.
func (z *zone) unseenSince(before time.Time) time.Time {
	if len(z.next) > 0 && z.reads == 0 && z.since.Before(before) {
		return z.since
	}
	return before
}

// schedule plans the readings: one at once, the others a little later.
func (z *zone) schedule(since, at time.Time, again []time.Duration) {
	z.reset()
	z.since = since
	z.next = append(z.next, at)
	for _, d := range again {
		z.next = append(z.next, at.Add(d))
	}
}

// again plans more readings of a zone that was read at rest, before those that are still to come.
func (z *zone) again(at time.Time) {
	if z.asked = false; z.reads == 0 {
		return // it moves, or its first reading is to come
	}
	for d := time.Duration(0); d < askedFor; d += askedEvery {
		z.next = append(z.next, at.Add(d))
	}
	slices.SortFunc(z.next, time.Time.Compare)
}

// due reports whether the zone is to be read now.
func (z *zone) due(at time.Time) bool { return len(z.next) > 0 && !at.Before(z.next[0]) }

// begin takes the planned reading that is due.
func (z *zone) begin() { z.next = z.next[1:] }

// observation is what is reported of the zone after the last reading.
func (z *zone) observation() fact.Observation {
	o := fact.Observation{Kind: fact.Stable, Zone: z.Name, Since: z.since, Hands: z.hands,
		Cards: z.fused.cardsNow(), Chips: z.fused.chipsNow(), Dice: z.fused.diceNow()}
	if n := len(z.next); n > 0 {
		o.Until = z.next[n-1]
	}
	return o
}
