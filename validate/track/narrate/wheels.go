package narrate

import (
	"vision/validate/round"
	"vision/validate/track/scene"
)

// wheelGames are played on a layout that all seats share, each with chips of
// its own colour, and winnings are pushed to the players.
var wheelGames = []*Game{
	wheelGame("ruleta_francesa", "number"),
	wheelGame("ruleta_americana", "number"),
	wheelGame("ruleta_americana_doble_cero", "number"),
	wheelGame("boule", "number"),
	wheelGame("ruleta_fortuna", "combination"),
	{
		code: "sic_bo", Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByDice, Dice: 3, Shaken: true},
		Paying: Paying{Pushed: true, order: collectFirst},
	},
	{
		code: "banca_francesa_dados", Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByDice, Dice: 3, Undecided: thrownAgain},
		Paying: Paying{Pushed: true, order: acesFirst},
	},
}

func wheelGame(code, call string) *Game {
	return &Game{
		code: code, Closing: "no_va_mas", narrate: narrateSpin,
		Course: scene.Course{Kind: scene.ByWheel, Names: []string{call}},
		Paying: Paying{Pushed: true, order: collectFirst},
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

// narrateSpin records a spin or a throw: bets on the layout, no va más, the ball or
// the dice, the rake, and winnings pushed to each seat.
func narrateSpin(s *Narration) {
	out := s.thrown()
	if out.IsZero() {
		return
	}
	s.Moves = s.withoutHeaps(out)
	last := s.lastSettlement(out)
	s.settleAll(func(m Move) bool { return m.At.After(out) && (m.Delta < 0 || s.pushedBack(m)) })
	s.payouts(func(m Move) bool { return m.At.After(out) })
	s.during(func(m Move) bool {
		return m.Delta > 0 && m.At.After(out) && !s.pushedBack(m) && m.From.Before(last)
	})
	s.orderMovements(s.Game.order)
}
