package rack

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// oddity is what speaks against chips up to an end and none beyond: something that lies there, a gap, chips that
// were pushed along the tube, or one of another kind. Over the open end, which no chip reaches, it lies over the
// whole tube.
func (t *tube) oddity(e *evidence, read *fact.Tube, end int) string {
	over := float32(0)
	for _, a := range e.full[t.bins-t.chips(openEnd):] {
		over += a
	}
	switch {
	case over > 0:
		return "covered"
	case t.moved(e, end):
		return "moved"
	case len(read.Change) > 0 && read.Change[0].N > 0 && t.foreign(t.before.end, end):
		return "foreign"
	}
	slack := t.chips(0.5)
	gap, across := 0, 0
	for j, a := range e.full {
		switch {
		case j < end-slack && t.known[j] && a < 0:
			if gap++; gap >= t.chips(odd) {
				return "gap"
			}
		case j >= end+slack && a > 0:
			if across++; across >= t.chips(odd) {
				return "across"
			}
		default:
			gap, across = 0, 0
		}
	}
	return ""
}

// moved reports whether all chips that stood there before look otherwise. Those nearer to the closed end stay as they
// are when others come and go: the whole row was pushed along the tube, or is another.
func (t *tube) moved(e *evidence, end int) bool {
	if t.before == nil {
		return false
	}
	stay, n := min(t.before.end, end), 0
	if stay < t.chips(float64(fewest)) {
		return false
	}
	for _, d := range e.differs[:stay] {
		if d > 0 {
			n++
		}
	}
	return float64(n) > mostMoved*float64(stay)
}

// foreign reports whether one of the chips that stand from one bin to another is coloured like none before them.
func (t *tube) foreign(from, to int) bool {
	long := t.chips(1)
	var own [][3]float64
	for j := 0; j+long <= from; j += long {
		own = append(own, t.colour(j, long))
	}
	if len(own) < fewest {
		return false
	}
	for j := from; j+long <= to+long/2 && j+long <= t.bins; j += long {
		c := t.colour(j, long)
		if !slices.ContainsFunc(own, func(o [3]float64) bool {
			return math.Hypot(math.Hypot(o[0]-c[0], o[1]-c[1]), o[2]-c[2]) < otherKind
		}) {
			return true
		}
	}
	return false
}

// colour is the median colour of some bins of the rest that is being read.
func (t *tube) colour(from, n int) (c [3]float64) {
	w := 3 * angles
	for k := range c {
		var all []float32
		for i := from*w + k; i < (from+n)*w; i += 3 {
			all = append(all, t.now.strip[i])
		}
		slices.Sort(all)
		c[k] = float64(all[len(all)/2])
	}
	return c
}
