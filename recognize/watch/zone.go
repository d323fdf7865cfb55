package watch

import (
	"math"
	"slices"
	"time"

	"vision/internal/fact"
)

// zone is the state of one zone.
type zone struct {
	cells    []int32 // ascending
	anchor   []int32 // the cells when the present stillness began
	since    time.Time
	resting  bool
	restless time.Time // after it was last still for as long as restWhole
	strict   bool
	whole    bool
	reach    []fact.Point // where the arms came in that lay over it since it stirred
	past     *history     // nil: not kept
	glances  *glances     // nil: none is reported
}

func newZone(cells []int32, o Zone) *zone {
	z := &zone{cells: cells, anchor: make([]int32, len(cells)), strict: o.Strict, whole: o.Whole}
	if o.History {
		z.past = newHistory(len(cells))
	}
	if o.Glimpses {
		z.glances = newGlances(len(cells))
	}
	return z
}

// begin starts a stillness with the present picture.
func (z *zone) begin(w *Watcher, at time.Time) {
	for i, c := range z.cells {
		z.anchor[i] = w.now[c]
	}
	z.since = at
}

// step looks at the zone's cells of a new picture.
func (z *zone) step(w *Watcher, limit int32, at time.Time) (Event, bool) {
	if z.resting {
		if !z.differs(w, limit) {
			return Event{}, false
		}
		z.resting, z.reach = false, nil
		if at.Sub(z.since) >= restWhole {
			z.restless = at
		}
		z.remember(w, limit, at)
		z.under(w)
		z.begin(w, at)
		if z.glances != nil {
			z.glances.begin(z, w)
		}
		return Event{Kind: Moving}, true
	}
	z.under(w)
	z.remember(w, limit, at)
	if w.damaged {
		z.begin(w, at)
		return Event{}, false
	}
	if z.moved(w, limit) || !z.whole && z.covered(w) {
		z.begin(w, at)
		return z.glimpse(w, limit, at)
	}
	if at.Sub(z.since) < z.rest(at) {
		return Event{}, false
	}
	z.resting = true
	for _, c := range z.cells {
		w.ref[c] = w.now[c]
	}
	return Event{Kind: AtRest, Since: z.since, Reach: z.reach}, true
}

// rest is how long the zone must be still to have settled.
func (z *zone) rest(at time.Time) time.Duration {
	if z.strict || at.Sub(z.restless) < restRestless {
		return restWhole
	}
	return restGlance
}

// remember takes the picture down where a history is kept.
func (z *zone) remember(w *Watcher, limit int32, at time.Time) {
	if z.past != nil {
		z.past.add(z, w, limit, at)
	}
	if z.glances != nil {
		z.glances.add(z, w, limit, at)
	}
}

// differs reports whether the zone no longer looks as it did at rest.
func (z *zone) differs(w *Watcher, limit int32) bool {
	run, prev := 0, int32(-2)
	for _, c := range z.cells {
		if abs(w.now[c]-w.ref[c]) <= limit {
			continue
		}
		if w.besides(c, prev, limit) {
			if run++; run >= changeCells {
				return true
			}
		}
		prev = c
	}
	return false
}

// besides reports whether a changed cell has a changed neighbour before it: single
// cells are noise.
func (w *Watcher) besides(c, prev, limit int32) bool {
	if prev == c-1 {
		return true
	}
	up := c - int32(w.grid.w)
	return up >= 0 && abs(w.now[up]-w.ref[up]) > limit
}

// moved reports whether the zone changed since its stillness began.
func (z *zone) moved(w *Watcher, limit int32) bool {
	n := 0
	for i, c := range z.cells {
		if abs(w.now[c]-z.anchor[i]) > limit {
			if n++; n >= changeCells {
				return true
			}
		}
	}
	return false
}

// under takes down where the arms come from that lie over the zone.
func (z *zone) under(w *Watcher) {
	if len(w.arm.cells) < changeCells {
		return
	}
	var over [256]int
	for _, c := range z.cells {
		over[w.foreign[c]]++
	}
	for i, p := range w.arm.from {
		if i+1 > 255 || over[i+1] < changeCells {
			continue
		}
		known := slices.ContainsFunc(z.reach, func(q fact.Point) bool {
			return math.Hypot(p[0]-q[0], p[1]-q[1]) < armApart
		})
		if !known && len(z.reach) < armMost {
			z.reach = append(z.reach, p)
		}
	}
}

// covered reports whether something that reaches in from the border lies over
// the zone.
func (z *zone) covered(w *Watcher) bool {
	if len(w.arm.cells) < changeCells {
		return false
	}
	n := 0
	for _, c := range z.cells {
		if w.foreign[c] != 0 {
			if n++; n >= changeCells {
				return true
			}
		}
	}
	return false
}
