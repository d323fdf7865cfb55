package track

import (
	"slices"
	"time"

	"vision/validate/round"
)

// Where one round ends and the next begins. A table of cards ends its round
// when it is cleared; a wheel or a pair of dice is never cleared, so there a
// round lasts until the betting for the next is opened or closed, or until all
// is settled and still (which only the tracker's clock can tell: Ending).

// end closes the running round at t and opens the next on what lies there.
func (f *felt) end(t time.Time, why string) {
	if !f.scene.begun() {
		return
	}
	f.scene.ended, f.scene.end = t, why
	next := &scene{game: f.game, opening: f.totals(), spans: f.scene.recentSpans(t)}
	for _, s := range f.scene.slots {
		if s.here {
			s.stale = true
			next.slots = append(next.slots, s)
		}
	}
	if f.blind != "" {
		next.mark(f.blind)
	}
	f.past = append(f.past, f.scene)
	f.scene = next
}

// hear takes in a line, which may be the sign that a new round has begun.
func (f *felt) hear(e round.Event, at time.Time) {
	switch {
	case e.Type == round.Ball:
		f.throwTrigger(at)
	case e.Type == round.Announce:
		f.callTrigger(e.Call, at)
	}
	f.scene.exchange(&e, at)
	f.put(happening{kind: heard, from: at, at: at, event: e})
}

func (f *felt) callTrigger(call string, at time.Time) {
	opening, closing := call == "hagan_juego" || call == f.game.opens, call == "no_va_mas"
	if !opening && !closing {
		return
	}
	sc := f.scene
	if opening && sc.outcome() < 0 && len(sc.slots) == 0 {
		sc.found = false // what lies there are bets of the round that is opened
	}
	if f.game.course == cards {
		if !sc.cleared.IsZero() || opening && f.calledOff() {
			f.end(at, "the next round was opened")
		}
		return
	}
	out := sc.outcome()
	if out < 0 || sc.nullified(out) {
		return
	}
	if opening || sc.closedBefore(out) || sc.movedAfter(out) {
		f.end(at, "the next round was opened")
	}
}

// calledOff tells that the bets were closed and given back before a card was dealt.
func (f *felt) calledOff() bool {
	if len(f.scene.slots) > 0 || !f.scene.closedBefore(len(f.scene.items)) {
		return false
	}
	for p, c := range f.totals() {
		if bettable(p) && (c.total > 0 || c.hidden || c.vague()) {
			return false
		}
	}
	return true
}

// throwTrigger ends the round before a second outcome, unless the first was
// null and the throw is repeated.
func (f *felt) throwTrigger(at time.Time) {
	if f.game.course == cards {
		return
	}
	sc := f.scene
	out := sc.outcome()
	if out < 0 || sc.nullified(out) {
		return
	}
	const hasty = 4 * time.Second // two outcomes in this time are no two rounds
	if sc.movedAfter(out) || at.Sub(sc.items[out].at) > hasty {
		f.end(at, "the next throw was made")
	}
}

// outcome is the index of the last ball or dice of the round, -1 for none.
// Where no wheel sensor speaks, the number that is called is the ball.
func (sc *scene) outcome() int {
	return sc.last(func(h *happening) bool {
		return h.kind == diceSeen || h.isEvent(round.Ball) || h.isCall(sc.game.names...)
	})
}

// nullified tells that the throw at out was called off or did not count, or
// that it decides nothing and is made again.
func (sc *scene) nullified(out int) bool {
	if h := &sc.items[out]; h.kind == diceSeen && sc.game.undecided != nil && sc.game.undecided(bestFaces(h.dice)) {
		return true
	}
	if sc.game.undecided != nil && !sc.movedAfter(out) && slices.Contains(bestFaces(sc.items[out].dice), 0) {
		return true // nobody read it; what is done next tells whether it decided
	}
	for _, d := range sc.items[out].dice {
		if d.Irregular != "" && !sc.movedAfter(out) {
			return true
		}
	}
	for i := len(sc.items) - 1; i >= 0; i-- {
		h := &sc.items[i]
		if i < out && (h.kind == diceSeen || h.isEvent(round.Ball)) {
			return false
		}
		if h.isCall("null_throw") && i > out {
			return true
		}
		if i < out && h.isEvent(round.Incident) && !sc.movedAfter(out) && nullMaking(h.event) {
			return true
		}
	}
	return false
}

// nullMaking tells of an incident that it annuls the throw in which it happens.
func nullMaking(e round.Event) bool {
	switch e.Kind {
	case "foreign_object", "ball_out", "bad_throw", "ball_stuck", "die_in_cup":
		return e.Type == round.Incident
	}
	return false
}

func (sc *scene) closedBefore(out int) bool {
	for i := range sc.items[:out] {
		if sc.items[i].isCall("no_va_mas") {
			return true
		}
	}
	return false
}

// movedAfter tells that chips were taken or laid down after the outcome.
func (sc *scene) movedAfter(out int) bool {
	for i := out + 1; i < len(sc.items); i++ {
		if sc.items[i].kind == chipsSeen {
			return true
		}
	}
	return false
}

// over is when the money of a round should have been settled.
func (sc *scene) over() time.Time {
	if sc.cleared.IsZero() {
		return sc.ended
	}
	return sc.cleared
}
