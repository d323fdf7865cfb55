package track

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vision/internal/money"
	"vision/validate/round"
)

// during tells chips that move between the closing and the decision: late, or
// on a spot that opens then; which of it, the rules say.
func (s *story) during(in func(move) bool) {
	for _, m := range s.moves {
		if !bettable(m.place) || !in(m) {
			continue
		}
		if m.delta > 0 {
			s.tell(s.chips(round.Bet, m.place, m.delta), m.from, m.at, 0)
		} else {
			s.tell(s.chips(round.Withdraw, m.place, -m.delta), m.from, m.at, 0)
		}
	}
}

// putBack are the moves made in time, without those of chips laid in this round that were
// taken up and then laid on the same place again, to the same sum: nothing came of it.
func putBack(moves []move, inTime func(move) bool) []move {
	idle, laid := make([]bool, len(moves)), map[place]money.Cents{}
	for i, m := range moves {
		if idle[i] || !inTime(m) {
			continue
		}
		own := laid[m.place]
		if laid[m.place] += m.delta; m.delta >= 0 || own < -m.delta {
			continue
		}
		lack, back := m.delta, []int{i}
		for k := i + 1; k < len(moves) && lack < 0; k++ {
			if o := moves[k]; o.place == m.place && !idle[k] && inTime(o) {
				lack, back = lack+o.delta, append(back, k)
			}
		}
		if lack == 0 {
			laid[m.place] = own
			for _, k := range back {
				idle[k] = true
			}
		}
	}
	var out []move
	for i, m := range moves {
		if !idle[i] && inTime(m) {
			out = append(out, m)
		}
	}
	return out
}

// openingBets tells the bets up to the closing: what lay there from the round
// before and stays is a bet when the betting is opened, or else when it is
// closed; what is added or taken counts when it moves. before tells that a
// move was made in time.
func (s *story) openingBets(before func(move) bool) {
	standing := map[place]money.Cents{}
	for p, total := range s.stood {
		if n := total - s.held[p].amount; n > 0 && bettable(p) {
			standing[p] = n
		}
	}
	for _, m := range putBack(s.moves, before) {
		if !bettable(m.place) {
			continue
		}
		at := s.inTime(m)
		if m.delta > 0 {
			s.tell(s.chips(round.Bet, m.place, m.delta), m.from, at, 0)
			continue
		}
		own := min(standing[m.place], -m.delta)
		standing[m.place] -= own
		if taken := -m.delta - own; taken > 0 {
			s.tell(s.chips(round.Withdraw, m.place, taken), m.from, at, 0)
		}
	}
	places := make([]place, 0, len(standing))
	for p, n := range standing {
		if n > 0 {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot)) })
	at, order := s.firstCall("hagan_juego"), 2
	if at.IsZero() || !s.close.IsZero() && at.After(s.close) {
		at, order = s.close, 0 // they lay there before the call that closed the bets
	}
	if at.IsZero() {
		at = s.now()
	}
	for _, p := range places {
		s.tell(s.chips(round.Bet, p, standing[p]), at, at, order)
	}
}

// inTime is when a bet counts: a move that was under way at the closing and
// ended after it was made just before.
func (s *story) inTime(m move) time.Time {
	if !s.close.IsZero() && m.at.After(s.close) {
		return s.close
	}
	return m.at
}

// timely tells that a move was made before the closing. Of a move that was
// under way at the closing the longer part decides, unless the hypothesis has it
// otherwise.
func (s *story) timely(m move) bool {
	if s.close.IsZero() || !m.at.After(s.close) {
		return true
	}
	if m.hidden && m.from.Before(s.close) {
		return m.delta > 0 // a bet may have lain there all the time, and have been taken since
	}
	before := s.underWay(m)
	return before >= 0.5 != s.either(choice{kind: sideOfClosing, item: s.number(m.item)}, max(before, 1-before))
}

// underWay is the share of a move's time that lies before the closing.
func (s *story) underWay(m move) float64 {
	if s.close.IsZero() || !m.from.Before(s.close) || !m.at.After(s.close) {
		return 0
	}
	return float64(s.close.Sub(m.from)) / float64(m.at.Sub(m.from))
}

// physical is the place of a spot of the record: prisoners lie where they were bet.
func physical(seat int, spot string) place { return place{seat, strings.TrimPrefix(spot, "prison:")} }

// chips is an event about the chips of a place, by the name that the record
// has for it.
func (s *story) chips(t round.Type, p place, amount money.Cents) round.Event {
	return round.Event{Type: t, Seat: p.Seat, Spot: s.named(p), Amount: amount}
}

// named is the record's name for chips on a place.
func (s *story) named(p place) string {
	if name, ok := s.alias[p]; ok {
		return name
	}
	return p.Spot
}
