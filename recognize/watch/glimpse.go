package watch

import (
	"slices"
	"time"

	"vision/internal/fact"
)

// A zone over which arms pass again and again may not come to rest before what was laid
// there is taken away. What lies still in a part of it is reported as it shows, so that it is
// read between two motions. A hand that has just laid a thing still touches it, and both
// hang together: whether the part is a thing or a hand that holds still, the reader decides.

// glances are a zone's cells as they are while it moves.
type glances struct {
	lain     []lain
	reported []int32       // the cells as they looked at rest, or in a glimpse since
	seen     []int32       // the cells as they looked when they were looked at last
	next     time.Time     // before which nothing is looked at again
	wait     time.Duration // until what looks as it was looked at is looked at again; 0: the zone was not at rest yet
	same     time.Time     // before which that is not
}

// lain is how a cell looks, and since when.
type lain struct {
	value int32
	since time.Time
}

func newGlances(cells int) *glances {
	return &glances{lain: make([]lain, cells), reported: make([]int32, cells), seen: make([]int32, cells)}
}

// add takes down the zone's cells of a new picture.
func (g *glances) add(z *zone, w *Watcher, limit int32, at time.Time) {
	for k, c := range z.cells {
		if l := &g.lain[k]; l.since.IsZero() || abs(w.now[c]-l.value) > limit {
			*l = lain{w.now[c], at}
		}
	}
}

// begin has the zone look as it did at rest: what differs is new.
func (g *glances) begin(z *zone, w *Watcher) {
	for k, c := range z.cells {
		g.reported[k], g.seen[k] = w.ref[c], w.ref[c]
	}
	g.next, g.same, g.wait = time.Time{}, time.Time{}, glimpseBetween
}

// forget begins anew: nothing is reported before the zone was at rest.
func (g *glances) forget() {
	clear(g.lain)
	g.wait = 0
}

// glimpse reports that something has come to rest in a part of the zone since it stirred.
func (z *zone) glimpse(w *Watcher, limit int32, at time.Time) (Event, bool) {
	g := z.glances
	if g == nil || g.wait == 0 || at.Before(g.next) {
		return Event{}, false
	}
	if g.fresh(z, w, limit, at) < changeGlimpsed {
		return Event{}, false
	}
	for k, c := range z.cells {
		g.seen[k] = w.now[c]
	}
	g.next, g.same = at.Add(glimpseBetween), at.Add(g.wait)
	g.wait *= 2 // what looks alike is looked at more and more seldom
	return Event{Kind: Glimpse}, true
}

// fresh is how many cells hold still and look otherwise than was reported of them and, for a
// while, than when they were looked at. Of what hangs together with an arm those that are
// lighter than what was there, as paper is on felt: a sleeve seems to hold still as it passes.
func (g *glances) fresh(z *zone, w *Watcher, limit int32, at time.Time) (n int) {
	again := !at.Before(g.same)
	for k, l := range g.lain {
		d := l.value - g.reported[k]
		if abs(d) > limit && (d > 0 || w.foreign[z.cells[k]] == 0) && (again || abs(l.value-g.seen[k]) > limit) &&
			at.Sub(l.since) >= restGlance {
			n++
		}
	}
	return n
}

// PartRead notes that what lies in a part of zone i (pixels of the picture) has been read.
func (w *Watcher) PartRead(i int, part []fact.Point) {
	z := w.zones[i]
	if z.glances == nil {
		return
	}
	for _, c := range w.grid.cells([][]fact.Point{part}) {
		if k, ok := slices.BinarySearch(z.cells, c); ok {
			z.glances.reported[k] = w.last[c]
		}
	}
}

// AtRestSince is since when what shows in a part of zone i (pixels of the picture) has looked so;
// false where less than half of it has looked alike for restGlance, up to at.
func (w *Watcher) AtRestSince(i int, part []fact.Point, at time.Time) (time.Time, bool) {
	z := w.zones[i]
	if z.glances == nil {
		return time.Time{}, false
	}
	all, n := w.since(z, part, func(k int) (time.Time, bool) {
		l := z.glances.lain[k]
		return l.since, !l.since.IsZero() && at.Sub(l.since) >= restGlance
	})
	if n == 0 || 2*len(all) < n {
		return time.Time{}, false
	}
	return all[len(all)/2], true
}
