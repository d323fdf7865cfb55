package track

import (
	"slices"

	"vision/internal/fact"
	"vision/internal/money"
)

// Stacks that stand where they stood are counted every time something moves
// beside them. Two counts that agree make one another surer; a stack that
// seems to have grown or shrunk by one chip was most likely counted wrong once,
// and whatever follows from one of the two counts alone is in doubt. The pot
// is no such stack: the croupier heaps it up anew with every interval.

// standing is a stack as it was read last.
type standing struct {
	at    fact.Point
	chip  string // of its top
	high  int
	reads int // how often in a row it was counted so
}

// slip is a stack of a place that stands where it stood and is counted one
// chip otherwise than before.
type slip struct {
	by    money.Cents
	reads int // how often it was counted as before
}

const (
	// unmoved is how far a stack may seem to move while it stands, in millimetres.
	unmoved = 6
	// touched is the chance that a chip is laid on a standing stack, or taken
	// from it, against the chance that one is counted wrong when it is read
	// with a certainty of one half: most chips are laid beside.
	touched = 0.02
	// repeated is the chance that a stack that was counted wrong is counted
	// wrong in the same way again: it is seen from the same side.
	repeated = 0.1
	// slipped and surest bound the odds of another count.
	slipped = 1 / touched
	surest  = 1
)

// restacked are the places with a stack that stands where it stood and is counted
// otherwise than before.
type restacked struct {
	slips     map[place]slip
	otherwise map[place]bool // by any number of chips
}

// stand compares the stacks of a zone with those that stood there before.
func (a *atlas) stand(z *zone, was []standing, stacks []fact.Stack) (now []standing, moved restacked) {
	moved = restacked{map[place]slip{}, map[place]bool{}}
	for _, s := range stacks {
		n := len(s.Chips)
		if n == 0 || s.Abstain != "" {
			continue
		}
		one := standing{s.At, s.Chips[n-1], n, 1}
		i := slices.IndexFunc(was, func(w standing) bool { return w.chip == one.chip && gap(w.at, one.at) <= unmoved })
		if i >= 0 {
			old := was[i]
			if old.high == n {
				one.reads = min(old.reads+1, 9)
			} else if p, ok := a.locate(z, s.At); ok && s.P < 1-1e-6 && p.Spot != potSpot {
				c := a.chips[one.chip]
				if p.Seat == 0 {
					p.Seat = c.seat
				}
				moved.otherwise[p] = true
				if n-old.high == 1 || n-old.high == -1 {
					moved.slips[p] = slip{moved.slips[p].by + c.value*money.Cents(n-old.high), old.reads}
				}
			}
		}
		now = append(now, one)
	}
	return now, moved
}

// doubtBefore doubts the last count of a place before a slip.
func (sc *scene) doubtBefore(p place, s slip) {
	i := sc.last(func(h *happening) bool { return h.kind == chipsSeen && h.place == p })
	if i < 0 {
		return
	}
	factor := slipped
	for range s.reads - 1 {
		factor *= repeated
	}
	sc.items[i].chips = sc.items[i].chips.doubted(s.by, factor)
}

// doubted is a count whose reading by so much more is likelier by a factor.
func (c count) doubted(by money.Cents, factor float64) count {
	alts := slices.Clone(c.alts)
	for i := range alts {
		if alts[i].total == c.total+by {
			alts[i].odds = min(surest, max(alts[i].odds, alts[i].odds*factor))
		}
	}
	c.alts = alts
	return c
}

// against is a count of chips that nobody touched since they were counted otherwise:
// until one of the two is read again, they may be either.
func (c count) against(before count) count {
	may := before.totals()
	if c.hidden || c.vague() || before.hidden || slices.Contains(may, c.total) {
		return c
	}
	c.may = append(slices.Clone(may), c.total)
	slices.Sort(c.may)
	c.total = before.total
	return c
}

// confirmed is a count that a second reading agrees with.
func (c count) confirmed(again count) count {
	alts := make([]altCount, 0, len(c.alts))
	for _, a := range c.alts {
		if i := slices.IndexFunc(again.alts, func(b altCount) bool { return b.total == a.total }); i >= 0 {
			alts = append(alts, altCount{a.total, a.odds * max(again.alts[i].odds, repeated)})
		}
	}
	c.alts = alts
	return c
}
