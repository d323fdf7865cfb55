package track

import (
	"time"

	"vision/validate/round"
)

// monteGames are the two games of Andalucía that are called monte. Both have a
// second phase of betting while the cards of the first lie on the table.
var monteGames = []*game{
	{
		code: "casino_monte", course: cards, closing: "no_va_mas", deal: []string{"seats", "bank", "seats/revancha", "bank/revancha"},
		least: 2, open: []string{"card_count_wrong"}, order: casinoOrder, narrate: tellCasinoMonte,
	},
}

// casinoOrder is the order in which casino monte settles: boxes from the highest
// down, tie bets after the boxes.
func casinoOrder(a, b round.Event) bool {
	if x, y := rankOf(a, "inicial", "revancha"), rankOf(b, "inicial", "revancha"); x != y {
		return x < y
	}
	return a.Seat > b.Seat
}

// tellCasinoMonte tells a round of one card each: bets, the cards, settlement;
// boxes equal to the bank may stake again on a second card.
func tellCasinoMonte(s *story) {
	s.arrangeDeal(s.dealOrder())
	s.close = s.firstCall(s.g.closing)
	if len(s.hand) > 0 {
		s.close = earliest(s.close, s.hand[0].at)
	}
	s.openingBets(s.timely)
	s.cardEvents()
	decided, again := s.dealtIn("bank"), s.dealtIn("bank/revancha")
	if decided.IsZero() {
		s.during(func(m move) bool { return !s.timely(m) })
		s.assess()
		return
	}
	staked := func(m move) bool { // chips for the revancha, laid before its cards
		return m.place.Spot == "revancha" && m.delta > 0 && (again.IsZero() || m.from.Before(again))
	}
	s.during(func(m move) bool { return !s.timely(m) && (m.at.Before(decided) || staked(m)) })
	v := s.assess()
	s.early = len(s.hand) >= s.g.least && !has(v, s.g.open...) && !s.unseen()
	s.settleAll(func(m move) bool { return !s.timely(m) && !m.at.Before(decided) && !staked(m) })
	s.together(s.g.order)
}

// dealtIn is when the last card was dealt to a zone; zero without one.
func (s *story) dealtIn(zone string) (t time.Time) {
	for _, c := range s.hand {
		if c.zone == zone && c.at.After(t) {
			t = c.at
		}
	}
	return t
}
