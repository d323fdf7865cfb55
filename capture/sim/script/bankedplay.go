package script

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/round"
)

func mapKeys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

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
		r.expect(Finding{Code: "raise_wrong", Seat: n, Spot: r.g.second, Observed: ante * times})
	}
	r.note(round.Event{Type: round.Action, Seat: n, Action: "play"})
	r.bet(r.spotOf(n, r.g.second), ante*times)
}

// fold takes a player's cards and what he loses with them. At the table of the
// bonus his cards stay until the end.
func (r *bankedRound) fold(n int) {
	r.folded[n] = true
	stays := r.at(n, "bonus", "seat:"+strconv.Itoa(n)+" bonus").stake > 0
	r.note(round.Event{Type: round.Action, Seat: n, Action: "fold"})
	if !stays {
		r.sweep(seatZone(n))
		r.gone[n] = true
	}
	for _, e := range r.verdict().Settlement {
		if e.Seat == n && e.Outcome == round.Lose {
			r.wait(0.9)
			r.collect(r.spotOf(n, e.Spot))
		}
	}
}

// swap takes cards of a zone by their places in the hand and deals others.
func (r *bankedRound) swap(zone string, which []int, up bool) {
	var lift []int
	var kept []Placed
	for i, p := range r.hands[zone] {
		if slices.Contains(which, i) {
			lift = append(lift, p.Tag)
		} else {
			kept = append(kept, p)
		}
	}
	r.wait(1.2)
	r.hands[zone] = kept
	r.act(Act{Who: Croupier, Lift: lift})
	for range which {
		r.wait(1)
		if up {
			p := Placed{Zone: zone, Slot: r.nextSlot(zone), Card: r.draw()}
			r.note(round.Event{Type: round.CardDealt, Zone: zone, Card: p.Card, Face: "up"})
			r.place(p)
		} else {
			r.putDown(zone, r.draw())
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
	r.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "buy_card", Amount: r.spotOf(n, "ante").stake, Discard: make([]card.Card, 1)})
	r.swap(seatZone(n), []int{r.rng.IntN(5)}, false)
}

// exchange has a player change up to two cards.
func (r *bankedRound) exchange(n int) {
	k := r.rng.IntN(3)
	r.wait(1)
	if k == 0 {
		r.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "stand"})
		return
	}
	r.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "draw", Discard: make([]card.Card, k)})
	r.swap(seatZone(n), r.rng.Perm(5)[:k], false)
}

// streets are hold'em's: a card burnt, the flop, and twice a card after every
// player has bet once more or passed.
func (r *bankedRound) streets() {
	r.burn(r.draw())
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
		r.burn(r.draw())
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
	r.wait(1)
	r.say(round.Event{Call: "texas_bonus"})
	for _, n := range with {
		r.wait(1.3)
		r.turn(seatZone(n))
	}
	r.settleWhere(func(e round.Settlement) bool { return e.Spot == "txb" })
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
	for _, h := range r.verdict().Hands { // the bank sorts first
		if r.folded[seatNumber(h.Zone)] {
			continue
		}
		r.wait(1)
		if h.Zone == "bank" {
			r.say(round.Event{Call: "bank_hand", Category: h.Category})
		} else {
			r.say(round.Event{Call: "player_hand", Seat: seatNumber(h.Zone), Category: h.Category})
		}
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
	if r.g.collect {
		r.settleWhere(func(e round.Settlement) bool { return e.Outcome == round.Lose })
	}
	seats := slices.Clone(r.seats)
	if r.g.down {
		slices.Reverse(seats)
	}
	for _, n := range seats {
		r.settleWhere(func(e round.Settlement) bool { return e.Seat == n })
		r.wait(1)
		for _, z := range []string{seatZone(n), seatZone(n) + "/high", seatZone(n) + "/low"} {
			r.sweep(z)
		}
		r.takeSeat(n, true)
	}
}

// spotRank is the order of one seat's spots at the payment.
var spotRank = map[string]int{"play": -2, "ante": -1, "bono_ante": 0, "bonus": 0, "ases": 1}

// settleWhere settles what is due and not settled yet.
func (r *bankedRound) settleWhere(now func(round.Settlement) bool) {
	due := r.verdict().Settlement
	slices.SortStableFunc(due, func(a, b round.Settlement) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(spotRank[a.Spot], spotRank[b.Spot]))
	})
	for _, e := range due {
		key := seatZone(e.Seat) + " " + e.Spot
		if r.settled[key] || r.moved(e) || !now(e) {
			continue
		}
		r.settled[key] = true
		s := r.at(e.Seat, e.Spot, seatZone(e.Seat)+" "+r.physical(e))
		d := due1(s, e)
		to := s
		if e.Stake == 0 && e.Pays > 0 { // an automatic prize, laid with the ante
			to = r.spotOf(e.Seat, "ante")
		}
		d.payTo = func(a money.Cents) { r.payOn(to, s.name, a) }
		if (e.Spot == "progresivo" || e.Spot == "jackpot") && r.commits(KeepLoser) && d.result == loses {
			r.wait(1.4)
			r.collect(s) // a coin left in the slot is no finding
		} else {
			r.settle(d)
		}
		if s != to {
			delete(r.spots, s.key())
		}
	}
}

func (r *bankedRound) physical(e round.Settlement) string {
	if e.Stake == 0 {
		return "ante"
	}
	return e.Spot
}

func due1(s *spot, e round.Settlement) due {
	d := due{spot: s, pays: e.Pays, fee: e.Commission, result: stays}
	switch e.Outcome {
	case round.Win:
		d.result = wins
	case round.Lose:
		d.result = loses
	case round.Push:
		d.result = pushes
	}
	s.won = d.result == wins || d.result == pushes || e.Outcome == round.Void
	if d.result == loses {
		s.stake = e.Stake - e.Returns + s.late
		s.stake = min(s.stake, e.Stake)
	}
	return d
}

// moved tells that a spot was settled before.
func (r *bankedRound) moved(e round.Settlement) bool {
	return slices.ContainsFunc(r.rec.Events, func(x round.Event) bool { return x.Movement() && x.Seat == e.Seat && x.Spot == e.Spot })
}

// payOn lays winnings of a spot beside the chips of another.
func (t *table) payOn(to *spot, name string, amount money.Cents) {
	p := t.stack(amount, to.zone, to.free())
	to.paid += amount
	to.paidP = append(to.paidP, p...)
	t.spots[to.key()] = to
	t.note(round.Event{Type: round.Pay, Seat: to.seat, Spot: name, Amount: amount})
	t.act(Act{Who: Croupier, Piles: p})
}
