package housepoker

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// payments checks the order in which bets are taken and paid.
func (t *table) payments() {
	if t.void || t.quiet() {
		return
	}
	first := len(t.ev)
	switch t.rules.PayOrder {
	case "descending":
		first = t.seatOrder(func(before, after int) bool { return after > before })
	case "ascending":
		first = t.seatOrder(func(before, after int) bool { return after < before })
	case "spots":
		first = min(t.spotOrder(round.Collect), t.spotOrder(round.Pay))
	case "before_turn":
		first = t.bonusOrder()
	}
	if first = min(first, t.meterOrder()); first < len(t.ev) {
		t.At(first, finding.PayoutOrderWrong)
	}
	if t.rules.Collect {
		t.collectFirst()
	}
}

// seatOrder is the first payment or collection that begins a seat out of turn.
func (t *table) seatOrder(wrong func(before, after int) bool) int {
	seen := map[int]bool{}
	before := 0
	for i := range t.ev {
		e := &t.ev[i]
		if e.Type != round.Pay && e.Type != round.Collect || seen[e.Seat] {
			continue
		}
		if before > 0 && wrong(before, e.Seat) {
			return i
		}
		seen[e.Seat] = true
		before = e.Seat
	}
	return len(t.ev)
}

// spotOrder is the first event of a type that comes after one of a later spot of the same seat.
func (t *table) spotOrder(kind round.Type) int {
	at := map[int]int{}
	for i := range t.ev {
		e := &t.ev[i]
		if e.Type != kind || t.seat(e.Seat).folded() {
			continue
		}
		k := slices.IndexFunc(t.rules.SpotOrder, func(spots []string) bool { return slices.Contains(spots, e.Spot) })
		if k < 0 {
			continue
		}
		if k < at[e.Seat] {
			return i
		}
		at[e.Seat] = k
	}
	return len(t.ev)
}

// bonusOrder is the first settlement of a Texas Bonus after the turn.
func (t *table) bonusOrder() int {
	for i := t.boardCard(4); i < len(t.ev); i++ {
		if e := &t.ev[i]; (e.Type == round.Pay || e.Type == round.Collect) && e.Spot == "txb" {
			return i
		}
	}
	return len(t.ev)
}

// meterOrder is the first percentage of a meter paid after that of a lower hand.
func (t *table) meterOrder() int {
	type paidClaim struct {
		claim
		at int
	}
	var list []paidClaim
	for _, e := range t.entries {
		at := t.moved.Of(e.Place()).Pay.First
		if c, ok := t.rankOf(e); ok && at >= 0 {
			list = append(list, paidClaim{c, at})
		}
	}
	slices.SortFunc(list, func(a, b paidClaim) int { return a.at - b.at })
	for k := 1; k < len(list); k++ {
		if better(list[k].claim, list[k-1].claim) < 0 {
			return list[k].at
		}
	}
	return len(t.ev)
}

// collectFirst finds a losing bet taken after a payment.
func (t *table) collectFirst() {
	loses := map[game.Place]bool{}
	for _, e := range t.entries {
		loses[e.Place()] = e.Outcome == round.Lose
	}
	if _, late := settle.PaidBeforeCollect(t.ev, 0, len(t.ev), func(p game.Place) bool { return loses[p] }); late >= 0 {
		t.At(late, finding.PaidBeforeCollect)
	}
}

// foldedAntes finds antes of folded seats that were taken only after the bank's cards.
func (t *table) foldedAntes() {
	if !t.rules.FoldFirst {
		return
	}
	for _, s := range t.active() {
		p := game.Place{Seat: s.n, Spot: ante}
		if first := t.moved.Of(p).Collect.First; s.fold >= 0 && first > t.bankAt {
			t.Add(round.Finding{Code: finding.OtherProcedure, Event: first, Seat: s.n, Spot: ante, Rule: t.cite("second", "deal")})
		}
	}
}
