package narrate

import (
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/track/scene"
)

// A pile that somebody knocks over is fewer chips for a while, and some of them may lie on other
// places. Put up again it is what it was, to the chip. A player who takes chips back once bets are
// closed and lays the same again does so seldom, and hardly ever leaves the rest of the pile where
// it was. What stays from round to round he may take up while bets are open, and puts it back.

// deviation is a run of counts of a place between two that are sure and of the same sum.
type deviation struct {
	counts      []int // their numbers
	lost        money.Cents
	left        money.Cents // at first
	from, at    time.Time   // when they went
	since, back time.Time   // when they came back
	next        int         // the number of the count that shows it
	carried     bool        // they are a bet of rounds before
}

// restored gives the numbers of the counts of piles that were knocked over or taken up and put
// back, and of what had fallen on other places, while no stake may have been settled.
func (k *counting) restored() (numbers []int) {
	end := k.undecided()
	counts := map[scene.Place][]int{}
	for i := range k.Scene.Events {
		h := &k.Scene.Events[i]
		if h.Kind == scene.ChipsSeen && scene.MayHoldBet(h.Place) && (end.IsZero() || h.From.Before(end)) {
			counts[h.Place] = append(counts[h.Place], i)
		}
	}
	runs := map[scene.Place][]deviation{}
	for p, list := range counts {
		runs[p] = k.deviations(p, list)
	}
	for p := range runs {
		for _, pile := range runs[p] {
			held := pile.carried && pile.next <= k.first
			toppled := pile.left > 0 && !k.Game.Pushed // on a whole layout what fell is seen
			if pile.lost <= 0 || !held && !toppled {
				continue
			}
			numbers = append(numbers, pile.counts...)
			for q := range runs {
				for _, o := range runs[q] {
					if o.lost < 0 && -o.lost <= pile.lost && o.with(pile) {
						numbers = append(numbers, o.counts...)
					}
				}
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

// deviations are those of a place with these counts.
func (k *counting) deviations(p scene.Place, list []int) (out []deviation) {
	was := k.Scene.Opening[p]
	_, carried := k.Held[p]
	for n, i := range list {
		first := &k.Scene.Events[i]
		before := was
		was = first.Chips
		if before.Hidden || before.Rough() || was.Hidden || was.Total == before.Total {
			continue
		}
		later := slices.IndexFunc(list[n+1:], func(i int) bool {
			c := k.Scene.Events[i].Chips
			return !c.Hidden && !c.Rough() && c.Total == before.Total
		})
		if later < 0 {
			continue
		}
		next := list[n+1+later]
		back := &k.Scene.Events[next]
		out = append(out, deviation{
			counts: list[n : n+1+later], lost: before.Total - was.Total, left: was.Total,
			from: first.From, at: first.At, since: back.From, back: back.At, next: next, carried: n == 0 && carried,
		})
	}
	return out
}

// with reports whether chips came and went as those of another place went and came.
func (d deviation) with(o deviation) bool {
	meet := func(from, to, since, until time.Time) bool {
		return !from.After(until.Add(scene.Act)) && !since.After(to.Add(scene.Act))
	}
	return meet(d.from, d.at, o.from, o.at) && meet(d.since, d.back, o.since, o.back)
}
