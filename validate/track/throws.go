package track

import (
	"cmp"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
)

// throws tells the dice: those after a closing call, or all where none was made.
func (s *story) throws() {
	call := s.sc.last(func(h *happening) bool { return h.isCall(s.g.closing) })
	after := s.sc.last(func(h *happening) bool { return h.kind == diceSeen }) > call && call >= 0
	closed, seen := false, false
	for i := range s.sc.items {
		h := &s.sc.items[i]
		closed = closed || h.isCall(s.g.closing)
		if h.kind != diceSeen || after && !closed {
			continue
		}
		seen = true
		s.tell(diceEvent(h, s.called(s.faces(h), h.at)), h.from, h.at, 2)
	}
	for i := range s.sc.items {
		if h := &s.sc.items[i]; !seen && h.isEvent(round.Dice) {
			s.tell(h.event, h.from, h.at, 2) // no camera saw them: the terminal did
		}
	}
}

// called completes a throw of which one die could not be read by the total that
// was called after it. That call cannot be checked then, but all that
// is settled after it can.
func (s *story) called(faces []int, at time.Time) []int {
	unread, sum := -1, 0
	for i, f := range faces {
		if sum += f; f == 0 && unread >= 0 {
			return faces
		} else if f == 0 {
			unread = i
		}
	}
	if unread < 0 {
		return faces
	}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		total := totalCalled(h)
		if total == 0 || h.at.Before(at.Add(-time.Second)) {
			continue
		}
		if f := total - sum; f >= 1 && f <= 6 {
			faces = slices.Clone(faces)
			faces[unread] = f
			s.notes = append(s.notes, Note{Code: NoteCalled, Text: "a die could not be read; the total that was called stands for it", Time: h.at})
		}
		return faces
	}
	return faces
}

// threw tells that the dice of the round show a total.
func (s *story) threw(total int) bool {
	return slices.ContainsFunc(s.told, func(t told) bool {
		sum := 0
		for _, f := range t.event.Faces {
			sum += f
		}
		return t.event.Type == round.Dice && sum == total
	})
}

// thrownUnseen tells that not every total that was called was seen, or the other
// way round: of a round that was not seen whole a throw may be missing.
func (s *story) thrownUnseen() bool {
	seen, called := 0, 0
	for i := range s.sc.items {
		switch h := &s.sc.items[i]; {
		case h.kind == diceSeen:
			seen++
		case h.isCall("total"):
			called++
		}
	}
	return seen != called
}

// unreadDice tells that a die of the round shows nobody knows what.
func (s *story) unreadDice() bool {
	return slices.ContainsFunc(s.told, func(t told) bool {
		return t.event.Type == round.Dice && slices.Contains(t.event.Faces, 0)
	})
}

func diceEvent(h *happening, faces []int) round.Event {
	e := round.Event{Type: round.Dice, Faces: faces}
	for _, d := range h.dice {
		if d.Irregular != "" {
			e.Irregular = d.Irregular
		}
	}
	if e.Irregular == "" && notTogether(h.dice) {
		e.Irregular = "not_thrown_together"
	}
	return e
}

// oneThrow is the longest time between the rest of one die and of another for
// which they may have been thrown together. No norm gives one: dice that leave one
// hand tumble for a second or two, and one of them may spin on.
const oneThrow = 2500 * time.Millisecond

// notTogether tells that a die had lain long when another came to rest; where it
// was not seen when they did, nothing is said.
func notTogether(dice []fact.Die) bool {
	if len(dice) < 2 || slices.ContainsFunc(dice, func(d fact.Die) bool { return d.Still.IsZero() }) {
		return false
	}
	by := func(a, b fact.Die) int { return a.Still.Compare(b.Still) }
	return slices.MaxFunc(dice, by).Still.Sub(slices.MinFunc(dice, by).Still) > oneThrow
}

// A throw that does not count, and is settled as if it did: what the croupier
// pays and collects then is what would be due.

// asCounted is what would be due had the throw of a record counted; false when
// nothing annuls it.
func (s *story) asCounted(r round.Record) (due []round.Settlement, null bool) {
	events := make([]round.Event, 0, len(r.Events))
	for i, e := range r.Events {
		switch {
		case nullMaking(e):
			null = true
			continue
		case e.Type == round.Dice && (e.Irregular != "" || s.g.dice > 0 && len(e.Faces) != s.g.dice):
			null = true
			e.Irregular, e.Faces = "", s.complete(r.Events[i:], e.Faces)
		}
		events = append(events, e)
	}
	if !null {
		return nil, false
	}
	r.Events = events
	v, err := s.check(&r)
	if err != nil {
		return nil, false
	}
	return v.Settlement, true
}

// complete makes a throw of so many dice as are thrown, by the total that was
// called after it.
func (s *story) complete(after []round.Event, faces []int) []int {
	if len(faces) >= s.g.dice {
		if s.g.dice > 0 {
			faces = faces[:s.g.dice]
		}
		return faces
	}
	faces = slices.Clone(faces)
	i := slices.IndexFunc(after, func(e round.Event) bool { return e.Is("total") && e.Points != nil })
	for len(faces) < s.g.dice {
		missing := 0
		if i >= 0 {
			missing = *after[i].Points
		}
		for _, f := range faces {
			missing -= f
		}
		if missing < 1 || missing > 6 {
			missing = 0 // nobody knows
		}
		faces = append(faces, missing)
	}
	return faces
}

// callAsBall takes the called outcome for the ball where no wheel sensor
// speaks: it is the only reading there is.
func (s *story) callAsBall() {
	for i := range s.sc.items {
		if s.sc.items[i].isEvent(round.Ball) {
			return
		}
	}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if pocket := cmp.Or(string(h.event.Number), h.event.Combination); h.isCall(s.g.names...) && pocket != "" {
			s.tell(round.Event{Type: round.Ball, Pocket: pocket}, h.from, h.at, 0)
			return
		}
	}
}

// throwEnds is when the throw that counts ended: the last outcome that was
// told. Zero while the ball runs.
func (s *story) throwEnds() (t time.Time) {
	if out := s.sc.outcome(); out < 0 || s.sc.nullified(out) {
		return t
	}
	for _, e := range s.told {
		if (e.event.Type == round.Ball || e.event.Type == round.Dice) && e.at.After(t) {
			t = e.at
		}
	}
	return t
}

// closeThrow finds the closing of the throw that counts: its call, or else the
// outcome itself.
func (s *story) closeThrow(out time.Time) {
	for _, e := range s.told {
		if e.event.Is(s.g.closing) && (out.IsZero() || e.at.Before(out)) && s.nullBefore(e.at) {
			s.close = earliest(s.close, e.at)
		}
	}
	if s.close.IsZero() {
		s.close = out
	}
}

// nullBefore tells that every null throw of the round came before t, so that
// the closing at t is that of the last throw.
func (s *story) nullBefore(t time.Time) bool {
	for _, e := range s.told {
		if e.event.Is("null_throw") && e.at.After(t) {
			return false
		}
	}
	return true
}

// windows tells bets and withdrawals up to the outcome, those after the
// closing included: what is late about them the rules say.
func (s *story) windows(out time.Time) {
	s.openingBets(s.timely)
	s.during(func(m move) bool { return !s.timely(m) && (out.IsZero() || !m.at.After(out)) })
}

// lastSettlement is when the last chips were taken or paid after the outcome.
func (s *story) lastSettlement(out time.Time) time.Time {
	last := out
	for _, m := range s.moves {
		if m.at.After(out) && m.at.After(last) && (m.delta < 0 || m.place.Spot == paySpot) {
			last = m.at
		}
	}
	return last
}

// pushedBack tells that chips come back to a spot from which more were taken
// since the outcome: part of the settlement, no bet.
func (s *story) pushedBack(m move) bool {
	if m.delta <= 0 {
		return false
	}
	for _, o := range s.moves {
		if o.place == m.place && o.delta < 0 && o.at.After(s.close) && o.at.Before(m.at) && o.at.Sub(m.at) > -s.slow {
			return true
		}
	}
	return false
}
