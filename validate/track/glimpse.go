package track

import (
	"slices"
	"time"

	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/round"
)

// What happens between two pictures that were looked at, nobody saw: pictures
// may be lost on their way, or the reader may get too little of the machine.
// Either way it is told as a span, and its length says what may have happened in
// it unseen. A hand that lays or takes something is over the table for about a
// second, and what it leaves is known when two pictures show it at rest. So
//
//   - in a blink (over 0.4 s) no act is missed, but one of two that follow each
//     other in a zone may be, or which of two zones changed first: findings that
//     hang on what came about then are notes;
//   - in a gap (1 s and more) a whole act may be missed: the round is not
//     verifiable. While bets are laid nothing is missed by it that counts: what
//     lies there is seen before the bets are closed.
//
// Blinks and gaps are told by fact.Looked, longer ones by fact.Gap as well.

// span is a time in which nobody looked.
type span struct{ from, to time.Time }

func (s span) length() time.Duration { return s.to.Sub(s.from) }

// blink is the time without a picture from which the order of two acts, or the
// first of them, may be missed.
const blink = 400 * time.Millisecond

// Limits of what is kept of a round's spans.
const (
	maxSpans = 400
	keepSpan = 30 * time.Second // so long something may have been on its way when a round begins
)

// miss takes in that nobody looked from since to at.
func (f *felt) miss(s span, why string) {
	if s.length() <= blink {
		return
	}
	f.scene.spans = append(f.scene.spans, s)
	if len(f.scene.spans) > maxSpans {
		f.scene.spans = slices.Delete(f.scene.spans, 0, 1)
		f.scene.mark("too few pictures were looked at")
	}
	switch {
	case s.length() < f.brief:
	case s.length() < patient && f.scene.betting():
		f.unwatched = s.to
	default:
		f.darken(s.to, why)
	}
}

// patient is how long a table may go unwatched while bets are laid.
const patient = 10 * time.Second

// betting tells that bets are laid and nothing was closed, dealt or thrown yet.
func (sc *scene) betting() bool {
	if len(sc.slots) > 0 || sc.game.held {
		return false
	}
	return sc.outcome() < 0 && sc.last(func(h *happening) bool { return h.isCall("no_va_mas") || h.isEvent(round.CardDealt) }) < 0
}

// unseen tells that a happening came about while nobody looked for so long that
// more may have happened.
func (f *felt) unseen(h happening) bool {
	if h.kind == heard {
		return false
	}
	return h.from.Before(f.dark) || h.from.Before(f.unwatched) && !(h.kind == chipsSeen && f.scene.betting())
}

// cloud remembers that chips may have been laid and taken unseen in a zone that
// looks as before.
func (f *felt) cloud(seat int, r rest) {
	if seat > 0 && f.scene.blinked(r.from, r.at) {
		f.scene.blur(seat, r.at)
	}
}

// overdue remembers of rounds that have ended that chips were moved at their end,
// or after it, and nobody looked.
func (f *felt) overdue(seat int, r rest) {
	for _, sc := range f.past {
		if r.from.Before(sc.ended) && f.scene.blinked(r.from, r.at) {
			sc.blur(seat, sc.ended)
		}
	}
}

func (sc *scene) blur(seat int, at time.Time) {
	if sc.murky == nil {
		sc.murky = map[int]time.Time{}
	}
	sc.murky[seat] = at
}

// recentSpans are those that may matter to a round that begins at t.
func (sc *scene) recentSpans(t time.Time) []span {
	return slices.DeleteFunc(slices.Clone(sc.spans), func(s span) bool { return s.to.Before(t.Add(-keepSpan)) })
}

// blinked tells that for a while nobody looked between two times.
func (sc *scene) blinked(from, to time.Time) bool {
	return slices.ContainsFunc(sc.spans, func(s span) bool { return s.from.Before(to) && s.to.After(from) })
}

// glimpsed tells that a finding hangs on something that came about while nobody
// looked.
func (s *story) glimpsed(f round.Finding) bool {
	unwatched := finding.Of(f.Code).Round.Unwatched
	switch {
	case len(s.sc.spans) == 0:
		return false
	case s.g.held || s.exchanged(): // one pot, or cards that others replace: all hangs together
		return s.sc.blinked(s.sc.start(), s.now())
	case unwatched == finding.LiesThere:
		return false
	case unwatched == finding.MayBeTaken || unwatched == finding.SeenBefore:
		return s.takenUnseen(f)
	case unwatched == finding.WhenSaid:
		return slices.ContainsFunc(s.told, func(e told) bool {
			return e.event.Type == round.Announce && s.amidBlink(e.from, e.from, -1)
		})
	case f.Event < 0 || f.Event >= len(s.told):
		return true
	}
	e := s.told[f.Event]
	return s.amidBlink(e.from, e.at, f.Event) || s.sc.blinked(e.from, e.at)
}

// exchanged tells that cards of the round were changed for others.
func (s *story) exchanged() bool {
	return slices.ContainsFunc(s.told, func(e told) bool { return e.event.Action == "draw" || e.event.Action == "buy_card" })
}

// amidBlink tells that a time overlaps with another event that came about while
// nobody looked: nobody knows which was first.
func (s *story) amidBlink(from, to time.Time, but int) bool {
	for i, e := range s.told {
		if i != but && e.event.Type != round.Announce && !e.from.After(to) && !e.at.Before(from) && s.sc.blinked(e.from, e.at) {
			return true
		}
	}
	return false
}

// takenUnseen tells that chips a finding speaks of were taken while nobody
// looked: what was laid there before may have been taken with them. What was
// seen to be too much is so whatever was taken later.
func (s *story) takenUnseen(f round.Finding) bool {
	counts := func(t time.Time) bool { return !t.IsZero() }
	if finding.Of(f.Code).Round.Unwatched == finding.SeenBefore && f.Event >= 0 && f.Event < len(s.told) {
		until := s.told[f.Event].at
		counts = func(t time.Time) bool { return !t.IsZero() && !t.After(until) }
	}
	return counts(s.sc.murky[f.Seat]) || slices.ContainsFunc(s.moves, func(m move) bool {
		return m.place.Seat == f.Seat && m.delta < 0 && counts(m.at) && s.sc.blinked(m.from, m.at)
	})
}

// lastUnseen is when chips were last taken, or may have been, while nobody looked.
func (s *story) lastUnseen() (t time.Time) {
	for _, at := range s.sc.murky {
		if at.After(t) {
			t = at
		}
	}
	for _, m := range s.moves {
		if m.delta < 0 && m.at.After(t) && s.sc.blinked(m.from, m.at) {
			t = m.at
		}
	}
	return t
}

// glimpse is the most that a finding is told with which hangs on what nobody
// watched.
const glimpse = 0.4

// attention is how far the pictures were looked at, per camera.
type attention struct {
	looked map[string]time.Time
	passed time.Time // how far the tracker has let time pass
}

// Limits of a reader that lags behind the clock.
const (
	prompt  = 500 * time.Millisecond // a reader that has time says within it what it sees
	slowest = 15 * time.Second       // of no reader that still comes to its end
)

// hear takes in how far a camera's pictures were looked at. It tells whether
// time has passed already as if they had been.
func (a *attention) hear(o *fact.Observation) (late bool) {
	if o.Time.After(a.looked[o.Camera]) {
		if a.looked == nil {
			a.looked = map[string]time.Time{}
		}
		a.looked[o.Camera] = o.Time
	}
	return o.Time.Add(2 * prompt).Before(a.passed)
}

// pass is the time that has passed for who knows only what was looked at: no
// later than what the slowest camera's reader still may say. A reader that says
// nothing for long has nothing to say.
func (a *attention) pass(now time.Time) time.Time {
	if now.Add(slowest).Before(a.passed) {
		*a = attention{} // the clock was put back
	}
	at := now
	for _, seen := range a.looked {
		if t := seen.Add(prompt); t.Before(at) && now.Sub(t) <= slowest {
			at = t
		}
	}
	if at.Before(a.passed) {
		return a.passed
	}
	a.passed = at
	return at
}

// after tells that every camera has looked since a time, and said what it saw until then.
func (a *attention) after(at time.Time) bool {
	for _, seen := range a.looked {
		if seen.Before(at) {
			return false
		}
	}
	return len(a.looked) > 0
}
