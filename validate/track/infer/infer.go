// Package infer owns hypotheses about a scene: it narrates and judges the scene under
// them, weighs them, and returns how probable a finding is. A Ruling is a scene under one
// hypothesis, with what its findings hang on and whether they must wait.
package infer

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"vision/internal/money"
	"vision/validate/operating"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track/hypothesis"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// Inference explains the scenes of one table.
type Inference struct {
	Game       *narrate.Game
	Table      round.Table
	Norm, Code string // of the norm, and of the game in it
	Rules      rulebook.Rules
	Check      func(*round.Record) (round.Verdict, error)
	// Leaves judges a round that is over; its next has all states in which it may have left the
	// table. watched: nothing of it can have been missed.
	Leaves func(rec *round.Record, watched bool) (round.Verdict, error)
	Priors hypothesis.Priors
	Rates  operating.Rates
}

// Explain narrates and judges a scene under a hypothesis. Where bets that nobody could count follow
// from all else, or from what the rack grew by, it has them.
func (in *Inference) Explain(
	sc *scene.Scene, h hypothesis.Hypothesis, carryOver narrate.CarryOver, final bool,
) *Ruling {
	r := in.explain(sc, h, carryOver, final, nil)
	if implied := r.Implied(); len(implied) > 0 {
		r = in.explain(sc, h, carryOver, final, implied)
	}
	return in.settled(r)
}

// explain is the same with bets that nobody could count.
func (in *Inference) explain(
	sc *scene.Scene, h hypothesis.Hypothesis, carryOver narrate.CarryOver, final bool, bets map[scene.Place]money.Cents,
) *Ruling {
	carryOver = carryOver.On(sc.Opening).Counted(sc)
	r := &Ruling{seen: sc, carried: carryOver, Narration: &narrate.Narration{Given: narrate.Given{
		Game: in.Game, Rules: in.Rules, Check: in.Check, Scene: sc, Hyp: h, Final: final,
		Base: in.blank(sc, carryOver), Held: narrate.CarriedChips(carryOver.Raw),
		PointUnknown: carryOver.PointUnknown && !sc.WithoutChips() || in.Game.Point && sc.Joined,
		HiddenBefore: carryOver.Hidden,
		Implies:      bets,
	}}}
	r.Record = r.Run()
	r.Record.Carry = carryOver.Raw
	r.Verdict, r.Err = in.Check(&r.Record)
	if !final && r.Err == nil {
		r.Verdict.Findings = append(r.Verdict.Findings, in.foreseen(r)...)
	}
	r.weigh(in.Priors)
	return r
}

// blank is the record of a scene without events, by which it is narrated: from the likeliest of the
// states in which the table may be.
func (in *Inference) blank(sc *scene.Scene, carryOver narrate.CarryOver) round.Record {
	likeliest, _, _ := round.States(carryOver.Raw) // written by Next
	return round.Record{
		Schema: round.Schema, ID: in.Table.ID + "-" + sc.Start().UTC().Format("20060102T150405.000"), Norm: in.Norm,
		Game: in.Code, Table: in.Table, Carry: likeliest, Events: []round.Event{},
	}
}

// What a scene means is inferred by narrating it under many hypotheses: first each
// alternative by itself, which shows the choices on which a finding hangs, then those
// choices together, likeliest first. A hypothesis weighs as much as the readings are evidence
// for it, times the prior of the mistakes that it needs.

// Bounds of what is tried for one scene.
const (
	maxAlone    = 96   // alternatives by themselves
	maxTogether = 96   // hypotheses of several
	beamWidth   = 3    // of them are extended
	pruneRatio  = 0.05 // of the weight of the best: what weighs less is left out
	expandRatio = 0.01 // the same, against the weight of what is recorded
)

// Best is the ruling that weighs most among the hypotheses about a scene; of those that weigh
// the same, what is found hanging on what was not counted, one that finds less.
func (in *Inference) Best(root *Ruling) *Ruling {
	best := root
	for _, r := range in.hypotheses(root) {
		less := r.weight == best.weight && len(r.Verdict.Findings) < len(best.Verdict.Findings)
		if (r.weight > best.weight || less) && !r.Hyp.Supposes() {
			best = r
		}
	}
	best.tried = root.tried
	return best
}

// hypotheses are those about the scene of a ruling on which its findings hang, itself
// among them; none where nothing is found and no money vanished. They are tried once.
func (in *Inference) hypotheses(root *Ruling) []*Ruling {
	if root.tried != nil || root.Err != nil || len(root.Verdict.Findings) == 0 && !root.vanished() {
		return root.tried
	}
	hinges, tried := in.tryAlone(root, root)
	root.tried = append(append([]*Ruling{root}, tried...), in.tryTogether(root, tried, hinges)...)
	// What changes nothing beside the likeliest may do beside the hypothesis that is recorded.
	if best := heaviest(root.tried, 1)[0]; best != root && best.needs > 0 {
		_, more := in.tryAlone(root, best)
		for _, r := range more {
			if !findSame(best, r) && !slices.Contains(root.tried, r) {
				root.tried = append(root.tried, r)
			}
		}
	}
	return root.tried
}

// singles are the hypotheses of one alternative more at a choice that a ruling came to, likeliest first,
// without those that weigh next to nothing beside it.
func (r *Ruling) singles() []hypothesis.Hypothesis {
	hs := r.extensions(r.Hyp, nil, max(scene.Faint, expandRatio*r.weight))
	return hs[:min(len(hs), maxAlone)]
}

// under is the scene of a ruling under another hypothesis; nil where it cannot be judged.
// Each is narrated once.
func (in *Inference) under(root *Ruling, h hypothesis.Hypothesis) *Ruling {
	k := h.Key()
	r, known := root.known[k]
	if !known {
		if root.known == nil {
			root.known = map[string]*Ruling{}
		}
		if r = in.explain(root.seen, h, root.carried, root.Final, root.Implies); r.Err != nil {
			r = nil
		}
		root.known[k] = r
	}
	return r
}

// Refuted reports whether single alternatives are enough to make a finding of a ruling
// less likely than p.
func (in *Inference) Refuted(root *Ruling, f round.Finding, p float64) bool {
	e := basis(root, f)
	e.add(in.Priors, root, root, f, false)
	for _, h := range root.singles() {
		r := in.under(root, h)
		if r == nil || findSame(root, r) {
			continue
		}
		if e.add(in.Priors, r, root, f, false); e.Weigh(in.Priors, in.Rates).P < p {
			return true
		}
	}
	return false
}

// tryAlone tries every alternative by itself beside a hypothesis about the scene of a ruling. It gives the choices of
// which some alternative changes what is found, and what is found with those.
func (in *Inference) tryAlone(root, of *Ruling) (hinges map[hypothesis.Choice]bool, tried []*Ruling) {
	hinges = map[hypothesis.Choice]bool{}
	by := map[hypothesis.Choice][]*Ruling{}
	ones := of.singles()
	for _, h := range ones {
		if r := in.under(root, h); r != nil {
			c := h.Beyond(of.Hyp)
			by[c] = append(by[c], r)
			hinges[c] = hinges[c] || !findSame(of, r) || r.vanished() != of.vanished()
		}
	}
	for _, h := range ones {
		if c := h.Beyond(of.Hyp); hinges[c] {
			tried, by[c] = append(tried, by[c]...), nil
		}
	}
	return hinges, tried
}

// tryTogether tries hypotheses of several of the choices on which findings hang: those that
// weigh most are extended by each of the others.
func (in *Inference) tryTogether(root *Ruling, alone []*Ruling, hinges map[hypothesis.Choice]bool) (tried []*Ruling) {
	seen, best := map[string]bool{}, 0.0
	innocent := max(scene.Faint, expandRatio*root.weight) / pruneRatio // the heaviest that needs no mistake
	var light []hypothesis.Hypothesis
	for _, r := range alone {
		if seen[r.Hyp.Key()] = true; r.needs == 0 {
			innocent = max(innocent, r.weight)
		}
	}
	beam := heaviest(alone, beamWidth)
	for len(beam) > 0 && len(tried) < maxTogether && beam[0].weight >= pruneRatio*best {
		best = max(best, beam[0].weight)
		var next []*Ruling
		for _, r := range beam {
			for _, h := range r.extensions(r.Hyp, hinges, scene.Faint) {
				k := h.Key()
				if seen[k] || len(tried) >= maxTogether || h.Odds < pruneRatio*innocent { // it weighs no more than its odds
					continue
				}
				if seen[k] = true; h.Odds < pruneRatio*best {
					light = append(light, h)
					continue
				}
				if o := in.under(root, h); o != nil {
					tried, next = append(tried, o), append(next, o)
					if best = max(best, o.weight); o.needs == 0 {
						innocent = max(innocent, o.weight)
					}
				}
			}
		}
		beam = heaviest(next, beamWidth)
	}
	// What is light beside a hypothesis that needs a mistake may need none: by the rates of mistakes it counts for more.
	slices.SortStableFunc(light, func(a, b hypothesis.Hypothesis) int { return cmp.Compare(b.Odds, a.Odds) })
	for _, h := range light {
		if len(tried) >= maxTogether || h.Odds < pruneRatio*innocent {
			break
		}
		if o := in.under(root, h); o != nil {
			if tried = append(tried, o); o.needs == 0 {
				innocent = max(innocent, o.weight)
			}
		}
	}
	return tried
}

// heaviest are the rulings that weigh most.
func heaviest(rs []*Ruling, n int) []*Ruling {
	rs = slices.Clone(rs)
	slices.SortStableFunc(rs, func(a, b *Ruling) int { return cmp.Compare(b.weight, a.weight) })
	return rs[:min(len(rs), n)]
}

// extensions are the hypotheses that fix one choice of a ruling more than another, likeliest first: those of
// at least some odds, at choices that are not known to be no hinge.
func (r *Ruling) extensions(
	of hypothesis.Hypothesis, hinges map[hypothesis.Choice]bool, least float64,
) (hs []hypothesis.Hypothesis) {
	for _, c := range r.Choices() {
		if _, fixed := of.Chosen[c]; fixed {
			continue
		}
		if hinge, known := hinges[c]; known && !hinge {
			continue
		}
		for _, a := range r.Alternatives(c) {
			if h := of.With(c, a); h.Odds >= least {
				hs = append(hs, h)
			}
		}
	}
	slices.SortStableFunc(hs, func(a, b hypothesis.Hypothesis) int { return cmp.Compare(b.Odds, a.Odds) })
	return hs
}

// weigh gives a ruling its weight: the odds of its hypothesis, the share of its mistakes and the likelihood
// of what the rack shows. How often tables err is no part of it.
func (r *Ruling) weigh(p hypothesis.Priors) {
	r.shows, r.read = r.rackShows()
	r.needs, r.procedureToo = r.mistakes()
	r.weight = r.Hyp.Odds * mistaken(p, r.needs, r.procedureToo) * likelihood(p, r.racked())
}

// mistaken is the share of rounds with a mistake that have just so many given ones; 1 for none. That a
// round has a mistake is one thing, that it is just the one that is found another: any of its acts
// may have been done wrong, while a count that is wrong is that one.
func mistaken(p hypothesis.Priors, n int, procedureToo bool) float64 {
	if n == 0 {
		return 1
	}
	share := p[hypothesis.GivenMistake] * math.Pow(p[hypothesis.Another], float64(n-1))
	if procedureToo {
		share *= p[hypothesis.ProcedureToo]
	}
	return share
}

// HangsOn are the zones of which another reading would undo a finding of a ruling: one of
// the hypotheses about its scene that weigh something reads it so, and the finding does not hold.
func (in *Inference) HangsOn(r *Ruling, f round.Finding) (zones []string) {
	for _, h := range in.hypotheses(r) {
		if h.weight < pruneRatio*r.weight || h == r || holds(f, h.Verdict.Findings) {
			continue
		}
		for c := range h.Hyp.Chosen {
			switch c.Kind {
			case hypothesis.CardRead:
				zones = append(zones, r.seen.Tracks[c.Item].Zone)
			case hypothesis.ChipsCounted, hypothesis.DiceRead:
				if c.Item >= 0 {
					zones = append(zones, r.seen.Events[c.Item].Zone)
				}
			}
		}
	}
	return zones
}

// holds reports whether a finding holds among others: itself, or another one about
// the money of the same spot.
func holds(f round.Finding, others []round.Finding) bool { return among(f, others) >= 0 }

func among(f round.Finding, others []round.Finding) int {
	return slices.IndexFunc(others, func(o round.Finding) bool {
		return AboutOf(o) == AboutOf(f) || ofMoney(f) && ofMoney(o) && o.Seat == f.Seat && o.Spot == f.Spot
	})
}

// found is a finding of a ruling as another about the same scene has it.
func (r *Ruling) found(f round.Finding, of *Ruling) (round.Finding, bool) {
	if r == of {
		return f, true
	}
	i := among(f, r.Verdict.Findings)
	if i < 0 {
		return f, false
	}
	return r.Verdict.Findings[i], true
}

// findSame reports whether two rulings find the same.
func findSame(a, b *Ruling) bool {
	return len(a.Verdict.Findings) == len(b.Verdict.Findings) &&
		!slices.ContainsFunc(a.Verdict.Findings, func(f round.Finding) bool { return !unchanged(a, f, b) })
}

// unchanged reports whether a finding of one ruling is among those of another as it is,
// amounts and counts and all; and, where it is not about money that is due in the end, of
// the same moment.
func unchanged(r *Ruling, f round.Finding, other *Ruling) bool {
	return slices.ContainsFunc(other.Verdict.Findings, func(o round.Finding) bool {
		return AboutOf(o) == AboutOf(f) && reflect.DeepEqual(o.Expected, f.Expected) &&
			reflect.DeepEqual(o.Observed, f.Observed) &&
			(ofMoney(f) || other.AtEvent(o).Equal(r.AtEvent(f)))
	})
}
