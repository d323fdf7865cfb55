package script

import (
	"encoding/json"
	"maps"
	"slices"

	"vision/internal/money"
	"vision/validate"
	"vision/validate/round"
)

// allowed tells whether the rules let a decision pass as the next event.
func (h *circuloHand) allowed(e round.Event) bool {
	books, err := rules()
	if err != nil {
		panic(err)
	}
	rec := h.rec
	e.T = h.now
	rec.Events = append(slices.Clone(rec.Events), e)
	v, err := validate.Check(books, &rec)
	if err != nil {
		panic(err)
	}
	last := len(rec.Events) - 1
	codes := []string{"player_action_not_allowed", "raise_wrong"}
	if e.Type == round.Reveal {
		codes = []string{"other_procedure"}
	}
	return !slices.ContainsFunc(v.Findings, func(f round.Finding) bool { return f.Event == last && slices.Contains(codes, f.Code) })
}

// interval is one round of betting.
func (h *circuloHand) interval() {
	if h.rules.Calls.Stud && !h.wasSaid("hagan_sus_apuestas") {
		h.wait(0.8)
		h.say(round.Event{Call: "hagan_sus_apuestas"})
	}
	h.raises = 0
	for range 20 {
		seat := h.next()
		if seat == 0 || h.raises > 3 {
			break
		}
		h.wait(1.7)
		if h.commits(OutOfTurn) && h.live() > 2 {
			h.intrude(seat)
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

func (h *circuloHand) wasSaid(call string) bool {
	return slices.ContainsFunc(h.rec.Events, func(e round.Event) bool { return e.Is(call) })
}

// next is the seat that the rules want to hear next; 0 when the interval is closed.
func (h *circuloHand) next() int {
	for _, n := range h.around(h.mano) {
		if !h.out[n] && h.allowed(round.Event{Type: round.Bet, Seat: n, Spot: "bote", Amount: h.toCall(n) + h.cfg.Min}) {
			return n
		}
		if !h.out[n] && h.allowed(round.Event{Type: round.Bet, Seat: n, Spot: "bote", Amount: max(h.toCall(n), h.cfg.Min)}) {
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
	check := round.Event{Type: round.Action, Seat: n, Action: "check"}
	switch x := h.rng.Float64(); {
	case owes == 0 && (x < 0.6 || h.rules.Draw && h.opener == 0 && !h.opens(n)) && h.allowed(check):
		h.sense("terminal", check)
	case owes > 0 && x < 0.25 && h.live() > 1:
		h.fold(n)
	case owes > 0 && (x < 0.85 || h.raises > 1):
		h.wager(n, owes)
	default:
		h.raises++
		if h.opener == 0 {
			h.opener = n
		}
		more := max(h.cfg.Min, h.current())*2 - h.commit[n]
		if owes == 0 && h.current() == 0 {
			more = h.cfg.Min * money.Cents(1+h.rng.IntN(3))
		}
		h.wager(n, more)
	}
}

func (h *circuloHand) wager(n int, amount money.Cents) {
	h.lay(n, "bote", amount)
	h.commit[n] += amount
}

// opens tells that a hand may open five-card draw: a pair of jacks or better.
func (h *circuloHand) opens(n int) bool {
	count := map[int]int{}
	for _, c := range h.cards(seatZone(n)) {
		if count[high(c)]++; count[high(c)] > 1 && high(c) > 10 {
			return true
		}
	}
	return false
}

// fold gives a player's cards up; where the norm wants it the croupier says so.
func (h *circuloHand) fold(n int) {
	h.in[n] = false
	h.note(round.Event{Type: round.Action, Seat: n, Action: "fold"})
	h.sweep(seatZone(n))
	if !h.rules.Calls.NoVa {
		return
	}
	if h.commits(MissingCall) {
		h.expect(Finding{Code: "announcement_missing", Seat: n})
		return
	}
	h.wait(0.8)
	h.say(round.Event{Call: "no_va", Seat: n})
}

// intrude lets another player bet first.
func (h *circuloHand) intrude(seat int) {
	for _, n := range h.around(seat)[1:] {
		if h.out[n] {
			continue
		}
		h.wager(n, max(h.toCall(n), h.cfg.Min))
		h.expect(Finding{Code: "player_action_not_allowed", Seat: n})
		return
	}
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
	if h.live() > 1 && !h.wasSaid("misdeal") {
		h.showdown()
	}
	v := h.verdict()
	var result struct {
		Rake    money.Cents
		Winners []int
		Blank   bool
	}
	raw, _ := json.Marshal(v.Result)
	if err := json.Unmarshal(raw, &result); err != nil {
		panic(err)
	}
	if v.Void {
		h.refund(v.Settlement)
	} else if !result.Blank {
		h.name(v.Settlement)
		h.deduct(result.Rake)
		h.award(v.Settlement)
	}
	for _, z := range slices.Sorted(mapKeys(h.hands)) {
		h.wait(0.7)
		h.sweep(z)
	}
	h.collectPays()
	h.wait(0.3)
	h.note(round.Event{Type: round.Clear})
	if raw, err := h.carryOf(); err == nil {
		h.carry = raw
	}
	if len(h.potP) > 0 { // what was not paid out is taken off the table
		h.act(Act{Who: Croupier, Lift: tags(h.potP)})
	}
}

// showdown turns the hands, the one first that the rules want first.
func (h *circuloHand) showdown() {
	left := h.around(h.mano)
	first := slices.IndexFunc(left, func(n int) bool {
		return h.allowed(round.Event{Type: round.Reveal, Zone: seatZone(n), Cards: h.cards(seatZone(n))})
	})
	first = max(first, 0)
	for i := range left {
		h.wait(1.4)
		h.table.turn(seatZone(left[(first+i)%len(left)]))
	}
}

// name announces the winners.
func (h *circuloHand) name(due []round.Settlement) {
	if h.live() < 2 || !h.rules.Calls.Gana {
		return
	}
	for _, e := range due {
		if e.Outcome == round.Win {
			h.wait(0.9)
			h.say(round.Event{Call: "gana", Seat: e.Seat})
		} else if h.in[e.Seat] && h.commits(WrongCall) {
			h.wait(0.9)
			h.say(round.Event{Call: "gana", Seat: e.Seat})
			h.expect(Finding{Code: "announcement_wrong", Seat: e.Seat})
		}
	}
}

// deduct takes the house's part of the pot.
func (h *circuloHand) deduct(rake money.Cents) {
	switch {
	case rake > 0 && h.commits(NoCommission):
		h.expect(Finding{Code: "commission_missing", Observed: money.Cents(0)})
		return
	case rake > 0 && h.commits(RakeOver):
		h.expect(Finding{Code: "commission_wrong", Observed: rake + 100})
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
func (h *circuloHand) award(due []round.Settlement) {
	loser := slices.IndexFunc(due, func(e round.Settlement) bool { return e.Pays == 0 && e.Outcome == round.Lose })
	for _, e := range due {
		if e.Pays == 0 {
			continue
		}
		pays, to := min(e.Pays, h.pot), e.Seat
		switch {
		case loser >= 0 && h.commits(WrongPot):
			to = due[loser].Seat
			h.expect(Finding{Code: "payout_to_loser", Seat: to})
		case pays > 500 && h.commits(PayUnder):
			pays -= 500
			h.expect(Finding{Code: "payout_under", Seat: to})
		}
		h.push(round.Pay, to, pays)
	}
}

// refund gives everything back in a hand that is annulled.
func (h *circuloHand) refund(due []round.Settlement) {
	for _, e := range due {
		back := e.Returns
		for _, x := range h.rec.Events {
			if x.Type == round.Return && x.Seat == e.Seat {
				back -= x.Amount
			}
		}
		if back = min(back, h.pot); back > 0 {
			h.push(round.Return, e.Seat, back)
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
