package track

import (
	"slices"
	"time"
)

// What is seen when hands leave a zone came about at any time since they came. Where
// something else happened meanwhile nobody knows which was first, and it is a choice:
// the likeliest is when hands left, the alternatives are just before each of the others.

// maxTimes bounds the times at which one thing may have come about instead.
const maxTimes = 4

// retime gives every happening of the scene its number, and to those of which the
// hypothesis says so, another time.
func (s *story) retime() {
	sc := *s.sc
	sc.items = slices.Clone(sc.items)
	for i := range sc.items {
		sc.items[i].n = i
	}
	moments := sc.moments()
	late := false
	for i, h := range sc.items {
		if h.kind == heard || i > 0 && sc.items[i-1].sameMotion(&h) {
			continue
		}
		at, moved := s.cameAbout(choice{kind: cameAbout, item: i}, h.zone, h.from, h.at, moments)
		for k := i; moved && k < len(sc.items) && (k == i || sc.items[k].sameMotion(&h)); k++ {
			sc.items[k].at, late = at, true
		}
	}
	if late {
		slices.SortStableFunc(sc.items, func(a, b happening) int { return a.at.Compare(b.at) })
	}
	seen := s.sc.slots
	sc.slots = slices.Clone(seen)
	for i, sl := range seen {
		together := func(o slot) bool { return o.zone == sl.zone && o.left.Equal(sl.left) && !o.here && !o.stale }
		if sl.here || sl.stale || sl.left.IsZero() || slices.ContainsFunc(seen[:i], together) {
			continue
		}
		at, moved := s.cameAbout(choice{kind: takenAway, item: i}, sl.zone, sl.gone, sl.left, moments)
		for k := i; moved && k < len(seen); k++ {
			if together(seen[k]) {
				sc.slots[k].left = at
			}
		}
	}
	s.sc = &sc
}

// cameAbout comes to the choice of when something came about that was seen in a zone
// after hands had been there.
func (s *story) cameAbout(c choice, zone string, from, at time.Time, moments []moment) (time.Time, bool) {
	var times []time.Time
	for _, m := range moments {
		if m.zone != zone && m.at.After(from) && m.at.Before(at) && (len(times) == 0 || m.at.After(times[len(times)-1])) {
			times = append(times, m.at)
		}
	}
	if len(times) == 0 {
		return at, false
	}
	for n := len(times); n > maxTimes; n-- { // the first and the last ones stay
		times = slices.Delete(times, n/2, n/2+1)
	}
	var as []alternative
	for _, t := range times {
		as = append(as, alternative{odds: s.prior().Sooner, at: t.Add(-time.Millisecond)})
	}
	a, ok := s.pick(c, as...)
	return a.at, ok
}
