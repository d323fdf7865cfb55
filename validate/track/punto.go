package track

import (
	"slices"
	"time"

	"vision/validate/round"
)

// tellDeal tells a round that is bet, dealt, decided and settled in one go, as
// a coup of punto y banca: bets, no va más, cards face down or up, then money.
func tellDeal(s *story) {
	s.arrangeDeal(s.dealOrder())
	s.close = s.firstCall(s.g.closing)
	if len(s.hand) > 0 {
		s.close = earliest(s.close, s.hand[0].at)
	}
	s.openingBets(s.timely)
	s.cardEvents()
	s.reveals()
	decided := s.lastCard()
	s.during(func(m move) bool { return !s.timely(m) && (decided.IsZero() || m.at.Before(decided)) })
	v := s.assess()
	s.early = len(s.hand) >= s.g.least && !has(v, s.g.open...) && !s.unseen()
	if decided.IsZero() {
		return
	}
	if len(s.hand) >= s.g.least && !s.early {
		s.stalled = decided
	}
	if !s.final && !s.early && !s.firstCall(s.g.over...).After(decided) {
		s.during(func(m move) bool { return !m.at.Before(decided) })
		return
	}
	s.settleAll(func(m move) bool { return !s.timely(m) && !m.at.Before(decided) })
	s.together(s.g.order)
}

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

// lastCard is when the last card was dealt or turned; zero without cards.
func (s *story) lastCard() (t time.Time) {
	for _, c := range s.hand {
		if c.at.After(t) {
			t = c.at
		}
		if c.turned.After(t) {
			t = c.turned
		}
	}
	return t
}

// unseen tells that a card of the round could not be read.
func (s *story) unseen() bool {
	for _, c := range s.hand {
		if c.card == 0 || c.down && c.turned.IsZero() {
			return true
		}
	}
	return false
}

// unread tells that a card lies face up and nobody could read it: then chips
// that are laid may be a payment for all that is known.
func (s *story) unread() bool {
	return slices.ContainsFunc(s.hand, func(c dealtCard) bool { return c.card == 0 && !c.down })
}
