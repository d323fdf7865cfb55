package track

import (
	"slices"
	"sort"

	"vision/internal/fact"
	"vision/internal/money"
)

// maxAlts bounds the less likely readings that are kept of one place.
const maxAlts = 4

// tally turns the stacks of a zone into money per place. A stack that could
// not be counted hides its place; was gives the amount last known there.
func (a *atlas) tally(z *zone, stacks []fact.Stack, was map[place]count) map[place]count {
	now := map[place]count{}
	for _, s := range stacks {
		p, ok := a.locate(z, s.At)
		if !ok {
			continue
		}
		for _, part := range a.worth(s, p) {
			if c := now[part.place]; !c.hidden && !part.chips.hidden {
				now[part.place] = sum(c, part.chips)
				continue
			}
			hide(now, was, part.place)
		}
	}
	return now
}

// hide keeps what was known of a place whose chips cannot be counted now; on a
// shared place nobody knows whose chips they are, so all seats' are kept.
func hide(now, was map[place]count, p place) {
	now[p] = count{total: was[p].total, hidden: true}
	for q, c := range was {
		if p.Seat == 0 && q.Spot == p.Spot {
			now[q] = count{total: c.total, hidden: true}
		}
	}
}

type part struct {
	place place
	chips count
}

// worth values one stack. Chips that are not seen one by one are taken for
// chips like the last one seen. On a shared place the colour tells the seat.
func (a *atlas) worth(s fact.Stack, p place) []part {
	n := len(s.Chips)
	if n == 0 || s.Abstain != "" && s.Low < 1 {
		if n > 0 && p.Seat == 0 {
			p.Seat = a.chips[s.Chips[n-1]].seat
		}
		return []part{{p, count{hidden: true}}}
	}
	ids := s.Chips
	for n < s.Low && n < 100 {
		ids = append(ids[:n:n], ids[n-1])
		n++
	}
	last := a.chips[ids[n-1]].value
	bySeat := map[int]money.Cents{}
	for _, id := range ids {
		c := a.chips[id]
		seat := p.Seat
		if seat == 0 {
			seat = c.seat
		}
		bySeat[seat] += c.value
	}
	seats := make([]int, 0, 2)
	for seat := range bySeat {
		seats = append(seats, seat)
	}
	sort.Ints(seats)
	parts := make([]part, 0, len(seats))
	for _, seat := range seats {
		c := count{total: bySeat[seat]}
		if len(seats) == 1 {
			c.alts = miscounts(s, n, last, c.total)
			if s.Abstain != "" {
				c.may = between(c.total, n, s.Low, s.High, last)
				if len(c.may) == 2 && s.P > 0 && s.P < 0.5 { // it is rather the other
					c.total = c.may[0] + c.may[1] - c.total
				}
			}
		}
		parts = append(parts, part{place{seat, p.Spot}, c})
	}
	return parts
}

// miscounts are the other totals that a stack read as n chips may have: the
// probability that is left is shared by the counts between Low and High, or by
// one chip more and one less where they tell nothing.
func miscounts(s fact.Stack, n int, value, total money.Cents) []altCount {
	p := s.P
	if p <= 0 || p > 1 {
		p = 0.5
	}
	if p > 1-1e-6 {
		return nil
	}
	var others []int
	for k := max(s.Low, 1); k <= s.High && len(others) < maxAlts; k++ {
		if k != n {
			others = append(others, k)
		}
	}
	if len(others) == 0 {
		others = []int{n + 1}
		if n > 1 {
			others = append(others, n-1)
		}
	}
	alts := make([]altCount, 0, len(others))
	for _, k := range others {
		alts = append(alts, altCount{total + money.Cents(k-n)*value, (1 - p) / p / float64(len(others))})
	}
	return alts
}

// maxMay bounds the totals that rough counts may have.
const maxMay = 32

// between are the totals of a stack that has from low to high chips, if with n
// it is worth total and every other chip has one value. Nil: it has n.
func between(total money.Cents, n, low, high int, value money.Cents) (may []money.Cents) {
	for k := max(min(low, n), 0); k <= max(high, n) && len(may) < maxMay; k++ {
		may = append(may, total+money.Cents(k-n)*value)
	}
	if len(may) < 2 {
		return nil
	}
	return may
}

// sums are the totals that two counts can have together, those nearest to the
// middle where they are too many.
func sums(a, b []money.Cents) (may []money.Cents) {
	for _, x := range a {
		for _, y := range b {
			may = append(may, x+y)
		}
	}
	slices.Sort(may)
	may = slices.Compact(may)
	if extra := len(may) - maxMay; extra > 0 {
		may = may[extra/2:][:maxMay]
	}
	return may
}

// sum puts two stacks of one place together; at most one of them is misread.
func sum(a, b count) count {
	c := count{total: a.total + b.total}
	if a.vague() || b.vague() {
		c.may = sums(a.totals(), b.totals())
	}
	for _, x := range a.alts {
		c.alts = append(c.alts, altCount{x.total + b.total, x.odds})
	}
	for _, x := range b.alts {
		c.alts = append(c.alts, altCount{x.total + a.total, x.odds})
	}
	sort.SliceStable(c.alts, func(i, j int) bool { return c.alts[i].odds > c.alts[j].odds })
	if len(c.alts) > maxAlts {
		c.alts = c.alts[:maxAlts]
	}
	return c
}
