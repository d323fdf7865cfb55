package script

import (
	"cmp"
	"slices"
	"strconv"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// decide plays the round from the deal to the showdown.
func (r *bankedRound) decide() {
	r.wait(1.2) // the players look at their cards
	switch {
	case r.g.second != "":
		for _, n := range r.seats {
			r.goOn(n)
		}
	case r.g.sets:
		for _, n := range r.seats {
			r.set(n)
		}
	}
	switch {
	case r.g.streets:
		r.streets()
	case r.g.inDeal:
		r.texasBonus()
		r.common(2)
	case r.g.draws:
		for _, n := range r.in() {
			r.exchange(n)
		}
	}
}

// in are the seats still playing.
func (r *bankedRound) in() (list []int) {
	for _, n := range r.seats {
		if !r.folded[n] {
			list = append(list, n)
		}
	}
	return list
}

// goOn has a player lay his second stake or give up.
func (r *bankedRound) goOn(n int) {
	if r.g.buys && r.spotOf(n, "progresivo").stake == 0 && r.maybe(0.2) {
		r.buy(n)
	}
	r.wait(1.6)
	if r.maybe(0.3) {
		r.fold(n)
		return
	}
	ante := r.spotOf(n, "ante").stake
	times := money.Cents(one(r.table, r.g.times))
	if r.commits(WrongRaise) {
		times = money.Cents(r.g.times[len(r.g.times)-1] + 1)
		r.expect(Finding{Code: finding.RaiseWrong, Seat: n, Spot: r.g.second, Observed: ante * times})
	}
	r.note(round.Event{Type: round.Action, Seat: n, Action: "play"})
	r.bet(r.spotOf(n, r.g.second), ante*times)
}

// fold takes a player's cards and what he loses with them. At the table of the
// bonus his cards stay until the end.
func (r *bankedRound) fold(n int) {
	r.folded[n] = true
	stays := r.spotOf(n, "bonus").stake > 0
	r.note(round.Event{Type: round.Action, Seat: n, Action: "fold"})
	if !stays {
		r.sweep(seatZone(n))
	}
	if r.dead[n] {
		return // his bets are his own
	}
	for _, s := range r.inPlay() {
		if s.seat == n && s.name != "bonus" {
			r.wait(0.9)
			r.collect(s)
		}
	}
}

// swap takes cards of a zone by their places in the hand and deals others from a pack.
func (t *table) swap(from *pack, zone string, which []int, up bool) {
	var lift []int
	var kept []Placed
	for i, p := range t.hands[zone] {
		if slices.Contains(which, i) {
			lift = append(lift, p.Tag)
		} else {
			kept = append(kept, p)
		}
	}
	t.wait(1.2)
	t.hands[zone] = kept
	t.act(Act{Who: Croupier, Lift: lift})
	for range which {
		t.wait(1)
		if up {
			p := Placed{Zone: zone, Slot: t.nextSlot(zone), Card: from.draw()}
			t.note(round.Event{Type: round.CardDealt, Zone: zone, Card: p.Card, Face: "up"})
			t.place(p)
		} else {
			t.putDown(zone, from.draw())
		}
	}
}

// nextSlot is the place after all cards of a zone.
func (t *table) nextSlot(zone string) int {
	next := 0
	for _, p := range t.hands[zone] {
		next = max(next, p.Slot+1)
	}
	return next
}

func (r *bankedRound) buy(n int) {
	r.wait(1)
	r.sense(
		"terminal",
		round.Event{
			Type:    round.Action,
			Seat:    n,
			Action:  "buy_card",
			Amount:  r.spotOf(n, "ante").stake,
			Discard: make([]card.Card, 1),
		},
	)
	r.swap(&r.pack, seatZone(n), []int{r.rng.IntN(5)}, false)
}

// exchange has a player change up to two cards.
func (r *bankedRound) exchange(n int) {
	k := r.rng.IntN(3)
	r.wait(1)
	if k == 0 {
		r.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "stand"})
		return
	}
	r.drew[n] = true
	r.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "draw", Discard: make([]card.Card, k)})
	r.swap(&r.pack, seatZone(n), r.rng.Perm(5)[:k], false)
}

// streets are hold'em's: a card burnt, the flop, and twice a card after every
// player has bet once more or passed.
func (r *bankedRound) streets() {
	r.burn(r.pack.draw())
	r.common(3)
	for _, spot := range []string{"turn", "river"} {
		for _, n := range r.in() {
			r.wait(1.4)
			if r.maybe(0.5) {
				r.bet(r.spotOf(n, spot), r.spotOf(n, "ante").stake)
			} else {
				r.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "check"})
			}
		}
		r.burn(r.pack.draw())
		r.common(1)
	}
}

// texasBonus asks for winners of the bonus: who has one shows his cards.
func (r *bankedRound) texasBonus() {
	var with []int
	for _, n := range r.in() {
		if r.spotOf(n, "txb").stake > 0 {
			with = append(with, n)
		}
	}
	if len(with) == 0 {
		return
	}
	r.sayAfter(1, round.Event{Call: "texas_bonus"})
	for _, n := range with {
		r.wait(1.3)
		r.turn(seatZone(n))
	}
	var due []claim
	for _, n := range with {
		s := r.spotOf(n, "txb")
		due = append(due, r.judge(s, r.meet(n)))
	}
	r.settleWhere(due, func(claim) bool { return true })
	for _, n := range with {
		if s := r.spotOf(n, "txb"); s.paid > 0 {
			r.wait(1)
			r.take(s)
		}
	}
}

// show turns the cards: the common ones or the bank's, then the players'.
func (r *bankedRound) show() {
	r.wait(1.5)
	switch {
	case r.g.sets:
		r.showHands()
		return
	case len(r.g.commons) > 0:
		r.withdrawals("apuesta_1", r.g.commons[0])
		r.withdrawals("apuesta_2", r.g.commons[1])
	default:
		r.turn("bank")
		r.wait(1.2) // for all to see
	}
	if r.g.draws {
		r.bankDraws()
	}
	for _, n := range r.seats {
		if z := seatZone(n); len(r.hands[z]) > 0 && r.hands[z][0].Down {
			r.wait(1.3)
			r.turn(z)
		}
	}
	r.wait(1.5) // the croupier compares the hands
	if r.g.streets {
		r.callHands()
	}
}

// withdrawals lets players take one bet back and turns the common card.
func (r *bankedRound) withdrawals(spot, zone string) {
	for _, n := range r.seats {
		s := r.spotOf(n, spot)
		if r.maybe(0.3) && s.late == 0 {
			r.wait(1.4)
			r.note(round.Event{Type: round.Withdraw, Seat: n, Spot: spot, Amount: s.stake})
			r.take(s)
		}
	}
	r.wait(1.5)
	r.turn(zone)
}

func (r *bankedRound) callHands() {
	r.sayAfter(1, round.Event{Call: "bank_hand", Category: string(r.handOf("bank").Category)})
	for _, n := range r.in() {
		r.sayAfter(1, round.Event{Call: "player_hand", Seat: n, Category: string(r.handOf(seatZone(n)).Category)})
	}
}

func seatNumber(zone string) int {
	if len(zone) < 6 || zone[:5] != "seat:" {
		return 0
	}
	n, _ := strconv.Atoi(zone[5:])
	return n
}

// pay settles what is due, in the game's order, and has each seat's cards taken
// and its chips fetched.
func (r *bankedRound) pay() {
	r.due = r.claims()
	if r.g.collect {
		r.settleWhere(r.due, func(c claim) bool { return c.result == loses })
	}
	r.settleWhere(r.highestFirst(), func(claim) bool { return true })
	seats := slices.Clone(r.seats)
	if r.g.down {
		slices.Reverse(seats)
	}
	for _, n := range seats {
		r.settleWhere(r.due, func(c claim) bool { return c.seat == n })
		r.wait(1)
		for _, z := range []string{seatZone(n), seatZone(n) + "/high", seatZone(n) + "/low"} {
			r.sweep(z)
		}
		r.takeSeat(n, true)
	}
	if r.done {
		r.consequences()
	}
}

// highestFirst are the prizes of a meter where there are several: the highest hand is
// paid first.
func (r *bankedRound) highestFirst() []claim {
	prizes := slices.DeleteFunc(slices.Clone(r.due), func(c claim) bool { return c.spot != r.g.slot || c.result != wins })
	if len(prizes) < 2 {
		return nil
	}
	slices.SortStableFunc(prizes, func(a, b claim) int { return cmp.Compare(b.pays, a.pays) })
	return prizes
}

// consequences expects what a fault in the payment makes wrong beside it.
func (r *bankedRound) consequences() {
	if r.inverted(r.due) {
		r.expect(Finding{Code: finding.NoQualifyIgnored})
	}
	if !r.g.collect {
		return
	}
	if r.paidBefore() {
		r.expect(Finding{Code: finding.PaidBeforeCollect})
	}
	if slices.ContainsFunc(r.in(), r.disordered) {
		r.expect(Finding{Code: finding.PayoutOrderWrong})
	}
}

// paidBefore reports whether a losing bet was taken after something had been paid.
func (r *bankedRound) paidBefore() bool {
	paid := false
	for _, e := range r.rec.Events {
		paid = paid || e.Type == round.Pay
		if paid && e.Type == round.Collect && slices.ContainsFunc(r.due, func(c claim) bool {
			return c.seat == e.Seat && c.spot == e.Spot && c.result == loses
		}) {
			return true
		}
	}
	return false
}

// disordered reports whether a seat's bets were not taken, or not paid, from the back
// to the front: play, ante with its prize, ases (castilla-y-leon-2013 art. 43.10, L693).
func (r *bankedRound) disordered(seat int) bool {
	for _, what := range []round.Type{round.Collect, round.Pay} {
		last := spotRank["play"]
		for _, e := range r.rec.Events {
			if e.Type == what && e.Seat == seat {
				now := spotRank[e.Spot]
				if e.Spot == "bono_ante" {
					now = spotRank["ante"]
				}
				if now < last {
					return true
				}
				last = now
			}
		}
	}
	return false
}

// spotRank is the order of one seat's spots at the payment.
var spotRank = map[string]int{"play": -2, "ante": -1, "bono_ante": 0, "bonus": 0, "ases": 1}

// settleWhere settles what is due and not settled yet.
func (r *bankedRound) settleWhere(all []claim, now func(claim) bool) {
	for _, c := range all {
		key := seatZone(c.seat) + " " + c.spot
		if r.settled[key] || !now(c) {
			continue
		}
		r.settled[key] = true
		s, to := r.spotOf(c.seat, c.spot), r.spotOf(c.seat, c.spot)
		if c.stake == 0 { // a prize, laid with the ante
			to = r.spotOf(c.seat, "ante")
			s = &spot{seat: c.seat, name: c.spot, zone: to.zone}
		}
		s.won = c.result != loses
		r.settle(due{spot: s, result: c.result, pays: c.pays, fee: c.fee, strict: true, coin: c.spot == r.g.slot,
			payTo: func(a money.Cents) { r.payOn(to, s.name, a) }})
	}
}
