// Package scene owns what lies on the table and what happened: it folds observations and
// the lines of sensors and terminal, in the order of their times, into scenes, one a
// round. A scene holds events (cards that appeared, chips that changed, dice that came to
// rest, lines), one track for each card, the counts of chips with what else they may be,
// occlusions and coverage gaps. What any of it means for money it does not know.
package scene

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
)

// A Scene is the physical course of one round: what appeared where, in the
// order of time, before anyone asks what it meant. Package narrate gives it a meaning.
type Scene struct {
	Course  *Course
	Events  []Event
	Tracks  []Track         // every card seen in the round
	Opening map[Place]Count // chips that lay there when the round began
	Reasons []string        // why the round cannot be verified; empty when it can
	// found: chips lay there when the table was seen first, and nobody
	// knows since when; Joined is the same, and is not forgotten when bets are opened.
	found, Joined bool
	Cleared       time.Time         // since when no card of the round lies on the table
	opened        *opened           // the last call that opened bets while cards lay there; nil: none
	Ended         time.Time         // zero while it runs
	Exchanges     Exchanges         // cards that are to be exchanged
	Gaps          []CoverageGap     // in which nobody looked
	Occlusions    []Occlusion       // of chips that lay as before when hands had left them
	GapHands      map[int]time.Time // per seat: when hands had last been at its chips and nobody looked
	rack          rackRests
	AcrossEnd     map[Place]bool // hands came before the round's end, and when they left its chips had changed
}

// Occlusion is a time in which hands were over the chips of a place and changed nothing that
// lasts: what they laid they may have taken again.
type Occlusion struct {
	Place     Place
	From, At  time.Time
	Hands     []string // the sides whose arms were seen; empty: nobody knows
	Restacked bool     // as much lies there, in other stacks
}

// Kind of event.
type Kind uint8

// The kinds of event.
const (
	CardSeen   Kind = iota // a track appeared in zone
	CardTurned             // it lay face down and shows its face
	CardMoved              // it went to another zone (a split)
	ChipsSeen              // the chips of place are now so many
	DiceSeen               // the dice came to rest
	Heard                  // a sensor's or the terminal's line
)

// Event is one change on the felt or one line heard. It came about after
// from (when the zone began to move) and not after at (when it was at rest).
type Event struct {
	Number       int // its number in the scene as it was seen
	Kind         Kind
	From         time.Time
	At           time.Time
	Zone         string
	To           string // where a card was moved to
	Track        int
	Place        Place
	Chips        Count
	Fewer        bool     // they are worth less than before
	Hands        []string // sides of the table from which arms lay over the chips
	Dice         []fact.Die
	ChipsUnknown bool        // a die is read as lying on chips, and none are known to lie there
	Line         round.Event // of a line heard: the event it reports
}

// Track is one card of the round with the best reading of it so far.
type Track struct {
	Zone    string // where it lies now
	at      fact.Point
	Guesses []fact.Guess
	Abstain string
	Back    bool // its back is up
	OnTable bool // still on the table
	Earlier bool // it lay there before the round began
	Came    time.Time
	Leaving
	turning
	Exchanging
}

// Leaving is what is known of a card that is missing, or was.
type Leaving struct {
	Gone  time.Time // when it was missing last
	Left  time.Time // when its zone was at rest without it
	alone bool      // when it went, no other card was left in its zone
	aside bool      // it may have been put aside and another card laid in its stead
	under bool      // its back was missed under players' hands alone, while others of the zone lay there
}

// turning is what is known of a card that was turned.
type turning struct {
	lay   fact.Point // where it lay before
	turn  int        // the event that turned it, counted from 1; 0 for none
	bared time.Time  // when its face was glimpsed first while its back was known; zero: it was not
	// Dulled is when hands left it and its back was read no more, nor a face, since then; zero: it is read.
	Dulled Span
}

// Span is the time in which something came about.
type Span struct{ From, At time.Time }

// Exchanging is what is known of a card of a hand of which some are exchanged.
type Exchanging struct {
	Retired time.Time  // when it was exchanged for another; zero for most
	lain    fact.Point // where it lay when cards of its hand were to be exchanged
	shift   float64    // how far from there its back lies since, in millimetres; 0: there
	Shifted time.Time  // when that was seen first; zero: it lies there
}

// Spurious reports whether a card was no card: it was seen for a moment among others
// that stayed, and never again, though nobody pushed them together.
func (s *Track) Spurious() bool {
	return !s.OnTable && !s.alone && !s.under && !s.Gone.IsZero() && s.Gone.Sub(s.Came) < Act
}

// MaxItems and maxTracks bound a round; more than that is no round of cards but
// a fault of the readers, and the round is given up as not verifiable.
const (
	MaxItems  = 600
	maxTracks = 160
)

// Begun reports whether anything happened in the round.
func (sc *Scene) Begun() bool { return len(sc.Events) > 0 }

// Start is when the round began.
func (sc *Scene) Start() time.Time {
	if len(sc.Events) == 0 {
		return sc.Ended
	}
	return sc.Events[0].At
}

// add appends an event; beyond the bound the round is marked instead.
func (sc *Scene) add(h Event) {
	if len(sc.Events) >= MaxItems {
		sc.mark("too many events for one round")
		return
	}
	sc.Events = append(sc.Events, h)
}

func (sc *Scene) mark(why string) {
	if !slices.Contains(sc.Reasons, why) && len(sc.Reasons) < 8 {
		sc.Reasons = append(sc.Reasons, why)
	}
}

// WithoutChips reports whether no chips lay on the table when the round began: then no throw
// before it matters, for the shooter must have a bet.
func (sc *Scene) WithoutChips() bool {
	for _, c := range sc.Opening {
		if c.Total > 0 || c.Hidden || c.Rough() {
			return false
		}
	}
	return true
}

// Unverifiable is why the round cannot be verified; empty when it can.
func (sc *Scene) Unverifiable() string {
	switch {
	case len(sc.Reasons) > 0:
		return sc.Reasons[0]
	case sc.found:
		return underWay
	}
	return ""
}

// underWay is the reason of a round that nobody saw begin.
const underWay = "the table was already in play"

// dealt is how many cards of this round were seen, onTable how many still lie.
func (sc *Scene) dealt() (dealt, onTable int) {
	for _, s := range sc.Tracks {
		if !s.Earlier {
			if dealt++; s.OnTable {
				onTable++
			}
		}
	}
	return dealt, onTable
}

// Last is the index of the last event that fits, -1 for none.
func (sc *Scene) Last(fits func(*Event) bool) int { return lastIndex(sc.Events, fits) }

// lastIndex is the index of the last element that fits, -1 for none.
func lastIndex[T any](list []T, fits func(*T) bool) int {
	for i := len(list) - 1; i >= 0; i-- {
		if fits(&list[i]) {
			return i
		}
	}
	return -1
}

// First is when the first event that fits came about; zero without one.
func (sc *Scene) First(fits func(*Event) bool) time.Time {
	for i := range sc.Events {
		if fits(&sc.Events[i]) {
			return sc.Events[i].At
		}
	}
	return time.Time{}
}

// IsCall reports whether an event is one of some calls.
func (h *Event) IsCall(calls ...string) bool { return h.Kind == Heard && h.Line.Is(calls...) }

// Named is the outcome that a line names: a number or a combination.
func (h *Event) Named() string { return cmp.Or(string(h.Line.Number), h.Line.Combination) }

// IsEvent reports whether an event is a line of a type.
func (h *Event) IsEvent(t round.Type) bool { return h.Kind == Heard && h.Line.Type == t }

func (sc *Scene) clone() *Scene {
	c := *sc
	c.Events = slices.Clone(sc.Events)
	c.Tracks = slices.Clone(sc.Tracks)
	c.Opening = maps.Clone(sc.Opening)
	c.Reasons = slices.Clone(sc.Reasons)
	c.Occlusions, c.rack = slices.Clone(sc.Occlusions), slices.Clone(sc.rack)
	c.Gaps, c.GapHands, c.AcrossEnd = slices.Clone(sc.Gaps), maps.Clone(sc.GapHands), maps.Clone(sc.AcrossEnd)
	c.Exchanges = maps.Clone(sc.Exchanges)
	return &c
}

// Back is the label of a card that shows its back.
const Back = "BK"

// Likely is the least probability with which the first guess of a reader that
// abstains is recorded: the others are weighed with every finding, and often what
// is in doubt (the suit of a ten) makes no difference.
const Likely = 0.5

// Earliest is the earlier of two times, of which zero is none.
func Earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Latest is the later of two times.
func Latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// JustBefore is the last time before another that a record can separate from it.
func JustBefore(t time.Time) time.Time { return t.Add(-time.Millisecond) }

// SameMotion reports whether two events were seen at once in one zone. Under hands of both sides of
// the table what was taken is one motion, and what was laid another.
func (h *Event) SameMotion(o *Event) bool {
	return h.Kind == o.Kind && h.Zone == o.Zone && h.From.Equal(o.From) && h.At.Equal(o.At) &&
		h.TakenAmong() == o.TakenAmong()
}

// TakenAmong reports whether chips were taken where hands of both sides were.
func (h *Event) TakenAmong() bool { return h.Fewer && len(h.Hands) > 1 }
