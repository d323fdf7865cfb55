package wheels

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

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

// accepted reports whether the bet of event i was accepted aloud before the closing call
// by the croupier and the jefe, and laid before the ball rested, in one movement or more.
// What they accepted is one bet: it is spent on the first that is laid.
func (t *table) accepted(i int) bool {
	if !t.rules.Late.Accepted || t.laid[i] {
		return t.laid[i]
	}
	for k := range t.throws {
		th := &t.throws[k]
		if i < th.start || i > th.end || th.shot >= 0 && i > th.shot {
			continue
		}
		until, end := i, th.end
		if th.close >= 0 && th.close < i {
			until = th.close
		}
		if th.shot >= 0 {
			end = th.shot
		}
		return t.acceptedSum(i, th.start, until, end)
	}
	return false
}

// acceptedSum reports whether the bet of event i, with those that follow it on its place
// until end, makes up an amount accepted by both in [from, to), and notes them as laid.
func (t *table) acceptedSum(i, from, to, end int) bool {
	var sum money.Cents
	var parts []int
	for k := i; k <= end && k < len(t.ev); k++ {
		e := &t.ev[k]
		if e.Type != round.Bet || e.Seat != t.ev[i].Seat || e.Spot != t.ev[i].Spot {
			continue
		}
		sum, parts = sum+e.Amount, append(parts, k)
		croupier := t.acceptedBy(from, to, round.Croupier, e, sum)
		jefe := t.acceptedBy(from, to, round.Jefe, e, sum)
		if croupier < 0 || jefe < 0 {
			continue
		}
		t.spent[croupier], t.spent[jefe] = true, true
		for _, part := range parts {
			t.laid[part] = true
		}
		return true
	}
	return false
}

// acceptedBy is the first call in [from, to) that accepts a bet of an amount and is not
// spent; -1 when there is none.
func (t *table) acceptedBy(from, to int, by string, bet *round.Event, amount money.Cents) int {
	for i := from; i < to; i++ {
		e := &t.ev[i]
		if e.Is("accepted_bet") && !t.spent[i] && e.By == by && e.Seat == bet.Seat && e.Spot == bet.Spot && e.Amount == amount {
			return i
		}
	}
	return -1
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
		t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.LateBet, Event: i, Seat: p.Seat, Spot: p.Spot,
			Observed: e.Amount})
	}
	t.lateWithdrawals(used)
}

// firstSettled is the first collect or pay from event from on, the record's length when there is none.
func (t *table) firstSettled(from int) int {
	i := game.Find(t.ev, from, len(t.ev), func(e *round.Event) bool {
		return e.Type == round.Collect || e.Type == round.Pay
	})
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
		t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.LateWithdrawal, Event: i, Seat: p.Seat, Spot: p.Spot,
			Observed: amount})
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
