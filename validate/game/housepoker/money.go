package housepoker

import (
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// rules are how this family judges movements (banked poker, 9): a chip given
// back was not collected.
var rules = settle.Rules{Nets: true, Deducts: true, Gross: true,
	GivenBack: map[round.Outcome]settle.Bound{round.Win: settle.AtMost, round.Push: settle.AtMost,
		round.Void: settle.AtMost}}

// movedFor is what was moved for an entry: void chips that went back are left
// out, and a payment made together with another is in parts.
func (t *table) movedFor(e *entry, parts map[game.Place]money.Cents) game.Moved {
	m := t.moved.Of(e.Place())
	m.Return.Amount -= e.LateBack(m.Return.Amount)
	m.Pay.Amount += parts[e.Place()]
	return m
}

// owed is what of an entry is due by movements: a progressive prize is paid
// without the stake, whose collection is not watched.
func (t *table) owed(e *entry) *settle.Due {
	d := e.Due
	d.Back = 0
	switch {
	case e.Outcome == round.Win:
		d.May = d.Stake - d.Returns
	case t.rules.spot(e.Spot).Against == AgainstMeter:
		d.Must = 0
	}
	return &d
}

// mergeCommissions gives commissions without spot to the only spot of their seat.
func (t *table) mergeCommissions() {
	for i, e := range game.Each(t.ev, round.Commission) {
		if e.Spot != "" {
			continue
		}
		from := game.PlaceOf(e)
		to := game.Place{Seat: from.Seat, Spot: "apuesta"}
		m := t.moved.Of(to)
		m.Commission.Amount += e.Amount
		m.Commission.Last = max(m.Commission.Last, i)
		if m.Commission.First < 0 {
			m.Commission.First = i
		}
		t.moved[to] = &m
		delete(t.moved, from)
	}
}

// combined takes a payment of the ante that holds the automatic prize too
// apart, where nothing was paid on the prize's own spot. Where nobody knows what the
// ante wins, a payment that is large enough holds the prize.
func (t *table) combined() map[game.Place]money.Cents {
	parts := map[game.Place]money.Cents{}
	for _, v := range t.entries {
		if t.rules.spot(v.Spot).Against != Virtual || v.Outcome != round.Win {
			continue
		}
		own := v.Place()
		if t.moved.Of(own).Pay.First >= 0 {
			continue
		}
		for _, a := range t.entries {
			if a.Seat != v.Seat || a.Spot != ante {
				continue
			}
			paid := t.moved.Of(a.Place()).Pay.Amount
			if paid == a.Pays+v.Pays || a.Outcome == round.Unknown && paid >= v.Pays {
				parts[own], parts[a.Place()] = v.Pays, -v.Pays
			}
		}
	}
	return parts
}

// checkMoney compares every entry with what was moved.
func (t *table) checkMoney() {
	parts := t.combined()
	due, end := map[game.Place]bool{}, settle.EndOf(t.rec)
	quiet := t.quiet()
	t.verdict.Settlement = make([]round.Settlement, 0, len(t.entries))
	for _, e := range t.entries {
		due[e.Place()] = true
		if !quiet {
			if e.Outcome == round.Unknown && e.cause == unseen {
				t.Add(round.Finding{Code: finding.NotObservable, Event: t.last, Seat: e.Seat, Spot: e.Spot})
			}
			t.AddAll(rules.Compare(t.owed(e), t.movedFor(e, parts), end))
		}
		s := e.Settlement
		s.Rule = t.cite(s.Spot, "odds")
		if s.Outcome != round.Unknown {
			s.Returns += e.Back
		}
		t.verdict.Settlement = append(t.verdict.Settlement, s)
	}
	if quiet {
		return
	}
	for p, m := range t.moved {
		switch {
		case due[p]:
		case t.void && (m.Pay.Amount > 0 || m.Commission.Amount > 0):
			t.Amounts(max(m.Pay.Last, m.Collect.Last, m.Commission.Last), finding.VoidRoundSettled, p, 0,
				m.Pay.Amount-m.Commission.Amount)
		case !t.void && !t.maybeWon(p):
			t.AddAll(rules.Stray(p, *m))
		}
	}
	t.qualifyIgnored(parts)
}

// maybeWon reports whether an automatic prize is undecided because the hand, or
// the seat's decision, is not known.
func (t *table) maybeWon(p game.Place) bool {
	s := t.seat(p.Seat)
	if t.rules.spot(p.Spot).Against != Virtual || !s.inPlay(t) {
		return false
	}
	_, why := t.hand(game.SeatZone(s.n))
	return why != known || t.undecided(s)
}

// quiet reports whether the round was annulled without cause: then its money is not judged.
func (t *table) quiet() bool { return t.annulled >= 0 && !t.void }

// qualifyIgnored finds a table that settled ante and second everywhere as if
// the bank's hand had qualified, or the reverse.
func (t *table) qualifyIgnored(parts map[game.Place]money.Cents) {
	b, why := t.hand(bank)
	if t.rules.Qualify == nil || t.void || !t.closed || why != known {
		return
	}
	inverted := !t.qualifies(b.Value)
	wrong, last := false, none
	for _, e := range t.entries {
		s, sp := t.seat(e.Seat), t.rules.spot(e.Spot)
		if sp.Against != AgainstBank || !s.inPlay(t) || e.Outcome == round.Void {
			continue
		}
		if t.undecided(s) {
			return
		}
		o, pays, why := t.versus(s, sp, e.Stake, b.Value, inverted)
		if why != known {
			return
		}
		keeps := e.Stake
		if o == round.Lose {
			keeps = 0
		}
		m := t.movedFor(e, parts)
		kept := settle.Kept(e.Stake, m)
		if m.Pay.Amount != pays || kept != keeps {
			return
		}
		wrong = wrong || e.Outcome != round.Unknown && (pays != e.Pays || kept != e.Returns)
		last = max(last, m.Pay.Last, m.Collect.Last)
	}
	if wrong {
		t.At(settle.EndOf(t.rec).At(last), finding.NoQualifyIgnored)
	}
}

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
	for i, e := range game.Each(t.ev, round.Pay, round.Collect) {
		if seen[e.Seat] {
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
	for i, e := range game.Each(t.ev, kind) {
		if t.seat(e.Seat).folded() {
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
	for _, s := range t.active {
		p := game.Place{Seat: s.n, Spot: ante}
		if first := t.moved.Of(p).Collect.First; s.fold >= 0 && first > t.bankAt {
			t.Add(round.Finding{Code: finding.OtherProcedure, Event: first, Seat: s.n, Spot: ante, Rule: t.cite("second", "deal")})
		}
	}
}
