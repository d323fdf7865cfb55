package track

import (
	"slices"
	"time"

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
