package narrate

import (
	"maps"
	"slices"
	"strings"
	"time"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// during records chips that move between the closing and the decision: late, or
// on a spot that opens then; which of it, the rules decide.
func (s *Narration) during(in func(Move) bool) {
	for _, m := range s.Moves {
		if !scene.Bettable(m.Place) || m.Delta == 0 || !in(m) {
			continue
		}
		if m.Delta > 0 {
			s.record(s.chips(round.Bet, m.Place, m.Delta), m.From, m.At, 0)
		} else {
			s.record(s.chips(round.Withdraw, m.Place, -m.Delta), m.From, m.At, 0)
		}
	}
}

// putBack are the moves made in time, without those of chips laid in this round that were
// taken up and then laid on the same place again, to the same sum: nothing came of it.
func putBack(moves []Move, inTime func(Move) bool) []Move {
	idle, laid := make([]bool, len(moves)), map[scene.Place]money.Cents{}
	for i, m := range moves {
		if idle[i] || !inTime(m) {
			continue
		}
		own := laid[m.Place]
		if laid[m.Place] += m.Delta; m.Delta >= 0 || own < -m.Delta {
			continue
		}
		lack, back := m.Delta, []int{i}
		for k := i + 1; k < len(moves) && lack < 0; k++ {
			if o := moves[k]; o.Place == m.Place && !idle[k] && inTime(o) {
				lack, back = lack+o.Delta, append(back, k)
			}
		}
		if lack == 0 {
			laid[m.Place] = own
			for _, k := range back {
				idle[k] = true
			}
		}
	}
	var out []Move
	for i, m := range moves {
		if !idle[i] && inTime(m) {
			out = append(out, m)
		}
	}
	return out
}

// openingBets records the bets up to the closing: what lay there from the round
// before and stays is a bet when the betting is opened, or else when it is
// closed; what is added or taken counts when it moves. before reports whether a
// move was made in time.
func (s *Narration) openingBets(before func(Move) bool) {
	standing := map[scene.Place]money.Cents{}
	for p, total := range s.opening {
		if n := total - s.Held[p].amount; n > 0 && scene.Bettable(p) {
			standing[p] = n
		}
	}
	for _, m := range putBack(s.Moves, before) {
		if !scene.Bettable(m.Place) {
			continue
		}
		at := s.inTime(m)
		if m.Delta > 0 {
			s.record(s.chips(round.Bet, m.Place, m.Delta), m.From, at, 0)
			continue
		}
		own := min(standing[m.Place], -m.Delta)
		standing[m.Place] -= own
		if taken := -m.Delta - own; taken > 0 {
			s.record(s.chips(round.Withdraw, m.Place, taken), m.From, at, 0)
		}
	}
	maps.DeleteFunc(standing, func(_ scene.Place, n money.Cents) bool { return n <= 0 })
	at, order := s.FirstCall("hagan_juego"), 2
	if at.IsZero() || !s.Close.IsZero() && at.After(s.Close) {
		at, order = s.Close, 0 // they lay there before the call that closed the bets
	}
	if at.IsZero() {
		at = s.Now()
	}
	for _, p := range slices.SortedFunc(maps.Keys(standing), scene.Place.Compare) {
		s.record(s.chips(round.Bet, p, standing[p]), at, at, order)
	}
}

// inTime is when a bet counts: a move that was under way at the closing and
// ended after it was made just before.
func (s *Narration) inTime(m Move) time.Time {
	if !s.Close.IsZero() && m.At.After(s.Close) {
		return s.Close
	}
	return m.At
}

// timely reports whether a move was made before the closing. Of a move that was
// under way at the closing the longer part decides, unless the hypothesis has it
// otherwise.
func (s *Narration) timely(m Move) bool {
	if s.Close.IsZero() || !m.At.After(s.Close) {
		return true
	}
	if m.hidden && m.From.Before(s.Close) {
		return m.Delta > 0 // a bet may have lain there all the time, and have been taken since
	}
	before := s.underWay(m)
	return before >= 0.5 != s.pickAt(
		hypothesis.Choice{Kind: hypothesis.SideOfClosing, Item: s.number(m.item)},
		max(before, 1-before),
	)
}

// underWay is the share of a move's time that lies before the closing.
func (s *Narration) underWay(m Move) float64 {
	if s.Close.IsZero() || !m.From.Before(s.Close) || !m.At.After(s.Close) {
		return 0
	}
	return float64(s.Close.Sub(m.From)) / float64(m.At.Sub(m.From))
}

// Physical is the place of a spot of the record: prisoners lie where they were bet.
func Physical(seat int, spot string) scene.Place {
	return scene.Place{Seat: seat, Spot: strings.TrimPrefix(spot, "prison:")}
}

// chips is an event about the chips of a place, by the name that the record
// has for it.
func (s *Narration) chips(t round.Type, p scene.Place, amount money.Cents) round.Event {
	return round.Event{Type: t, Seat: p.Seat, Spot: s.named(p), Amount: amount}
}

// named is the record's name for chips on a place.
func (s *Narration) named(p scene.Place) string {
	if name, ok := s.alias[p]; ok {
		return name
	}
	return p.Spot
}
