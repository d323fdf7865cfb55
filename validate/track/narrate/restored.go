package narrate

import (
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// A pile that somebody knocks over is fewer chips for a while, and some of them may lie on other
// places. Put up again it is what it was, to the chip. A player who takes chips back once bets are
// closed and lays the same again does so seldom, and hardly ever leaves the rest of the pile where
// it was. What stays from round to round he may take up while bets are open, and puts it back.

// deviation is a run of counts of a place after one that is sure, up to the next that may be of the same
// sum; where more lay there, of no more.
type deviation struct {
	counts       []int // their numbers
	lost         money.Cents
	left         money.Cents // at first
	from, at     time.Time   // when they went
	since, until time.Time   // when they came back
	next         int         // the number of the count that shows it; below 0: none does
	carried      bool        // they are a bet of rounds before
}

// restored gives the numbers of the counts of piles that were knocked over or taken up and put
// back, and of what had fallen on other places, while no stake may have been settled. What is put up
// after that may be a payment, and what lies there while the round runs may be put up: the
// hypothesis has it so, or not.
func (k *counting) restored() (numbers []int) {
	end := k.undecided()
	counts, runs := map[scene.Place][]int{}, map[scene.Place][]deviation{}
	for i := range k.Scene.Events {
		if h := &k.Scene.Events[i]; h.Kind == scene.ChipsSeen && scene.MayHoldBet(h.Place) {
			counts[h.Place] = append(counts[h.Place], i)
		}
	}
	before := func(i int) bool { return end.IsZero() || k.Scene.Events[i].From.Before(end) }
	for p, list := range counts {
		runs[p] = k.deviations(p, list)
	}
	for p := range runs {
		for _, pile := range runs[p] {
			held := pile.carried && pile.back() && pile.next <= k.first
			toppled := pile.left > 0 && !k.Game.Pushed // on a whole layout what fell is seen
			if pile.lost <= 0 || !held && !toppled || !before(pile.counts[0]) {
				continue
			}
			all, lying := pile.counts, []int(nil) // with what fell elsewhere, and what lies there still
			for q := range runs {
				for _, o := range runs[q] {
					switch with := o.lost < 0 && -o.lost <= pile.lost && o.went(pile); {
					case with && o.back() && (!pile.back() || o.came(pile)):
						all = append(all, o.counts...)
					case with && !o.back() && !k.Final:
						lying = append(lying, o.counts...)
					}
				}
			}
			sure := pile.back() && before(pile.next)
			if sure {
				numbers = append(numbers, all...)
			}
			open := len(lying) > 0 || !sure && pile.back() || !k.Final && !pile.back() && len(all) > len(pile.counts)
			fell := hypothesis.Choice{
				Kind: hypothesis.KnockedOver, Item: k.Scene.Events[pile.counts[0]].Number, Place: p,
			}
			if open && toppled && !k.Game.Interdependent() && k.pickAt(fell, 0.5) {
				numbers = slices.Concat(numbers, all, lying)
			}
		}
	}
	return numbers
}

// undecided is until when no stake can have been settled or raised; zero while that is open.
func (k *counting) undecided() time.Time {
	i := slices.IndexFunc(k.Scene.Events, func(h scene.Event) bool { return decides(&h) })
	if k.Game.Kind == scene.ByCards && !k.Game.Interdependent() {
		i = k.decided
	}
	if i < 0 {
		return time.Time{}
	}
	return k.Scene.Events[i].At
}

// back reports whether the chips came back.
func (d deviation) back() bool { return d.next >= 0 }

// deviations are those of a place with these counts. While its chips were hidden nothing is known of them.
func (k *counting) deviations(p scene.Place, list []int) (out []deviation) {
	lay, since := k.Scene.Opening[p], 0
	_, carried := k.Held[p]
	for n, i := range list {
		now := &k.Scene.Events[i]
		if now.Chips.Hidden {
			continue
		}
		was, first := lay, since
		lay, since = now.Chips, n+1
		if was.Hidden || was.Rough() || now.Chips.Total == was.Total {
			continue
		}
		d := deviation{
			counts: slices.Clone(list[first:]), lost: was.Total - now.Chips.Total, left: now.Chips.Total,
			from: k.Scene.Events[list[first]].From, at: now.At, next: -1, carried: first == 0 && carried,
		}
		later := slices.IndexFunc(list[n+1:], func(i int) bool {
			c := k.Scene.Events[i].Chips
			gone := now.Chips.Total > was.Total && c.Total < was.Total && !c.Rough() // with chips that lay there
			return !c.Hidden && (slices.Contains(c.Totals(), was.Total) || gone)
		})
		if later >= 0 {
			d.counts, d.next = d.counts[:n+1+later-first], list[n+1+later]
			d.since, d.until = k.Scene.Events[d.next].From, k.Scene.Events[d.next].At
		}
		out = append(out, d)
	}
	return out
}

// went reports whether chips came to a place as those of a pile went.
func (d deviation) went(pile deviation) bool { return meet(d.from, d.at, pile.from, pile.at) }

// came reports whether they went as those of the pile came back.
func (d deviation) came(pile deviation) bool { return meet(d.since, d.until, pile.since, pile.until) }

// meet reports whether two spans are of one act.
func meet(from, to, since, until time.Time) bool {
	return !from.After(until.Add(scene.Act)) && !since.After(to.Add(scene.Act))
}
