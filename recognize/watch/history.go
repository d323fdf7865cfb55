package watch

import (
	"slices"
	"time"

	"vision/internal/fact"
)

// remembered is how many samples of a cell are kept: what passes over something
// that lies there leaves it looking as before.
const remembered = 4

// sample is a stillness of one cell: one value since a picture, or an arm over it.
type sample struct {
	value int32
	since time.Time
	arm   bool
}

// history are the last samples of a zone's cells, the newest last.
type history struct {
	samples [][]sample // by the zone's cells
}

func newHistory(cells int) *history {
	h := &history{samples: make([][]sample, cells)}
	for i := range h.samples {
		h.samples[i] = make([]sample, 0, remembered)
	}
	return h
}

// forget begins anew: what is seen from now on has lain there for unknown time.
func (h *history) forget() {
	for i := range h.samples {
		h.samples[i] = h.samples[i][:0]
	}
}

// add takes down the zone's cells of a new picture.
func (h *history) add(z *zone, w *Watcher, limit int32, at time.Time) {
	for i, c := range z.cells {
		l, arm := h.samples[i], w.foreign[c] != 0
		if n := len(l); n > 0 && l[n-1].arm == arm && (arm || abs(w.now[c]-l[n-1].value) <= limit) {
			continue
		}
		if len(l) == remembered {
			copy(l, l[1:])
			l = l[:remembered-1]
		}
		h.samples[i] = append(l, sample{w.now[c], at, arm})
	}
}

// since is when a cell came to look as it does now, short disturbances aside;
// false where that is not known, because it was the first that was seen of it or
// an arm lay over it before.
func (h *history) since(cell int, limit int32) (time.Time, bool) {
	l := h.samples[cell]
	k := len(l) - 1
	if k < 0 || l[k].arm {
		return time.Time{}, false
	}
	for i := k - 1; i >= 0; i-- {
		if !l[i].arm && abs(l[i].value-l[len(l)-1].value) <= limit {
			k = i
		}
	}
	if k == 0 || l[k-1].arm {
		return time.Time{}, false
	}
	return l[k].since, true
}

// Still is when what lies in a part of zone i (pixels of the picture) came to
// rest there: the median of its cells. False where that is not known of most of
// them, or the zone keeps no history.
func (w *Watcher) Still(i int, part []fact.Point) (time.Time, bool) {
	z := w.zones[i]
	if z.past == nil {
		return time.Time{}, false
	}
	all, n := w.since(z, part, func(k int) (time.Time, bool) { return z.past.since(k, w.threshold()) })
	if 2*len(all) <= n {
		return time.Time{}, false
	}
	return all[len(all)/2], true
}

// since are the times of the cells of a zone in a part of it that have one, sorted, and
// the number of its cells there.
func (w *Watcher) since(z *zone, part []fact.Point, of func(k int) (time.Time, bool)) (all []time.Time, n int) {
	for _, c := range w.grid.cells([][]fact.Point{part}) {
		if k, ok := slices.BinarySearch(z.cells, c); ok {
			n++
			if t, ok := of(k); ok {
				all = append(all, t)
			}
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all, n
}
