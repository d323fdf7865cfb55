package track

import (
	"slices"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

// watch judges the rounds that are not finished: what people see, and what is
// raised at once.
func (t *Tracker) watch(now time.Time) {
	carry := t.carry
	for i, sc := range t.now.past {
		r := t.explain(sc, likeliest, carry, true)
		t.raise(r, r, carry, t.round+i, now)
		if r.err == nil {
			carry = t.best(r).carry()
		}
	}
	sc := t.now.scene
	r := t.explain(sc, likeliest, carry, false)
	number := t.round + len(t.now.past)
	t.raise(r, t.atItsEnd(sc, carry), carry, number, now)
	t.variances(sc, number, false)
	phase := t.phaseOf(r)
	if phase != t.phase {
		t.phase = phase
		t.say(&PhaseChange{t.cfg.Table, phase, now})
	}
	if !t.changed {
		return
	}
	live := &Live{Table: t.cfg.Table, Phase: phase, Time: now, Record: r.record, Settlement: r.verdict.Settlement}
	live.NotVerifiable = r.dark()
	t.say(live)
}

// waiting tells that an alert is on its way and only time is missing.
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
func (t *Tracker) atItsEnd(sc *scene, carry carryOver) *ruling {
	if t.game.course != cards || sc.cleared.IsZero() {
		return nil
	}
	return t.explain(sc, likeliest, carry, true)
}

// raise keeps the findings of a running round until their grace has passed and
// then says them, once; and says when one of them was put right. Omissions are
// taken from the round at its end; nil while it goes on.
func (t *Tracker) raise(r, end *ruling, carry carryOver, number int, now time.Time) {
	if r.err != nil || r.dark() != "" {
		return
	}
	standing := map[about]bool{}
	for _, f := range r.verdict.Findings {
		running := &finding.Of(f.Code).Round.Running
		ok, since, hold := running.Raised, r.atEvent(f), max(running.Stands, t.cfg.Grace)
		switch {
		case r.unclosed(f):
			since = earliest(r.moved(f.Event), r.named()) // of bets that are opened twice each time has its own
			hold, ok = t.cfg.Lateness, !since.IsZero()
		case f.Code == finding.LoserNotCollected && !r.story.final:
			since, hold = r.story.forgotten[physical(f.Seat, f.Spot)], omission
			ok = !since.IsZero()
		case f.Code == finding.PayoutUnder && r.story.g.held: // what the seat got stands since then
			since = r.lastTo(f.Seat)
		case f.Code == finding.DealtBeforeClose && !r.story.g.held: // the call was heard, and came after
			hold = omission
		case f.Code == finding.AnnouncementWrong && r.ofResult(f), f.Code == finding.FaceWrong && r.dealtOn(f),
			f.Code == finding.RaiseWrong && more(f.Expected, f.Observed):
			hold = omission
		case f.Code == finding.LateBet && r.story.running: // that it was accepted before may be heard so late
			hold = max(hold, r.story.close.Add(t.cfg.Lateness).Sub(since))
		}
		said := t.alerts[number][key(f)] != nil && t.alerts[number][key(f)].raised
		if ok && (said || !r.story.premature(f, r.atEvent(f))) {
			standing[key(f)] = true
			t.consider(r, f, t.pend(number, key(f), since), hold, carry, now)
		}
	}
	if end != nil && end.err == nil {
		for _, f := range end.verdict.Findings {
			since, hold := slices.MaxFunc([]time.Time{end.atEvent(f), end.story.sc.over()}, time.Time.Compare), omission
			omits := finding.Of(f.Code).Round.Omits
			switch unsaid := omits == finding.OmittedCall && !end.unclosed(f); {
			case unsaid && !end.settled().IsZero(): // what may be heard late was said before the last chips moved
				standing[key(f)] = true
				t.consider(end, f, t.pend(number, key(f), end.settled()), t.cfg.Lateness, carry, now)
			case omits == finding.OmittedCard: // no card comes once all are gone
				standing[key(f)] = true
				t.consider(end, f, t.pend(number, key(f), since), omission, carry, now)
			case omits == finding.OmittedChips:
				standing[key(f)] = true
				if ended := end.story.sc.ended; !ended.IsZero() && t.sight.after(ended) {
					hold = 0 // all hands are known that were there before the end
				} else if !ended.IsZero() {
					hold /= 2
				}
				t.consider(end, f, t.pend(number, key(f), since), hold, carry, now)
			}
		}
	}
	for k, p := range t.alerts[number] {
		if standing[k] {
			continue
		}
		if !p.raised {
			delete(t.alerts[number], k)
			continue
		}
		if p.gone.IsZero() {
			p.gone = now
		} else if !p.done && now.Sub(p.gone) >= omission {
			p.done = true
			t.say(&Alert{Table: t.cfg.Table, Round: r.record.ID, State: Corrected, Judged: p.last})
		}
	}
}

// consider says a finding that has stood for its hold, unless hands are at what it
// speaks of.
func (t *Tracker) consider(r *ruling, f round.Finding, p *pending, hold time.Duration, carry carryOver, now time.Time) {
	p.gone = time.Time{}
	if p.raised || p.weighed && !t.changed || now.Sub(p.since) < hold || t.stirring(r, f) || r.story.beingMended(f, now) {
		return
	}
	t.decide(r, carry, f, p)
}

func (t *Tracker) pend(number int, k about, at time.Time) *pending {
	if t.alerts[number] == nil {
		t.alerts[number] = map[about]*pending{}
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
func (t *Tracker) decide(r *ruling, carry carryOver, f round.Finding, p *pending) {
	if t.refuted(r, f, t.threshold(f.Code)) {
		p.weighed = true
		return
	}
	for _, j := range t.judged(r) {
		if key(j.Finding) != key(f) {
			continue
		}
		p.last, p.weighed = j, true
		if j.Alert {
			p.raised = true
			t.say(&Alert{Table: t.cfg.Table, Round: r.record.ID, State: Raised, Judged: j})
		}
		return
	}
}

// phaseOf names what the table does.
func (t *Tracker) phaseOf(r *ruling) Phase {
	sc := r.story.sc
	if !sc.begun() {
		return Idle
	}
	if slices.ContainsFunc(r.told, func(e told) bool { return e.event.Movement() }) {
		if !sc.cleared.IsZero() {
			return Cleared
		}
		return Settling
	}
	out := sc.outcome()
	switch {
	case !sc.cleared.IsZero():
		return Cleared
	case out >= 0 && !sc.nullified(out) || r.story.early:
		return Resolution
	case len(r.story.hand) > len(r.story.dealOrder()):
		return Deciding
	case len(r.story.hand) > 0:
		return Dealing
	case !r.story.close.IsZero():
		return Closed
	}
	return Betting
}
