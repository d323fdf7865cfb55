package track

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"vision/validate/finding"
	"vision/validate/round"
)

// What a scene means is inferred by narrating it under many hypotheses: first each
// alternative by itself, which tells the choices on which a finding hangs, then those
// choices together, likeliest first. A hypothesis weighs as much as the readings speak
// for it, times the prior of the mistakes that it needs.

// Bounds of what is tried for one scene.
const (
	maxAlone    = 96   // alternatives by themselves
	maxTogether = 96   // hypotheses of several
	beamWidth   = 3    // of them are extended
	negligible  = 0.05 // of the weight of the best: what weighs less is left out
	leastOdds   = 1e-4 // of an alternative that is tried
	minute      = 0.01 // the same, against the weight of what is told
)

// infer narrates and judges a scene under the hypothesis that weighs most.
func (t *Tracker) infer(sc *scene, carry carryOver, final bool) *ruling {
	return t.best(t.explain(sc, likeliest, carry, final))
}

// best is the ruling that weighs most among the hypotheses about a scene.
func (t *Tracker) best(root *ruling) *ruling {
	best := root
	for _, r := range t.hypotheses(root) {
		if r.weight > best.weight && !r.hyp.supposes() {
			best = r
		}
	}
	best.tried = root.tried
	return best
}

// hypotheses are those about the scene of a ruling on which its findings hang, itself
// among them; none where nothing is found. They are tried once.
func (t *Tracker) hypotheses(root *ruling) []*ruling {
	if root.tried != nil || root.err != nil || len(root.verdict.Findings) == 0 {
		return root.tried
	}
	hinges, tried := t.alone(root)
	tried = append(tried, t.climb(root, tried)...)
	root.tried = append(append([]*ruling{root}, tried...), t.together(root, tried, hinges)...)
	return root.tried
}

// single is one alternative at one choice.
type single struct {
	choice      choice
	alternative alternative
}

// singles are the alternatives of the choices that a ruling came to, likeliest first,
// without those that weigh next to nothing beside it.
func (r *ruling) singles() (ones []single) {
	for _, c := range r.story.choices() {
		for _, a := range r.story.met[c] {
			if a.odds >= max(leastOdds, minute*r.weight) {
				ones = append(ones, single{c, a})
			}
		}
	}
	slices.SortStableFunc(ones, func(x, y single) int { return cmp.Compare(y.alternative.odds, x.alternative.odds) })
	return ones[:min(len(ones), maxAlone)]
}

// under is the scene of a ruling under another hypothesis; nil where it cannot be judged.
// Each is narrated once.
func (t *Tracker) under(root *ruling, h hypothesis) *ruling {
	k := h.key()
	r, known := root.known[k]
	if !known {
		if root.known == nil {
			root.known = map[string]*ruling{}
		}
		if r = t.explain(root.scene, h, root.carried, root.story.final); r.err != nil {
			r = nil
		}
		root.known[k] = r
	}
	return r
}

// refuted reports whether single alternatives are enough to make a finding of a ruling
// less likely than p.
func (t *Tracker) refuted(root *ruling, f round.Finding, p float64) bool {
	with, all := root.weight, root.weight+t.priors.Unseen
	for _, o := range root.singles() {
		r := t.under(root, likeliest.with(o.choice, o.alternative))
		if r == nil || findSame(root, r) {
			continue
		}
		all += r.weight
		if stands(f, r.verdict.Findings) {
			with += r.weight
		}
		if with < p*all {
			return true
		}
	}
	return false
}

// alone tries every alternative by itself. It gives the choices of which some alternative
// changes what is found, and what is found with those.
func (t *Tracker) alone(root *ruling) (hinges map[choice]bool, tried []*ruling) {
	hinges = map[choice]bool{}
	by := map[choice][]*ruling{}
	ones := root.singles()
	for _, o := range ones {
		if r := t.under(root, likeliest.with(o.choice, o.alternative)); r != nil {
			by[o.choice] = append(by[o.choice], r)
			hinges[o.choice] = hinges[o.choice] || !findSame(root, r)
		}
	}
	for _, o := range ones {
		if hinges[o.choice] {
			tried, by[o.choice] = append(tried, by[o.choice]...), nil
		}
	}
	return hinges, tried
}

// climb takes the alternatives that weigh more than the likeliest, one after the other,
// as long as what they make together does.
func (t *Tracker) climb(root *ruling, alone []*ruling) (tried []*ruling) {
	best := root
	for _, r := range heaviest(alone, len(alone)) {
		if r.weight <= root.weight || len(tried) >= maxTogether {
			break
		}
		h := best.hyp
		for c, a := range r.hyp.chosen {
			if _, fixed := h.chosen[c]; !fixed {
				h = h.with(c, a)
			}
		}
		if len(h.chosen) < 2 || len(h.chosen) == len(best.hyp.chosen) {
			if r.weight > best.weight {
				best = r
			}
			continue
		}
		if o := t.under(root, h); o != nil {
			if tried = append(tried, o); o.weight > best.weight {
				best = o
			}
		}
	}
	return tried
}

// together tries hypotheses of several of the choices on which findings hang: those that
// weigh most are extended by each of the others.
func (t *Tracker) together(root *ruling, alone []*ruling, hinges map[choice]bool) (tried []*ruling) {
	seen, best := map[string]bool{}, 0.0
	for _, r := range alone {
		seen[r.hyp.key()] = true
	}
	for beam := heaviest(alone, beamWidth); len(beam) > 0 && len(tried) < maxTogether && beam[0].weight >= negligible*best; {
		best = max(best, beam[0].weight)
		var next []*ruling
		for _, r := range beam {
			for _, h := range r.extensions(hinges) {
				k := h.key()
				if seen[k] || len(tried) >= maxTogether || h.odds < negligible*best { // it weighs no more than its odds
					continue
				}
				seen[k] = true
				if o := t.under(root, h); o != nil {
					tried, next = append(tried, o), append(next, o)
					best = max(best, o.weight)
				}
			}
		}
		beam = heaviest(next, beamWidth)
	}
	return tried
}

// heaviest are the rulings that weigh most.
func heaviest(rs []*ruling, n int) []*ruling {
	rs = slices.Clone(rs)
	slices.SortStableFunc(rs, func(a, b *ruling) int { return cmp.Compare(b.weight, a.weight) })
	return rs[:min(len(rs), n)]
}

// extensions are the hypotheses of one more choice than that of a ruling, likeliest first.
func (r *ruling) extensions(hinges map[choice]bool) (hs []hypothesis) {
	for _, c := range r.story.choices() {
		if _, fixed := r.hyp.chosen[c]; fixed {
			continue
		}
		if hinge, known := hinges[c]; known && !hinge {
			continue
		}
		for _, a := range r.story.met[c] {
			if h := r.hyp.with(c, a); h.odds >= leastOdds {
				hs = append(hs, h)
			}
		}
	}
	slices.SortStableFunc(hs, func(a, b hypothesis) int { return cmp.Compare(b.odds, a.odds) })
	return hs
}

// spoils are the mistakes by which a whole round is settled as it should not be: what is
// found of money then follows from them.
var spoils = []finding.Code{
	finding.NoQualifyIgnored, finding.VoidRoundSettled, finding.NullBallCounted, finding.IrregularThrowCounted, finding.DiceCountWrong,
}

// mistakes is how many mistakes a ruling needs for what is found. One mistake may be found
// in several ways: at every bet of a seat, in one pot, as a procedure that was not followed
// where something else is wrong too. While the round runs, what may still be put right is
// none.
func (r *ruling) mistakes() int {
	type cause struct {
		about
		event int
	}
	held, causes := r.story.g.held, map[cause]bool{}
	pot, whole := cause{about: about{spot: potSpot}}, cause{about: about{zone: "round"}}
	spoilt, procedure := has(r.verdict, spoils...), false
	for _, f := range r.verdict.Findings {
		kind := finding.Of(f.Code)
		if r.story.unsure(f) || r.story.speaksOfUncounted(f) {
			continue // it hangs on what was not seen
		}
		if !r.story.final && (!kind.Round.Running.Raised || r.story.premature(f, r.atEvent(f))) {
			continue
		}
		switch {
		case f.Code == finding.NotObservable:
		case kind.About == finding.Procedure:
			procedure = true
		case slices.Contains(spoils, f.Code):
			causes[whole] = true
		case ofMoney(f) && spoilt:
		case ofMoney(f) && held:
			causes[pot] = true
		case ofMoney(f):
			causes[cause{about: about{seat: f.Seat}}] = true
		case kind.About == finding.Cards && f.Code != finding.DuplicateCard:
			causes[cause{key(f), f.Event}] = true
		default: // limits and packs are wrong for all alike
			causes[cause{about: about{code: f.Code}}] = true
		}
	}
	if procedure && len(causes) == 0 {
		return 1
	}
	if held && len(causes) > 0 && !causes[pot] && r.story.final && !r.balances() {
		return len(causes) + 1 // money of the pot would have vanished, and no finding says so
	}
	return len(causes)
}

// weigh gives a ruling its weight: the odds of its hypothesis and the prior of its mistakes.
func (r *ruling) weigh(p *Priors) {
	r.weight = r.hyp.odds
	if n := r.mistakes(); n > 0 {
		r.weight *= p.Mistake / (1 - p.Mistake) * math.Pow(p.Another, float64(n-1))
	}
}

// posterior is the probability of a finding of a ruling among the hypotheses about its
// scene.
func (t *Tracker) posterior(r *ruling, f round.Finding) float64 {
	with, all := 0.0, t.priors.Unseen // that something was done which nobody saw, and no hypothesis has
	for _, h := range t.hypotheses(r) {
		all += h.weight
		if h == r || stands(f, h.verdict.Findings) {
			with += h.weight
		}
	}
	if with == 0 {
		return 1 // nothing was tried
	}
	return with / all
}

// stands reports whether a finding holds among others: itself, or another one about
// the money of the same spot.
func stands(f round.Finding, others []round.Finding) bool {
	for _, o := range others {
		if key(o) == key(f) || ofMoney(f) && ofMoney(o) && o.Seat == f.Seat && o.Spot == f.Spot {
			return true
		}
	}
	return false
}

// findSame reports whether two rulings find the same.
func findSame(a, b *ruling) bool {
	return len(a.verdict.Findings) == len(b.verdict.Findings) &&
		!slices.ContainsFunc(a.verdict.Findings, func(f round.Finding) bool { return !unchanged(a, f, b) })
}

// unchanged reports whether a finding of one ruling is among those of another as it is,
// amounts and counts and all; and, where it is not about money that is due in the end, of
// the same moment.
func unchanged(r *ruling, f round.Finding, other *ruling) bool {
	return slices.ContainsFunc(other.verdict.Findings, func(o round.Finding) bool {
		return key(o) == key(f) && reflect.DeepEqual(o.Expected, f.Expected) && reflect.DeepEqual(o.Observed, f.Observed) &&
			(ofMoney(f) || other.atEvent(o).Equal(r.atEvent(f)))
	})
}
