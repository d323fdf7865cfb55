package track

import (
	"maps"
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// watch judges the rounds that are not finished: what people see, and what is
// raised at once.
func (t *Tracker) watch(now time.Time) {
	carry := t.carryOver
	for i, sc := range t.now.Ended {
		r := t.explain(sc, carry, true)
		t.raise(r, r, t.round+i, now)
		if r.Err == nil {
			carry = t.inference.Next(t.inference.Best(r))
		}
	}
	sc := t.now.Scene
	r := t.explain(sc, carry, false)
	number := t.round + len(t.now.Ended)
	t.raise(r, t.atItsEnd(sc, carry), number, now)
	t.variances(sc, number, false)
	if phase := t.phaseOf(r); phase != t.phase {
		t.phase = phase
		t.emit(&PhaseChange{t.cfg.Table, phase, now})
	}
	if t.changed {
		t.emit(&Live{Table: t.cfg.Table, Phase: t.phase, Time: now, Record: r.Record, Settlement: r.Verdict.Settlement,
			NotVerifiable: r.Unverifiable()})
	}
}

// waiting reports whether an alert is on its way and only time is missing.
func (t *Tracker) waiting() bool {
	for _, m := range t.alerts {
		for _, p := range m {
			if !p.raised && !p.weighed || p.raised && !p.gone.IsZero() && !p.done {
				return true
			}
		}
	}
	return false
}

// atItsEnd is the running round as if it had ended; nil while it goes on.
func (t *Tracker) atItsEnd(sc *scene.Scene, carry narrate.CarryOver) *infer.Ruling {
	if t.game.Kind != scene.ByCards || sc.Cleared.IsZero() {
		return nil
	}
	return t.explain(sc, carry, true)
}

// raise keeps the findings of a running round until what they await has passed and
// then reports them, once; and reports when one of them was put right. Omissions are
// taken from the round at its end; nil while it goes on.
func (t *Tracker) raise(r, end *infer.Ruling, number int, now time.Time) {
	if r.Err != nil || r.Unverifiable() != "" {
		return
	}
	standing := map[infer.About]bool{}
	for _, f := range r.Verdict.Findings {
		if t.standsRunning(r, f, number, now) {
			standing[infer.AboutOf(f)] = true
		}
	}
	if end != nil && end.Err == nil {
		for _, f := range end.Verdict.Findings {
			if t.standsOmitted(end, f, number, now) {
				standing[infer.AboutOf(f)] = true
			}
		}
	}
	for _, about := range t.pendingOf(number) {
		switch p := t.alerts[number][about]; {
		case standing[about]:
		case !p.raised:
			delete(t.alerts[number], about)
		case p.gone.IsZero():
			p.gone = now
		case !p.done && now.Sub(p.gone) >= scene.Act:
			p.done = true
			t.emit(&Alert{Table: t.cfg.Table, Round: r.Record.ID, State: Corrected, Judged: p.last})
		}
	}
}

// standsRunning considers a finding of a running round; it reports whether it may stand while the
// round goes on.
func (t *Tracker) standsRunning(r *infer.Ruling, f round.Finding, number int, now time.Time) bool {
	running := &finding.Of(f.Code).Round.Running
	ok, since, hold := running.Raised, r.AtEvent(f), scene.Act
	if running.Awaits == finding.Lines {
		hold = lateness
	}
	switch {
	case r.Unclosed(f):
		// Of bets that are opened twice each time has its own.
		since = scene.Earliest(r.Moved(f.Event), r.OutcomeCalled())
		hold, ok = lateness, !since.IsZero()
	case f.Code == finding.LoserNotCollected && !r.Final:
		since, hold = r.Forgotten[narrate.Physical(f.Seat, f.Spot)], scene.Act
		ok = !since.IsZero()
	case f.Code == finding.PayoutUnder && r.Game.Held: // what the seat got stands since then
		since = r.Last(func(e round.Event) bool {
			return (e.Type == round.Pay || e.Type == round.Return) && e.Seat == f.Seat
		})
	case f.Code == finding.DealtBeforeClose && !r.Game.Held: // the call was heard, and came after
		hold = scene.Act
	case f.Code == finding.AnnouncementWrong && r.OfResult(f), f.Code == finding.FaceWrong && r.DealtOn(f),
		f.Code == finding.RaiseWrong && infer.More[money.Cents](f):
		hold = scene.Act
	case f.Code == finding.LateBet && r.Running: // that it was accepted before may be heard so late
		hold = max(hold, r.Close.Add(lateness).Sub(since))
	}
	about := infer.AboutOf(f)
	raised := t.alerts[number][about] != nil && t.alerts[number][about].raised
	if !ok || !raised && r.Premature(f, r.AtEvent(f)) {
		return false
	}
	t.consider(r, f, t.pend(number, about, since), hold, now)
	return true
}

// standsOmitted considers a finding of a round taken as over; it reports whether it is of something
// that was omitted.
func (t *Tracker) standsOmitted(end *infer.Ruling, f round.Finding, number int, now time.Time) bool {
	since, hold := scene.Latest(end.AtEvent(f), end.Scene.Over()), scene.Act
	omits := finding.Of(f.Code).Round.Omits
	switch {
	case omits == finding.OmittedCall && !end.Unclosed(f) && !end.LastSettlement().IsZero():
		since, hold = end.LastSettlement(), lateness // what may be heard late was called before the last chips moved
	case omits == finding.OmittedCard: // none comes once all are gone
	case omits == finding.OmittedChips:
		if ended := end.Scene.Ended; !ended.IsZero() && t.sight.after(ended) {
			hold = 0 // all hands are known that were there before the end
		} else if !ended.IsZero() {
			hold /= 2
		}
	default:
		return false
	}
	t.consider(end, f, t.pend(number, infer.AboutOf(f), since), hold, now)
	return true
}

// pendingOf names the findings that are kept of a round, always in the same order.
func (t *Tracker) pendingOf(number int) []infer.About {
	return slices.SortedFunc(maps.Keys(t.alerts[number]), infer.About.Compare)
}

// consider reports a finding that has stood for its hold, unless hands are at what it
// speaks of.
func (t *Tracker) consider(r *infer.Ruling, f round.Finding, p *pending, hold time.Duration, now time.Time) {
	p.gone = time.Time{}
	if p.raised || p.weighed && !t.changed || t.handsAt(r, f) || r.BeingCorrected(f) {
		return
	}
	if age := now.Sub(p.since); age >= hold {
		t.decide(r, f, p, now)
	} else if age >= hold/2 && !p.asked {
		p.asked = true
		t.confirm(r, f)
	}
}

// confirm has what decides a finding read again before it is said, as far as it still lies there: what is read by the
// time that the finding has stood for its hold counts.
func (t *Tracker) confirm(r *infer.Ruling, f round.Finding) {
	if t.inference.Refuted(r, f, t.policy().Threshold) {
		return
	}
	zones := slices.DeleteFunc(t.inference.HangsOn(r, f), func(zone string) bool {
		m, known := t.now.Zones[zone]
		return !known || !m.MovingSince.IsZero()
	})
	slices.Sort(zones)
	if zones = slices.Compact(zones); len(zones) > 0 {
		t.emit(&Reread{zones})
	}
}

func (t *Tracker) pend(number int, k infer.About, at time.Time) *pending {
	if t.alerts[number] == nil {
		t.alerts[number] = map[infer.About]*pending{}
	}
	p := t.alerts[number][k]
	if p == nil {
		p = &pending{since: at}
		t.alerts[number][k] = p
	}
	if !p.raised && at.After(p.since) {
		p.since = at // more was laid since
	}
	return p
}

// decide weighs a finding whose grace has passed.
func (t *Tracker) decide(r *infer.Ruling, f round.Finding, p *pending, now time.Time) {
	if t.inference.Refuted(r, f, t.policy().Threshold) {
		p.weighed = true
		return
	}
	toCome := func(zone string) bool { // it rests, and is still to be read again
		m := t.now.Zones[zone]
		return m.MovingSince.IsZero() && now.Before(m.Until.Add(prompt))
	}
	if slices.ContainsFunc(t.inference.HangsOn(r, f), toCome) {
		return
	}
	for _, j := range t.judged(r) {
		if infer.AboutOf(j.Finding) != infer.AboutOf(f) {
			continue
		}
		p.last, p.weighed = j, true
		if j.Alert {
			p.raised = true
			t.emit(&Alert{Table: t.cfg.Table, Round: r.Record.ID, State: Raised, Judged: j})
		}
		return
	}
}

// phaseOf names what the table does.
func (t *Tracker) phaseOf(r *infer.Ruling) Phase {
	sc := r.Scene
	if !sc.Begun() {
		return Idle
	}
	if slices.ContainsFunc(r.Entries, func(e narrate.Entry) bool { return e.Event.Movement() }) {
		if !sc.Cleared.IsZero() {
			return Cleared
		}
		return Settling
	}
	out := sc.Outcome()
	switch {
	case !sc.Cleared.IsZero():
		return Cleared
	case out >= 0 && !sc.Nullified(out) || r.Decided:
		return Resolution
	case len(r.Hand) > len(r.DealOrder()):
		return Deciding
	case len(r.Hand) > 0:
		return Dealing
	case !r.Close.IsZero():
		return Closed
	}
	return Betting
}
