// Package fusion puts together what several looks say of the things in a zone: pictures of one
// rest, and cameras of one table. Log-likelihoods are added, as far as the looks do not err alike
// (internal/looks).
package fusion

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"vision/internal/fact"
	"vision/internal/looks"
)

// Kind is how looks at one kind of thing say what it is.
type Kind[T any] struct {
	// At is where a look has the thing, millimetres of the table plane.
	At func(T) fact.Point
	// Reach is how far apart two looks may have one thing, millimetres: less than things lie apart.
	Reach float64
	// Named is what a look says, by what the thing may be, and how many other things there are; nil
	// where it says nothing.
	Named func(T) (named map[string]float64, others int)
	// accepted is what a look vouches for; "" where it abstains.
	accepted func(T) string
	// with is a look that says instead what all say together, most likely first; unsure where no
	// look vouches for that.
	with func(look T, shares []looks.Share, unsure bool) T
}

// Together is a thing as all looks at it have it; the looks err alike with a correlation of 0 to
// 1. No look's abstention is lifted by others that abstain.
func (k *Kind[T]) Together(all []T, alike float64) T {
	var sum looks.Looks
	said := make([]map[string]float64, len(all))
	for i, v := range all {
		if named, of := k.Named(v); len(named) > 0 {
			said[i] = withOther(named)
			sum = sum.And(looks.One(said[i], said[i][other]/float64(of)))
		}
	}
	if sum.Count() < 2 {
		return all[max(0, slices.IndexFunc(said, func(m map[string]float64) bool { return m != nil }))]
	}
	shares := slices.DeleteFunc(sum.Shares(alike, "", most), func(s looks.Share) bool { return s.What == other })
	top, best, vouched := shares[0].What, 0, false
	for i, v := range all {
		sure := k.accepted(v) == top
		if sure && !vouched || sure == vouched && said[i][top] > said[best][top] {
			best, vouched = i, sure
		}
	}
	return k.with(all[best], shares, !vouched)
}

// Things are those of one kind that lie in a zone, each with the looks at it.
type Things[T any] struct{ list []thing[T] }

type thing[T any] struct {
	at    fact.Point // where the first look has it
	looks []T
}

// Add puts each look to the thing that lies nearest within the kind's reach, or to none yet.
func (k *Kind[T]) Add(to *Things[T], looks ...T) {
	for _, look := range looks {
		at := k.At(look)
		best, d := -1, k.Reach
		for i, s := range to.list {
			if e := math.Hypot(s.at[0]-at[0], s.at[1]-at[1]); e < d {
				best, d = i, e
			}
		}
		if best < 0 {
			to.list = append(to.list, thing[T]{at: at, looks: []T{look}})
			continue
		}
		to.list[best].looks = append(to.list[best].looks, look)
	}
}

// Fuse lists the things at which there are so many looks, each as all of them together have it,
// from left to right.
func (k *Kind[T]) Fuse(all *Things[T], least int, alike float64) []T {
	var out []T
	for _, s := range all.list {
		if len(s.looks) >= least {
			out = append(out, k.Together(s.looks, alike))
		}
	}
	slices.SortStableFunc(out, func(a, b T) int { return cmp.Compare(k.At(a)[0], k.At(b)[0]) })
	return out
}

// first is the first look at the thing of which this is one.
func (k *Kind[T]) first(all *Things[T], look T) (T, bool) {
	at := k.At(look)
	for _, s := range all.list {
		if math.Hypot(s.at[0]-at[0], s.at[1]-at[1]) < k.Reach {
			return s.looks[0], true
		}
	}
	return look, false
}

// Newest is the last look at each of the things.
func (t *Things[T]) Newest() []T {
	var out []T
	for _, s := range t.list {
		out = append(out, s.looks[len(s.looks)-1])
	}
	return out
}

// other is whatever a look does not name.
const other = ""

// withOther is what a look names and what that lacks to 1, for no look rules anything out.
func withOther(named map[string]float64) map[string]float64 {
	left := 1.0
	for _, p := range named {
		left -= p
	}
	named[other] = max(left, doubt)
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

// Cards are what they show.
var Cards = Kind[fact.Card]{
	At: func(c fact.Card) fact.Point { return c.At }, Reach: 15,
	Named: func(c fact.Card) (map[string]float64, int) { return guessed(c.Guesses, ""), faces },
	accepted: func(c fact.Card) string {
		label, _ := fact.Best(c.Guesses)
		return vouchedFor(label, c.Abstain)
	},
	with: func(c fact.Card, shares []looks.Share, unsure bool) fact.Card {
		c.Guesses = guesses(shares)
		c.Abstain = abstention(c.Abstain, unsure)
		return c
	},
}

// Dice are what they show and how they lie.
var Dice = Kind[fact.Die]{
	At: func(d fact.Die) fact.Point { return d.At }, Reach: 8,
	Named: func(d fact.Die) (map[string]float64, int) { return guessed(d.Guesses, apart+d.Irregular), dieFaces },
	accepted: func(d fact.Die) string {
		label, _ := fact.Best(d.Guesses)
		return vouchedFor(label+apart+d.Irregular, d.Abstain)
	},
	with: func(d fact.Die, shares []looks.Share, unsure bool) fact.Die {
		_, d.Irregular, _ = strings.Cut(shares[0].What, apart)
		shares = slices.DeleteFunc(shares, func(s looks.Share) bool { // those that lie otherwise
			return !strings.HasSuffix(s.What, apart+d.Irregular)
		})
		d.Guesses = guesses(shares)
		d.Abstain = abstention(d.Abstain, unsure)
		return d
	},
}

const (
	// doubt is the least probability of what a look does not name, all together: no look rules
	// anything out.
	doubt    = 1e-3
	faces    = 54 // labels that share it, of a card
	contents = 20 // and of a stack
	most     = 8  // things that one may be that are listed
)

// dieFaces are the faces that a die has.
const dieFaces = 6

// ContentOf names the content of a stack.
func ContentOf(chips []string) string { return strings.Join(chips, apart) }

// Stacks are the chips in them.
var Stacks = Kind[fact.Stack]{
	At: func(s fact.Stack) fact.Point { return s.At }, Reach: 15,
	Named: func(s fact.Stack) (map[string]float64, int) {
		if len(s.Chips) == 0 || s.Low < 1 || s.P <= 0 {
			return nil, 0
		}
		named := map[string]float64{ContentOf(s.Chips): s.P}
		for _, o := range s.Others {
			if o.P > 0 {
				named[ContentOf(o.Chips)] = o.P
			}
		}
		return named, contents
	},
	accepted: func(s fact.Stack) string { return vouchedFor(ContentOf(s.Chips), s.Abstain) },
	with: func(s fact.Stack, shares []looks.Share, unsure bool) fact.Stack {
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

// Key is what an observation says, without places and probabilities.
func Key(o fact.Observation) string {
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
