package narrate

import "vision/validate/track/scene"

// narrateDeal records a round that is bet, dealt, decided and settled in one go, as
// a coup of punto y banca: bets, no va más, cards face down or up, then money.
func narrateDeal(s *Narration) {
	s.arrangeDeal(s.DealOrder())
	s.Close = s.FirstCall(s.Game.Closing)
	if len(s.Hand) > 0 {
		s.Close = scene.Earliest(s.Close, s.Hand[0].at)
	}
	s.openingBets(s.timely)
	s.cardEvents()
	s.reveals()
	decided := s.lastCard()
	s.during(func(m Move) bool { return !s.timely(m) && (decided.IsZero() || m.At.Before(decided)) })
	v := s.assess()
	s.Decided = len(s.Hand) >= s.Game.least && !Has(v, s.Game.open...) && !s.unseen()
	if decided.IsZero() {
		return
	}
	if len(s.Hand) >= s.Game.least && !s.Decided {
		s.Stalled = decided
	}
	if !s.Final && !s.Decided && !s.FirstCall(s.Game.over...).After(decided) {
		s.during(func(m Move) bool { return !m.At.Before(decided) })
		return
	}
	s.settleAll(func(m Move) bool { return !s.timely(m) && !m.At.Before(decided) })
	s.orderMovements(s.Game.order)
}
