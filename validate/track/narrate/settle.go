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
// returned, taken by its owner, or a mistake that was put right. The rules decide
// what is due on a place; of the accounts that fit the movements the one
// without a mistake is recorded, if there is one.

// settle records the movements of one place against what is due there. After a
// throw that does not count players may take their stakes.
func (s *Narration) settle(p scene.Place, moves []Move) {
	if s.null {
		moves = slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return m.by(fact.Players) })
	}
	e, ok := s.DueOn(p)
	if !ok {
		return // chips laid where no stake lies are the next round's; chips taken are their owner's
	}
	if moves = s.withoutCorrections(p.Seat, e.Spot, moves); len(moves) == 0 {
		return
	}
	a := &account{Narration: s, due: e, lost: lostOf(e)}
	switch {
	case slices.Contains(s.Game.Bank, e.Spot) && e.Outcome != round.Win:
		a.loseBank(moves)
	case e.Outcome == round.Unknown:
		a.recordAsSeen(moves)
	case e.Outcome == round.Win || e.Pays > 0:
		a.add(a.payExactly(a.fitting(moves)))
	case a.lost > 0:
		a.add(a.withoutPutRight(fit(moves, -a.lost)))
	case !s.Game.ahead || e.Outcome == round.Push: // else they are bets of the next throw
		a.add(a.withoutPutRight(moves))
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

// account is what became of the chips of one bet since it was decided.
type account struct {
	*Narration
	due         round.Settlement
	lost        money.Cents // of the stake: what the house is to collect
	taken, paid money.Cents // of the stake, and beside it, so far
}

// lostOf is what the house is to collect of a stake, all that lies there of one that lost; of one
// that goes to prison if it is left alone, the half that it may take instead.
func lostOf(e round.Settlement) money.Cents {
	switch {
	case e.Outcome == round.Lose && e.Pays == 0:
		return e.Stake
	case e.Outcome == round.Win, e.Outcome == round.Half, e.Pays > 0: // a part may win, and the other lose
		return e.Stake - e.Returns
	case e.Outcome == round.Prison:
		return e.Stake / 2
	}
	return 0
}

// record records a movement of the bet's chips.
func (a *account) record(t round.Type, amount money.Cents, m Move) {
	if amount > 0 {
		a.moved(t, a.due.Seat, a.due.Spot, amount, m.From, m.At)
	}
}

func (a *account) collect(amount money.Cents, m Move) {
	a.record(round.Collect, amount, m)
	a.taken += amount
}

func (a *account) pay(amount money.Cents, m Move) {
	a.record(round.Pay, amount, m)
	a.paid += amount
}

// add takes in movements one by one, until they are of something else: what is laid once a bet is
// settled is the next one, and what its owner takes is his.
func (a *account) add(moves []Move) {
	for i, m := range moves {
		if m.Delta > 0 && !a.laid(m) || m.Delta < 0 && !a.gone(m, moves[i+1:]) {
			return
		}
	}
}

// laid takes in chips that were laid; it reports whether the bet was not settled by then. What
// was taken too much of a stake comes back first.
func (a *account) laid(m Move) bool {
	switch {
	case a.lost > 0 && a.lost < a.due.Stake && m.Delta <= a.taken-a.lost:
		a.record(round.Return, m.Delta, m)
		a.taken -= m.Delta
		return true
	case a.lost > 0 && a.taken >= a.lost && a.due.Pays == 0, a.Game.ahead && a.paid > 0 && a.paid >= a.due.Pays:
		return false
	}
	a.pay(m.Delta, m) // once more, if all was paid
	return true
}

// gone takes in chips that were taken, before others; it reports whether not by their owner.
func (a *account) gone(m Move, later []Move) bool {
	switch {
	case a.lost > 0:
		return a.lose(m, later)
	case a.paid > 0 && a.due.Commission > 0 && -2*m.Delta < a.paid+a.due.Commission: // nearer to it than to what was paid
		a.record(round.Commission, -m.Delta, m)
		return true
	case a.paid > 0 || a.ownerTook(m) || a.pushedTo(a.due.Seat, m.At):
		return false
	case a.due.Outcome == round.Win:
		if a.underHands(a.due.Seat, a.due.Spot, oneMotion(m)) { // paid and taken up in one motion
			a.pay(a.due.Pays, m)
			a.record(round.Commission, a.due.Commission, m)
			return false
		}
		a.collect(-m.Delta, m)
		return true
	case -m.Delta == a.due.Stake && a.mayCollect(m):
		collected := hypothesis.PushTaken // or its owner took it up
		if m.by(fact.Bank) {
			collected = hypothesis.PushTakenByTheHouse
		}
		if !a.underHands(a.due.Seat, a.due.Spot, collected) {
			a.collect(-m.Delta, m)
		}
	}
	return false
}

// lose takes in that chips of a bet were taken of which the house is to collect some. What nobody
// collected its owner takes back, and carries it off with a payment.
func (a *account) lose(m Move, later []Move) bool {
	gone, left := -m.Delta, a.lost-a.taken
	if left > 0 && m.by(fact.Players) {
		a.takenUnread(left, m)
	}
	if left <= 0 || m.by(fact.Players) {
		return false
	}
	if a.paid > 0 && gone > left {
		return true
	}
	all := oneMotion(m)
	if a.due.Outcome == round.Prison {
		all = hypothesis.PrisonerCollected
	}
	laidBack := slices.ContainsFunc(later, func(o Move) bool { return o.Delta > 0 })
	// All was taken, or by its owner a part in the same motion.
	if a.lost < gone && gone == a.due.Stake && !laidBack && a.underHands(a.due.Seat, a.due.Spot, all) {
		gone = a.lost
	}
	a.collect(gone, m)
	return true
}

// takenUnread comes to the choice whether the house took its part of a stake under hands after which nobody could
// read what lay there, though all of it is recorded as taken by its owner: as likely as that it did not.
func (a *account) takenUnread(left money.Cents, m Move) {
	t, ok := a.occluded(m.Place, a.Close, func(o scene.Occlusion) bool {
		return o.Restacked && slices.Contains(o.Hands, fact.Bank) && o.At.Before(m.At)
	})
	under := hypothesis.Choice{Kind: hypothesis.UnderHands, Place: m.Place}
	if ok && a.lost < a.due.Stake && !a.pickAt(under, 0.5) {
		a.record(round.Collect, left, Move{From: t.From, At: t.At})
		a.taken += left
	}
}

// ownerTook reports whether chips of a bet that did not lose were taken by its owner: nobody else
// reached for them, or the cards were gone by then.
func (a *account) ownerTook(m Move) bool {
	gone := a.cardsGone[a.due.Seat]
	return m.by(fact.Players) || a.annulled || a.afterClearing(m) || !gone.IsZero() && m.From.After(gone)
}

// mayCollect reports whether the house may have taken a stake that is its owner's. Of a bet that
// is void in the end its own hands show it, and only they: it settled what should not count, or
// what makes the bet void was not so. While the round goes on that may still be put right.
func (a *account) mayCollect(m Move) bool {
	return a.due.Outcome == round.Push || a.due.Outcome == round.Void && a.Final && m.by(fact.Bank)
}

// payExactly records the first movements of a bet that won, if they sum up to what is due, and
// gives the others: as one movement, or one by one when all go the same way. One movement of
// the difference is both what is paid and what is collected.
func (a *account) payExactly(moves []Move) []Move {
	gross, net := a.due.Pays, a.due.Pays-a.due.Commission
	n := prefix(moves, gross)
	if n == 0 && net != gross {
		if n = prefix(moves, net); n > 0 {
			a.due.Commission = 0 // it was kept back
		}
	}
	switch first, last := moves[0], moves[max(n, 1)-1]; {
	case n == 0 && a.lost > 0 && first.Delta == gross-a.lost && first.Delta != 0:
		a.collect(a.lost, first)
		a.pay(gross, first)
		return nil
	case n > 0 && mixed(moves[:n]):
		a.pay(sumOf(moves[:n]), last)
		a.note(NoteCorrected, a.due.Seat, a.due.Spot, max(first.Delta, -first.Delta), last.At)
	default:
		for _, m := range moves[:n] {
			a.pay(m.Delta, m)
		}
	}
	return moves[n:]
}

// fitting gives rough changes the amounts with which a winner is paid right, if
// they can: net of the commission, or before it where that is taken next.
func (a *account) fitting(moves []Move) []Move {
	gross, fee := a.due.Pays, a.due.Commission
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

// withoutPutRight leaves out, and notes, what the house laid on a bet that did not win and took
// away again, to the chip.
func (a *account) withoutPutRight(moves []Move) []Move {
	for len(moves) > 0 && moves[0].Delta > 0 {
		n := prefix(moves, 0)
		if n == 0 || !a.putRight(moves[0], moves[n-1]) {
			break
		}
		a.note(NoteCorrected, a.due.Seat, a.due.Spot, moves[0].Delta, moves[n-1].At)
		moves = moves[n:]
	}
	return moves
}

// recordAsSeen records movements as they look, up to what the owner takes: taken is collected, laid
// down is paid.
func (a *account) recordAsSeen(moves []Move) {
	for _, m := range moves {
		if m.Delta < 0 && a.ownerTook(m) {
			return
		}
		a.record(round.Pay, m.Delta, m)
		a.record(round.Collect, -m.Delta, m)
	}
}

// loseBank records what the bank loses, which is taken from it. All else its banker does.
func (a *account) loseBank(moves []Move) {
	for _, m := range moves {
		left := a.due.Stake - a.due.Returns - a.taken
		if a.due.Outcome == round.Lose && m.Delta < 0 && left > 0 {
			a.collect(min(-m.Delta, left), m)
		}
	}
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

func sumOf(moves []Move) (sum money.Cents) {
	for _, m := range moves {
		sum += m.Delta
	}
	return sum
}

// mixed reports whether chips were both laid down and taken.
func mixed(moves []Move) bool {
	return slices.ContainsFunc(moves, func(m Move) bool { return m.Delta > 0 != (moves[0].Delta > 0) })
}

// afterClearing reports whether chips moved when the cards were already taken up: a
// croupier settles before that, so their owner took them.
func (s *Narration) afterClearing(m Move) bool {
	return s.Game.Kind == scene.ByCards && !s.Scene.Cleared.IsZero() && m.From.After(s.Scene.Cleared)
}

// pushedTo reports whether winnings were pushed to a seat before t: what the player
// takes from the layout then is his own.
func (s *Narration) pushedTo(seat int, t time.Time) bool {
	return s.Game.Pushed && slices.ContainsFunc(s.Moves, func(m Move) bool {
		return m.Place == scene.PayPlace(seat) && m.Delta > 0 && m.At.After(s.Close) &&
			m.At.Before(t)
	})
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
