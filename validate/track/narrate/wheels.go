package narrate

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

// narrateSpin records a spin or a throw: bets on the layout, no va más, the ball or
// the dice, the rake, and winnings pushed to each seat.
func narrateSpin(s *Narration) {
	out := s.thrown()
	if out.IsZero() {
		return
	}
	s.Moves = s.withoutHeaps(out)
	s.settlePushed(func(m Move) bool { return m.At.After(out) }, out)
	s.orderMovements()
}
