package scene

import (
	"math"
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
func sum(a, b Count) Count {
	c := Count{Total: a.Total + b.Total}
	if a.Rough() || b.Rough() {
		c.May = sums(a.Totals(), b.Totals())
	}
	for _, x := range a.Alts {
		c.Alts = append(c.Alts, altCount{Total: x.Total + b.Total, Odds: x.Odds})
	}
	for _, x := range b.Alts {
		c.Alts = append(c.Alts, altCount{Total: x.Total + a.Total, Odds: x.Odds})
	}
	sort.SliceStable(c.Alts, func(i, j int) bool { return c.Alts[i].Odds > c.Alts[j].Odds })
	if len(c.Alts) > maxAlts {
		c.Alts = c.Alts[:maxAlts]
	}
	return c
}

func doubt(c Count) (d float64) {
	for _, a := range c.Alts {
		d += a.Odds
	}
	return d
}

// Count is what chips are worth, with the readings that are less likely.
type Count struct {
	Total    money.Cents
	Hidden   bool // the chips could not be counted; total is the last known
	Occluded bool // hidden by a hand or the like; no chip was seen
	// may are the totals that chips may have which could be counted only roughly,
	// sorted; nil where the count is exact.
	May  []money.Cents
	Alts []altCount
	// came are the chips that came to those that stand there as they stood: so many,
	// however many those are. 0: nothing came, or more happened than that.
	Came money.Cents
	// Reads is how many readings Alts are the mean of; 0: one.
	Reads int
}

// Rough reports whether the chips could be counted only roughly.
func (c Count) Rough() bool { return len(c.May) > 1 }

// Totals are the totals that the chips may have.
func (c Count) Totals() []money.Cents {
	if c.Rough() {
		return c.May
	}
	return []money.Cents{c.Total}
}

// Like reports whether two counts say the same.
func (c Count) Like(o Count) bool {
	return c.Total == o.Total && c.Hidden == o.Hidden && c.Occluded == o.Occluded && slices.Equal(c.May, o.May)
}

type altCount struct {
	Total money.Cents
	Odds  float64 // against the best reading
	slip  bool    // the same chips were once counted so
}

// beside is a count of chips some of which came beside the others: only of those there
// may be more or fewer than were counted.
func (c Count) beside(came Count) Count {
	c.Came, c.Alts = came.Total, came.shifted(c.Total)
	return c
}

// keeping is a later count of the same chips, of which as many came beside the others.
func (c Count) keeping(old Count) Count {
	if old.Came == 0 {
		return c
	}
	c.Came, c.Alts = old.Came, old.shifted(c.Total)
	return c
}

// shifted are the alternatives of a count if it were so much.
func (c Count) shifted(total money.Cents) (alts []altCount) {
	for _, a := range c.Alts {
		alts = append(alts, altCount{Total: total + a.Total - c.Total, Odds: a.Odds})
	}
	return alts
}

// doubted is a count whose reading by so much more is likelier by a factor.
func (c Count) doubted(by money.Cents, factor float64) Count {
	alts := slices.Clone(c.Alts)
	for i := range alts {
		if alts[i].Total == c.Total+by {
			alts[i].Odds, alts[i].slip = min(surest, alts[i].Odds*factor), true
		}
	}
	c.Alts = alts
	return c
}

// against is a count of chips that nobody touched since they were counted otherwise:
// until one of the two is read again, they may be either.
func (c Count) against(before Count) Count {
	may := before.Totals()
	if c.Hidden || c.Rough() || before.Hidden || slices.Contains(may, c.Total) {
		return c
	}
	c.May = append(slices.Clone(may), c.Total)
	slices.Sort(c.May)
	c.Total = before.Total
	return c
}

// confirmed is a count that a second reading of the same chips agrees with. The readings
// err alike, as the chips are seen from the same side: their odds are averaged, not
// multiplied. Not those of what one of them has said: what errs alike says always the same.
func (c Count) confirmed(again Count) Count {
	n := float64(max(c.Reads, 1))
	alts := make([]altCount, 0, len(c.Alts))
	for _, a := range c.Alts {
		if i := slices.IndexFunc(again.Alts, func(b altCount) bool { return b.Total == a.Total }); i >= 0 {
			if b := again.Alts[i].Odds; a.slip {
				a.Odds *= max(b, repeated)
			} else {
				a.Odds = math.Exp((n*math.Log(a.Odds) + math.Log(b)) / (n + 1))
			}
			alts = append(alts, a)
		}
	}
	c.Alts, c.Reads = alts, int(n)+1
	return c
}
