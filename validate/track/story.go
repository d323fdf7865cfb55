package track

import (
	"cmp"
	"math"
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// A story tells a scene as a round record. It looks back from the end of what
// is known, so that chips laid down between two cards are told from chips laid
// down after the last one. It is a pure function of scene, carry and hypothesis.
type story struct {
	g         *game
	sc        *scene
	priors    *Priors
	hyp       hypothesis
	met       map[choice][]alternative // what it could have been otherwise
	final     bool                     // the round has ended: nothing more will come
	check     func(*round.Record) (round.Verdict, error)
	base      round.Record          // id, norm, game, table, carry
	held      map[place]held        // chips carried over from the round before
	adrift    bool                  // nobody knows what the throws before have decided
	slow      time.Duration         // how long after a payment it may be taken back
	hand      []dealtCard           // the cards of the round in the order of dealing
	moves     []move                // changes of chips in the order of time
	close     time.Time             // when the bets were closed; zero while open
	told      []told                // the events so far, unsorted
	notes     []Note                // what is worth a remark and no finding
	dark      map[place]time.Time   // places whose chips could not be counted
	vague     map[int]bool          // seats of which some chips could not be counted
	concealed map[int]bool          // of these, those whose chips were never counted since
	loose     map[int]loose         // counts that are only rough, by item
	uncounted map[place]bool        // places where chips lay that were never counted
	hid       bool                  // chips lay somewhere that could not be counted, and no hand was over them
	inherited bool                  // the same of the round before
	stood     map[place]money.Cents // what lay on each place when the round began
	due       []round.Settlement    // what the rules say is due, without any settlement seen
	early     bool                  // the round is decided: payments can be judged
	allShown  bool                  // the hands of all who play for one pot are turned: nobody bets any more
	lost      map[place]bool        // bets that are lost whatever still comes
	lying     []place               // of losing bets that are left while others are paid
	forgotten map[place]time.Time   // losing bets that nobody will collect, and since when that is known
	running   bool                  // the bets are closed and the throw that counts did not end yet
	rules     rulebook.Rules        // of the game in the norm
	// stalled is the moment of the last card where the rules want another one:
	// chips laid since may be payments, of a bank that stood too early.
	stalled time.Time
	// null tells that the throw does not count and the table acts on it: due is
	// what would be if it did.
	null bool
	// alias is what chips on a place are called in the record, where a call or
	// the phase of the round gives them another name than the place has.
	alias map[place]string
}

// told is one event of the record with the time in which it came about.
type told struct {
	event    round.Event
	from, at time.Time
	order    int // among events of the same moment
}

func (s *story) tell(e round.Event, from, at time.Time, order int) {
	s.told = append(s.told, told{e, from, at, order})
}

// run tells the whole story.
func (s *story) run() (round.Record, []told) {
	s.retime()
	s.lookAtCards()
	s.lookAtChips()
	s.relay()
	s.heed()
	s.g.narrate(s)
	if s.final {
		at := s.sc.cleared
		for _, t := range s.told {
			if t.at.After(at) {
				at = t.at
			}
		}
		s.tell(round.Event{Type: round.Clear}, at, at, 9)
	}
	return s.record(), s.told
}

// record puts the events in order and writes their times.
func (s *story) record() round.Record {
	slices.SortStableFunc(s.told, func(a, b told) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.order, b.order))
	})
	r := s.base
	r.Events = make([]round.Event, 0, len(s.told))
	if len(s.told) == 0 {
		return r
	}
	start := s.told[0].at
	for _, t := range s.told {
		e := t.event
		e.T = math.Round(t.at.Sub(start).Seconds()*1000) / 1000
		r.Events = append(r.Events, e)
	}
	return r
}

func (s *story) now() time.Time {
	if n := len(s.sc.items); n > 0 {
		return s.sc.items[n-1].at
	}
	return s.sc.start()
}

// assess asks the rules what is due, as long as no settlement is told.
func (s *story) assess() round.Verdict {
	saved := slices.Clone(s.told)
	r := s.record()
	s.told = saved
	v, err := s.check(&r)
	if err != nil {
		return round.Verdict{}
	}
	s.due = v.Settlement
	if due, null := s.asCounted(r); null {
		s.due, s.null = due, true
	}
	return v
}

// has tells that one of the codes was found.
func has(v round.Verdict, codes ...finding.Code) bool {
	return slices.ContainsFunc(v.Findings, func(f round.Finding) bool { return slices.Contains(codes, f.Code) })
}
