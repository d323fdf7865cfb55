package scene

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

// stack is a stack as it was read last.
type stack struct {
	at    fact.Point
	quad  fact.Quad
	chips []string // from the felt upwards, as many as were seen
	chip  string   // of its top
	high  int      // 0: it was counted roughly
	reads int      // how often in a row it was counted so
	low   int      // at least so many chips, and at most top
	top   int
}

// miscount is a stack of a place that stands where it stood and is counted one
// chip otherwise than before.
type miscount struct {
	by    money.Cents
	reads int // how often it was counted as before
}

const (
	// unmoved is how far a stack may seem to move while it stands, in millimetres.
	unmoved = 6
	// restacking is the chance that a chip is laid on a standing stack, or taken
	// from it, against the chance that one is counted wrong when it is read
	// with a certainty of one half: most chips are laid beside.
	restacking = 0.02
	// repeated is the chance that a stack that was counted wrong is counted
	// wrong in the same way again: it is seen from the same side.
	repeated = 0.1
	// slipped and surest bound the odds of another count.
	slipped = 1 / restacking
	surest  = 1
)

// restacked are the places with a stack that stands where it stood and is counted
// otherwise than before.
type restacked struct {
	miscounts map[Place]miscount
	otherwise map[Place]bool  // by any number of chips
	came      map[Place]Count // stacks that came beside those that stand as they stood
	changed   map[Place]bool  // other chips may lie there than before
}

// stand reports whether the stacks of a place are those that stood there, as far as they
// can be counted.
func (r restacked) stand(p Place) bool {
	return r.changed != nil && !r.changed[p] && !r.changed[Place{Spot: p.Spot}]
}

// matchStacks compares the stacks of a zone with those that stood there before.
func (a *Layout) matchStacks(z *Zone, was []stack, stacks []fact.Stack) (now []stack, moved restacked) {
	moved = restacked{map[Place]miscount{}, map[Place]bool{}, map[Place]Count{}, map[Place]bool{}}
	left, changed := slices.Clone(was), false
	for _, s := range stacks {
		n := len(s.Chips)
		p, ok := a.locate(z, s.At)
		if n == 0 || s.Abstain != "" && s.Low < 1 {
			changed, moved.changed[p] = true, true
			if i := under(left, s); i >= 0 { // when it is read again it is known how it was counted
				now, left = append(now, left[i]), slices.Delete(left, i, i+1)
			}
			continue
		}
		one := stack{at: s.At, quad: s.Quad, chips: s.Chips, chip: s.Chips[n-1], high: n, reads: 1, low: n, top: n}
		if s.Abstain != "" {
			one.high, one.low, one.top = 0, min(n, s.Low), max(n, s.High)
		}
		i := slices.IndexFunc(left, func(w stack) bool { return w.chip == one.chip && distance(w.at, one.at) <= unmoved })
		switch {
		case i < 0 && ok:
			moved.changed[p] = true
			changed = !a.add(moved.came, s, p) || changed
		case i < 0:
		case one.high == left[i].high:
			one.reads = min(left[i].reads+1, 9)
		case one.high > 0 && left[i].high > 0 && ok && s.P < 1-1e-6 && p.Spot != PotSpot:
			c := a.chips[one.chip]
			if p.Seat == 0 {
				p.Seat = c.seat
			}
			moved.otherwise[p] = true
			if d := n - left[i].high; d == 1 || d == -1 {
				moved.miscounts[p] = miscount{moved.miscounts[p].by + c.value*money.Cents(d), left[i].reads}
			}
		}
		if s.Abstain == fact.Unread && i >= 0 { // how it was counted stands
			one = left[i]
		}
		if i >= 0 {
			other := one.top < left[i].low || one.low > left[i].top
			changed, moved.changed[p] = changed || other, moved.changed[p] || other
			left = slices.Delete(left, i, i+1)
		}
		now = append(now, one)
	}
	for _, w := range left {
		if p, ok := a.locate(z, w.at); ok {
			moved.changed[p] = true
		}
	}
	if changed || len(left) > 0 {
		clear(moved.came)
	}
	return now, moved
}

// add adds a stack that was counted to the chips that came; false where it was not, or
// nobody knows whose it is.
func (a *Layout) add(came map[Place]Count, s fact.Stack, p Place) bool {
	parts := a.worth(s, p)
	if s.Abstain != "" || len(parts) != 1 || p.Spot == PotSpot {
		return false
	}
	came[parts[0].place] = sum(came[parts[0].place], parts[0].chips)
	return true
}

// doubtBefore doubts the last count of a place before a slip.
func (sc *Scene) doubtBefore(p Place, s miscount) {
	i := sc.Last(func(h *Event) bool { return h.Kind == ChipsSeen && h.Place == p })
	if i < 0 {
		return
	}
	factor := slipped
	for range s.reads - 1 {
		factor *= repeated * repeated // it was counted so, and not otherwise
	}
	sc.Events[i].Chips = sc.Events[i].Chips.doubted(s.by, factor)
}
