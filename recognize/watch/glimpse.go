package watch

import (
	"slices"
	"time"

	"vision/internal/fact"
)

// A zone over which arms pass again and again may not come to rest before what was laid
// there is taken away. What lies still in a part of it that no arm covers is told as it
// shows, so that it is read between two motions.

// unglimpsed has the zone look as it did at rest: what differs is new.
func (z *zone) unglimpsed(w *Watcher) {
	for k := range z.glimpsed {
		z.glimpsed[k] = w.ref[z.cells[k]]
	}
	z.next, z.wait = time.Time{}, par.options.between
}

// glimpse tells that something has come to rest in a part of the zone since it stirred.
func (z *zone) glimpse(w *Watcher, limit int32, at time.Time) (Event, bool) {
	if z.glimpsed == nil || z.wait == 0 || at.Before(z.next) {
		return Event{}, false
	}
	n := 0
	for k, c := range z.cells {
		if abs(w.now[c]-z.glimpsed[k]) > limit && z.lies(k, at, w.opts.Glance) {
			n++
		}
	}
	if n < par.change.glimpsed {
		return Event{}, false
	}
	z.next, z.wait = at.Add(z.wait), 2*z.wait // what cannot be read is looked at more and more seldom
	return Event{Kind: Glimpse}, true
}

// lies reports whether a cell has looked as it does for so long, and no arm is over it.
func (z *zone) lies(k int, at time.Time, d time.Duration) bool {
	l := z.past.looks[k]
	n := len(l)
	return n > 0 && !l[n-1].arm && at.Sub(l[n-1].since) >= d
}

// Glimpsed tells that what lies in a part of zone i (pixels of the picture) has been read.
func (w *Watcher) Glimpsed(i int, part []fact.Point) {
	z := w.zones[i]
	for _, c := range w.grid.cells([][]fact.Point{part}) {
		if k, ok := slices.BinarySearch(z.cells, c); ok && z.glimpsed != nil {
			z.glimpsed[k] = w.last[c]
		}
	}
	z.wait = par.options.between
}

// Lies is since when what shows in a part of zone i (pixels of the picture) has looked so;
// false where an arm is over it, or some of it has changed within Options.Glance, up to at.
func (w *Watcher) Lies(i int, part []fact.Point, at time.Time) (time.Time, bool) {
	z := w.zones[i]
	var all []time.Time
	for _, c := range w.grid.cells([][]fact.Point{part}) {
		k, ok := slices.BinarySearch(z.cells, c)
		if !ok {
			continue
		}
		if z.past == nil || !z.lies(k, at, w.opts.Glance) {
			return time.Time{}, false
		}
		l := z.past.looks[k]
		all = append(all, l[len(l)-1].since)
	}
	if len(all) == 0 {
		return time.Time{}, false
	}
	slices.SortFunc(all, time.Time.Compare)
	return all[len(all)/2], true
}
