package wheels

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// verdictOfCall is whether a result call is so. A call that says nothing of
// what the game can check is right.
type verdictOfCall struct {
	wrong              bool
	expected, observed any
	incomplete         bool // it lacks what has to be said with it
}

func wrongCall(expected, observed any) verdictOfCall {
	return verdictOfCall{wrong: true, expected: expected, observed: observed}
}

// missing raises the lack of a call, at the record's last event.
func (t *table) missing(call, section string) {
	t.add(section, round.Finding{Code: finding.AnnouncementMissing, Expected: call, Event: game.Last(t.Rec)})
}

// say raises a code of the conduct of the game at an event.
func (t *table) say(code finding.Code, event int) {
	t.add(t.rules.Articles.Conduct, round.Finding{Code: code, Event: event})
}

// speaker raises a prescribed call made by somebody else.
func (t *table) speaker(i int) {
	e := &t.ev[i]
	c := t.rules.Calls[e.Call]
	if c.Mandatory && !slices.Contains(c.By, e.By) && !(t.set.reduced && slices.Contains(c.Reduced, e.By)) {
		t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.OtherProcedure, Event: i, Observed: e.By})
	}
}

// calls judges the announcements.
func (t *table) calls() {
	if t.fate == unseen {
		return
	}
	reached, shut := 0, false
	for k := range t.throws {
		th := &t.throws[k]
		if th.shot < 0 {
			if th.close >= 0 && !t.set.reclose {
				shut = true
			}
			continue
		}
		reached++
		if reached == 1 || t.rules.Null.Cycle && t.set.reclose {
			from := th.start
			if reached == 1 && !t.rules.Null.Cycle {
				from = 0
			}
			t.opening(th, from)
		}
		if !shut {
			t.closing(th, k)
		}
		if th.close >= 0 && (!th.null || !t.set.reclose) {
			shut = true
		}
	}
	if t.fate == decided {
		t.results()
	}
}

// opening judges the invitation to bet and the question whether the bets are made.
func (t *table) opening(th *throw, from int) {
	is := func(call string) func(*round.Event) bool {
		return func(e *round.Event) bool { return e.Is(call) }
	}
	invited := game.Find(t.ev, from, th.shot, is("hagan_juego"))
	if t.rules.Calls["hagan_juego"].Mandatory {
		if invited < 0 {
			t.missing("hagan_juego", t.rules.Articles.Conduct)
		} else {
			t.speaker(invited)
			if game.Find(t.ev, from, invited, func(e *round.Event) bool { return e.Type == round.Bet }) >= 0 {
				t.say(finding.AnnouncementOrder, invited)
			}
		}
	}
	if t.rules.Calls["hechas_apuestas"].Mandatory {
		asked := game.Find(t.ev, from, th.shot, is("hechas_apuestas"))
		if asked < 0 {
			t.missing("hechas_apuestas", t.rules.Articles.Conduct)
			return
		}
		t.speaker(asked)
		if asked < invited || th.close >= 0 && asked > th.close {
			t.say(finding.AnnouncementOrder, asked)
		}
	}
}

// closing judges the closing call of the k-th throw.
func (t *table) closing(th *throw, k int) {
	if !t.rules.Calls["no_va_mas"].Mandatory {
		return
	}
	if th.close >= 0 {
		t.speaker(th.close)
		return
	}
	if late := t.lateClose(th, k); late >= 0 {
		t.speaker(late)
		t.say(finding.DealtBeforeClose, th.shot)
		return
	}
	t.missing("no_va_mas", t.rules.Articles.Conduct)
}

// lateClose is a closing call made only after the shot, before anything moved;
// one that belongs to a following throw is not this one's.
func (t *table) lateClose(th *throw, k int) int {
	until := len(t.ev)
	if th.null {
		until = th.end
		if th.call < 0 && (k+1 >= len(t.throws) || t.throws[k+1].shot < 0) {
			until = len(t.ev)
		}
	}
	if moved := game.Find(t.ev, th.shot+1, until, (*round.Event).Movement); moved >= 0 {
		until = moved
	}
	return game.Find(t.ev, th.shot+1, until, func(e *round.Event) bool { return e.Is("no_va_mas") })
}

// resultCall is the call that announces the result of this game.
func (t *table) resultCall() (string, Call) {
	for _, name := range []string{"number", "combination", "chance"} {
		if c, ok := t.rules.Calls[name]; ok {
			return name, c
		}
	}
	return "", Call{}
}

// results judges the calls of a decided round.
func (t *table) results() {
	name, call := t.resultCall()
	made := false
	for i := 0; i < t.outcome; i++ {
		if !t.ev[i].Is(name) || t.onCountedNull(i) || t.onUndecided(i) {
			continue
		}
		if call.Mandatory {
			if !made {
				t.speaker(i)
			}
			t.say(finding.AnnouncementOrder, i)
		}
		made = true
	}
	settled := t.firstSettled(t.outcome)
	first := true
	for i := t.outcome + 1; i < len(t.ev); i++ {
		e := &t.ev[i]
		if !e.Is(name, "total") || name == "" && !e.Is("total") {
			continue
		}
		t.truthOf(i)
		if e.Is("total") {
			continue
		}
		if first && call.Mandatory {
			if !made {
				t.speaker(i)
			}
			if i > settled {
				t.say(finding.AnnouncementOrder, i)
			}
			t.incomplete(i)
		}
		first, made = false, true
	}
	if call.Mandatory && !made && t.closed {
		t.missing(name, t.rules.Articles.Conduct)
	}
}

// truthOf raises a call that is not so.
func (t *table) truthOf(i int) {
	if v := t.play.truth(t, &t.ev[i]); v.wrong {
		t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.AnnouncementWrong, Event: i, Expected: v.expected,
			Observed: v.observed})
	}
}

// incomplete raises a call that is right and does not say all.
func (t *table) incomplete(i int) {
	if v := t.play.truth(t, &t.ev[i]); !v.wrong && v.incomplete {
		t.say(finding.AnnouncementMissing, i)
	}
}

// onCountedNull reports whether event i is between a null shot that the
// table counted and the next throw: a call there is part of that mistake.
func (t *table) onCountedNull(i int) bool {
	for k := range t.throws {
		th := &t.throws[k]
		if th.acted && i > th.shot && (k+1 >= len(t.throws) || t.throws[k+1].shot < 0 || i < t.throws[k+1].shot) {
			return true
		}
	}
	return false
}

// onUndecided reports whether event i follows a valid throw that decides nothing.
func (t *table) onUndecided(i int) bool {
	for k := len(t.throws) - 1; k >= 0; k-- {
		if th := &t.throws[k]; th.shot >= 0 && th.shot < i {
			return !th.null && th.shot != t.outcome
		}
	}
	return false
}

// totalCall compares a call of the sum of the dice.
func totalCall(e *round.Event, sum int) verdictOfCall {
	if *e.Points != sum {
		return wrongCall(sum, *e.Points)
	}
	return verdictOfCall{}
}
