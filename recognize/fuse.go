package recognize

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"vision/internal/fact"
)

// fusion holds the readings of one rest: of every thing the one that the most
// readings agree on, the surest among equals.
type fusion struct {
	cards  []seen[fact.Card]
	chips  []seen[fact.Stack]
	dice   []seen[fact.Die]
	reads  [3]int
	past   []seen[fact.Stack] // of the rest before
	unread []seen[fact.Stack] // things that no reader names
}

// next begins a rest.
func (f *fusion) next() fusion {
	if f.reads[1] == 0 {
		return fusion{past: f.past}
	}
	return fusion{past: f.chips}
}

// seen is one thing with everything that was read of it, and in how many readings
// of the rest it was there.
type seen[T any] struct {
	at    fact.Point
	looks []T
	times int
}

// add puts a reading to the thing that lies nearest within reach millimetres.
func add[T any](list []seen[T], at fact.Point, reach float64, v T) []seen[T] {
	i := nearest(list, at, reach)
	if i < 0 {
		return append(list, seen[T]{at: at, looks: []T{v}, times: 1})
	}
	list[i].looks = append(list[i].looks, v)
	list[i].times++
	return list
}

// nearest is the thing that lies nearest within reach; -1: none does.
func nearest[T any](list []seen[T], at fact.Point, reach float64) int {
	best, d := -1, reach
	for i, s := range list {
		if e := math.Hypot(s.at[0]-at[0], s.at[1]-at[1]); e < d {
			best, d = i, e
		}
	}
	return best
}

// best lists the things that at least half of the readings saw, each as the
// reading with the most votes shows it.
func best[T any](list []seen[T], reads int, key func(T) string, p func(T) float64) []T {
	var out []T
	for _, s := range list {
		if 2*s.times < reads {
			continue
		}
		votes := map[string]float64{}
		for _, v := range s.looks {
			votes[key(v)] += p(v)
		}
		var top T
		most, sure := -1.0, -1.0
		for _, v := range s.looks {
			if n := votes[key(v)]; n > most || n == most && p(v) > sure {
				top, most, sure = v, n, p(v)
			}
		}
		out = append(out, top)
	}
	return out
}

func (f *fusion) addCards(list []fact.Card) {
	f.reads[0]++
	for _, c := range list {
		f.cards = add(f.cards, c.At, par.fusion.card, c)
	}
}

func (f *fusion) addChips(list []fact.Stack) {
	f.reads[1]++
	for _, s := range list {
		i, k := nearest(f.chips, s.At, par.fusion.stack), nearest(f.past, s.At, par.fusion.stack)
		switch {
		case !s.Kept || i < 0 && k < 0:
			f.chips = add(f.chips, s.At, par.fusion.stack, s)
		case i < 0: // it lies there untouched, and everything that was read of it stands
			looks := f.past[k].looks
			f.chips = append(f.chips, seen[fact.Stack]{f.past[k].at, slices.Clone(looks[max(0, len(looks)-par.fusion.looks):]),
				1})
		default: // that has been heard
			f.chips[i].times++
		}
	}
}

// addUnread takes in the things that no reader names, after the chips of the reading.
func (f *fusion) addUnread(list []fact.Stack) {
	for _, s := range list {
		f.unread = add(f.unread, s.At, par.fusion.stack, s)
	}
}

func (f *fusion) addDice(list []fact.Die) {
	f.reads[2]++
	for _, d := range list {
		f.dice = add(f.dice, d.At, par.fusion.die, d)
	}
}

// cardsNow are the cards from left to right.
func (f *fusion) cardsNow() []fact.Card {
	out := best(f.cards, f.reads[0], cardKey, func(c fact.Card) float64 { return weigh(c.Guesses, c.Abstain) })
	slices.SortStableFunc(out, func(a, b fact.Card) int { return byX(a.At, b.At) })
	return out
}

func (f *fusion) chipsNow() []fact.Stack {
	out := best(f.chips, f.reads[1], stackKey, func(s fact.Stack) float64 {
		if s.Abstain != "" {
			return par.fusion.stackAbstains * s.P
		}
		return s.P
	})
	for _, s := range best(f.unread, f.reads[1], stackKey, func(fact.Stack) float64 { return 1 }) {
		if middle := on(s.Quad, 1, 0.5, 0.5); !slices.ContainsFunc(out, func(r fact.Stack) bool {
			return r.Quad.Box().Holds(middle)
		}) {
			out = append(out, s) // no other reading of the rest names it
		}
	}
	slices.SortStableFunc(out, func(a, b fact.Stack) int { return byX(a.At, b.At) })
	return out
}

func (f *fusion) diceNow() []fact.Die {
	out := best(f.dice, f.reads[2], dieKey, func(d fact.Die) float64 { return weigh(d.Guesses, d.Abstain) })
	slices.SortStableFunc(out, func(a, b fact.Die) int { return byX(a.At, b.At) })
	return out
}

// weigh is a reading's vote: an abstention counts little.
func weigh(g []fact.Guess, abstain string) float64 {
	_, p := fact.Best(g)
	if abstain != "" {
		return par.fusion.abstains + par.fusion.abstainsSure*p
	}
	return p
}

func byX(a, b fact.Point) int {
	switch {
	case a[0] < b[0]:
		return -1
	case a[0] > b[0]:
		return 1
	}
	return 0
}

func cardKey(c fact.Card) string {
	l, _ := fact.Best(c.Guesses)
	if c.Abstain != "" {
		return "?" + c.Abstain
	}
	return l
}

func stackKey(s fact.Stack) string {
	return fmt.Sprint(strings.Join(s.Chips, "+"), s.Low, s.High, s.Abstain)
}

func dieKey(d fact.Die) string {
	l, _ := fact.Best(d.Guesses)
	if d.Abstain != "" {
		l = "?" + d.Abstain
	}
	return l + d.Irregular
}

// keyOf is what an observation says, without places and probabilities.
func keyOf(o fact.Observation) string {
	var b strings.Builder
	for _, c := range o.Cards {
		fmt.Fprint(&b, "c", cardKey(c), ";")
	}
	for _, s := range o.Chips {
		fmt.Fprint(&b, "s", stackKey(s), ";")
	}
	for _, d := range o.Dice {
		fmt.Fprint(&b, "d", dieKey(d), ";")
	}
	return b.String()
}
