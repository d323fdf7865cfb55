// Package logodds fuses the evidence of several readings of one thing: pictures of one rest,
// or rests of one zone. Their log-likelihoods are added, as far as the errors of readings are
// independent: what makes a reader err, the light or a neighbour, stays. The effective number of
// n readings with correlation r is n / (1 + (n-1) r) (design effect; Kish 1965).
package logodds

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Evidence is that of some readings together: log-likelihoods of what a thing may be.
type Evidence struct {
	logs map[string]float64 // by what it may be, of all that some reading has named
	rest float64            // of anything else
	n    int
}

// Share is something that a thing may be, with its probability.
type Share struct {
	What string
	P    float64
}

// Of is the evidence of one reading: the probabilities of what it names, and of anything that it does not.
// All must be above 0.
func Of(named map[string]float64, other float64) Evidence {
	l := Evidence{logs: make(map[string]float64, len(named)), rest: math.Log(other), n: 1}
	for what, p := range named {
		l.logs[what] = math.Log(p)
	}
	return l
}

// Count is how many readings there are.
func (l Evidence) Count() int { return l.n }

// Fuse is the evidence of these readings and others together.
func (l Evidence) Fuse(o Evidence) Evidence {
	if l.n == 0 {
		return o
	}
	if o.n == 0 {
		return l
	}
	out := Evidence{logs: make(map[string]float64, len(l.logs)), rest: l.rest + o.rest, n: l.n + o.n}
	for what := range l.logs {
		out.logs[what] = l.log(what) + o.log(what)
	}
	for what := range o.logs {
		out.logs[what] = l.log(what) + o.log(what)
	}
	return out
}

func (l Evidence) log(what string) float64 {
	if v, named := l.logs[what]; named {
		return v
	}
	return l.rest
}

// Odds is the logarithm of the odds of one thing against another, of readings with a correlation.
func (l Evidence) Odds(what, against string, correlation float64) float64 {
	return (l.log(what) - l.log(against)) / (1 + float64(l.n-1)*correlation)
}

// Named are all that some reading has named, in no order.
func (l Evidence) Named() []string { return slices.Collect(maps.Keys(l.logs)) }

// Shares are the likeliest of what some reading has named, most of them first, of readings with a
// correlation; their probabilities sum to 1. Of those that are as likely the favoured is the first.
func (l Evidence) Shares(correlation float64, favoured string, most int) []Share {
	all := slices.SortedFunc(maps.Keys(l.logs), func(a, b string) int {
		if math.Abs(l.logs[a]-l.logs[b]) < 1e-9 && (a == favoured || b == favoured) {
			return map[bool]int{true: -1, false: 1}[a == favoured]
		}
		return cmp.Or(cmp.Compare(l.logs[b], l.logs[a]), cmp.Compare(a, b))
	})
	out, sum := make([]Share, 0, min(len(all), most)), 0.0
	for _, what := range all[:min(len(all), most)] {
		out = append(out, Share{what, math.Exp(l.Odds(what, all[0], correlation))})
		sum += out[len(out)-1].P
	}
	for i := range out {
		out[i].P /= sum
	}
	return out
}
