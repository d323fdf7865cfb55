package infer

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// spoils are the mistakes by which a whole round is settled as it should not be: what is
// found of money then follows from them.
var spoils = []finding.Code{
	finding.NoQualifyIgnored, finding.VoidRoundSettled, finding.NullBallCounted,
	finding.IrregularThrowCounted, finding.DiceCountWrong,
}

// cause is one mistake of those who play or deal. It may be found in several ways: at every bet of a
// seat, in one pot, in the order of settling, as an irregularity to which nobody attended.
type cause struct {
	About
	event int
}

// Causes that findings of several places share.
var (
	potCause   = cause{About: About{spot: scene.PotSpot}}
	wholeCause = cause{About: About{zone: "round"}}
)

// cause is the mistake that a finding comes from; none where it has no cause of its own. spoilt: the
// whole round is settled as it should not be.
func (r *Ruling) cause(f round.Finding, spoilt bool) (c cause, ok bool) {
	kind, held := finding.Of(f.Code), r.Game.Held
	switch {
	case f.Code == finding.NotObservable, kind.About == finding.Procedure:
		return cause{}, false
	case slices.Contains(spoils, f.Code), ofMoney(f) && spoilt:
		return wholeCause, true
	case ofMoney(f) && held:
		return potCause, true
	case ofMoney(f):
		return cause{About: About{seat: f.Seat}}, true
	case kind.About == finding.Calls && r.eventIs(f, func(e round.Event) bool { return e.Type == round.Announce }) &&
		f.Code != finding.AnnouncementMissing:
		return cause{About{zone: "call"}, f.Event}, true // whatever was wrong in it
	case kind.About == finding.Cards && f.Code != finding.DuplicateCard, kind.About == finding.Calls,
		f.Code == finding.RaiseWrong,
		held && kind.About == finding.Bets: // of an ante each player may forget his own
		return cause{AboutOf(f), f.Event}, true
	}
	return cause{About: About{code: f.Code}}, true // limits and packs are wrong for all alike
}

// mistakes is how many mistakes a ruling needs for what is found, and whether a procedure was not
// followed beside them. While the round runs, what may still be put right is none.
func (r *Ruling) mistakes() (n int, procedureToo bool) {
	causes, spoilt, procedure := map[cause]bool{}, narrate.Has(r.Verdict, spoils...), false
	for _, f := range r.Verdict.Findings {
		kind := finding.Of(f.Code)
		if r.uncounted(f) {
			continue // it hangs on what was not seen
		}
		if !r.Final && (!kind.Round.Running.Raised || r.Premature(f, r.AtEvent(f))) {
			continue
		}
		c, ok := r.cause(f, spoilt)
		switch {
		case !ok && f.Code != finding.NotObservable:
			procedure, procedureToo = true, procedureToo || f.Code == finding.OtherProcedure
		case ok && (c != wholeCause || slices.Contains(spoils, f.Code)):
			causes[c] = true
		}
	}
	if !causes[potCause] && r.vanished() {
		causes[potCause] = true // and no finding reports it
	}
	if procedure && len(causes) == 0 {
		return 1, false
	}
	return len(causes), procedureToo && len(causes) > 0
}

// Incidents returns for each finding of a ruling which one is the first of the same incident: one mistake makes
// both, or the likeliest hypothesis without one of them does without the other, and the other way round. A
// procedure that was not followed belongs to a mistake at its seat, as mistakes has it.
func (in *Inference) Incidents(r *Ruling) []int {
	fs, tried := r.Verdict.Findings, in.hypotheses(r)
	first, rivals, causes := make([]int, len(fs)), make([]*Ruling, len(fs)), make([]cause, len(fs))
	spoilt := narrate.Has(r.Verdict, spoils...)
	for i, f := range fs {
		causes[i], _ = r.cause(f, spoilt)
		for _, h := range tried {
			heavier := rivals[i] == nil || h.weight > rivals[i].weight
			if heavier && h.weight >= pruneRatio*r.weight && !holds(f, h.Verdict.Findings) {
				rivals[i] = h
			}
		}
	}
	without := func(i, j int) bool { return rivals[i] != nil && !holds(fs[j], rivals[i].Verdict.Findings) }
	beside := func(i, j int) bool { // i is of the procedure
		near := fs[i].Seat == fs[j].Seat || fs[i].Seat == 0 || fs[j].Seat == 0
		return causes[i] == (cause{}) && causes[j] != (cause{}) && near && fs[i].Code != finding.OtherProcedure
	}
	for i := range fs {
		first[i] = i
		for j := range fs[:i] {
			if fs[i].Code == finding.NotObservable || fs[j].Code == finding.NotObservable {
				continue
			}
			same := causes[i] == causes[j] && causes[i] != (cause{})
			if same || beside(i, j) || beside(j, i) || without(i, j) && without(j, i) {
				first[i] = first[j]
				break
			}
		}
	}
	return first
}
