package track

import (
	"maps"
	"slices"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// Advance lets the tracker know the time and returns its outputs: the
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
	sc := t.now.Scene
	if !sc.Begun() || len(t.now.Ended) > 0 {
		return false
	}
	var since time.Time
	wait, give := lateness, scene.Quiet
	if t.game.Kind == scene.ByCards {
		since = sc.Cleared
	} else if out := sc.Outcome(); out >= 0 && !sc.Nullified(out) {
		since, wait, give = sc.Events[len(sc.Events)-1].At, scene.Quiet, 4*scene.Quiet
	}
	if since.IsZero() || now.Sub(since) < wait {
		return false
	}
	r := t.explain(sc, t.carryOver, true)
	touched := r.TouchedAt()
	at := scene.Latest(r.SettledAt(since, t.game.Kind), touched)
	if now.Sub(at) < wait || r.Outstanding() && now.Sub(scene.Latest(since, touched)) < give {
		return false
	}
	t.insert(scene.Input{At: at, Ending: "settled"})
	return true
}

// finish hands out the rounds that no late line can change any more.
func (t *Tracker) finish(now time.Time) {
	for len(t.now.Ended) > 0 && now.Sub(t.now.Ended[0].Ended) >= t.late(t.now.Ended[0]) {
		sc := t.now.Ended[0]
		t.finishRound(sc)
		t.advanceBase(sc)
	}
}

// late is how long after its end something may still come in about a round: longer
// where a reader that looks rarely has to see two pictures of what was moved last.
func (t *Tracker) late(sc *scene.Scene) time.Duration {
	return lateness + 2*t.now.Scene.LongestGap(sc.Ended.Add(-lateness), sc.Ended.Add(lateness))
}

// advanceBase moves the base to the end of the oldest ended round.
func (t *Tracker) advanceBase(sc *scene.Scene) {
	n := 0
	for n < len(t.log) && len(t.base.Ended) == 0 {
		t.base.Fold(t.log[n])
		n++
	}
	t.log = append([]scene.Input(nil), t.log[n:]...)
	if len(t.base.Ended) > 0 {
		t.base.Ended = t.base.Ended[1:]
	}
	t.base.Until = scene.Latest(t.base.Until, sc.Ended)
	delete(t.alerts, t.round)
	delete(t.varied, t.round)
	t.round++
	t.refold()
	t.changed = true
}

// finishRound judges a round for good and gives it out.
func (t *Tracker) finishRound(sc *scene.Scene) {
	r := t.inference.Best(t.explain(sc, t.carryOver, true))
	if !r.HasOutcome() {
		if sc.Unverifiable() == "" && sc.Last(func(h *scene.Event) bool { return h.IsCall(t.game.Closing) }) >= 0 {
			t.note(NoteAbandoned, "bets were closed and nothing was dealt or thrown", sc.Ended)
		}
		if r.Err == nil && (sc.Unverifiable() != "" || r.OutcomeMissed()) {
			t.carryOver = t.inference.Next(r)
		}
		t.rulings = nil
		return
	}
	next := t.carryOver // what was held over stays where the record cannot be judged
	if r.Err == nil {
		next = t.inference.Next(r)
	}
	out := &Round{Record: r.Record, Verdict: r.Verdict, Start: sc.Start(), End: sc.Ended, Notes: t.notes(r.Notes)}
	for _, e := range r.Entries {
		out.Times = append(out.Times, e.At)
	}
	switch {
	case r.Err != nil:
		out.NotVerifiable = "the record cannot be judged: " + r.Err.Error()
		t.note(NoteUnusable, r.Err.Error(), sc.Ended)
	case r.Unverifiable() != "":
		out.NotVerifiable = r.Unverifiable()
	}
	if out.NotVerifiable != "" { // the findings of a round that was not seen whole say nothing
		if out.Verdict.Schema == "" {
			out.Verdict.Seal(&out.Record)
		}
		out.Verdict.Findings = nil
		t.notObservable(out, scene.Place{})
	} else {
		out.Findings = t.judged(r)
		t.unobserved(out, slices.SortedFunc(maps.Keys(r.Uncounted), scene.Place.Compare))
		t.rackVaries(out, r)
	}
	t.variances(sc, t.round, true)
	t.reconcile(out)
	t.emit(out)
	t.rulings, t.carryOver = nil, next // of the rounds to come something else is carried over
}

// notObservable adds to a round the finding that something of it was not seen: all of it, or the bet of a place.
func (t *Tracker) notObservable(out *Round, of scene.Place) {
	f := round.Finding{Code: finding.NotObservable, Severity: finding.Minor, Seat: of.Seat, Spot: of.Spot,
		Event: max(len(out.Record.Events)-1, 0), Rule: t.cfg.Norm + " " + t.label}
	if len(out.Verdict.Settlement) > 0 {
		f.Rule = out.Verdict.Settlement[0].Rule
	}
	out.Verdict.Findings = append(out.Verdict.Findings, f)
	out.Findings = append(out.Findings, Judged{Finding: f, P: 1, At: out.End, From: out.Start, To: out.End})
}

// notes are those of a round, with its table.
func (t *Tracker) notes(of []narrate.Note) (notes []Note) {
	for _, n := range of {
		notes = append(notes, Note{t.cfg.Table, n})
	}
	return notes
}

// refuted is the evidence below which the whole of a round speaks against a finding: one that hangs on what nobody
// counted or watched has as much, and stays. Of 442 alerts raised while 1,386 made rounds ran (seeds 31000 to 31006)
// seven ended below it, all of them false.
const refuted = -0.2

// reconcile returns what became of the alerts raised while the round ran: those that the whole round speaks
// against are taken back, and are notes.
func (t *Tracker) reconcile(out *Round) {
	for _, k := range t.pendingOf(t.round) {
		p := t.alerts[t.round][k]
		if !p.raised {
			continue
		}
		state, last := Corrected, p.last
		for _, f := range out.Findings {
			if infer.AboutOf(f.Finding) != k {
				continue
			}
			if last = f; f.Alert || f.Evidence >= refuted {
				state = Confirmed
			}
		}
		if out.NotVerifiable != "" {
			state = Confirmed // it was seen before sight was lost
		}
		if state == Corrected && !p.gone.IsZero() && p.last.Alert && p.done {
			continue // reported already
		}
		t.emit(&Alert{Table: t.cfg.Table, Round: out.Record.ID, State: state, Judged: last})
	}
}

// unobserved adds to a round that the money of its uncounted bets could not be checked.
func (t *Tracker) unobserved(out *Round, bets []scene.Place) {
	if len(bets) == 0 {
		return
	}
	for _, p := range bets {
		known := func(f round.Finding) bool {
			return f.Code == finding.NotObservable && f.Seat == p.Seat && f.Spot == p.Spot && f.Zone == ""
		}
		if !slices.ContainsFunc(out.Verdict.Findings, known) {
			t.notObservable(out, p)
		}
	}
	out.Verdict.Seal(&out.Record)
}
