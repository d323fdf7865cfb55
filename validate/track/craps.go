package track

import (
	"strings"
	"time"

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
		return
	}
	v := s.assess()
	s.early = !has(v, "not_observable")
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
		s.tell(diceEvent(h, s.w.dieFaces(i, h)), h.from, h.at, 2)
	}
	for i := range s.sc.items {
		if h := &s.sc.items[i]; !seen && h.isEvent(round.Dice) {
			s.tell(h.event, h.from, h.at, 2) // no camera saw them: the terminal did
		}
	}
}

func diceEvent(h *happening, faces []int) round.Event {
	e := round.Event{Type: round.Dice, Faces: faces}
	for _, d := range h.dice {
		if d.Irregular != "" {
			e.Irregular = d.Irregular
		}
	}
	return e
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
