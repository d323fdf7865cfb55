package wheels

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// throw is one turn of the wheel or cast of the dice within a round.
type throw struct {
	start int // its first event
	end   int // its last event; the record's length while it goes on
	shot  int // its ball or dice event, -1 while there is none
	close int // the closing call in force, -1 when none
	call  int // the null call that ends it, -1 when none
	null  bool
	cause bool // an irregularity makes it null, called or not
	count bool // the number of dice makes it null
	acted bool // it is null, nobody said so, and the table acted on it
}

// fate is how a round came out.
type fate int

const (
	decided    fate = iota
	unreadable      // the ball or the dice were not read
	annulled        // only null throws
	undecided       // only throws that decide nothing
	unseen          // no throw at all
)

// split cuts the record into throws and finds what decides it.
func (t *table) split() {
	t.outcome = -1
	n := len(t.ev)
	for i := 0; i < n; {
		th := t.cut(i)
		t.throws = append(t.throws, th)
		if th.shot >= 0 && !th.null && t.ends(th.shot) {
			t.outcome = th.shot
			break
		}
		i = th.end + 1
	}
	t.fate = t.fateOf()
	t.windows()
}

// ends reports whether the valid shot at an event ends the round: it decides, or nobody can say.
func (t *table) ends(i int) bool {
	e := &t.ev[i]
	return t.read(e) && t.play.decides(e) || !t.read(e) && !t.thrownAgain(i)
}

// thrownAgain reports whether the dice at an event were thrown once more, in a game that does
// so until they decide, before anything was called or settled by them: who saw them lie saw
// that they decide nothing.
func (t *table) thrownAgain(i int) bool {
	next := game.Find(t.ev, i+1, len(t.ev), shot)
	return t.play.repeats() && next >= 0 && game.Find(t.ev, i+1, next, t.counts) < 0
}

// read reports whether the shot was read with enough confidence.
func (t *table) read(e *round.Event) bool {
	return e.Pocket != "??" && !slices.Contains(e.Faces, 0) && e.Confidence() >= t.set.minConf
}

func (t *table) fateOf() fate {
	if t.outcome >= 0 {
		if t.read(&t.ev[t.outcome]) {
			return decided
		}
		return unreadable
	}
	f := unseen
	for _, th := range t.throws {
		switch {
		case th.shot >= 0 && !th.null:
			return undecided
		case th.null:
			f = annulled
		}
	}
	return f
}

func shot(e *round.Event) bool { return e.Type == round.Ball || e.Type == round.Dice }

// cut finds the throw that begins at event start.
func (t *table) cut(start int) throw {
	th := throw{start: start, end: len(t.ev), shot: -1, close: -1, call: -1}
	i := game.Find(t.ev, start, len(t.ev), func(e *round.Event) bool { return shot(e) || e.Is("null_throw") })
	switch {
	case i < 0:
	case !shot(&t.ev[i]):
		th.null, th.call, th.end = true, i, i
	default:
		th.shot, th.end = i, i
		t.checkNull(&th)
	}
	th.close = game.Find(t.ev, th.start, t.closingMoment(&th), func(e *round.Event) bool { return e.Is("no_va_mas") })
	return th
}

// closingMoment is the shot, or the end of a throw that has none.
func (t *table) closingMoment(th *throw) int {
	if th.shot >= 0 {
		return th.shot
	}
	return min(th.end, len(t.ev))
}

// checkNull reports whether the throw is null, and where it then ends.
func (t *table) checkNull(th *throw) {
	e := &t.ev[th.shot]
	th.count = t.play.dice() > 0 && len(e.Faces) != t.play.dice()
	th.cause = th.count || slices.Contains(t.rules.Null.Irregular, e.Irregular)
	for i := th.start; i < th.shot; i++ {
		if e := &t.ev[i]; e.Type == round.Incident &&
			(slices.Contains(t.rules.Null.Incidents, e.Kind) || slices.Contains(t.rules.Null.Irregular, e.Kind)) {
			th.cause = true
		}
	}
	next := game.Find(t.ev, th.shot+1, len(t.ev), shot)
	if next < 0 {
		next = len(t.ev)
	}
	call := game.Find(t.ev, th.shot+1, next, func(e *round.Event) bool { return e.Is("null_throw") })
	moved := game.Find(t.ev, th.shot+1, next, (*round.Event).Movement)
	switch {
	case call >= 0 && (th.cause || moved < 0 || moved > call):
		th.null, th.call, th.end = true, call, call
	case th.cause:
		th.null = true
		th.acted = game.Find(t.ev, th.shot+1, next, t.counts) >= 0
	}
}

// counts reports whether the event treats the shot as if it counted: it moves money or calls a
// result. A stake given back does not: that is what a null throw asks for.
func (t *table) counts(e *round.Event) bool {
	return e.Movement() && e.Type != round.Return || e.Is("number", "combination", "chance", "total")
}

// windows marks the events at which chips may be laid and taken.
func (t *table) windows() {
	t.open = make([]bool, len(t.ev))
	shut := false // a closing call stays in force
	for k := range t.throws {
		th := &t.throws[k]
		until := t.closingMoment(th)
		if th.close >= 0 {
			until = th.close
		}
		if shut {
			until = th.start
		}
		for i := th.start; i < until; i++ {
			t.open[i] = true
		}
		if th.close >= 0 && (!th.null || !t.set.reclose) {
			shut = true
		}
	}
}

// nulls raises what null throws raise by themselves.
func (t *table) nulls() {
	call := t.rules.Calls["null_throw"]
	for _, th := range t.throws {
		if th.count {
			t.add(t.rules.Articles.Null, round.Finding{Code: finding.DiceCountWrong, Event: th.shot,
				Expected: t.play.dice(), Observed: len(t.ev[th.shot].Faces)})
		}
		switch {
		case th.acted && !th.count:
			code := finding.IrregularThrowCounted
			if t.play.dice() == 0 {
				code = finding.NullBallCounted
			}
			t.add(t.rules.Articles.Null, round.Finding{Code: code, Event: th.shot})
		case th.null && th.call < 0 && !th.acted && call.Mandatory:
			t.missing("null_throw", t.rules.Articles.Null)
		}
		if th.call >= 0 {
			t.speaker(th.call)
		}
	}
	if t.outcome < 0 {
		return
	}
	for i := t.outcome + 1; i < len(t.ev); i++ {
		if shot(&t.ev[i]) {
			t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.OtherProcedure, Event: i})
		}
	}
}

func sumOf(e *round.Event) int {
	n := 0
	for _, f := range e.Faces {
		n += f
	}
	return n
}
