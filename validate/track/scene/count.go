package scene

import (
	"cmp"
	"maps"
	"slices"

	"vision/internal/money"
)

const (
	// maxWorths bounds what chips may be worth that is kept of one place.
	maxWorths = 32
	// Faint are the odds below which what else may be so is left out: it bounds what is kept and tried.
	Faint = 1e-4
	// firm is the probability from which of two things one is taken to be so, as readers accept it.
	firm = 0.9
)

// Count is what chips are worth: the likeliest, and what else it may be.
type Count struct {
	Total    money.Cents
	Hidden   bool        // the chips could not be counted; total is the last known
	Occluded bool        // hidden by a hand or the like; no chip was seen
	Unread   int         // how many things lie there that could not be counted, if no hand hides them
	Beside   money.Cents // what the chips beside those are worth
	Others   []Worth     // likeliest first
	// came is what the chips are worth that came to those that stand there as they stood,
	// however many those are. Empty: nothing came, or more happened than that.
	Came []Worth
}

// Worth is something that chips may be worth.
type Worth struct {
	Total     money.Cents
	Odds      float64 // against the likeliest, by what was read
	Unchanged bool    // if a stack that seems to have changed stands there as it stood
}

// Totals are the totals that the chips may have, sorted: where they could be counted only
// roughly, several.
func (c Count) Totals() []money.Cents {
	may := []money.Cents{c.Total}
	for _, w := range c.Others {
		if !w.Unchanged && w.Odds > (1-firm)/firm {
			may = append(may, w.Total)
		}
	}
	slices.Sort(may)
	return may
}

// Rough reports whether the chips could be counted only roughly.
func (c Count) Rough() bool { return len(c.Totals()) > 1 }

// Counted is what those chips are worth that could be counted.
func (c Count) Counted() money.Cents {
	if c.Hidden {
		return c.Beside
	}
	return c.Total
}

// Of are the odds of a total against the likeliest.
func (c Count) Of(total money.Cents) float64 {
	if total == c.Total {
		return 1
	}
	for _, w := range c.Others {
		if w.Total == total && !w.Unchanged {
			return w.Odds
		}
	}
	return Faint
}

// Like reports whether two counts are the same.
func (c Count) Like(o Count) bool {
	return c.Total == o.Total && c.Hidden == o.Hidden && c.Occluded == o.Occluded &&
		c.Unread == o.Unread && c.Beside == o.Beside && slices.Equal(c.Totals(), o.Totals())
}

// worths are what the chips may be worth, the likeliest first.
func (c Count) worths() []Worth { return append([]Worth{{Total: c.Total, Odds: 1}}, c.Others...) }

// countOf is the count of chips that are worth something by weights of any scale, in the order
// of amounts that weigh the same.
func countOf(weights map[money.Cents]float64, first money.Cents) Count {
	all := slices.SortedFunc(maps.Keys(weights), func(a, b money.Cents) int {
		near := func(v money.Cents) money.Cents { return max(v-first, first-v) }
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(near(a), near(b)), cmp.Compare(a, b))
	})
	c := Count{Total: all[0]}
	for _, v := range all[1:min(len(all), maxWorths)] {
		if odds := weights[v] / weights[c.Total]; odds >= Faint {
			c.Others = append(c.Others, Worth{Total: v, Odds: odds})
		}
	}
	return c
}

// sum puts two stacks of one place together.
func sum(a, b Count) Count {
	weights := map[money.Cents]float64{}
	for _, x := range a.worths() {
		for _, y := range b.worths() {
			weights[x.Total+y.Total] += x.Odds * y.Odds
		}
	}
	return countOf(weights, a.Total+b.Total)
}

// beside is a count of chips some of which came beside the others: only of those there
// may be more or fewer than were counted.
func (c Count) beside(came Count) Count {
	c.Came = came.worths()
	return c
}

// keeping is a later count of the same chips, of which as many came beside the others.
func (c Count) keeping(old Count) Count {
	c.Came = old.Came
	return c
}

// Misread are what else the chips may be worth if they were not counted roughly: where some
// came beside others, only of those there may be more or fewer.
func (c Count) Misread() (ws []Worth) {
	if len(c.Came) == 0 {
		return c.Others
	}
	for _, w := range c.Came[1:] {
		w.Total += c.Total - c.Came[0].Total
		ws = append(ws, w)
	}
	return ws
}

// ifUnchanged is a count of chips that may be worth so much more if a stack did not change.
func (c Count) ifUnchanged(by money.Cents, odds float64) Count {
	c.Others = slices.DeleteFunc(slices.Clone(c.Others), func(w Worth) bool { return w.Total == c.Total+by })
	c.Others = append(c.Others, Worth{Total: c.Total + by, Odds: odds, Unchanged: true})
	return c
}

// keepingUnchanged is another count of the same chips at the same rest: what they may be worth if a stack did not
// change stays.
func (c Count) keepingUnchanged(old Count) Count {
	for _, w := range old.Others {
		if w.Unchanged {
			c = c.ifUnchanged(w.Total-c.Total, w.Odds)
		}
	}
	return c
}
