package scene

import (
	"slices"
	"time"

	"vision/validate/round"
)

// What happens between two pictures that were looked at, nobody saw: pictures
// may be lost on their way, or the reader may get too little of the machine.
// Either way it is reported as a coverage gap, and its length bounds what may have happened in
// it unseen. A hand that lays or takes something is over the table for about a
// second, and what it leaves is known when two pictures show it at rest. So
//
//   - in a short gap (over 0.4 s) no act is missed, but one of two that follow each
//     other in a zone may be, or which of two zones changed first: findings that
//     hang on what came about then are notes;
//   - in a longer one (1 s and more) a whole act may be missed: the round is not
//     verifiable. While bets are laid nothing is missed by it that counts: what
//     lies there is seen before the bets are closed.
//
// Gaps are reported by fact.Watermark, long ones by fact.Gap as well.

// CoverageGap is a time in which nobody looked.
type CoverageGap struct{ from, to time.Time }

func (s CoverageGap) length() time.Duration { return s.to.Sub(s.from) }

// ShortGap is the time without a picture from which the order of two acts, or the
// first of them, may be missed.
const ShortGap = 400 * time.Millisecond

// maxGaps bounds what is kept of a round's gaps.
const maxGaps = 400

// addGap takes in that nobody looked from since to at.
func (f *Felt) addGap(s CoverageGap, why string) {
	if s.length() <= ShortGap {
		return
	}
	f.Scene.Gaps = append(f.Scene.Gaps, s)
	if len(f.Scene.Gaps) > maxGaps {
		f.Scene.Gaps = slices.Delete(f.Scene.Gaps, 0, 1)
		f.Scene.mark("too few pictures were looked at")
	}
	switch {
	case s.length() < Act:
	case s.length() < Quiet && f.Scene.betting():
		f.betsUnseenUntil = s.to
	default:
		f.markUnseen(s.to, why)
	}
}

// Act is how long a hand is over the table that lays or takes something: the physics of an arm.
const Act = time.Second

// OneGo is how long hands are at most over what they do in one go: turn a hand's cards, throw.
// What they hid is seen again within it, and what follows sooner is of the same go.
const OneGo = 4 * Act

// LayAndTake is how long a hand needs at least for two acts at one place, that follow each other
// without its leaving the table between them.
const LayAndTake = 3 * Act / 2

// Quiet is how long nothing happens at a table before its round is over that nobody ended: a
// croupier who counts out a payment is back sooner, though he begins anew. So long a table may go
// unwatched while bets are laid.
const Quiet = 2 * OneGo

// betting reports whether bets are laid and nothing was closed, dealt or thrown yet.
func (sc *Scene) betting() bool {
	if len(sc.Tracks) > 0 || sc.Course.Held {
		return false
	}
	return sc.Outcome() < 0 &&
		sc.Last(func(h *Event) bool { return h.IsCall("no_va_mas") || h.IsEvent(round.CardDealt) }) < 0
}

// wasUnseen reports whether an event came about while nobody looked for so long that
// more may have happened.
func (f *Felt) wasUnseen(h Event) bool {
	if h.Kind == Heard {
		return false
	}
	return h.From.Before(f.unseenUntil) ||
		h.From.Before(f.betsUnseenUntil) && !(h.Kind == ChipsSeen && f.Scene.betting())
}

// gapOver remembers that chips may have been laid and taken unseen in a zone that
// looks as before.
func (f *Felt) gapOver(seat int, r rest) {
	if seat > 0 && f.Scene.HasGap(r.from, r.at) {
		f.Scene.noteGap(seat, r.at)
	}
}

// gapAtEnd remembers of rounds that have ended that chips were moved at their end,
// or after it, and nobody looked.
func (f *Felt) gapAtEnd(seat int, r rest) {
	for _, sc := range f.Ended {
		if r.from.Before(sc.Ended) && f.Scene.HasGap(r.from, r.at) {
			sc.noteGap(seat, sc.Ended)
		}
	}
}

func (sc *Scene) noteGap(seat int, at time.Time) {
	if sc.GapHands == nil {
		sc.GapHands = map[int]time.Time{}
	}
	sc.GapHands[seat] = at
}

// gapsAt are those that may matter to a round that begins at t: in which something came about
// that is still on its way.
func (f *Felt) gapsAt(t time.Time) []CoverageGap {
	for _, m := range f.Zones {
		t = Earliest(t, m.MovingSince)
	}
	return slices.DeleteFunc(slices.Clone(f.Scene.Gaps), func(s CoverageGap) bool { return s.to.Before(t) })
}

// HasGap reports whether for a while nobody looked between two times.
func (sc *Scene) HasGap(from, to time.Time) bool { return sc.LongestGap(from, to) > 0 }

// LongestGap is for how long nobody looked between two times, at most at once.
func (sc *Scene) LongestGap(from, to time.Time) (most time.Duration) {
	for _, s := range sc.Gaps {
		if s.from.Before(to) && s.to.After(from) {
			most = max(most, s.length())
		}
	}
	return most
}
