package chip

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// chain is the sequence of chips in a stack, from the top downwards, as a
// Markov chain: mostly a chip lies on its like. The top chip's kind is known
// from its face; only kinds of its size lie under it.
type chain struct {
	top   top
	first []float64 // log probability of each kind at the top
	// stay and change are log probabilities of the next chip: its like, or one
	// other kind.
	stay, change float64
	light        []float64 // on the sides by angle; nil: not known yet
	known        uint64    // kinds that are in the stack, as far as is known
}

func (s *search) chain(t top) *chain {
	c := &chain{top: t, known: s.unlike() | 1<<t.kind, first: make([]float64, len(s.hint.Palette))}
	own, others := s.hint.Palette[t.kind], 0
	for k, chip := range s.hint.Palette {
		if math.Abs(chip.Thickness-own.Thickness) > par.side.sameThickness ||
			math.Abs(chip.Diameter-own.Diameter) > par.side.sameDiameter {
			c.first[k] = math.Inf(-1)
		} else if k != t.kind {
			others++
		}
	}
	if others == 0 {
		return c
	}
	c.change = fitted.Layers.Turn
	doubt := math.Log(max(1-t.p, 1e-9) / float64(others))
	for k := range c.first {
		c.first[k] = max(doubt+c.first[k], math.Inf(-1))
	}
	c.first[t.kind] = math.Log(max(t.p, 1e-9))
	return c
}

// may reports whether chips of a kind can lie in the stack.
func (c *chain) may(k int) bool { return !math.IsInf(c.first[k], -1) }

// weigh gives every height on every side and the best of them.
func (c *chain) weigh(s *search, sides []side) (all []hypothesis, best hypothesis) {
	for i := range sides {
		all = c.heights(s, &sides[i], i, all)
	}
	best = s.fused(all)
	foot := func(h hypothesis) fact.Point { return s.foot(c.top, sides[h.side].px, h.n) }
	return s.withoutClashing(all, best, foot, c.top.kind), best
}

// heights weighs every height of a side, and looks at its layers as far as the
// heights go.
func (c *chain) heights(s *search, sd *side, which int, all []hypothesis) []hypothesis {
	look := func(to int) {
		for len(sd.layers) <= to {
			sd.layers = append(sd.layers, s.look(c, sd.px, len(sd.layers)))
		}
	}
	look(0)
	forward := slices.Clone(c.first)
	top := math.Inf(-1)
	from, to := s.heights()
	for n := 1; n <= to; n++ {
		if n > 1 {
			look(n - 1)
			forward = c.step(forward)
		}
		for k := range forward {
			forward[k] += sd.layers[n-1].fits(k)
		}
		if n < from {
			continue
		}
		look(n + par.count.ahead - 1)
		h := hypothesis{n: n, side: which, own: sd.fit + logSum(forward) -
			c.ends(sd.layers[n:n+par.count.ahead], forward) + s.shape(c.known, c.top.kind, sd.px, n)}
		all = append(all, h)
		if top = max(top, h.own); s.said == nil && h.own < top-par.count.beaten {
			break
		}
	}
	return all
}

// fits is the log likelihood of a layer if it is a chip of kind k. Layers that
// look like chips are what was expected and add nothing against the felt, or
// higher stacks would always be the likelier.
func (l *layer) fits(k int) float64 { return l.kinds[k] + min(l.chip[k], 0) }

// ends is what speaks against the felt under the lowest chip: how well the
// layers there fit chips that may follow.
func (c *chain) ends(below []layer, forward []float64) float64 {
	next, all := c.step(forward), logSum(forward)
	most, sum, last := 0.0, 0.0, -1
	for i := range below {
		at, e := -1, math.Inf(-1)
		for k := range next {
			v := below[i].chip[k] + below[i].kinds[k]
			switch {
			case i == 0:
				v += next[k] - all - c.stay
			case k != last:
				v += c.change - c.stay
			}
			if c.may(k) && v > e {
				at, e = k, v
			}
		}
		if i > 0 { // only what is plainly a chip
			e = min(e, par.count.further) - par.count.doubt
		}
		sum, last = sum+e, at
		most = max(most, sum)
	}
	return most
}

// step is the probability of each kind in the layer below.
func (c *chain) step(forward []float64) []float64 {
	out := make([]float64, len(forward))
	all := logSum(forward)
	for k := range out {
		if !c.may(k) {
			out[k] = math.Inf(-1)
			continue
		}
		stays := math.Exp(forward[k] - all)
		out[k] = all + math.Log(stays*math.Exp(c.stay)+max(1-stays, 0)*math.Exp(c.change))
	}
	return out
}

// path is the likeliest sequence of n kinds on a side, from the top downwards.
func (c *chain) path(sd *side, n int) []int {
	score := make([]float64, len(c.first))
	back := make([][]int, n)
	for k := range score {
		score[k] = c.first[k] + sd.layers[0].fits(k)
	}
	for l := 1; l < n; l++ {
		lead := best(score)
		next := make([]float64, len(score))
		back[l] = make([]int, len(score))
		for k := range next {
			next[k], back[l][k] = score[k]+c.stay, k
			if v := score[lead] + c.change; lead != k && v > next[k] {
				next[k], back[l][k] = v, lead
			}
			if !c.may(k) {
				next[k] = math.Inf(-1)
			}
			next[k] += sd.layers[l].fits(k)
		}
		score = next
	}
	kinds := make([]int, n)
	kinds[n-1] = best(score)
	for l := n - 1; l > 0; l-- {
		kinds[l-1] = back[l][kinds[l]]
	}
	return kinds
}

// along is the score of a sequence on a side, comparable with a hypothesis's.
func (c *chain) along(s *search, sd *side, kinds []int) float64 {
	score := sd.fit + s.shape(c.known, c.top.kind, sd.px, len(kinds))
	n := len(kinds)
	at := make([]float64, len(c.first))
	for k := range at {
		at[k] = math.Inf(-1)
	}
	for l, k := range kinds {
		switch {
		case l == 0:
			score += c.first[k]
		case k == kinds[l-1]:
			score += c.stay
		default:
			score += c.change
		}
		score += sd.layers[l].fits(k)
	}
	at[kinds[n-1]] = 0
	return score - c.ends(sd.layers[n:n+par.count.ahead], at)
}

func best(v []float64) int {
	at := 0
	for i := range v {
		if v[i] > v[at] {
			at = i
		}
	}
	return at
}

func logSum(v []float64) float64 {
	top := slices.Max(v)
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum)
}

// chained is the reading of a stack as a chain of chips: how many layers the
// side under a face has and what each is, over the same places of the face as
// alike. doubt is how much likelier that is than another reading of the stack.
func (s *search) chained(t top, places [len(shifts)]place, other []int) (c counted, doubt float64) {
	chain := s.chain(t)
	var sides []side
	for _, p := range places {
		sides = append(sides, side{place: p})
	}
	rough, first := chain.weigh(s, sides)
	// Once more as the chips then are, and in the light that is on them.
	likeliest := chain.path(&sides[first.side], first.n)
	chain.known |= maskOf(likeliest)
	chain.light = s.lightOn(&sides[first.side], likeliest)
	for i := range sides {
		for k := range sides[i].layers {
			s.relit(chain, &sides[i].layers[k])
		}
	}
	level(sides, lowest(rough, first))
	all, best := chain.weigh(s, sides)
	heights, low, high := s.spread(all, best)
	px := sides[best.side].px
	if s.looks != nil && len(s.looks) < best.n {
		s.looks = s.compared(best.n)
	}
	if s.looks != nil {
		kinds, p := s.named(t, s.with(sides[best.side].layers[:best.n]))
		share := heights[best.n]
		return counted{kinds: kinds, low: low, high: high, p: share * p, kindsP: p, others: beside(kinds, heights, p-share*p),
			px: px, foot: s.foot(t, px, best.n), hidden: sides[best.side].layers[best.n-1].seen < par.side.hidden}, 0
	}
	kinds := chain.path(&sides[best.side], best.n)
	p := chain.likely(s, sides, all, best, kinds)
	c = counted{kinds: kinds, low: low, high: high, p: min(p, t.p), kindsP: min(p/heights[best.n], t.p),
		px: px, foot: s.foot(t, px, best.n), hidden: sides[best.side].layers[best.n-1].seen < par.side.hidden}
	if p := shareOf(rough, best.n); p < par.count.plainly { // what decided is how well layers match one another
		c.p = min(c.p, p)
	}
	if c.mixed() {
		c.p = tempered(c.p, s.chainPower())
	}
	c.others = beside(kinds, heights, c.kindsP-c.p)
	return c, p / max(chain.likely(s, sides, all, best, other), 1e-12)
}

// likely is the probability of a sequence of chips.
func (c *chain) likely(s *search, sides []side, all []hypothesis, best hypothesis, kinds []int) float64 {
	var sum, same float64
	for _, h := range all {
		sum += math.Exp(h.score - best.score)
		if h.n == len(kinds) {
			same += math.Exp(h.score + c.along(s, &sides[h.side], kinds) - h.own - best.score)
		}
	}
	return same / sum
}

// differs reports, from one place of the face and in any light, whether
// the chain would see chips of other kinds in a stack of one kind or under it.
func (s *search) differs(t top, alike counted) bool {
	c := s.chain(t)
	sides := []side{{place: place{px: alike.px}}}
	_, best := c.weigh(s, sides)
	kinds := c.path(&sides[0], best.n)
	return slices.ContainsFunc(kinds, func(k int) bool { return k != t.kind })
}

// shareOf is the probability of n chips.
func shareOf(all []hypothesis, n int) float64 {
	sum, same := 0.0, 0.0
	most := slices.MaxFunc(all, func(a, b hypothesis) int { return cmp.Compare(a.score, b.score) })
	for _, h := range all {
		w := math.Exp(h.score - most.score)
		if sum += w; h.n == n {
			same += w
		}
	}
	return same / sum
}

// lowest is the least height that is not far from the best one.
func lowest(all []hypothesis, best hypothesis) int {
	n := best.n
	for _, h := range all {
		if h.score > best.score-par.count.unlikely {
			n = min(n, h.n)
		}
	}
	return n
}
