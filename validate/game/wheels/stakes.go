package wheels

import (
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// stake is what lies on one spot of one seat.
type stake struct {
	game.Place
	carried   money.Cents // from the previous round
	fresh     money.Cents // laid in time in this round
	late      money.Cents // laid too late and not given back
	taken     money.Cents // taken back too late: it still plays
	givenBack money.Cents // returned of late chips
	zeros     int         // zeros that a prisoner has suffered
	denied    bool        // the norm does not admit the new chips
	first     int         // first bet that counts, -1 when none
	last      int         // last bet
	fellow    *stake      // a further prisoner of the same seat and chance
}

// total is what plays.
func (s *stake) total() money.Cents {
	if s.denied {
		return s.carried
	}
	return s.carried + s.fresh
}

// at is the stake of a place, made when there is none.
func (t *table) at(p game.Place) *stake {
	s := t.stakes[p]
	if s == nil {
		s = t.room.New(stake{Place: p, first: -1, last: -1})
		t.stakes[p] = s
	}
	return s
}

// lay follows the chips through the record.
func (t *table) lay() error {
	late := []int{}
	for i := range t.ev {
		e := &t.ev[i]
		var err error
		switch e.Type {
		case round.Bet:
			if t.open[i] || t.accepted(i) {
				t.put(t.at(game.PlaceOf(e)), i)
			} else {
				late = append(late, i)
			}
		case round.Withdraw:
			err = t.withdraw(i, late)
		case round.Move:
			err = t.move(i)
		}
		if err != nil {
			return err
		}
	}
	t.lateBets(late)
	return nil
}

func (t *table) put(s *stake, i int) {
	s.fresh += t.ev[i].Amount
	s.last = i
	if s.first < 0 {
		s.first = i
	}
}

// take takes chips off in time; more than lies there cannot be.
func (t *table) take(p game.Place, i int) error {
	s, amount := t.at(p), t.ev[i].Amount
	if amount > s.carried+s.fresh {
		return round.Malformed(round.At(i, "amount"), "check the bets on this spot",
			"takes %d from %s of seat %d where %d lie", amount, p.Spot, p.Seat, s.carried+s.fresh)
	}
	rest := max(amount-s.fresh, 0)
	s.fresh -= amount - rest
	s.carried -= rest
	return nil
}

// keeper is a game in which some stakes may not be taken back even in time;
// the code that it names is raised and the stake plays on.
type keeper interface {
	kept(t *table, s *stake) (code finding.Code)
}

// withdraw follows chips that a player takes. In a window what exceeds his
// stake comes from chips that he had laid too late on the spot.
func (t *table) withdraw(i int, late []int) error {
	e := &t.ev[i]
	p := game.PlaceOf(e)
	if k, ok := t.play.(keeper); ok && t.beforeOutcome(i) {
		s := t.at(p)
		if code := k.kept(t, s); code != "" {
			s.taken += e.Amount
			x := round.Finding{Code: code, Event: i, Seat: p.Seat, Spot: p.Spot}
			if code == finding.LateWithdrawal {
				x.Observed = e.Amount
			}
			t.add(t.rules.Articles.Bets, x)
			t.kept[i] = true
			return nil
		}
	}
	if t.open[i] {
		s := t.at(p)
		rest := e.Amount - s.carried - s.fresh
		if rest > 0 && rest <= t.laidLate(p, late) {
			if t.over == nil {
				t.over = map[int]money.Cents{}
			}
			t.over[i] = rest
			s.carried, s.fresh = 0, 0
			return nil
		}
		return t.take(p, i)
	}
	return nil // too late: judged in lateBets, when it is known what was given back
}

// laidLate is what the late bets hold on a place, less what was taken of it.
func (t *table) laidLate(p game.Place, late []int) money.Cents {
	var sum money.Cents
	for _, i := range late {
		if e := &t.ev[i]; e.Seat == p.Seat && e.Spot == p.Spot {
			sum += e.Amount
		}
	}
	for i, rest := range t.over {
		if e := &t.ev[i]; e.Seat == p.Seat && e.Spot == p.Spot {
			sum -= rest
		}
	}
	return sum
}

func (t *table) beforeOutcome(i int) bool { return t.outcome < 0 || i < t.outcome }

// move follows a bet that changes its spot.
func (t *table) move(i int) error {
	e := &t.ev[i]
	if strings.TrimPrefix(e.From, "prison:") == strings.TrimPrefix(e.To, "prison:") {
		return nil
	}
	if t.outcome >= 0 && i > t.outcome {
		return nil // settlement: the game judges its own moves
	}
	from, to := game.Place{Seat: e.Seat, Spot: e.From}, game.Place{Seat: e.Seat, Spot: e.To}
	if t.open[i] || t.rules.Late.Corrected {
		if err := t.take(from, i); err != nil {
			return err
		}
		t.put(t.at(to), i)
		return nil
	}
	t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.LateBet, Event: i, Seat: e.Seat, Spot: e.From, Observed: e.Amount})
	return nil
}

// accepted reports whether a bet laid after the closing call was accepted aloud
// before it by the croupier and the jefe, and laid before the ball rested.
func (t *table) accepted(i int) bool {
	if !t.rules.Late.Accepted {
		return false
	}
	for k := range t.throws {
		th := &t.throws[k]
		if i < th.start || i > th.end || th.shot >= 0 && i > th.shot {
			continue
		}
		until := i
		if th.close >= 0 && th.close < i {
			until = th.close
		}
		return t.acceptedBy(th.start, until, round.Croupier, &t.ev[i]) && t.acceptedBy(th.start, until, round.Jefe, &t.ev[i])
	}
	return false
}

func (t *table) acceptedBy(from, to int, by string, bet *round.Event) bool {
	return game.Find(t.ev, from, to, func(e *round.Event) bool {
		return e.Is("accepted_bet") && e.By == by && e.Seat == bet.Seat && e.Spot == bet.Spot && e.Amount == bet.Amount
	}) >= 0
}

// lateBets judges chips laid and taken outside the windows. A late bet given
// back before the first payment or collection of the record never was.
func (t *table) lateBets(late []int) {
	first := t.firstSettled(0)
	used := make(map[int]money.Cents) // of return and withdraw events, spent on giving back
	for _, i := range late {
		e := &t.ev[i]
		p := game.PlaceOf(e)
		if t.giveBack(i, first, used) {
			t.at(p).givenBack += e.Amount
			continue
		}
		s := t.at(p)
		s.late += e.Amount
		t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.LateBet, Event: i, Seat: p.Seat, Spot: p.Spot, Observed: e.Amount})
	}
	t.lateWithdrawals(used)
}

// firstSettled is the first collect or pay from event from on, the record's length when there is none.
func (t *table) firstSettled(from int) int {
	i := game.Find(t.ev, from, len(t.ev), func(e *round.Event) bool { return e.Type == round.Collect || e.Type == round.Pay })
	if i < 0 {
		return len(t.ev)
	}
	return i
}

// giveBack reports whether the late bet i was given back before event until, and
// spends the movements that gave it back.
func (t *table) giveBack(i, until int, used map[int]money.Cents) bool {
	bet := &t.ev[i]
	rest := bet.Amount
	spent := map[int]money.Cents{}
	for k := i + 1; k < until && rest > 0; k++ {
		e := &t.ev[k]
		if (e.Type != round.Return && e.Type != round.Withdraw) || e.Seat != bet.Seat || e.Spot != bet.Spot {
			continue
		}
		amount := e.Amount
		if e.Type == round.Withdraw && t.open[k] {
			amount = t.over[k] // the rest was his stake
		}
		part := min(rest, amount-used[k])
		spent[k] = part
		rest -= part
	}
	if rest > 0 {
		return false
	}
	for k, part := range spent {
		used[k] += part
	}
	return true
}

// lateWithdrawals judges chips taken after the closing moment. What a player
// takes after his spot was paid or returned, or once settling has begun, is his own.
func (t *table) lateWithdrawals(used map[int]money.Cents) {
	until := len(t.ev)
	if t.outcome >= 0 {
		until = t.firstSettled(t.outcome)
	}
	for i := 0; i < until; i++ {
		e := &t.ev[i]
		if e.Type != round.Withdraw || t.open[i] || t.kept[i] || used[i] == e.Amount {
			continue
		}
		p := game.PlaceOf(e)
		s := t.at(p)
		if s.carried+s.fresh == 0 || s.carried == 0 && !t.play.admits(t, s) || t.settledBefore(p, i) {
			continue // nothing of his is in play there, or it is his again
		}
		amount := e.Amount - used[i]
		s.taken += amount
		t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.LateWithdrawal, Event: i, Seat: p.Seat, Spot: p.Spot, Observed: amount})
	}
}

// settledBefore reports whether the place was paid or returned before event i,
// or its chips were the player's again because the outcome pushed them.
func (t *table) settledBefore(p game.Place, i int) bool {
	m := t.sums.Of(p)
	if m.Pay.First >= 0 && m.Pay.First < i || m.Return.First >= 0 && m.Return.First < i {
		return true
	}
	if t.fate != decided || i < t.outcome {
		return false
	}
	return t.play.settle(t, t.at(p)).Outcome == round.Push
}

// admission raises what the norm does not admit, and the limits.
func (t *table) admission() {
	for p, s := range t.stakes {
		if s.first < 0 && s.late == 0 {
			continue
		}
		if !t.play.admits(t, s) {
			s.denied = true
			t.add(t.rules.Articles.Bets, round.Finding{Code: finding.BetNotAllowed, Event: t.firstBet(p, s), Seat: p.Seat, Spot: p.Spot})
			continue
		}
		if s.first >= 0 && s.total() > 0 {
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
