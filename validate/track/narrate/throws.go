package narrate

import (
	"slices"
	"strings"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// narrateSpin records a spin or a throw: bets on the layout, no va más, the ball or
// the dice, the rake, and winnings pushed to each seat.
func narrateSpin(s *Narration) {
	out := s.thrown()
	if out.IsZero() {
		return
	}
	s.Moves = s.withoutHeaps(out)
	s.settlePushed(func(m Move) bool { return m.At.After(out) }, out)
	s.orderMovements(s.Game.order)
	s.orderNamed()
}

// orderNamed brings a call that names the outcome before the movements of the same moment: when it was
// called is known to a second or so, and the croupier moves as he hears it.
func (s *Narration) orderNamed() {
	for k := 1; k < len(s.Entries); k++ {
		if e := s.Entries[k].Event; e.Type != round.Announce || !slices.Contains(s.Game.Names, e.Call) {
			continue
		}
		for i := k; i > 0; i-- {
			a, b := &s.Entries[i-1], &s.Entries[i]
			if !a.Event.Movement() || b.At.Sub(a.At) >= scene.Act {
				break
			}
			*a, *b = *b, *a
			a.At, b.At = scene.Earliest(a.At, b.At), scene.Latest(a.At, b.At)
		}
	}
}

// thrown records a spin or a throw with the bets before it, and what the rules find in it; it gives
// when that ended: zero while the ball or the dice run.
func (s *Narration) thrown() (out time.Time) {
	if s.Game.Kind == scene.ByDice {
		s.throws()
	} else {
		s.callAsBall()
	}
	out = s.throwEnds()
	s.closeThrow(out)
	s.openingBets(s.timely)
	// Up to the outcome: what is late about those after the closing the rules decide.
	s.during(func(m Move) bool { return !s.timely(m) && (out.IsZero() || !m.At.After(out)) })
	if out.IsZero() {
		s.Running = !s.Close.IsZero()
		return out
	}
	s.Decided = !Has(s.assess(), finding.NotObservable)
	return out
}

// throws records the dice: those after a closing call, or all where none was made.
func (s *Narration) throws() {
	call := s.Scene.Last(func(h *scene.Event) bool { return h.IsCall(s.Game.Closing) })
	after := s.Scene.Last(func(h *scene.Event) bool { return h.Kind == scene.DiceSeen }) > call && call >= 0
	closed, seen := false, false
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		closed = closed || h.IsCall(s.Game.Closing)
		if h.Kind != scene.DiceSeen || after && !closed {
			continue
		}
		seen = true
		s.record(s.diceEvent(h, s.called(s.faces(h), h.At)), h.From, h.At, 2)
	}
	for i := range s.Scene.Events {
		if h := &s.Scene.Events[i]; !seen && h.IsEvent(round.Dice) {
			s.record(h.Line, h.From, h.At, 2) // no camera saw them: the terminal did
		}
	}
}

// called completes a throw of which one die could not be read by the total that
// was called after it. That call cannot be checked then, but all that
// is settled after it can.
func (s *Narration) called(faces []int, at time.Time) []int {
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		total := scene.TotalCalled(h)
		if total == 0 || h.At.Before(at.Add(-ahead)) {
			continue
		}
		whole := withTotal(faces, total)
		if !slices.Equal(whole, faces) {
			text := "a die could not be read; the total that was called stands for it"
			s.Notes = append(s.Notes, Note{Code: NoteCalled, Text: text, Time: h.At})
		}
		return whole
	}
	return faces
}

// withTotal are faces of which one that is not known, if it is alone, follows from the total.
func withTotal(faces []int, total int) []int {
	unread := slices.Index(faces, 0)
	total -= scene.Sum(faces)
	if unread < 0 || slices.Contains(faces[unread+1:], 0) || total < 1 || total > 6 {
		return faces
	}
	faces = slices.Clone(faces)
	faces[unread] = total
	return faces
}

// Threw reports whether the dice of the round show a total.
func (s *Narration) Threw(total int) bool {
	return slices.ContainsFunc(s.Entries, func(t Entry) bool {
		return t.Event.Type == round.Dice && scene.Sum(t.Event.Faces) == total
	})
}

// ThrownUnseen reports whether not every total that was called was seen, or the other
// way round: of a round that was not seen whole a throw may be missing.
func (s *Narration) ThrownUnseen() bool {
	uncalled := 0
	for i := range s.Scene.Events {
		switch h := &s.Scene.Events[i]; {
		case h.Kind == scene.DiceSeen:
			uncalled++
		case h.IsCall("total"):
			uncalled--
		}
	}
	return uncalled != 0
}

// ThrowMissed reports whether a total was called of a throw that nobody saw, and the bets were
// closed for another since: all from the one to the other is of two rounds.
func (s *Narration) ThrowMissed() bool {
	seen, missed := false, false
	for i := range s.Scene.Events {
		switch h := &s.Scene.Events[i]; {
		case h.Kind == scene.DiceSeen:
			seen, missed = true, false
		case scene.TotalCalled(h) > 0:
			missed = !seen
		case h.IsCall(s.Game.Closing) && missed:
			return true
		case h.IsCall(s.Game.Closing):
			seen = false
		}
	}
	return false
}

// UnreadDice reports whether a die of the throw that counts shows nobody knows what. Of those
// that were made again it does not matter.
func (s *Narration) UnreadDice() bool {
	unread := func(t Entry) bool { return t.Event.Type == round.Dice && slices.Contains(t.Event.Faces, 0) }
	if s.Game.Deciding == nil {
		return slices.ContainsFunc(s.Entries, unread)
	}
	for _, t := range slices.Backward(s.Entries) {
		if t.Event.Type == round.Dice {
			return unread(t)
		}
	}
	return false
}

// diceEvent is a throw as it is recorded. A die that is read as lying on chips where nobody
// knows of any lies on the felt, if nothing else is supposed.
func (s *Narration) diceEvent(h *scene.Event, faces []int) round.Event {
	e := round.Event{Type: round.Dice, Faces: faces, Irregular: h.Irregular()}
	if e.Irregular == scene.OnChips && h.ChipsUnknown &&
		!s.either(hypothesis.Choice{Kind: hypothesis.DieLies, Item: h.Number}, hypothesis.LiesOnFelt) {
		e.Irregular = ""
	}
	return e
}

// A throw that does not count, and is settled as if it did: what the croupier
// pays and collects then is what would be due.

// asCounted is what would be due had the throw of a record counted; false when
// nothing annuls it.
func (s *Narration) asCounted(r round.Record) (due []round.Settlement, null bool) {
	events := make([]round.Event, 0, len(r.Events))
	for i, e := range r.Events {
		switch {
		case scene.NullMaking(e):
			null = true
			continue
		case e.Type == round.Dice && (e.Irregular != "" || s.Game.Dice > 0 && len(e.Faces) != s.Game.Dice):
			null = true
			e.Irregular, e.Faces = "", s.complete(r.Events[i:], e.Faces)
		}
		events = append(events, e)
	}
	if !null {
		return nil, false
	}
	r.Events = events
	v, err := s.Check(&r)
	if err != nil {
		return nil, false
	}
	return v.Settlement, true
}

// complete makes a throw of so many dice as are thrown, by the total that was
// called after it.
func (s *Narration) complete(after []round.Event, faces []int) []int {
	if s.Game.Dice == 0 {
		return faces
	}
	whole := make([]int, s.Game.Dice) // those that lie nowhere nobody knows
	copy(whole, faces)
	i := slices.IndexFunc(after, func(e round.Event) bool { return e.Is("total") && e.Points != nil })
	if i < 0 {
		return whole
	}
	return withTotal(whole, *after[i].Points)
}

// callAsBall takes the called outcome for the ball where no wheel sensor
// speaks: it is the only reading there is.
func (s *Narration) callAsBall() {
	if !s.Scene.First(func(h *scene.Event) bool { return h.IsEvent(round.Ball) }).IsZero() {
		return
	}
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		if pocket := h.Named(); h.IsCall(s.Game.Names...) && pocket != "" {
			s.record(round.Event{Type: round.Ball, Pocket: pocket}, h.From, h.At, 0)
			return
		}
	}
}

// throwEnds is when the throw that counts ended: the last outcome that was
// recorded. Zero while the ball runs.
func (s *Narration) throwEnds() (t time.Time) {
	if out := s.Scene.Outcome(); out < 0 || s.Scene.Nullified(out) {
		return t
	}
	return s.Last(func(e round.Event) bool { return e.Type == round.Ball || e.Type == round.Dice })
}

// closeThrow finds the closing of the throw that counts: its call, or else the
// outcome itself.
func (s *Narration) closeThrow(out time.Time) {
	null := s.Last(func(e round.Event) bool { return e.Is("null_throw") }) // of throws before that which counts
	for _, e := range s.Entries {
		if e.Event.Is(s.Game.Closing) && (out.IsZero() || e.At.Before(out)) && !null.After(e.At) {
			s.Close = scene.Earliest(s.Close, e.At)
		}
	}
	if s.Close.IsZero() {
		s.Close = out
	}
}

// pushedBack reports whether chips come back to a spot from which more were taken
// since the outcome: part of the settlement, no bet.
func (s *Narration) pushedBack(m Move) bool {
	return m.Delta > 0 && slices.ContainsFunc(s.Moves, func(o Move) bool {
		return o.Place == m.Place && o.Delta < 0 && o.At.After(s.Close) && o.At.Before(m.At) && s.putRight(o, m)
	})
}

// narrateCraps records a throw: bets, ya no va más, the dice, collecting and paying
// beside the stakes, come bets moved to their numbers. Bets laid while the
// table settles are bets of the next throw.
func narrateCraps(s *Narration) {
	out := s.thrown()
	if out.IsZero() {
		return
	}
	moved := s.travels(out)
	s.settleAll(func(m Move) bool { return m.At.After(out) && !moved[m.item] })
}

// travels records the come bets that the croupier moves to their number, and
// which movements of chips that explains.
func (s *Narration) travels(out time.Time) map[int]bool {
	moved := map[int]bool{}
	for _, a := range s.Moves {
		if !a.At.After(out) || a.Delta >= 0 || a.Place.Spot != "come" && a.Place.Spot != "dont_come" {
			continue
		}
		for _, b := range s.Moves {
			if b.At.After(out) && b.Delta == -a.Delta && b.Place.Seat == a.Place.Seat && !moved[b.item] &&
				strings.HasPrefix(b.Place.Spot, a.Place.Spot+":") {
				moved[a.item], moved[b.item] = true, true
				at := scene.Latest(a.At, b.At)
				s.record(round.Event{
					Type: round.Move, Seat: a.Place.Seat, From: a.Place.Spot, To: b.Place.Spot, Amount: b.Delta,
				}, a.From, at, 2)
				break
			}
		}
	}
	return moved
}
