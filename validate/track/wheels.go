package track

import (
	"vision/validate/finding"
	"vision/validate/round"
)

// wheelGames are played on a layout that all seats share, each with chips of
// its own colour, and winnings are pushed to the players.
var wheelGames = []*game{
	wheelGame("ruleta_francesa", "number"),
	wheelGame("ruleta_americana", "number"),
	wheelGame("ruleta_americana_doble_cero", "number"),
	wheelGame("boule", "number"),
	wheelGame("ruleta_fortuna", "combination"),
	{
		code: "sic_bo", course: dice, dice: 3, closing: "no_va_mas", pushed: true, shaken: true,
		order: collectFirst, narrate: tellSpin,
	},
	{
		code: "banca_francesa_dados", course: dice, dice: 3, closing: "no_va_mas", pushed: true,
		undecided: thrownAgain, order: acesFirst, narrate: tellSpin,
	},
}

func wheelGame(code, call string) *game {
	return &game{
		code: code, course: wheel, closing: "no_va_mas", names: []string{call}, pushed: true,
		order: collectFirst, narrate: tellSpin,
	}
}

// thrownAgain are the sums of banca francesa that decide nothing (cantabria-2010 A.9).
func thrownAgain(faces []int) bool {
	sum := 0
	for _, f := range faces {
		if f == 0 {
			return false // unread: nobody knows
		}
		sum += f
	}
	switch sum {
	case 3, 5, 6, 7, 14, 15, 16:
		return false
	}
	return true
}

// acesFirst is the order in which banca francesa settles: the aces' stakes are
// collected before the others.
func acesFirst(a, b round.Event) bool {
	if a.Type == round.Collect && b.Type == round.Collect {
		return a.Spot == "ases" && b.Spot != "ases"
	}
	return collectFirst(a, b)
}

// tellSpin tells a spin or a throw: bets on the layout, no va más, the ball or
// the dice, the rake, and winnings pushed to each seat.
func tellSpin(s *story) {
	if s.g.course == dice {
		s.throws()
	} else {
		s.callAsBall()
	}
	out := s.throwEnds()
	s.closeThrow(out)
	s.windows(out)
	if out.IsZero() {
		s.running = !s.close.IsZero()
		return
	}
	v := s.assess()
	s.early = s.sc.outcome() >= 0 && !has(v, finding.NotObservable)
	last := s.lastSettlement(out)
	s.settleAll(func(m move) bool { return m.at.After(out) && (m.delta < 0 || s.pushedBack(m)) })
	s.payouts(func(m move) bool { return m.at.After(out) })
	s.during(func(m move) bool {
		return m.delta > 0 && m.at.After(out) && !s.pushedBack(m) && m.from.Before(last)
	})
	s.together(s.g.order)
}
