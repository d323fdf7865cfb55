// Package fusion fuses several readings of the things in a zone: pictures of one
// rest, and cameras of one table. Log-likelihoods are added, as far as their errors are independent
// (internal/logodds).
package fusion

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"vision/internal/fact"
	"vision/internal/logodds"
)

// Kind is how readings of one kind of thing are fused.
type Kind[T any] struct {
	// At is where a reading has the thing, millimetres of the table plane.
	At func(T) fact.Point
	// Reach is how far apart two readings may have one thing, millimetres: less than things lie apart.
	Reach float64
	// Evidence is the probabilities of a reading, by what the thing may be, and how many other things there are; nil
	// where it has none.
	Evidence func(T) (named map[string]float64, others int)
	// accepted is the label that a reading accepts; "" where it abstains.
	accepted func(T) string
	// fused is a reading with the evidence of all instead, most likely first; unsure where no
	// reading accepts the first.
	fused func(reading T, shares []logodds.Share, unsure bool) T
}

// FuseOne is a thing by all readings of it, whose errors have a correlation of 0 to
// 1. No reading's abstention is lifted by others that abstain.
func (k *Kind[T]) FuseOne(all []T, correlation float64) T {
	var sum logodds.Evidence
	evidence := make([]map[string]float64, len(all))
	for i, v := range all {
		if named, of := k.Evidence(v); len(named) > 0 {
			evidence[i] = withOther(named)
			sum = sum.Fuse(logodds.Of(evidence[i], evidence[i][other]/float64(of)))
		}
	}
	if sum.Count() < 2 {
		return all[max(0, slices.IndexFunc(evidence, func(m map[string]float64) bool { return m != nil }))]
	}
	shares := slices.DeleteFunc(sum.Shares(correlation, "", most), func(s logodds.Share) bool { return s.What == other })
	top, best, accepted := shares[0].What, 0, false
	for i, v := range all {
		sure := k.accepted(v) == top
		if sure && !accepted || sure == accepted && evidence[i][top] > evidence[best][top] {
			best, accepted = i, sure
		}
	}
	return k.fused(all[best], shares, !accepted)
}

// Things are those of one kind that lie in a zone, each with the readings of it.
type Things[T any] struct{ list []thing[T] }

type thing[T any] struct {
	at       fact.Point // where the first reading has it
	readings []T
}

// Add puts each reading to the thing that lies nearest within the kind's reach, or to none yet.
func (k *Kind[T]) Add(to *Things[T], readings ...T) {
	for _, reading := range readings {
		at := k.At(reading)
		best, d := -1, k.Reach
		for i, s := range to.list {
			if e := math.Hypot(s.at[0]-at[0], s.at[1]-at[1]); e < d {
				best, d = i, e
			}
		}
		if best < 0 {
			to.list = append(to.list, thing[T]{at: at, readings: []T{reading}})
			continue
		}
		to.list[best].readings = append(to.list[best].readings, reading)
	}
}

// Fuse lists the things of which there are so many readings, each fused,
// from left to right.
func (k *Kind[T]) Fuse(all *Things[T], least int, correlation float64) []T {
	var out []T
	for _, s := range all.list {
		if len(s.readings) >= least {
			out = append(out, k.FuseOne(s.readings, correlation))
		}
	}
	slices.SortStableFunc(out, func(a, b T) int { return cmp.Compare(k.At(a)[0], k.At(b)[0]) })
	return out
}

// first is the first reading of the thing of which this is one.
func (k *Kind[T]) first(all *Things[T], reading T) (T, bool) {
	at := k.At(reading)
	for _, s := range all.list {
		if math.Hypot(s.at[0]-at[0], s.at[1]-at[1]) < k.Reach {
			return s.readings[0], true
		}
	}
	return reading, false
}

// Newest is the last reading of each of the things.
func (t *Things[T]) Newest() []T {
	var out []T
	for _, s := range t.list {
		out = append(out, s.readings[len(s.readings)-1])
	}
	return out
}

// other is whatever a reading does not name.
const other = ""

// withOther is what a reading names and what that lacks to 1, for no reading rules anything out.
func withOther(named map[string]float64) map[string]float64 {
	left := 1.0
	for _, p := range named {
		left -= p
	}
	named[other] = max(left, doubt)
	return named
}

// probabilities are those of guesses, by label.
func probabilities(guesses []fact.Guess, suffix string) map[string]float64 {
	named := map[string]float64{}
	for _, g := range guesses {
		if g.P > 0 {
			named[g.Label+suffix] = g.P
		}
	}
	return named
}

// guesses are shares as a reading has them.
func guesses(shares []logodds.Share) (out []fact.Guess) {
	for _, s := range shares {
		label, _, _ := strings.Cut(s.What, separator)
		out = append(out, fact.Guess{Label: label, P: s.P})
	}
	return out
}

// separator is between what a thing is and how it lies, or one chip from the next.
const separator = "\n"

// Cards are what they show.
var Cards = Kind[fact.Card]{
	At: func(c fact.Card) fact.Point { return c.At }, Reach: 15,
	Evidence: func(c fact.Card) (map[string]float64, int) { return probabilities(c.Guesses, ""), faces },
	accepted: func(c fact.Card) string {
		label, _ := fact.Best(c.Guesses)
		return unlessAbstained(label, c.Abstain)
	},
	fused: func(c fact.Card, shares []logodds.Share, unsure bool) fact.Card {
		c.Guesses = guesses(shares)
		c.Abstain = abstention(c.Abstain, unsure)
		return c
	},
}

// Dice are what they show and how they lie.
var Dice = Kind[fact.Die]{
	At: func(d fact.Die) fact.Point { return d.At }, Reach: 8,
	Evidence: func(d fact.Die) (map[string]float64, int) {
		return probabilities(d.Guesses, separator+d.Irregular), dieFaces
	},
	accepted: func(d fact.Die) string {
		label, _ := fact.Best(d.Guesses)
		return unlessAbstained(label+separator+d.Irregular, d.Abstain)
	},
	fused: func(d fact.Die, shares []logodds.Share, unsure bool) fact.Die {
		_, d.Irregular, _ = strings.Cut(shares[0].What, separator)
		shares = slices.DeleteFunc(shares, func(s logodds.Share) bool { // those that lie otherwise
			return !strings.HasSuffix(s.What, separator+d.Irregular)
		})
		d.Guesses = guesses(shares)
		d.Abstain = abstention(d.Abstain, unsure)
		return d
	},
}

const (
	// doubt is the least probability of what a reading does not name, all together: no reading rules
	// anything out.
	doubt    = 1e-3
	faces    = 54 // labels that share it, of a card
	contents = 20 // and of a stack
	most     = 8  // things that one may be that are listed
)

// dieFaces are the faces that a die has.
const dieFaces = 6

// ContentOf names the content of a stack.
func ContentOf(chips []string) string { return strings.Join(chips, separator) }

// Stacks are the chips in them.
var Stacks = Kind[fact.Stack]{
	At: func(s fact.Stack) fact.Point { return s.At }, Reach: 15,
	Evidence: func(s fact.Stack) (map[string]float64, int) {
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
	accepted: func(s fact.Stack) string { return unlessAbstained(ContentOf(s.Chips), s.Abstain) },
	fused: func(s fact.Stack, shares []logodds.Share, unsure bool) fact.Stack {
		s.Chips, s.P, s.Others = strings.Split(shares[0].What, separator), shares[0].P, nil
		for _, o := range shares[1:] {
			s.Others = append(s.Others, fact.Content{Chips: strings.Split(o.What, separator), P: o.P})
		}
		if s.Abstain = abstention(s.Abstain, unsure); s.Abstain == "" {
			s.Low, s.High = len(s.Chips), len(s.Chips)
		}
		s.Low, s.High = min(s.Low, len(s.Chips)), max(s.High, len(s.Chips))
		return s
	},
}

// unlessAbstained is a label where the reading does not abstain.
func unlessAbstained(what, abstain string) string {
	if abstain != "" {
		return ""
	}
	return what
}

// abstention is why a thing is not read whose readings are fused.
func abstention(why string, unsure bool) string {
	if unsure && why == "" {
		return "unsure" // a reading that accepts something else names it too
	}
	return why
}

// label is what a reading shows, or why it abstains.
func label(guesses []fact.Guess, abstain string) string {
	if abstain != "" {
		return "?" + abstain
	}
	best, _ := fact.Best(guesses)
	return best
}

// Key is the content of an observation, without places and probabilities.
func Key(o fact.Observation) string {
	var b strings.Builder
	for _, c := range o.Cards {
		fmt.Fprint(&b, "c", label(c.Guesses, c.Abstain), ";")
	}
	for _, s := range o.Chips {
		fmt.Fprint(&b, "s", strings.Join(s.Chips, "+"), s.Low, s.High, s.Abstain, ";")
	}
	for _, d := range o.Dice {
		fmt.Fprint(&b, "d", label(d.Guesses, d.Abstain), d.Irregular, ";")
	}
	return b.String()
}
