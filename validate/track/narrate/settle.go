package narrate

import (
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// Chips that move after a round is decided: which of it is collected, paid,
// returned, taken by its owner, or a mistake that was put right. The rules say
// what is due on a place; of the accounts that fit the movements the one
// without a mistake is recorded, if there is one.

// settle records the movements of one place against what is due there. After a
// throw that does not count players may take their stakes.
func (s *Narration) settle(p scene.Place, moves []Move) {
	if s.null {
		moves = slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return m.by(fact.Players) })
	}
	if len(moves) == 0 {
		return
	}
	e, ok := s.DueOn(p)
	if !ok {
		return // chips laid where no stake lies are the next round's; chips taken are their owner's
	}
	k := &settler{narration: s, place: p, due: e}
	if moves = s.withoutCorrections(p.Seat, e.Spot, moves); len(moves) == 0 {
		return
	}
	if slices.Contains(s.Game.Bank, e.Spot) {
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

// withoutCorrections leaves out what the house laid down and took up again, the same sum,
// and notes it: a mistake put right.
func (s *Narration) withoutCorrections(seat int, spot string, moves []Move) (out []Move) {
	for _, m := range moves {
		last := len(out) - 1
		if last < 0 || out[last].Delta <= 0 || m.Delta != -out[last].Delta || !m.by(fact.Bank) {
			out = append(out, m)
			continue
		}
		s.note(NoteCorrected, seat, spot, -m.Delta, m.At)
		out = out[:last]
	}
	return out
}

// DueOn is what is due on a place; for chips in prison under their own name.
func (s *Narration) DueOn(p scene.Place) (round.Settlement, bool) {
	names := []string{s.named(p), p.Spot}
	if h, ok := s.Held[p]; ok && h.spot != p.Spot {
		names = append(names, h.spot)
	}
	for _, name := range names {
		for _, e := range s.Due {
			if e.Seat == p.Seat && e.Spot == name {
				return e, true
			}
		}
	}
	return round.Settlement{}, false
}

type settler struct {
	narration *Narration
	place     scene.Place
	due       round.Settlement
}

func (k *settler) record(t round.Type, amount money.Cents, m Move) {
	if amount > 0 {
		k.narration.moved(t, k.place.Seat, k.due.Spot, amount, m.From, m.At)
	}
}

// corrected notes a mistake that was put right.
func (k *settler) corrected(amount money.Cents, m Move) {
	k.narration.note(NoteCorrected, k.place.Seat, k.due.Spot, amount, m.At)
}

// prefix is the number of moves after which their sum is want; 0 when never.
func prefix(moves []Move, want money.Cents) int {
	var sum money.Cents
	for i, m := range moves {
		if sum += m.Delta; sum == want {
			return i + 1
		}
	}
	return 0
}

// mixed reports whether chips were both laid down and taken.
func mixed(moves []Move) bool {
	return slices.ContainsFunc(moves, func(m Move) bool { return m.Delta > 0 != (moves[0].Delta > 0) })
}

// net records moves whose sum is right as one movement, or one by one when all
// go the same way.
func (k *settler) net(t round.Type, moves []Move) {
	var sum money.Cents
	for _, m := range moves {
		sum += m.Delta
	}
	last := moves[len(moves)-1]
	if mixed(moves) {
		k.record(t, max(sum, -sum), last)
		k.corrected(max(moves[0].Delta, -moves[0].Delta), last)
		return
	}
	for _, m := range moves {
		k.record(t, max(m.Delta, -m.Delta), m)
	}
}

func (k *settler) winner(moves []Move) {
	gross, fee, paid := k.due.Pays, k.due.Commission, money.Cents(0)
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
		case m.Delta > 0:
			k.record(round.Pay, m.Delta, m)
			paid += m.Delta
		case paid == 0 && !k.narration.pushedTo(k.place.Seat, m.At) && !k.narration.afterClearing(m):
			if m.by(fact.Players) {
				return // nobody else reached for it: his own, and nothing was paid
			}
			if k.narration.either(k.hidden(), oneMotion(m)) { // paid and taken up in one motion
				k.record(round.Pay, gross, m)
				k.record(round.Commission, fee, m)
				return
			}
			k.record(round.Collect, -m.Delta, m)
		case fee > 0 && -m.Delta < paid/4:
			k.record(round.Commission, -m.Delta, m)
		} // else the owner takes his chips
	}
}

// fitting gives rough changes the amounts with which a winner is paid right, if
// they can: net of the commission, or before it where that is taken next.
func (k *settler) fitting(moves []Move) []Move {
	gross, fee := k.due.Pays, k.due.Commission
	full := fit(moves, gross)
	n := prefix(full, gross)
	if fee == 0 || n > 0 && (n < len(full) && full[n].Delta == -fee || prefix(moves, gross) > 0) {
		return full
	}
	if net := fit(moves, gross-fee); n == 0 || prefix(net, gross-fee) > 0 {
		return net
	}
	return full
}

// hidden is the choice of what was done with the stake while hands lay over it.
func (k *settler) hidden() hypothesis.Choice {
	return hypothesis.Choice{Kind: hypothesis.UnderHands, Place: scene.Place{Seat: k.place.Seat, Spot: k.due.Spot}}
}

// returned reports whether chips were laid back after a movement.
func returned(moves []Move, m Move) bool {
	return slices.ContainsFunc(moves, func(o Move) bool { return o.Delta > 0 && o.At.After(m.At) })
}

// afterClearing reports whether chips moved when the cards were already taken up: a
// croupier settles before that, so their owner took them.
func (s *Narration) afterClearing(m Move) bool {
	return s.Scene != nil && s.Game.Kind == scene.ByCards && !s.Scene.Cleared.IsZero() && m.From.After(s.Scene.Cleared)
}

// pushedTo reports whether winnings were pushed to a seat before t: what the player
// takes from the layout then is his own.
func (s *Narration) pushedTo(seat int, t time.Time) bool {
	return s.Game.Pushed && slices.ContainsFunc(s.Moves, func(m Move) bool {
		return m.Place == scene.Place{Seat: seat, Spot: scene.PaySpot} && m.Delta > 0 && m.At.After(s.Close) &&
			m.At.Before(t)
	})
}

// deduct takes a movement after the full payment of a bet that owes the house
// a commission: small change is the commission, more is the owner's taking.
func (k *settler) deduct(m Move, fee money.Cents) {
	if m.Delta < 0 && (-m.Delta == fee || -m.Delta < k.due.Pays/4) {
		k.record(round.Commission, -m.Delta, m)
	}
}

// again are chips laid on a place that is paid in full: paid twice, unless
// this table's players may lay their next bets by then.
func (k *settler) again(moves []Move) {
	if k.narration.Game.ahead {
		return
	}
	for _, m := range moves {
		if m.Delta < 0 {
			return // the owner took his chips; what comes then is a bet
		}
		k.record(round.Pay, m.Delta, m)
	}
}

func (k *settler) loser(moves []Move, must money.Cents) {
	if moves = untilTakenUp(moves); len(moves) == 0 {
		return
	}
	moves = fit(moves, -must)
	if moves[0].Delta < 0 { // the plain course: collected, perhaps in parts
		left := must
		for _, m := range moves {
			if left <= 0 {
				return // the next round's bet, or the part that its owner keeps
			}
			if m.Delta > 0 {
				k.record(round.Pay, m.Delta, m)
				continue
			}
			k.record(round.Collect, -m.Delta, m)
			left += m.Delta
		}
		return
	}
	if n := takenBack(moves); n > 0 && k.narration.putRight(moves[0], moves[n-1]) {
		k.corrected(moves[0].Delta, moves[n-1])
		if n < len(moves) {
			k.loser(moves[n:], must)
		}
		return
	}
	k.upTo(must, moves)
}

// upTo records what is laid as paid, and what is taken as collected, up to what is lost; the rest
// its owner carries off, with a payment or not.
func (k *settler) upTo(lost money.Cents, moves []Move) {
	for _, m := range moves {
		switch {
		case m.Delta > 0:
			k.record(round.Pay, m.Delta, m)
		case lost > 0 && -m.Delta <= lost:
			k.record(round.Collect, -m.Delta, m)
			lost += m.Delta
		}
	}
}

// untilTakenUp are the movements before players, and nobody else, took chips up: what
// nobody collected they take back.
func untilTakenUp(moves []Move) []Move {
	if left := slices.IndexFunc(moves, func(m Move) bool { return m.Delta < 0 && m.by(fact.Players) }); left >= 0 {
		return moves[:left]
	}
	return moves
}

// takenBack is the number of moves after which what was laid down first is
// gone again, to the chip; 0 when it is not.
func takenBack(moves []Move) int {
	if moves[0].Delta <= 0 {
		return 0
	}
	return prefix(moves, 0)
}

// putRight reports whether it was the house that moved chips once more where it had: by the
// arms that reached for them; where nobody knows whose they were, nothing else was moved
// meanwhile.
func (s *Narration) putRight(first, later Move) bool {
	if len(later.hands) == 1 {
		return later.by(fact.Bank)
	}
	return !slices.ContainsFunc(s.Moves, func(o Move) bool {
		return o.Place != first.Place && o.At.After(first.At) && o.At.Before(later.From)
	})
}

func (k *settler) half(moves []Move, must money.Cents) {
	left, taken := must, money.Cents(0)
	moves = untilTakenUp(moves)
	for _, m := range moves {
		switch {
		case m.Delta > 0 && taken > must:
			k.record(round.Return, m.Delta, m)
		case m.Delta > 0:
			k.record(round.Pay, m.Delta, m)
		case left > 0:
			gone := -m.Delta
			// all was taken, or by its owner a part in the same motion
			if gone > must && gone == k.due.Stake && !returned(moves, m) &&
				k.narration.either(k.hidden(), oneMotion(m)) {
				gone = must
			}
			k.record(round.Collect, gone, m)
			left, taken = left-gone, taken+gone
		}
	}
}

// prisoner are the movements of a stake that goes to prison if it is left
// alone: what is taken first is the half for the house, and the rest its
// owner's.
func (k *settler) prisoner(moves []Move) {
	for _, m := range moves {
		if m.Delta > 0 {
			k.record(round.Pay, m.Delta, m)
			continue
		}
		gone := -m.Delta
		if gone == k.due.Stake && k.narration.either(k.hidden(), hypothesis.PrisonerCollected) {
			gone /= 2 // both took their halves in one motion
		}
		k.record(round.Collect, gone, m)
		return
	}
}

// plain records movements as they look: taken is collected, laid down is paid.
func (k *settler) plain(moves []Move) {
	for _, m := range moves {
		k.record(round.Pay, m.Delta, m)
		k.record(round.Collect, -m.Delta, m)
	}
}

// kept are the movements of a stake that stays its owner's.
func (k *settler) kept(moves []Move) {
	if k.narration.Game.ahead && k.due.Outcome != round.Push {
		return // bets of the next throw
	}
	if n := takenBack(moves); n > 0 && k.narration.putRight(moves[0], moves[n-1]) {
		k.corrected(moves[0].Delta, moves[n-1])
		moves = moves[n:]
	}
	for i, m := range moves {
		if m.Delta > 0 {
			k.record(round.Pay, m.Delta, m)
			continue
		}
		if i == 0 && -m.Delta == k.due.Stake && k.mayCollect(m) {
			collected := hypothesis.PushTaken // or its owner took it up
			if m.by(fact.Bank) {
				collected = hypothesis.PushTakenByTheHouse
			}
			if !k.narration.either(k.hidden(), collected) {
				k.record(round.Collect, -m.Delta, m)
			}
		}
		return // his own, and what comes then is a bet
	}
}

// mayCollect reports whether the house may have taken a stake that is its owner's. Of a bet that
// is void in the end its own hands tell it, and only they: it settled what should not count, or
// what makes the bet void was not so. While the round goes on that may still be put right.
func (k *settler) mayCollect(m Move) bool {
	if k.due.Outcome == round.Void {
		return k.narration.Final && m.by(fact.Bank)
	}
	return k.due.Outcome == round.Push && !m.by(fact.Players)
}

// bank are the movements of the bank's money: what it wins is laid to it, whole
// or less the deduction; what it loses is taken from it. All else its banker does.
func (k *settler) bank(moves []Move) {
	e := k.due
	if e.Outcome == round.Lose {
		left := e.Stake - e.Returns
		for _, m := range moves {
			if m.Delta < 0 && left > 0 {
				k.record(round.Collect, min(-m.Delta, left), m)
				left += m.Delta
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
		case m.Delta > 0:
			k.record(round.Pay, m.Delta, m)
			paid += m.Delta
		case -m.Delta == e.Commission || paid > 0 && -m.Delta < e.Pays/4:
			k.record(round.Commission, -m.Delta, m)
		default:
			return // the banker takes his money
		}
	}
}

// parts are the movements of a stake of which one part wins and another loses:
// what is taken up to the lost part is collected, and what is laid is paid. One
// movement of the difference is both.
func (k *settler) parts(moves []Move, lost money.Cents) {
	if m := moves[0]; m.Delta == k.due.Pays-lost && m.Delta != 0 && prefix(moves, k.due.Pays) == 0 {
		k.record(round.Collect, lost, m)
		k.record(round.Pay, k.due.Pays, m)
		return
	}
	k.upTo(lost, moves)
}
