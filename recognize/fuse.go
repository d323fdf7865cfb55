package recognize

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"vision/internal/fact"
	"vision/internal/looks"
)

// fusion holds the readings of one rest: of every thing what all of them together say.
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

// fused lists the things that at least half of the readings saw, for a thing is missed about as
// often as one is invented: each as all looks at it together have it.
func fused[T any](list []seen[T], reads int, says sayings[T]) []T {
	var out []T
	for _, s := range list {
		if 2*s.times >= reads {
			out = append(out, says.together(s.looks, fusionAlike))
		}
	}
	return out
}

// sayings are how looks at one kind of thing say what it is.
type sayings[T any] struct {
	// of is what a look says, by what the thing may be, and how many other things there are; nil
	// where it says nothing.
	of func(T) (named map[string]float64, others int)
	// accepted is what a look vouches for; "" where it abstains.
	accepted func(T) string
	// told is a look that says instead what all say together, most likely first; unsure where no
	// look vouches for that.
	told func(look T, shares []looks.Share, unsure bool) T
}

// together is a thing as all looks at it have it: the log-likelihoods of looks are added, as far
// as those of one rest do not err alike. No look's abstention is lifted by others that abstain.
func (k *sayings[T]) together(all []T, alike float64) T {
	var sum looks.Looks
	said := make([]map[string]float64, len(all))
	for i, v := range all {
		if named, of := k.of(v); len(named) > 0 {
			said[i] = withOther(named)
			sum = sum.And(looks.One(said[i], said[i][other]/float64(of)))
		}
	}
	if sum.Count() < 2 {
		return all[max(0, slices.IndexFunc(said, func(m map[string]float64) bool { return m != nil }))]
	}
	shares := slices.DeleteFunc(sum.Shares(alike, "", fusionMost), func(s looks.Share) bool { return s.What == other })
	top, best, vouched := shares[0].What, 0, false
	for i, v := range all {
		sure := k.accepted(v) == top
		if sure && !vouched || sure == vouched && said[i][top] > said[best][top] {
			best, vouched = i, sure
		}
	}
	return k.told(all[best], shares, !vouched)
}

// other is whatever a look does not name.
const other = ""

// withOther is what a look names and what that lacks to 1, for no look rules anything out.
func withOther(named map[string]float64) map[string]float64 {
	left := 1.0
	for _, p := range named {
		left -= p
	}
	named[other] = max(left, fusionDoubt)
	return named
}

// guessed is what guesses say.
func guessed(guesses []fact.Guess, suffix string) map[string]float64 {
	named := map[string]float64{}
	for _, g := range guesses {
		if g.P > 0 {
			named[g.Label+suffix] = g.P
		}
	}
	return named
}

// guesses are shares as a reading has them.
func guesses(shares []looks.Share) (out []fact.Guess) {
	for _, s := range shares {
		label, _, _ := strings.Cut(s.What, apart)
		out = append(out, fact.Guess{Label: label, P: s.P})
	}
	return out
}

// apart parts what a thing is from how it lies, or one chip from the next.
const apart = "\n"

var cardSayings = sayings[fact.Card]{
	of: func(c fact.Card) (map[string]float64, int) { return guessed(c.Guesses, ""), fusionFaces },
	accepted: func(c fact.Card) string {
		label, _ := fact.Best(c.Guesses)
		return vouchedFor(label, c.Abstain)
	},
	told: func(c fact.Card, shares []looks.Share, unsure bool) fact.Card {
		c.Guesses = guesses(shares)
		c.Abstain = abstention(c.Abstain, unsure)
		return c
	},
}

// A die is what it shows and how it lies.
var dieSayings = sayings[fact.Die]{
	of: func(d fact.Die) (map[string]float64, int) { return guessed(d.Guesses, apart+d.Irregular), dieFaces },
	accepted: func(d fact.Die) string {
		label, _ := fact.Best(d.Guesses)
		return vouchedFor(label+apart+d.Irregular, d.Abstain)
	},
	told: func(d fact.Die, shares []looks.Share, unsure bool) fact.Die {
		_, d.Irregular, _ = strings.Cut(shares[0].What, apart)
		shares = slices.DeleteFunc(shares, func(s looks.Share) bool { // those that lie otherwise
			return !strings.HasSuffix(s.What, apart+d.Irregular)
		})
		d.Guesses = guesses(shares)
		d.Abstain = abstention(d.Abstain, unsure)
		return d
	},
}

// dieFaces are the faces that a die has.
const dieFaces = 6

// contentOf names the content of a stack.
func contentOf(chips []string) string { return strings.Join(chips, apart) }

var stackSayings = sayings[fact.Stack]{
	of: func(s fact.Stack) (map[string]float64, int) {
		if len(s.Chips) == 0 || s.Low < 1 || s.P <= 0 {
			return nil, 0
		}
		named := map[string]float64{contentOf(s.Chips): s.P}
		for _, o := range s.Others {
			if o.P > 0 {
				named[contentOf(o.Chips)] = o.P
			}
		}
		return named, fusionContents
	},
	accepted: func(s fact.Stack) string { return vouchedFor(contentOf(s.Chips), s.Abstain) },
	told: func(s fact.Stack, shares []looks.Share, unsure bool) fact.Stack {
		s.Chips, s.P, s.Others = strings.Split(shares[0].What, apart), shares[0].P, nil
		for _, o := range shares[1:] {
			s.Others = append(s.Others, fact.Content{Chips: strings.Split(o.What, apart), P: o.P})
		}
		if s.Abstain = abstention(s.Abstain, unsure); s.Abstain == "" {
			s.Low, s.High = len(s.Chips), len(s.Chips)
		}
		s.Low, s.High = min(s.Low, len(s.Chips)), max(s.High, len(s.Chips))
		return s
	},
}

// vouchedFor is what a look says if it does not abstain.
func vouchedFor(what, abstain string) string {
	if abstain != "" {
		return ""
	}
	return what
}

// abstention is why a thing is not read of which looks are put together.
func abstention(why string, unsure bool) string {
	if unsure && why == "" {
		return "unsure" // a look that vouches for something else names it too
	}
	return why
}

func (f *fusion) addCards(list []fact.Card) {
	f.reads[0]++
	for _, c := range list {
		f.cards = add(f.cards, c.At, fusionCard, c)
	}
}

func (f *fusion) addChips(list []fact.Stack) {
	f.reads[1]++
	for _, s := range list {
		f.chips = add(f.chips, s.At, fusionStack, s)
	}
}

// addUnread takes in the things that no reader names, after the chips of the reading.
func (f *fusion) addUnread(list []fact.Stack) {
	for _, s := range list {
		f.unread = add(f.unread, s.At, fusionStack, s)
	}
}

func (f *fusion) addDice(list []fact.Die) {
	f.reads[2]++
	for _, d := range list {
		f.dice = add(f.dice, d.At, fusionDie, d)
	}
}

// cardsNow are the cards from left to right.
func (f *fusion) cardsNow() []fact.Card {
	out := fused(f.cards, f.reads[0], cardSayings)
	slices.SortStableFunc(out, func(a, b fact.Card) int { return byX(a.At, b.At) })
	return out
}

func (f *fusion) chipsNow() []fact.Stack {
	out := fused(f.chips, f.reads[1], stackSayings)
	for _, s := range fused(f.unread, f.reads[1], stackSayings) {
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
	out := fused(f.dice, f.reads[2], dieSayings)
	slices.SortStableFunc(out, func(a, b fact.Die) int { return byX(a.At, b.At) })
	return out
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
