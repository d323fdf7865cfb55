// Package narrate owns the way from a scene and a hypothesis to the record of a round:
// which changes of chips are bets, what was dealt in which order, when the bets were closed,
// for which bet a payment was, as the course of the game has it. Games are data (games.go); what
// is a family's own has a file of its own. Whether what happened was right it does not know.
package narrate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// A Narration writes a scene down as a round record. It looks back from the end of what
// is known, so that chips laid down between two cards are distinguished from chips laid
// down after the last one. It is a pure function of what is given.
type Narration struct {
	Given
	Counts
	Progress
	Account
	seen *scene.Scene // as it was given
}

// Given is what a narration starts from. Only retime replaces the scene, by one with the
// times of the hypothesis; the options of the table may be completed by what the deal shows.
type Given struct {
	Game         *Game
	Rules        rulebook.Rules // of the game in the norm
	Check        func(*round.Record) (round.Verdict, error)
	Scene        *scene.Scene
	Hyp          hypothesis.Hypothesis
	Final        bool                      // the round has ended: nothing more will come
	Base         round.Record              // id, norm, game, table, carry
	Held         map[scene.Place]HeldChips // chips carried over from the round before
	PointUnknown bool                      // nobody knows what the throws before have decided
	HiddenBefore bool                      // chips of the round before lay where they could not be counted
	// Implies are the amounts of bets that nobody could count, as far as they follow (see Implied).
	Implies map[scene.Place]money.Cents
}

// Counts is what countChips makes of the counts of chips.
type Counts struct {
	Moves          []Move                      // changes of chips in the order of time
	opening        map[scene.Place]money.Cents // what lay on each place when the round began
	UncountedSince map[scene.Place]time.Time   // places whose chips could not be counted
	Rough          map[int]bool                // seats of which some chips could not be counted
	NeverCounted   map[int]bool                // of these, those whose chips were never counted since
	RoughCounts    map[int]RoughCount          // counts that are only rough, by item
	Uncounted      map[scene.Place]bool        // places where chips lay that were never counted
	Hidden         bool                        // chips lay somewhere that could not be counted, and no hand was over them
}

// Progress is how far a round has come, as the course of its game works it out of cards,
// calls and the result of the rules.
type Progress struct {
	Hand     []dealtCard // the cards of the round in the order of dealing
	Close    time.Time   // when the bets were closed; zero while open
	Running  bool        // the bets are closed and the throw that counts did not end yet
	Decided  bool        // the round is decided: payments can be judged
	AllShown bool        // the hands of all who play for one pot are turned: nobody bets any more
	// Stalled is the moment of the last card where the rules want another one:
	// chips laid since may be payments, of a bank that stood too early.
	Stalled time.Time
	Due     []round.Settlement // what is due by the rules, without any settlement seen
	// null: the throw does not count and the table acts on it; due is what would be if it did.
	null bool
	Lost map[scene.Place]bool // bets that are lost whatever still comes
	// annulled: the bets that are not lost are given back; cardsGone is by seat when its cards were
	// taken for good. What is taken of its chips then its player takes.
	annulled  bool
	cardsGone map[int]time.Time
	// alias is what chips on a place are called in the record, where a call or
	// the phase of the round gives them another name than the place has.
	alias map[scene.Place]string
}

// Account is the text of a narration.
type Account struct {
	Entries []Entry                                        // the events so far, unsorted
	Notes   []Note                                         // what is worth a remark and no finding
	Met     map[hypothesis.Choice][]hypothesis.Alternative // the choices that it came to
	Times   map[hypothesis.Choice]time.Time                // the likeliest, of choices of times
	OfPot   bool                                           // some bets, or pushes, are recorded by what the pot held
}

// Note is what is worth a remark and no finding.
type Note struct {
	Code   string      `json:"code"`
	Seat   int         `json:"seat,omitempty"`
	Spot   string      `json:"spot,omitempty"`
	Amount money.Cents `json:"amount,omitempty"`
	Text   string      `json:"text,omitempty"`
	Time   time.Time   `json:"time"`
}

// Codes of notes.
const (
	NoteCorrected = "corrected"  // a mistake was made and put right
	NoteSpurious  = "ghost"      // a card was seen for a moment and never again
	NoteCalled    = "die_called" // a die was not read and is taken from the call
)

// Entry is one event of the record with the time in which it came about.
type Entry struct {
	Event    round.Event
	From, At time.Time
	order    int // among events of the same moment
}

func (s *Narration) record(e round.Event, from, at time.Time, order int) {
	s.Entries = append(s.Entries, Entry{e, from, at, order})
}

// moved records that chips of a bet were collected, paid or the like.
func (s *Narration) moved(t round.Type, seat int, spot string, amount money.Cents, from, at time.Time) {
	s.record(round.Event{Type: t, Seat: seat, Spot: spot, Amount: amount}, from, at, 2)
}

// note makes a remark on the chips of a bet.
func (s *Narration) note(code string, seat int, spot string, amount money.Cents, at time.Time) {
	s.Notes = append(s.Notes, Note{Code: code, Seat: seat, Spot: spot, Amount: amount, Time: at})
}

// Last is when the last event that fits was recorded to come about; zero without one.
func (a *Account) Last(fits func(round.Event) bool) (t time.Time) {
	for i := range a.Entries {
		if fits(a.Entries[i].Event) {
			t = scene.Latest(t, a.Entries[i].At)
		}
	}
	return t
}

// Run narrates the scene.
func (s *Narration) Run() round.Record {
	s.seen = s.Scene
	s.retime()
	s.Entries = make([]Entry, 0, 2*len(s.Scene.Events)+8)
	s.listCards()
	s.countChips()
	s.addLines()
	s.nameBets()
	s.Game.narrate(s)
	if s.Final {
		at := scene.Latest(s.Scene.Cleared, s.Last(func(round.Event) bool { return true }))
		s.record(round.Event{Type: round.Clear}, at, at, 9)
	}
	return s.assemble()
}

// assemble puts the events in order and writes their times.
func (s *Narration) assemble() round.Record {
	slices.SortStableFunc(s.Entries, func(a, b Entry) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.order, b.order))
	})
	r := s.Base
	r.Events = make([]round.Event, 0, len(s.Entries))
	if len(s.Entries) == 0 {
		return r
	}
	start := s.Entries[0].At
	for _, t := range s.Entries {
		e := t.Event
		e.T = math.Round(t.At.Sub(start).Seconds()*1000) / 1000
		r.Events = append(r.Events, e)
	}
	return r
}

// Now is when something was observed last.
func (s *Narration) Now() time.Time {
	if n := len(s.Scene.Events); n > 0 {
		return s.Scene.Events[n-1].At
	}
	return s.Scene.Start()
}

// assess asks the rules what is due, as long as no settlement is recorded.
func (s *Narration) assess() round.Verdict {
	saved := slices.Clone(s.Entries)
	r := s.assemble()
	s.Entries = saved
	v, err := s.Check(&r)
	if err != nil {
		return round.Verdict{}
	}
	s.Due = v.Settlement
	if due, null := s.asCounted(r); null {
		s.Due, s.null = due, true
	}
	return v
}

// Has reports whether one of the codes was found.
func Has(v round.Verdict, codes ...finding.Code) bool {
	return slices.ContainsFunc(v.Findings, func(f round.Finding) bool { return slices.Contains(codes, f.Code) })
}
