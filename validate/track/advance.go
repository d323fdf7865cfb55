package track

import (
	"slices"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

// Advance lets the tracker know the time and returns what it has to say: the
// outs since the last call, in order.
func (t *Tracker) Advance(now time.Time) []Out {
	now = t.sight.pass(now)
	t.finish(now)
	if t.endByClock(now) {
		t.finish(now)
	}
	if t.changed || t.waiting() {
		t.watch(now)
		t.changed = false
	}
	outs := t.outs
	t.outs = nil
	return outs
}

// endByClock ends the running round when nothing more can come: a table of
// cards that is cleared and settled, a wheel or dice round that is settled and
// quiet.
func (t *Tracker) endByClock(now time.Time) bool {
	sc := t.now.scene
	if !sc.begun() || len(t.now.past) > 0 {
		return false
	}
	var since time.Time
	wait, give := t.cfg.Lateness, t.cfg.Wait
	if t.game.course == cards {
		since = sc.cleared
	} else if out := sc.outcome(); out >= 0 && !sc.nullified(out) {
		since, wait, give = sc.items[len(sc.items)-1].at, t.cfg.Quiet, 4*t.cfg.Quiet
	}
	if since.IsZero() || now.Sub(since) < wait {
		return false
	}
	r := t.explain(sc, likeliest, t.carry, true)
	at := r.settledAt(since, t.game.course)
	if now.Sub(at) < wait || r.outstanding() && now.Sub(since) < give {
		return false
	}
	t.insert(entry{At: at, Ending: "settled"})
	return true
}

// finish hands out the rounds that no late line can change any more.
func (t *Tracker) finish(now time.Time) {
	for len(t.now.past) > 0 && now.Sub(t.now.past[0].ended) >= t.late(t.now.past[0]) {
		sc := t.now.past[0]
		t.hand(sc)
		t.settleBase(sc)
	}
}

// late is how long after its end something may still be told of a round: longer
// where a reader that looks rarely has to see two pictures of what was moved last.
func (t *Tracker) late(sc *scene) time.Duration {
	if t.now.scene.blinked(sc.ended.Add(-t.cfg.Lateness), sc.ended.Add(t.cfg.Lateness)) {
		return 3 * t.cfg.Lateness
	}
	return t.cfg.Lateness
}

// settleBase moves the base to the end of the oldest ended round.
func (t *Tracker) settleBase(sc *scene) {
	n := 0
	for n < len(t.log) && len(t.base.past) == 0 {
		t.base.step(t.log[n])
		n++
	}
	t.log = append([]entry(nil), t.log[n:]...)
	if len(t.base.past) > 0 {
		t.base.past = t.base.past[1:]
	}
	if sc.ended.After(t.base.until) {
		t.base.until = sc.ended
	}
	delete(t.alerts, t.round)
	delete(t.told, t.round)
	t.round++
	t.refold()
	t.changed = true
}

// hand judges a round for good and gives it out.
func (t *Tracker) hand(sc *scene) {
	r := t.infer(sc, t.carry, true)
	if !worthTelling(r) {
		if sc.dark() == "" && sc.last(func(h *happening) bool { return h.isCall(t.game.closing) && t.game.closing != "" }) >= 0 {
			t.note(NoteAbandoned, "bets were closed and nothing was dealt or thrown", sc.ended)
		}
		t.carryOn(nil)
		return
	}
	out := &Round{Record: r.record, Verdict: r.verdict, Start: sc.start(), End: sc.ended, Notes: t.named(r.story.notes)}
	for _, e := range r.told {
		out.Times = append(out.Times, e.at)
	}
	switch {
	case r.err != nil:
		out.NotVerifiable = "the record cannot be judged: " + r.err.Error()
		t.note(NoteUnusable, r.err.Error(), sc.ended)
	case r.dark() != "":
		out.NotVerifiable = r.dark()
	}
	if out.NotVerifiable != "" {
		t.blur(out)
	} else {
		out.Findings = t.judged(r)
		t.unobserved(out, r.story.unknownBets())
	}
	t.variances(sc, t.round, true)
	t.reconcile(out)
	t.say(out)
	t.carryOn(r)
}

// worthTelling tells that the round came to cards, a ball or dice.
func worthTelling(r *ruling) bool {
	return slices.ContainsFunc(r.told, func(e told) bool {
		switch e.event.Type {
		case round.CardDealt, round.Ball, round.Dice:
			return true
		}
		return e.event.Is("null_throw")
	})
}

// blur replaces the findings of a round that was not seen whole.
func (t *Tracker) blur(out *Round) {
	f := t.notObservable(out)
	if out.Verdict.Schema == "" {
		out.Verdict.Seal(&out.Record)
	}
	out.Verdict.Findings = []round.Finding{f}
	out.Findings = []Judged{{Finding: f, P: 1, At: out.End, From: out.Start, To: out.End}}
}

// notObservable is the finding that something of a round was not seen.
func (t *Tracker) notObservable(out *Round) round.Finding {
	rule := t.cfg.Norm + " " + t.label
	if len(out.Verdict.Settlement) > 0 {
		rule = out.Verdict.Settlement[0].Rule
	}
	return round.Finding{Code: finding.NotObservable, Severity: finding.Minor, Event: max(len(out.Record.Events)-1, 0), Rule: rule}
}

func (t *Tracker) named(notes []Note) []Note {
	for i := range notes {
		notes[i].Table = t.cfg.Table
	}
	return notes
}

// carryOn takes the verdict's next as the carry of the round to come.
func (t *Tracker) carryOn(r *ruling) {
	if r == nil || r.err != nil {
		return // what was held over stays
	}
	t.carry = r.carry()
}

// reconcile tells what became of the alerts raised while the round ran.
func (t *Tracker) reconcile(out *Round) {
	for k, p := range t.alerts[t.round] {
		if !p.raised {
			continue
		}
		state := Corrected
		last := p.last
		for _, f := range out.Findings {
			if key(f.Finding) == k {
				state, last = Confirmed, f
			}
		}
		if out.NotVerifiable != "" {
			state = Confirmed // it was seen before sight was lost
		}
		if state == Corrected && !p.gone.IsZero() && p.last.Alert && p.done {
			continue // said already
		}
		t.say(&Alert{Table: t.cfg.Table, Round: out.Record.ID, State: state, Judged: last})
	}
}
