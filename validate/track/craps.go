package track

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/round"
)

// tellCraps tells a throw: bets, ya no va más, the dice, collecting and paying
// beside the stakes, come bets moved to their numbers. Bets laid while the
// table settles are bets of the next throw.
func tellCraps(s *story) {
	s.throws()
	out := s.throwEnds()
	s.closeThrow(out)
	s.windows(out)
	if out.IsZero() {
		s.running = !s.close.IsZero()
		return
	}
	v := s.assess()
	s.early = !has(v, finding.NotObservable)
	moved := s.travels(out)
	s.settleAll(func(m move) bool { return m.at.After(out) && !moved[m.item] })
}

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

// totalCalled is what dice were called to sum up to; 0 where a line says nothing of it.
func totalCalled(h *happening) int {
	switch {
	case h.isCall("total") && h.event.Points != nil:
		return *h.event.Points
	case h.isCall("suma_dados"):
		n, _ := strconv.Atoi(string(h.event.Number))
		return n
	}
	return 0
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

// travels tells the come bets that the croupier moves to their number, and
// which movements of chips that explains.
func (s *story) travels(out time.Time) map[int]bool {
	moved := map[int]bool{}
	for _, a := range s.moves {
		if !a.at.After(out) || a.delta >= 0 || a.place.Spot != "come" && a.place.Spot != "dont_come" {
			continue
		}
		for _, b := range s.moves {
			if b.at.After(out) && b.delta == -a.delta && b.place.Seat == a.place.Seat && !moved[b.item] &&
				strings.HasPrefix(b.place.Spot, a.place.Spot+":") {
				moved[a.item], moved[b.item] = true, true
				at := a.at
				if b.at.After(at) {
					at = b.at
				}
				s.tell(round.Event{
					Type: round.Move, Seat: a.place.Seat, From: a.place.Spot, To: b.place.Spot, Amount: b.delta,
				}, a.from, at, 2)
				break
			}
		}
	}
	return moved
}
