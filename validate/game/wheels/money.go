package wheels

import (
	"cmp"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// rules are how this family judges movements (wheels and dice, 1.7): a payment
// on a half lost or void bet goes to a loser, nothing is deducted, and chips
// given back are looked at only where half is lost.
var rules = settle.Rules{HalfPaid: finding.PayoutToLoser, VoidApart: true, PartAtOnce: true,
	StrayTaken: finding.OtherProcedure}

// line is what the outcome does to one stake.
type line struct {
	settle.Due
	composite bool // one spot holds several bets: part may win while part loses
	late      bool // only late chips lie there: whoever collects them does no more (1.4)
	article   string
	fellow    *line // of a further prisoner of the same place
}

// line is a stake of which nothing is decided yet.
func (s *stake) line() line { return line{Due: settle.On(s.Place, s.total())} }

// settle makes the line of every stake.
func (t *table) settle() {
	t.lines = make(map[game.Place]*line, len(t.stakes))
	all := make([]line, 0, len(t.stakes))
	for p, s := range t.stakes {
		if l, ok := t.line(s); ok {
			all = append(all, l)
			t.lines[p] = &all[len(all)-1]
			last := t.lines[p]
			for f := s.fellow; f != nil; f = f.fellow {
				l, _ := t.line(f)
				last.fellow = &l
				last = &l
			}
		}
	}
}

// line is the line of one stake; false when nothing lay there.
func (t *table) line(s *stake) (line, bool) {
	l := s.line()
	wheel := t.play.dice() == 0 || t.rules.SicBo != nil
	switch {
	case l.Stake == 0 && s.refused && s.fresh > 0:
		l.Stake = s.fresh
		l.Void()
	case l.Stake == 0 && s.late > 0:
		l.Stake, l.late = s.late, true
		l.Void()
	case l.Stake == 0:
		return line{}, false
	case t.fate == decided:
		l = t.play.settle(t, s)
	case t.fate == annulled && wheel && s.zeros > 0:
		l.Settle(round.Prison, 0, 0)
	case t.fate == annulled && wheel:
		l.Void()
	case t.fate == annulled, t.fate == undecided:
		l.Settle(round.Stay, 0, 0)
	default:
		l.Unknown()
	}
	l.Rule = t.rule(cmp.Or(l.article, t.rules.Articles.Bets))
	return l, true
}

// whole is what may move on a place that holds several prisoners: their sum.
// Where one withdraws his half and another has to stay, the half counts and
// what may be taken of the other is left open.
func (l *line) whole() settle.Due {
	sum := l.Due
	for f := l.fellow; f != nil; f = f.fellow {
		sum.Stake += f.Stake
		sum.Returns += f.Returns
		sum.Must += f.Must
		sum.May += f.May
		if f.Outcome == round.Half {
			sum.Outcome = round.Half
		}
	}
	return sum
}

// settlement is the verdict's list.
func (t *table) settlement() []round.Settlement {
	out := make([]round.Settlement, 0, len(t.lines))
	for _, l := range t.lines {
		for ; l != nil; l = l.fellow {
			out = append(out, l.Settlement)
		}
	}
	return out
}

// checkMoney raises what was paid and collected wrongly.
func (t *table) checkMoney() {
	switch t.fate {
	case decided, undecided:
	case annulled:
		t.settledNull()
		return
	default:
		return
	}
	for p, l := range t.lines {
		t.compare(p, l)
	}
	for p, m := range t.sums {
		if t.lines[p] == nil {
			t.raise(rules.Stray(p, *m), t.rule(t.rules.Articles.Bets))
		}
	}
}

// settledNull raises every place where money moved after a round that only had null throws.
func (t *table) settledNull() {
	for p, m := range game.Sums(t.Rec, t.firstNull()) {
		m.Return = game.None
		if first := m.First(); first >= 0 {
			x := round.Finding{Code: finding.VoidRoundSettled, Event: first, Seat: p.Seat, Spot: p.Spot}
			t.add(t.rules.Articles.Null, game.Amounts(x, 0, m.Collect.Amount+m.Pay.Amount+m.Commission.Amount))
		}
	}
}

// firstNull is the first null throw's shot, or the call that ended it.
func (t *table) firstNull() int {
	for _, th := range t.throws {
		if th.null && th.shot >= 0 {
			return th.shot
		}
		if th.null {
			return th.call
		}
	}
	return len(t.ev)
}

// compare compares the movements on a place with what is due there.
func (t *table) compare(p game.Place, l *line) {
	m, s, due := t.sums.Of(p), t.stakes[p], l.whole()
	due.Back, due.Taken = s.givenBack+s.late, s.taken
	if l.late {
		m.Collect = game.None
	}
	by := rules
	by.HalfApart = s.zeros == 0 // of a prisoner half may have been taken in a round before
	t.raise(by.Compare(&due, m, settle.EndOf(t.Rec)), l.Rule)
}

func (t *table) raise(found []round.Finding, rule string) {
	for _, x := range found {
		x.Rule = rule
		t.Add(x)
	}
}

// either wins or loses a stake.
func either(won bool, s *stake, pay Pay) line {
	l := s.line()
	l.article = pay.Article
	l.Lose()
	if won {
		l.Win(pay.Pays.Of(l.Stake))
	}
	return l
}

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
