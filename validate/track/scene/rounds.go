package scene

import (
	"maps"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
)

// Where one round ends and the next begins. A table of cards ends its round
// when it is cleared; a wheel or a pair of dice is never cleared, so there a
// round lasts until the betting for the next is opened or closed, or until all
// is settled and still (which only the tracker's clock knows: Ending).

// end closes the running round at t and opens the next on what lies there.
func (f *Felt) end(t time.Time) {
	if !f.Scene.Begun() {
		return
	}
	f.Scene.Ended = t
	f.markHidden()
	next := &Scene{Course: f.course, Opening: f.Totals(), Gaps: f.gapsAt(t), rack: slices.Clone(f.Scene.rack)}
	for _, s := range f.Scene.Tracks {
		if s.OnTable {
			s.Earlier = true
			next.Tracks = append(next.Tracks, s)
		}
	}
	if f.blind != "" {
		next.mark(f.blind)
	}
	f.Ended = append(f.Ended, f.Scene)
	f.Scene = next
}

// markHidden marks the running round where a zone in which all seats bet has not come to rest since
// before it began: what is known of it is of a round before.
func (f *Felt) markHidden() {
	for name, z := range f.layout.Zones {
		m := f.Zones[name]
		if z.Chips && z.Own == (Place{}) && !m.MovingSince.IsZero() && !m.MovingSince.After(f.Scene.Start()) {
			f.Scene.mark("the layout was hidden throughout the round")
		}
	}
}

// foldLine takes in a line, which may be the sign that a new round has begun.
func (f *Felt) foldLine(e round.Event, at time.Time) {
	switch {
	case e.Type == round.Ball:
		f.throwTrigger(at)
		f.markHidden()
	case e.Type == round.Announce:
		f.callTrigger(e.Call, at)
	}
	f.Scene.announceExchange(&e, at)
	f.put(Event{Kind: Heard, From: at, At: at, Line: e})
}

func (f *Felt) callTrigger(call string, at time.Time) {
	opening, closing := call == "hagan_juego" || call == f.course.Opens, call == "no_va_mas"
	if !opening && !closing {
		return
	}
	sc := f.Scene
	if opening && sc.Outcome() < 0 && len(sc.Tracks) == 0 {
		sc.found = false // what lies there are bets of the round that is opened
	}
	if f.course.Kind == ByCards {
		switch {
		case !sc.Cleared.IsZero() || opening && f.calledOff():
			f.end(at)
		case opening && len(sc.Tracks) > 0:
			sc.opened = &opened{at, len(sc.Events), f.Totals()}
		}
		return
	}
	out := sc.Outcome()
	if out < 0 || sc.Nullified(out) {
		return
	}
	if opening || sc.closedBefore(out) || sc.movedAfter(out) {
		f.end(at)
	}
}

// calledOff reports whether the bets were closed and given back before a card was dealt.
func (f *Felt) calledOff() bool {
	if len(f.Scene.Tracks) > 0 || !f.Scene.closedBefore(len(f.Scene.Events)) {
		return false
	}
	for p, c := range f.Totals() {
		if Bettable(p) && (c.Total > 0 || c.Hidden || c.Rough()) {
			return false
		}
	}
	return true
}

// throwTrigger ends the round before a second outcome, unless the first was
// null and the throw is repeated.
func (f *Felt) throwTrigger(at time.Time) {
	if f.course.Kind == ByCards {
		return
	}
	sc := f.Scene
	out := sc.Outcome()
	if out < 0 || sc.Nullified(out) {
		return
	}
	if sc.movedAfter(out) || at.Sub(sc.Events[out].At) > OneGo { // sooner they are no two rounds
		f.end(at)
	}
}

// Outcome is the index of the last ball or dice of the round, -1 for none.
// Where no wheel sensor speaks, the number that is called is the ball.
func (sc *Scene) Outcome() int {
	return sc.Last(func(h *Event) bool {
		return h.Kind == DiceSeen || h.IsEvent(round.Ball) || h.IsCall(sc.Course.Names...)
	})
}

// Nullified reports whether the throw at out was called off or did not count, or
// that it decides nothing and is made again.
func (sc *Scene) Nullified(out int) bool {
	if h := &sc.Events[out]; h.Kind == DiceSeen && sc.Course.undecided(BestFaces(h.Dice)) {
		return true
	}
	if sc.Course.Deciding != nil && !sc.movedAfter(out) && slices.Contains(BestFaces(sc.Events[out].Dice), 0) {
		return true // nobody read it; what is done next shows whether it decided
	}
	irregular := func(d fact.Die) bool { return d.Irregular != "" }
	if slices.ContainsFunc(sc.Events[out].Dice, irregular) && !sc.movedAfter(out) {
		return true
	}
	for i := len(sc.Events) - 1; i >= 0; i-- {
		h := &sc.Events[i]
		if i < out && (h.Kind == DiceSeen || h.IsEvent(round.Ball)) {
			return false
		}
		if h.IsCall("null_throw") && i > out {
			return true
		}
		if i < out && h.IsEvent(round.Incident) && !sc.movedAfter(out) && NullMaking(h.Line) {
			return true
		}
	}
	return false
}

// NullMaking reports whether an incident annuls the throw in which it happens.
func NullMaking(e round.Event) bool {
	switch e.Kind {
	case "foreign_object", "ball_out", "bad_throw", "ball_stuck", "die_in_cup":
		return e.Type == round.Incident
	}
	return false
}

func (sc *Scene) closedBefore(out int) bool {
	return slices.ContainsFunc(sc.Events[:out], func(h Event) bool { return h.IsCall("no_va_mas") })
}

// movedAfter reports whether chips were taken or laid down after the outcome.
func (sc *Scene) movedAfter(out int) bool {
	return slices.ContainsFunc(sc.Events[out+1:], func(h Event) bool { return h.Kind == ChipsSeen })
}

// Over is when the money of a round should have been settled.
func (sc *Scene) Over() time.Time {
	if sc.Cleared.IsZero() {
		return sc.Ended
	}
	return sc.Cleared
}

// The croupier may open the bets while the hands with which he clears the table are still
// over it: that the cards are gone is seen only when hands have left, though they went before
// he spoke.

// opened is a call that opened the bets before the table was seen to be clear.
type opened struct {
	at    time.Time
	event int             // the call's number in the scene
	lay   map[Place]Count // chips that lay there then
}

// reopen ends the round at the call that opened the next one, where hands had come to all of
// its cards by then and all are gone. What hands of players laid since is the next round's;
// what the house moved under hands that came before the call settles this one.
func (f *Felt) reopen() {
	sc := f.Scene
	o := sc.opened
	if o == nil || slices.ContainsFunc(sc.Tracks, func(s Track) bool { return !s.Earlier && !s.Gone.Before(o.at) }) {
		return
	}
	settled, opening, next := slices.Clone(sc.Events[:o.event]), maps.Clone(o.lay), []Event(nil)
	for _, h := range sc.Events[o.event:] {
		switch {
		case h.Kind != Heard && h.Kind != ChipsSeen:
			return
		case h.Kind == ChipsSeen && h.From.Before(o.at) && (len(h.Hands) == 0 || slices.Contains(h.Hands, fact.Bank)):
			opening[h.Place], h.At = h.Chips, o.at
			settled = append(settled, h)
		default:
			next = append(next, h)
		}
	}
	occlusions := sc.Occlusions
	sc.Events, sc.Cleared = settled, o.at
	sc.Occlusions = slices.DeleteFunc(slices.Clone(occlusions), func(x Occlusion) bool { return !x.From.Before(o.at) })
	for i := range sc.Tracks {
		if s := &sc.Tracks[i]; s.Left.After(o.at) {
			s.Left = o.at
		}
	}
	f.end(o.at)
	f.Scene.Opening, f.Scene.Events = opening, next
	f.Scene.Occlusions = slices.DeleteFunc(slices.Clone(occlusions), func(x Occlusion) bool { return !x.At.After(o.at) })
}
