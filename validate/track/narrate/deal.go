package narrate

import (
	"time"

	"vision/validate/track/scene"
)

// narrateDeal records a round that is bet, dealt, decided and settled in one go, as
// a coup of punto y banca: bets, no va más, cards face down or up, then money. Where one
// zone's card decides (casino monte) there may be a second card, before which chips are laid
// again while the first are settled.
func narrateDeal(s *Narration) {
	s.arrangeDeal(s.DealOrder())
	s.Close = s.FirstCall(s.Game.Closing)
	if len(s.Hand) > 0 {
		s.Close = scene.Earliest(s.Close, s.Hand[0].at)
	}
	s.openingBets(s.timely)
	s.cardEvents()
	s.reveals()
	s.splits()
	at := s.decidedAt()
	before := func(m Move) bool { return at.IsZero() || m.At.Before(at) || s.restakes(m) }
	s.decisions(func(m Move) bool { return !s.timely(m) && before(m) && !s.settlesEarly(m) })
	v := s.assess()
	s.Lost = s.overTwentyOne()
	enough := s.cardsIn(s.Game.counted) >= s.Game.least
	s.Decided = enough && !Has(v, s.Game.open...) && !s.unseen() && !at.IsZero()
	if at.IsZero() {
		return
	}
	over := s.Final || s.Decided || s.Game.decides != "" || s.FirstCall(s.Game.over...).After(at)
	if enough && !s.Decided && s.Game.decides == "" {
		s.Stalled = at
	}
	if !over { // what moves after the last card so far belongs to the play
		s.decisions(func(m Move) bool { return !m.At.Before(at) && !s.settlesEarly(m) })
		if !s.Game.upTo21 {
			return
		}
		s.assess()
	}
	s.settleAll(func(m Move) bool { return !s.timely(m) && (s.settlesEarly(m) || over && !before(m)) })
	s.orderMovements(s.Game.order)
}

// decidedAt is when the card that decides was dealt; zero while it was not.
func (s *Narration) decidedAt() time.Time {
	if s.Game.decides != "" {
		return s.dealtIn(s.Game.decides)
	}
	return s.lastCard()
}

// restakes reports whether chips are laid for the second phase of a deal, before its cards.
func (s *Narration) restakes(m Move) bool {
	if s.Game.again == "" {
		return false
	}
	cards := s.dealtIn(s.Game.decides + "/" + s.Game.again)
	return m.Place.Spot == s.Game.again && m.Delta > 0 && (cards.IsZero() || m.From.Before(cards))
}
