// Package looks puts together what several looks at one thing say of it: pictures of one rest,
// or rests of one zone. Their log-likelihoods are added, as far as looks at one thing do not
// err alike: what makes a reader err, the light or a neighbour, stays. The effective number of
// n looks with correlation r is n / (1 + (n-1) r) (design effect; Kish 1965).
package looks

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Looks are what some looks say together: log-likelihoods of what a thing may be.
type Looks struct {
	logs map[string]float64 // by what it may be, of all that some look has named
	rest float64            // of anything else
	n    int
}

// Share is something that a thing may be, with its probability.
type Share struct {
	What string
	P    float64
}

// One is one look: the probabilities of what it names, and of anything that it does not.
// All must be above 0.
func One(named map[string]float64, other float64) Looks {
	l := Looks{logs: make(map[string]float64, len(named)), rest: math.Log(other), n: 1}
	for what, p := range named {
		l.logs[what] = math.Log(p)
	}
	return l
}

// Count is how many looks there are.
func (l Looks) Count() int { return l.n }

// And is what these looks and others say together.
func (l Looks) And(o Looks) Looks {
	if l.n == 0 {
		return o
	}
	if o.n == 0 {
		return l
	}
	out := Looks{logs: make(map[string]float64, len(l.logs)), rest: l.rest + o.rest, n: l.n + o.n}
	for what := range l.logs {
		out.logs[what] = l.log(what) + o.log(what)
	}
	for what := range o.logs {
		out.logs[what] = l.log(what) + o.log(what)
	}
	return out
}

func (l Looks) log(what string) float64 {
	if v, named := l.logs[what]; named {
		return v
	}
	return l.rest
}

// Odds is the logarithm of the odds of one thing against another, of looks with a correlation.
func (l Looks) Odds(what, against string, alike float64) float64 {
	return (l.log(what) - l.log(against)) / (1 + float64(l.n-1)*alike)
}

// Named are all that some look has named, in no order.
func (l Looks) Named() []string { return slices.Collect(maps.Keys(l.logs)) }

// Shares are the likeliest of what some look has named, most of them first, of looks with a
// correlation; their probabilities sum to 1. Of those that are as likely the favoured is the first.
func (l Looks) Shares(alike float64, favoured string, most int) []Share {
	all := slices.SortedFunc(maps.Keys(l.logs), func(a, b string) int {
		if math.Abs(l.logs[a]-l.logs[b]) < 1e-9 && (a == favoured || b == favoured) {
			return map[bool]int{true: -1, false: 1}[a == favoured]
		}
		return cmp.Or(cmp.Compare(l.logs[b], l.logs[a]), cmp.Compare(a, b))
	})
	out, sum := make([]Share, 0, min(len(all), most)), 0.0
	for _, what := range all[:min(len(all), most)] {
		out = append(out, Share{what, math.Exp(l.Odds(what, all[0], alike))})
		sum += out[len(out)-1].P
	}
	for i := range out {
		out[i].P /= sum
	}
	return out
}
