package track

import (
	"cmp"
	"time"

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

// callAsBall takes the called outcome for the ball where no wheel sensor
// speaks: it is the only reading there is.
func (s *story) callAsBall() {
	for i := range s.sc.items {
		if s.sc.items[i].isEvent(round.Ball) {
			return
		}
	}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if pocket := cmp.Or(string(h.event.Number), h.event.Combination); h.isCall(s.g.names...) && pocket != "" {
			s.tell(round.Event{Type: round.Ball, Pocket: pocket}, h.from, h.at, 0)
			return
		}
	}
}

// throwEnds is when the throw that counts ended: the last outcome that was
// told. Zero while the ball runs.
func (s *story) throwEnds() (t time.Time) {
	if out := s.sc.outcome(); out < 0 || s.sc.nullified(out) {
		return t
	}
	for _, e := range s.told {
		if (e.event.Type == round.Ball || e.event.Type == round.Dice) && e.at.After(t) {
			t = e.at
		}
	}
	return t
}

// closeThrow finds the closing of the throw that counts: its call, or else the
// outcome itself.
func (s *story) closeThrow(out time.Time) {
	for _, e := range s.told {
		if e.event.Is(s.g.closing) && (out.IsZero() || e.at.Before(out)) && s.nullBefore(e.at) {
			s.close = earliest(s.close, e.at)
		}
	}
	if s.close.IsZero() {
		s.close = out
	}
}

// nullBefore tells that every null throw of the round came before t, so that
// the closing at t is that of the last throw.
func (s *story) nullBefore(t time.Time) bool {
	for _, e := range s.told {
		if e.event.Is("null_throw") && e.at.After(t) {
			return false
		}
	}
	return true
}

// windows tells bets and withdrawals up to the outcome, those after the
// closing included: what is late about them the rules say.
func (s *story) windows(out time.Time) {
	s.openingBets(s.timely)
	s.during(func(m move) bool { return !s.timely(m) && (out.IsZero() || !m.at.After(out)) })
}

// lastSettlement is when the last chips were taken or paid after the outcome.
func (s *story) lastSettlement(out time.Time) time.Time {
	last := out
	for _, m := range s.moves {
		if m.at.After(out) && m.at.After(last) && (m.delta < 0 || m.place.Spot == paySpot) {
			last = m.at
		}
	}
	return last
}

// pushedBack tells that chips come back to a spot from which more were taken
// since the outcome: part of the settlement, no bet.
func (s *story) pushedBack(m move) bool {
	if m.delta <= 0 {
		return false
	}
	for _, o := range s.moves {
		if o.place == m.place && o.delta < 0 && o.at.After(s.close) && o.at.Before(m.at) && o.at.Sub(m.at) > -s.slow {
			return true
		}
	}
	return false
}

// collectFirst is the order in which a roulette settles.
func collectFirst(a, b round.Event) bool { return a.Type == round.Collect && b.Type == round.Pay }
