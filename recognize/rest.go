package recognize

import (
	"cmp"
	"slices"

	"vision/internal/fact"
	"vision/recognize/fusion"
)

// rest holds the readings of one rest of a zone.
type rest struct {
	cards  fusion.Things[fact.Card]
	chips  fusion.Things[fact.Stack]
	dice   fusion.Things[fact.Die]
	reads  [3]int
	past   fusion.Things[fact.Stack] // of the rest before
	unread fusion.Things[fact.Stack] // things that no reader names
}

// next begins a rest.
func (f *rest) next() rest {
	if f.reads[1] == 0 {
		return rest{past: f.past}
	}
	return rest{past: f.chips}
}

func (f *rest) addCards(list []fact.Card) {
	f.reads[0]++
	fusion.Cards.Add(&f.cards, list...)
}

func (f *rest) addChips(list []fact.Stack) {
	f.reads[1]++
	fusion.Stacks.Add(&f.chips, list...)
}

// addUnread takes in the things that no reader names, after the chips of the reading.
func (f *rest) addUnread(list []fact.Stack) {
	fusion.Stacks.Add(&f.unread, list...)
}

func (f *rest) addDice(list []fact.Die) {
	f.reads[2]++
	fusion.Dice.Add(&f.dice, list...)
}

// fused lists what at least half of the readings saw: a thing is missed about as often as one is
// invented.
func fused[T any](k *fusion.Kind[T], all *fusion.Things[T], reads int) []T {
	return k.Fuse(all, (reads+1)/2, fusionAlike)
}

func (f *rest) cardsNow() []fact.Card { return fused(&fusion.Cards, &f.cards, f.reads[0]) }

func (f *rest) chipsNow() []fact.Stack {
	out := fused(&fusion.Stacks, &f.chips, f.reads[1])
	for _, s := range fused(&fusion.Stacks, &f.unread, f.reads[1]) {
		if middle := on(s.Quad, 1, 0.5, 0.5); !slices.ContainsFunc(out, func(r fact.Stack) bool {
			return r.Quad.Box().Holds(middle)
		}) {
			out = append(out, s) // no other reading of the rest names it
		}
	}
	slices.SortStableFunc(out, func(a, b fact.Stack) int { return cmp.Compare(a.At[0], b.At[0]) })
	return out
}

func (f *rest) diceNow() []fact.Die { return fused(&fusion.Dice, &f.dice, f.reads[2]) }
