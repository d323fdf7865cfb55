package wheels

import (
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// classed is a game whose bets are paid in the order of their classes.
type classed interface{ class(spot string) string }

// order raises collecting and paying in the wrong order.
func (t *table) order() {
	if t.fate != decided {
		return
	}
	o := &t.rules.Order
	if o.CollectFirst {
		t.collectFirst()
	}
	if o.First != "" {
		t.first(o.First)
	}
	switch o.By {
	case "bet":
		if t.set.panos != 1 {
			t.byBet(t.play.(classed))
		}
	case "seat":
		t.bySeat(t.play.(classed))
	case "amount":
		t.byAmount()
	}
}

// collectFirst: nobody is paid before the losing stakes, and the lost halves, are off.
func (t *table) collectFirst() {
	pay, late := settle.PaidBeforeCollect(t.ev, 0, len(t.ev), func(p game.Place) bool {
		l := t.lines[p]
		return l != nil && (l.Outcome == round.Lose || l.Outcome == round.Half)
	})
	if late >= 0 {
		t.say(finding.PaidBeforeCollect, pay)
	}
}

// first: the losers of one spot are collected before all others.
func (t *table) first(spot string) {
	other := game.Find(t.ev, 0, len(t.ev), func(e *round.Event) bool { return e.Type == round.Collect && e.Spot != spot })
	if other < 0 {
		return
	}
	if i := game.Find(t.ev, other, len(t.ev),
		func(e *round.Event) bool { return e.Type == round.Collect && e.Spot == spot }); i >= 0 {
		t.say(finding.OtherProcedure, i)
	}
}

// wonPays are the payments on winning stakes that are one bet each.
func (t *table) wonPays() []int {
	var out []int
	for i, e := range game.Each(t.ev, round.Pay) {
		if l := t.lines[game.PlaceOf(e)]; l != nil && l.Outcome == round.Win && !l.composite {
			out = append(out, i)
		}
	}
	return out
}

// rank is the place of a class in the order of payment; one that it does not name is paid last.
func (t *table) rank(c classed, spot string) int {
	class := c.class(spot)
	for k, group := range t.rules.Order.Ranks {
		if slices.Contains(group, class) || slices.Contains(group, spot) {
			return k
		}
	}
	return len(t.rules.Order.Ranks)
}

func (t *table) byBet(c classed) {
	highest := 0
	for _, i := range t.wonPays() {
		r := t.rank(c, t.ev[i].Spot)
		if r < highest {
			t.say(finding.PayoutOrderWrong, i)
			return
		}
		highest = r
	}
}

// bySeat: a player with several winnings is paid at once, when his first is due.
func (t *table) bySeat(c classed) {
	ranks := map[int]int{}
	for p, l := range t.lines {
		if l.Outcome != round.Win || l.composite {
			continue
		}
		r := t.rank(c, p.Spot)
		if old, ok := ranks[p.Seat]; !ok || r < old {
			ranks[p.Seat] = r
		}
	}
	highest, current := 0, 0
	done := map[int]bool{}
	for _, i := range t.wonPays() {
		seat := t.ev[i].Seat
		if seat == current {
			continue
		}
		if done[seat] || ranks[seat] < highest {
			t.say(finding.PayoutOrderWrong, i)
			return
		}
		highest, current = ranks[seat], seat
		done[seat] = true
	}
}

func (t *table) byAmount() {
	var highest money.Cents
	for _, i := range t.wonPays() {
		if t.ev[i].Amount < highest {
			t.say(finding.PayoutOrderWrong, i)
			return
		}
		highest = t.ev[i].Amount
	}
}
