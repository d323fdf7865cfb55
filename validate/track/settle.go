package track

import (
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
)

// Chips that move after a round is decided: which of it is collected, paid,
// returned, taken by its owner, or a mistake that was put right. The rules say
// what is due on a place; of the stories that fit the movements the one
// without a mistake is told, if there is one.

// settle tells the movements of one place against what is due there. After a
// throw that does not count players may take their stakes.
func (s *story) settle(p place, moves []move) {
	if s.null {
		moves = slices.DeleteFunc(slices.Clone(moves), func(m move) bool { return m.by(fact.Players) })
	}
	if len(moves) == 0 {
		return
	}
	e, ok := s.entry(p)
	if !ok {
		s.unowed(p, moves)
		return
	}
	k := &settler{story: s, place: p, entry: e}
	if moves = s.mended(p.Seat, e.Spot, moves); len(moves) == 0 {
		return
	}
	if slices.Contains(s.g.bank, e.Spot) {
		k.bank(moves)
		return
	}
	if e.Pays > 0 && e.Returns < e.Stake {
		k.parts(moves, e.Stake-e.Returns)
		return
	}
	switch e.Outcome {
	case round.Win:
		k.winner(moves)
	case round.Lose:
		k.loser(moves, e.Stake-e.Returns)
	case round.Half:
		k.half(moves, e.Stake-e.Returns)
	case round.Prison:
		k.prisoner(moves)
	case round.Unknown:
		k.plain(moves)
	default: // push, stay, void: the stake is its owner's
		k.kept(moves)
	}
}

// mended leaves out what the house laid down and soon took up again, the same sum,
// and notes it: a mistake put right.
func (s *story) mended(seat int, spot string, moves []move) (out []move) {
	for _, m := range moves {
		last := len(out) - 1
		if last < 0 || out[last].delta <= 0 || m.delta != -out[last].delta || !m.by(fact.Bank) || !s.soon([]move{out[last], m}) {
			out = append(out, m)
			continue
		}
		s.notes = append(s.notes, Note{Code: NoteCorrected, Seat: seat, Spot: spot, Amount: -m.delta, Time: m.at})
		out = out[:last]
	}
	return out
}

// entry is what is due on a place; for chips in prison under their own name.
func (s *story) entry(p place) (round.Settlement, bool) {
	names := []string{s.named(p), p.Spot}
	if h, ok := s.held[p]; ok && h.spot != p.Spot {
		names = append(names, h.spot)
	}
	for _, name := range names {
		for _, e := range s.due {
			if e.Seat == p.Seat && e.Spot == name {
				return e, true
			}
		}
	}
	return round.Settlement{}, false
}

// unowed are movements where no stake lies. Chips laid there are the next
// round's; chips taken are their owner's.
func (s *story) unowed(place, []move) {}

type settler struct {
	story *story
	place place
	entry round.Settlement
	paid  money.Cents
}

func (k *settler) tell(t round.Type, amount money.Cents, m move) {
	if amount > 0 {
		k.story.tell(round.Event{Type: t, Seat: k.place.Seat, Spot: k.entry.Spot, Amount: amount}, m.from, m.at, 2)
	}
}

func (k *settler) note(what string, amount money.Cents, m move) {
	k.story.notes = append(k.story.notes, Note{Code: what, Seat: k.place.Seat, Spot: k.entry.Spot, Amount: amount, Time: m.at})
}

// prefix is the number of moves after which their sum is want; 0 when never.
func prefix(moves []move, want money.Cents) int {
	var sum money.Cents
	for i, m := range moves {
		if sum += m.delta; sum == want {
			return i + 1
		}
	}
	return 0
}

// mixed tells that chips were both laid down and taken.
func mixed(moves []move) bool {
	return slices.ContainsFunc(moves, func(m move) bool { return m.delta > 0 != (moves[0].delta > 0) })
}

// net tells moves whose sum is right as one movement, or one by one when all
// go the same way.
func (k *settler) net(t round.Type, moves []move) {
	var sum money.Cents
	for _, m := range moves {
		sum += m.delta
	}
	last := moves[len(moves)-1]
	if mixed(moves) {
		k.tell(t, max(sum, -sum), last)
		k.note(NoteCorrected, max(moves[0].delta, -moves[0].delta), last)
		return
	}
	for _, m := range moves {
		k.tell(t, max(m.delta, -m.delta), m)
	}
}

func (k *settler) winner(moves []move) {
	gross, fee := k.entry.Pays, k.entry.Commission
	moves = k.fitting(moves)
	if n := prefix(moves, gross); n > 0 {
		k.net(round.Pay, moves[:n])
		if fee > 0 && n < len(moves) {
			k.deduct(moves[n], fee)
		} else {
			k.again(moves[n:])
		}
		return
	}
	if n := prefix(moves, gross-fee); fee > 0 && n > 0 {
		k.net(round.Pay, moves[:n])
		k.again(moves[n:])
		return
	}
	for _, m := range moves {
		switch {
		case m.delta > 0:
			k.tell(round.Pay, m.delta, m)
			k.paid += m.delta
		case k.paid == 0 && !k.story.pushedTo(k.place.Seat, m.at) && !k.story.afterClearing(m):
			if m.by(fact.Players) {
				return // nobody else reached for it: his own, and nothing was paid
			}
			if k.story.either(k.hidden(), k.story.prior().oneMotion(m)) { // paid and taken up in one motion
				k.tell(round.Pay, gross, m)
				k.tell(round.Commission, fee, m)
				return
			}
			k.tell(round.Collect, -m.delta, m)
		case fee > 0 && -m.delta < k.paid/4:
			k.tell(round.Commission, -m.delta, m)
		} // else the owner takes his chips
	}
}

// fitting gives rough changes the amounts with which a winner is paid right, if
// they can: net of the commission, or before it where that is taken next.
func (k *settler) fitting(moves []move) []move {
	gross, fee := k.entry.Pays, k.entry.Commission
	full := fit(moves, gross)
	n := prefix(full, gross)
	if fee == 0 || n > 0 && (n < len(full) && full[n].delta == -fee || prefix(moves, gross) > 0) {
		return full
	}
	if net := fit(moves, gross-fee); n == 0 || prefix(net, gross-fee) > 0 {
		return net
	}
	return full
}

// hidden is the choice of what was done with the stake while hands lay over it.
func (k *settler) hidden() choice {
	return choice{kind: underHands, place: place{k.place.Seat, k.entry.Spot}}
}

// returned reports whether chips were laid back after a movement.
func returned(moves []move, m move) bool {
	return slices.ContainsFunc(moves, func(o move) bool { return o.delta > 0 && o.at.After(m.at) })
}

// afterClearing tells that chips moved when the cards were already taken up: a
// croupier settles before that, so their owner took them.
func (s *story) afterClearing(m move) bool {
	return s.sc != nil && s.g.course == cards && !s.sc.cleared.IsZero() && m.from.After(s.sc.cleared)
}

// pushedTo tells that winnings were pushed to a seat before t: what the player
// takes from the layout then is his own.
func (s *story) pushedTo(seat int, t time.Time) bool {
	return s.g.pushed && slices.ContainsFunc(s.moves, func(m move) bool {
		return m.place == place{seat, paySpot} && m.delta > 0 && m.at.After(s.close) && m.at.Before(t)
	})
}

// deduct takes a movement after the full payment of a bet that owes the house
// a commission: small change is the commission, more is the owner's taking.
func (k *settler) deduct(m move, fee money.Cents) {
	if m.delta < 0 && (-m.delta == fee || -m.delta < k.entry.Pays/4) {
		k.tell(round.Commission, -m.delta, m)
	}
}

// again are chips laid on a place that is paid in full: paid twice, unless
// this table's players may lay their next bets by then.
func (k *settler) again(moves []move) {
	if k.story.g.ahead {
		return
	}
	for _, m := range moves {
		if m.delta < 0 {
			return // the owner took his chips; what comes then is a bet
		}
		k.tell(round.Pay, m.delta, m)
	}
}

func (k *settler) loser(moves []move, must money.Cents) {
	if moves = untilTakenUp(moves); len(moves) == 0 {
		return
	}
	moves = fit(moves, -must)
	if moves[0].delta < 0 { // the plain course: collected, perhaps in parts
		left := must
		for _, m := range moves {
			if left <= 0 {
				return // the next round's bet, or the part that its owner keeps
			}
			if m.delta > 0 {
				k.tell(round.Pay, m.delta, m)
				continue
			}
			k.tell(round.Collect, -m.delta, m)
			left += m.delta
		}
		return
	}
	if n := takenBack(moves); n > 0 && k.story.soon(moves[:n]) {
		k.note(NoteCorrected, moves[0].delta, moves[n-1])
		if n < len(moves) {
			k.loser(moves[n:], must)
		}
		return
	}
	left := must
	for _, m := range moves {
		switch {
		case m.delta > 0:
			k.tell(round.Pay, m.delta, m)
		case left > 0 && -m.delta <= left:
			k.tell(round.Collect, -m.delta, m)
			left += m.delta
		} // else the player carries off stake and payment in one
	}
}

// untilTakenUp are the movements before players, and nobody else, took chips up: what
// nobody collected they take back.
func untilTakenUp(moves []move) []move {
	if left := slices.IndexFunc(moves, func(m move) bool { return m.delta < 0 && m.by(fact.Players) }); left >= 0 {
		return moves[:left]
	}
	return moves
}

// takenBack is the number of moves after which what was laid down first is
// gone again, to the chip; 0 when it is not.
func takenBack(moves []move) int {
	if moves[0].delta <= 0 {
		return 0
	}
	return prefix(moves, 0)
}

// soon tells that what was laid down by mistake was taken back quickly enough
// for the croupier to have done it.
func (s *story) soon(moves []move) bool {
	first, last := moves[0], moves[len(moves)-1]
	return last.from.Sub(first.at) <= s.slow
}

func (k *settler) half(moves []move, must money.Cents) {
	left, taken := must, money.Cents(0)
	moves = untilTakenUp(moves)
	for _, m := range moves {
		switch {
		case m.delta > 0 && taken > must:
			k.tell(round.Return, m.delta, m)
		case m.delta > 0:
			k.tell(round.Pay, m.delta, m)
		case left > 0:
			gone := -m.delta
			// all was taken, or by its owner a part in the same motion
			if gone > must && gone == k.entry.Stake && !returned(moves, m) && k.story.either(k.hidden(), k.story.prior().oneMotion(m)) {
				gone = must
			}
			k.tell(round.Collect, gone, m)
			left, taken = left-gone, taken+gone
		}
	}
}

// prisoner are the movements of a stake that goes to prison if it is left
// alone: what is taken first is the half for the house, and the rest its
// owner's.
func (k *settler) prisoner(moves []move) {
	for _, m := range moves {
		if m.delta > 0 {
			k.tell(round.Pay, m.delta, m)
			continue
		}
		gone := -m.delta
		if gone == k.entry.Stake && k.story.either(k.hidden(), k.story.prior().PrisonerCollected) {
			gone /= 2 // both took their halves in one motion
		}
		k.tell(round.Collect, gone, m)
		return
	}
}

// plain tells movements as they look: taken is collected, laid down is paid.
func (k *settler) plain(moves []move) {
	for _, m := range moves {
		if m.delta > 0 {
			k.tell(round.Pay, m.delta, m)
		} else {
			k.tell(round.Collect, -m.delta, m)
		}
	}
}

// kept are the movements of a stake that stays its owner's.
func (k *settler) kept(moves []move) {
	if k.story.g.ahead && k.entry.Outcome != round.Push {
		return // bets of the next throw
	}
	if n := takenBack(moves); n > 0 && k.story.soon(moves[:n]) {
		k.note(NoteCorrected, moves[0].delta, moves[n-1])
		moves = moves[n:]
	}
	for i, m := range moves {
		if m.delta > 0 {
			k.tell(round.Pay, m.delta, m)
			continue
		}
		if i == 0 && -m.delta == k.entry.Stake && k.entry.Outcome == round.Push && !m.by(fact.Players) {
			collected := k.story.prior().PushTaken // or its owner took it up
			if m.by(fact.Bank) {
				collected = k.story.prior().PushTakenByTheHouse
			}
			if !k.story.either(k.hidden(), collected) {
				k.tell(round.Collect, -m.delta, m)
			}
		}
		return // his own, and what comes then is a bet
	}
}

// bank are the movements of the bank's money: what it wins is laid to it, whole
// or less the deduction; what it loses is taken from it. All else its banker does.
func (k *settler) bank(moves []move) {
	e := k.entry
	if e.Outcome == round.Lose {
		left := e.Stake - e.Returns
		for _, m := range moves {
			if m.delta < 0 && left > 0 {
				k.tell(round.Collect, min(-m.delta, left), m)
				left += m.delta
			}
		}
		return
	}
	if e.Outcome != round.Win {
		return
	}
	var paid money.Cents
	for _, m := range moves {
		switch {
		case m.delta > 0:
			k.tell(round.Pay, m.delta, m)
			paid += m.delta
		case -m.delta == e.Commission || paid > 0 && -m.delta < e.Pays/4:
			k.tell(round.Commission, -m.delta, m)
		default:
			return // the banker takes his money
		}
	}
}

// parts are the movements of a stake of which one part wins and another loses:
// what is taken up to the lost part is collected, and what is laid is paid. One
// movement of the difference is both.
func (k *settler) parts(moves []move, lost money.Cents) {
	if m := moves[0]; m.delta == k.entry.Pays-lost && m.delta != 0 && prefix(moves, k.entry.Pays) == 0 {
		k.tell(round.Collect, lost, m)
		k.tell(round.Pay, k.entry.Pays, m)
		return
	}
	left := lost
	for _, m := range moves {
		switch {
		case m.delta > 0:
			k.tell(round.Pay, m.delta, m)
			k.paid += m.delta
		case left > 0 && -m.delta <= left:
			k.tell(round.Collect, -m.delta, m)
			left += m.delta
		} // else the owner takes his chips
	}
}
