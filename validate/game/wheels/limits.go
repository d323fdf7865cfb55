package wheels

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// admission raises what the norm does not admit, and the limits.
func (t *table) admission() {
	for p, s := range t.stakes {
		if s.first < 0 && s.late == 0 {
			continue
		}
		if !t.play.admits(t, s) {
			s.refused = true
			t.add(t.rules.Articles.Bets, round.Finding{Code: finding.BetNotAllowed, Event: t.firstBet(p, s), Seat: p.Seat,
				Spot: p.Spot})
			continue
		}
		if s.fresh > 0 {
			t.limit(s)
		}
	}
}

// firstBet is the first bet that put chips on the place and was not given back.
func (t *table) firstBet(p game.Place, s *stake) int {
	if s.first >= 0 {
		return s.first
	}
	return max(game.Find(t.ev, 0, len(t.ev), func(e *round.Event) bool {
		return e.Type == round.Bet && e.Seat == p.Seat && e.Spot == p.Spot
	}), 0)
}

// limit is what a stake may be; 0 is unlimited. Where a stake consists of so many
// equal chips, the limits are those of one.
type limit struct {
	min, max money.Cents
	chips    money.Cents // 0 and 1: the stake as a whole
}

func (t *table) limit(s *stake) {
	l := t.play.limits(t, s)
	placed := s.total() / max(l.chips, 1) // an announced bet that its chips do not divide is not admitted
	raise := func(code finding.Code, expected money.Cents) {
		x := game.Amounts(round.Finding{Code: code, Event: s.last, Seat: s.Seat, Spot: s.Spot}, expected, placed)
		t.add(t.rules.Articles.Limits, x)
	}
	if l.min > 0 && placed < l.min {
		raise(finding.BetBelowMin, l.min)
	}
	if l.max > 0 && placed > l.max {
		raise(finding.BetAboveMax, l.max)
	}
}
