package track

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
