package script

import (
	"cmp"
	"maps"
	"slices"

	"vision/internal/lab/sim/script/poker"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// betting is one interval of bets.
type betting struct {
	interval int
	first    int // who speaks first
	from     int // whoever of the pending follows him first has to speak
	pending  map[int]bool
	barred   map[int]bool // has bet out of turn and may not raise (X.3.g, L5799-5805)
	highest  int          // who made the highest bet of the interval before
	raises   int
	commit   map[int]money.Cents
}

// bets is one interval of betting.
func (h *circuloHand) bets() {
	if h.g.phases && h.interval == 0 {
		h.sayAfter(0.8, round.Event{Call: "hagan_sus_apuestas"})
	}
	h.openInterval()
	for seat := h.next(); seat != 0; seat = h.next() {
		h.wait(1.7)
		if h.fault == OutOfTurn && h.intrude(seat) {
			continue
		}
		h.decide(seat)
		if h.live() < 2 {
			break
		}
	}
	h.sweepBets()
	h.commit = map[int]money.Cents{}
}

// openInterval begins an interval: whoever is in has to speak.
func (h *circuloHand) openInterval() {
	h.first = h.around(h.g.speaks(h))[0]
	h.from, h.raises, h.highest = h.first, 0, 0
	h.pending, h.barred = map[int]bool{}, map[int]bool{}
	for _, n := range h.around(h.mano) {
		h.pending[n] = true
	}
}

// next is whose turn it is; 0 when the interval is closed.
func (h *circuloHand) next() int {
	for _, n := range h.around(h.from) {
		if h.pending[n] {
			return n
		}
	}
	return 0
}

func (h *circuloHand) current() money.Cents {
	top := money.Cents(0)
	for _, c := range h.commit {
		top = max(top, c)
	}
	return top
}

func (h *circuloHand) toCall(n int) money.Cents { return h.current() - h.commit[n] }

// decide is what a player does whose turn it is.
func (h *circuloHand) decide(n int) {
	owes := h.toCall(n)
	must := h.g.opening && h.interval == 0 && n == h.first // neither pass nor fold
	switch x := h.rng.Float64(); {
	case owes == 0 && !must && (h.barred[n] || h.g.draw && h.opener == 0 && !h.opens(n) || x < 0.6 && !h.mustOpen()):
		h.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "check"})
	case owes > 0 && x < 0.25 && !must:
		h.fold(n)
	case owes > 0 && (x < 0.85 || h.raises > 1 || h.barred[n]):
		h.wager(n, owes)
	default:
		more := max(h.cfg.Min, h.current())*2 - h.commit[n]
		if owes == 0 && h.current() == 0 {
			more = h.cfg.Min * money.Cents(1+h.rng.IntN(3))
		}
		h.wager(n, more)
	}
	delete(h.pending, n)
	h.from = h.after(n, h.dir)
}

// wager puts chips in; a bet or raise makes all others speak once more.
func (h *circuloHand) wager(n int, amount money.Cents) {
	if h.commit[n]+amount > h.current() {
		h.raises++
		h.bettor, h.highest = n, n
		if h.opener == 0 {
			h.opener = n
		}
		for _, other := range h.around(h.mano) {
			h.pending[other] = true
		}
	}
	h.lay(n, "bote", amount)
	h.commit[n] += amount
}

// required is the pair that opens at least: jacks, and one rank more after each hand
// that nobody opened, up to aces (A II.1.a, 3, L5867-5900).
func (h *circuloHand) required() int { return min(11+h.carried.Blanks, poker.Ace) }

// mustOpen reports whether whoever can open does: hands that nobody opens are only played
// where the config wants them.
func (h *circuloHand) mustOpen() bool { return h.g.draw && h.opener == 0 && !h.cfg.Blank }

// opens reports whether a player has a pair to open with (who has more may pass, and does).
func (h *circuloHand) opens(n int) bool { return poker.PairOf(h.cards(seatZone(n))) >= h.required() }

// fold gives a player's cards up; where the norm wants it the croupier says so.
func (h *circuloHand) fold(n int) {
	h.in[n] = false
	h.note(round.Event{Type: round.Action, Seat: n, Action: "fold"})
	h.sweep(seatZone(n))
	if h.g.silent {
		return
	}
	if h.commits(MissingCall) {
		h.expect(Finding{Code: finding.AnnouncementMissing, Seat: n})
		return
	}
	h.sayAfter(0.8, round.Event{Call: "no_va", Seat: n})
}

// intrude has the next player bet before the one whose turn it is. It reports whether
// he does.
func (h *circuloHand) intrude(seat int) bool {
	if h.done || h.live() < 3 {
		return false
	}
	n := h.around(h.after(seat, h.dir))[0]
	owes := h.toCall(n)
	switch {
	case !h.pending[n], owes == 0 && h.current() > 0, h.g.draw && h.opener == 0 && !h.opens(n):
		return false
	}
	if owes == 0 {
		owes = h.cfg.Min
	}
	h.wager(n, owes)
	h.expect(Finding{Code: finding.PlayerActionNotAllowed, Seat: n})
	delete(h.pending, n)
	h.barred[n] = true
	return true
}

// sweepBets gives back what nobody called and brings the chips to the pot.
func (h *circuloHand) sweepBets() {
	h.giveBack()
	var lift []Pile
	sum := money.Cents(0)
	for _, n := range h.seats {
		s := h.chips(n)
		sum += s.stake
		lift = append(lift, s.piles...)
		s.stake, s.piles = 0, nil
	}
	if sum == 0 {
		return
	}
	h.wait(1.6)
	h.pot += sum
	h.restack(tags(lift))
}

// restack makes the pot what it is worth.
func (h *circuloHand) restack(more []int, also ...Pile) {
	lift := append(tags(h.potP), more...)
	h.potP = h.stack(h.pot, "pot", 0)
	h.act(Act{Who: Croupier, Lift: lift, Piles: slices.Concat(h.potP, also)})
}

// giveBack returns what stands above the second highest bet.
func (h *circuloHand) giveBack() {
	most, second, seat := money.Cents(0), money.Cents(0), 0
	for _, n := range slices.Sorted(maps.Keys(h.commit)) {
		switch c := h.commit[n]; {
		case c > most:
			most, second, seat = c, most, n
		case c > second:
			second = c
		}
	}
	if back := most - second; back > 0 {
		s := h.chips(seat)
		h.wait(1.4)
		h.note(round.Event{Type: round.Return, Seat: seat, Spot: "bote", Amount: back})
		old := tags(s.piles)
		s.stake -= back
		s.piles = h.stack(s.stake, s.zone, 0)
		h.act(Act{Who: Who(seat), Lift: old, Piles: s.piles})
	}
}

// finish is showdown, deduction, payment and clearing.
func (h *circuloHand) finish() {
	switch {
	case h.misdealt:
		h.refund()
	case !h.blank():
		if h.live() > 1 {
			h.showdown()
		}
		won := h.awards()
		h.name(won)
		h.deduct()
		h.award(won)
	}
	for _, z := range slices.Sorted(maps.Keys(h.hands)) {
		h.wait(0.7)
		h.sweep(z)
	}
	h.collectPays()
	h.wait(0.3)
	h.note(round.Event{Type: round.Clear})
	h.carry = h.leaves()
	if len(h.potP) > 0 { // what was not paid out is taken off the table
		h.act(Act{Who: Croupier, Lift: tags(h.potP)})
	}
}

// showdown turns the hands, from the one who made the last bet on; where nobody has
// bet, from the one who spoke first (IX.20, L5594-5597).
func (h *circuloHand) showdown() {
	for _, n := range h.around(cmp.Or(h.bettor, h.first)) {
		h.wait(1.4)
		h.turn(seatZone(n))
	}
}

// name announces the winners.
func (h *circuloHand) name(won map[int]money.Cents) {
	if h.live() < 2 || h.g.silent {
		return
	}
	for _, n := range h.seats {
		if won[n] > 0 {
			h.sayAfter(0.9, round.Event{Call: "gana", Seat: n})
		} else if h.in[n] && h.commits(WrongCall) {
			h.sayAfter(0.9, round.Event{Call: "gana", Seat: n})
			h.expect(Finding{Code: finding.AnnouncementWrong, Seat: n})
		}
	}
}

// deduct takes the house's part of the pot.
func (h *circuloHand) deduct() {
	rake := h.rake()
	switch {
	case rake > 0 && h.commits(NoCommission):
		h.expect(Finding{Code: finding.CommissionMissing, Expected: rake, Observed: money.Cents(0)})
		return
	case rake > 0 && h.commits(RakeOver):
		h.expect(Finding{Code: finding.CommissionWrong, Expected: rake, Observed: rake + 100})
		rake += 100
	}
	if rake == 0 {
		return
	}
	h.wait(1.4)
	h.note(round.Event{Type: round.Commission, Zone: "pot", Amount: rake})
	h.pot -= rake
	kept := h.stack(rake, "rake", 0)
	h.restack(nil, kept...)
	h.wait(1.2)
	h.act(Act{Who: Croupier, Lift: tags(kept)})
}

// award pushes the pot to the winners.
func (h *circuloHand) award(won map[int]money.Cents) {
	loser := slices.IndexFunc(h.seats, func(n int) bool { in, _ := h.stakes(n); return in > 0 && won[n] == 0 })
	for _, n := range h.seats {
		if won[n] == 0 {
			continue
		}
		pays, to := min(won[n], h.pot), n
		switch {
		case loser >= 0 && h.commits(WrongPot):
			to = h.seats[loser]
			h.expect(Finding{Code: finding.PayoutToLoser, Seat: to, Expected: money.Cents(0), Observed: pays})
			h.short(n, won[n], 0)
		case pays > 500 && h.commits(PayUnder):
			pays -= 500
			h.short(n, won[n], pays)
		case pays < won[n]: // the house has kept it
			h.short(n, won[n], pays)
		}
		h.push(round.Pay, to, pays)
	}
}

// short expects that a winner has got too little; what went back to him before counts
// on both sides.
func (h *circuloHand) short(n int, won, paid money.Cents) {
	_, back := h.stakes(n)
	code := finding.PayoutUnder
	if back+paid == 0 {
		code = finding.PayoutMissing
	}
	h.expect(Finding{Code: code, Seat: n, Expected: won + back, Observed: paid + back})
}

// refund gives everything back in a hand that is annulled.
func (h *circuloHand) refund() {
	for _, n := range h.seats {
		in, back := h.stakes(n)
		if in -= back; in > 0 {
			h.push(round.Return, n, in)
		}
	}
}

// push moves chips from the pot to a player.
func (h *circuloHand) push(what round.Type, seat int, amount money.Cents) {
	s := h.spotOf(seat, "pay")
	h.wait(1.7)
	h.note(round.Event{Type: what, Seat: seat, Spot: "bote", Amount: amount})
	h.pot -= amount
	p := h.stack(amount, s.zone, s.free())
	s.paidP = append(s.paidP, p...)
	h.restack(nil, p...)
}

// collectPays lets the players take up what was pushed to them.
func (h *circuloHand) collectPays() {
	for _, n := range h.seats {
		if s := h.spotOf(n, "pay"); len(s.paidP) > 0 {
			h.wait(1.2)
			h.act(Act{Who: Who(n), Lift: tags(s.paidP)})
		}
	}
	clear(h.spots)
}
