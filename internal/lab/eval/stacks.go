package eval

import (
	"fmt"
	"slices"
	"strings"
)

// stacks compares the stacks of a zone; it returns how many readings are of nothing.
func (t *StillTally) stacks(z StillZone, seen Seen, complete bool, worth map[string]int64) int {
	_, said := z.count(Chips)
	if !said && !complete {
		return 0
	}
	sc := &t.sum.Stacks
	free := slices.Clone(seen.Stacks)
	met := make([]*SeenStack, len(z.Stacks))
	for _, least := range []int{exactThere, exactAway, roughThere, anyThere} {
		for i, s := range z.Stacks {
			if met[i] != nil {
				continue
			}
			k := slices.IndexFunc(free, func(r SeenStack) bool { return fitOf(s, r, worth) <= least })
			if k >= 0 {
				r := free[k]
				met[i], free = &r, slices.Delete(free, k, k+1)
			}
		}
	}
	for i, s := range z.Stacks {
		sc.add(s, met[i], worth)
		for _, name := range parts(s, seen.Pixels) {
			if t.sum.StacksBy == nil {
				t.sum.StacksBy = map[string]StackScore{}
			}
			by := t.sum.StacksBy[name]
			by.add(s, met[i], worth)
			t.sum.StacksBy[name] = by
		}
	}
	if !complete {
		return 0
	}
	more := 0
	for _, r := range free {
		if r.Counted {
			more++
		}
	}
	sc.Spurious += more
	t.sum.Spurious.Stacks += more
	return more
}

// parts are the names of the parts of a set to which a stack belongs.
func parts(s ChipStack, pixels float64) []string {
	kinds := "of one kind"
	if slices.ContainsFunc(s.Chips, func(id string) bool { return id != s.Chips[0] }) {
		kinds = "of several kinds"
	}
	out := []string{kinds, within("chips", float64(len(s.Chips)), 1, 5, 10, 15)}
	if pixels > 0 {
		out = append(out, kinds+", "+within("px a chip", pixels, 0, 2.5, 4, 6, 9))
	}
	return out
}

// within names the part of a scale in which a value is, from one mark to the next.
func within(unit string, v float64, marks ...float64) string {
	i := 1
	for i < len(marks) && v >= marks[i] {
		i++
	}
	if i == len(marks) {
		return fmt.Sprintf("%g %s and more", marks[i-1], unit)
	}
	return fmt.Sprintf("%g to under %g %s", marks[i-1], marks[i], unit)
}

// How well a reading may be of a stack, the best first. Where the truth says no spot,
// every reading of the zone is on it.
const (
	exactThere = iota // of its amount, on its spot
	exactAway         // of its amount, elsewhere
	roughThere        // roughly counted so, on its spot
	anyThere          // anything on its spot
	noFit
)

func fitOf(s ChipStack, r SeenStack, worth map[string]int64) int {
	there := s.Spot == "" || slices.Contains(r.Spots, s.Spot)
	exact := r.Counted && amountOf(s.Chips, worth) == amountOf(r.Chips, worth)
	switch {
	case exact && there:
		return exactThere
	case exact:
		return exactAway
	case there && !r.Counted && r.holds(s):
		return roughThere
	case there:
		return anyThere
	}
	return noFit
}

// holds reports whether the truth lies within what a rough count says.
func (r SeenStack) holds(s ChipStack) bool { return r.Low <= len(s.Chips) && len(s.Chips) <= r.High }

// add counts how a stack was read; nil: it was not found.
func (c *StackScore) add(s ChipStack, r *SeenStack, worth map[string]int64) {
	found := r != nil
	counted := found && r.Counted
	exact := counted && amountOf(s.Chips, worth) == amountOf(r.Chips, worth)
	c.Exact.add(exact)
	c.Wrong.add(counted && !exact)
	c.IntervalRight.add(found && !counted && r.holds(s))
	c.IntervalWrong.add(found && !counted && !r.holds(s))
	c.NotFound.add(!found)
	if found && s.Spot != "" {
		c.Spot.add(slices.Contains(r.Spots, s.Spot))
	}
}

// amountOf is what chips are worth: cents, and of those that only their colour says how
// many there are.
func amountOf(chips []string, worth map[string]int64) string {
	var cents int64
	var colours []string
	for _, id := range chips {
		if v := worth[id]; v > 0 {
			cents += v
		} else {
			colours = append(colours, id)
		}
	}
	slices.Sort(colours)
	return fmt.Sprint(cents, "+", strings.Join(colours, "+"))
}
