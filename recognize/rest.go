package recognize

import (
	"cmp"
	"slices"

	"vision/internal/fact"
	"vision/recognize/fusion"
)

// looks are the readings of the things of one kind in one rest.
type looks[T any] struct {
	fusion.Things[T]
	n int
}

func (r *looks[T]) add(k *fusion.Kind[T], list []T) {
	r.n++
	k.Add(&r.Things, list...)
}

// rest holds the readings of one rest of a zone.
type rest struct {
	cards  looks[fact.Card]
	chips  looks[fact.Stack]
	dice   looks[fact.Die]
	past   fusion.Things[fact.Stack] // of the rest before
	unread fusion.Things[fact.Stack] // things that no reader names
}

// next begins a rest.
func (f *rest) next() rest {
	if f.chips.n == 0 {
		return rest{past: f.past}
	}
	return rest{past: f.chips.Things}
}

func (f *rest) addCards(list []fact.Card)  { f.cards.add(&fusion.Cards, list) }
func (f *rest) addChips(list []fact.Stack) { f.chips.add(&fusion.Stacks, list) }
func (f *rest) addDice(list []fact.Die)    { f.dice.add(&fusion.Dice, list) }

// addUnread takes in the things that no reader names, after the chips of the reading.
func (f *rest) addUnread(list []fact.Stack) { fusion.Stacks.Add(&f.unread, list...) }

// fused lists what at least half of the readings saw: a thing is missed about as often as one is
// invented.
func fused[T any](k *fusion.Kind[T], all *fusion.Things[T], n int) []T {
	return k.Fuse(all, (n+1)/2, fusionAlike)
}

func (f *rest) cardsNow() []fact.Card { return fused(&fusion.Cards, &f.cards.Things, f.cards.n) }
func (f *rest) diceNow() []fact.Die   { return fused(&fusion.Dice, &f.dice.Things, f.dice.n) }

func (f *rest) chipsNow() []fact.Stack {
	out := fused(&fusion.Stacks, &f.chips.Things, f.chips.n)
	for _, s := range fused(&fusion.Stacks, &f.unread, f.chips.n) {
		if middle := on(s.Quad, 1, 0.5, 0.5); !slices.ContainsFunc(out, func(r fact.Stack) bool {
			return r.Quad.Box().Holds(middle)
		}) {
			out = append(out, s) // no other reading of the rest names it
		}
	}
	slices.SortStableFunc(out, func(a, b fact.Stack) int { return cmp.Compare(a.At[0], b.At[0]) })
	return out
}
