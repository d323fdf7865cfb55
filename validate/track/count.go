package track

import (
	"slices"
	"sort"

	"vision/internal/money"
)

// maxAlts bounds the less likely readings that are kept of one place.
const maxAlts = 4

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

func doubt(c count) (d float64) {
	for _, a := range c.alts {
		d += a.odds
	}
	return d
}

// count is what chips are worth, with the readings that are less likely.
type count struct {
	total  money.Cents
	hidden bool // the chips could not be counted; total is the last known
	under  bool // hidden by a hand or the like; no chip was seen
	// may are the totals that chips may have which could be counted only roughly,
	// sorted; nil where the count is exact.
	may  []money.Cents
	alts []altCount
	// came are the chips that came to those that stand there as they stood: so many,
	// however many those are. 0: nothing came, or more happened than that.
	came money.Cents
}

// vague tells that the chips could be counted only roughly.
func (c count) vague() bool { return len(c.may) > 1 }

// totals are the totals that the chips may have.
func (c count) totals() []money.Cents {
	if c.vague() {
		return c.may
	}
	return []money.Cents{c.total}
}

// like tells that two counts say the same.
func (c count) like(o count) bool {
	return c.total == o.total && c.hidden == o.hidden && c.under == o.under && slices.Equal(c.may, o.may)
}

type altCount struct {
	total money.Cents
	odds  float64 // against the best reading
}

// beside is a count of chips some of which came beside the others: only of those there
// may be more or fewer than were counted.
func (c count) beside(came count) count {
	c.came, c.alts = came.total, came.shifted(c.total)
	return c
}

// keeping is a later count of the same chips, of which as many came beside the others.
func (c count) keeping(old count) count {
	if old.came == 0 {
		return c
	}
	c.came, c.alts = old.came, old.shifted(c.total)
	return c
}

// shifted are the alternatives of a count if it were so much.
func (c count) shifted(total money.Cents) (alts []altCount) {
	for _, a := range c.alts {
		alts = append(alts, altCount{total + a.total - c.total, a.odds})
	}
	return alts
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
