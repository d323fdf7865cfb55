package wheels

import (
	"cmp"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// line is what the outcome does to one stake.
type line struct {
	outcome   round.Outcome
	stake     money.Cents
	pays      money.Cents
	returns   money.Cents
	must      money.Cents // what has to be collected of a loser or a half
	slack     money.Cents // what may be collected of a push, a prisoner or a composite winner
	composite bool        // one spot holds several bets: part may win while part loses
	lateOnly  bool        // only late chips lie there
	article   string
	fellow    *line // of a further prisoner of the same place
}

func wins(stake, pays money.Cents) line {
	return line{outcome: round.Win, stake: stake, pays: pays, returns: stake}
}

func loses(stake money.Cents) line { return line{outcome: round.Lose, stake: stake, must: stake} }

func pushes(stake money.Cents) line {
	return line{outcome: round.Push, stake: stake, returns: stake}
}

func stays(stake money.Cents) line { return line{outcome: round.Stay, stake: stake} }

// halves is a stake of which half, rounded half up, is lost.
func halves(stake money.Cents) line {
	lost := money.MulDiv(stake, 1, 2)
	return line{outcome: round.Half, stake: stake, returns: stake - lost, must: lost}
}

// settleAll makes the line of every stake.
func (t *table) settleAll() {
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
	total := s.total()
	switch {
	case total == 0 && s.denied && s.fresh > 0:
		return line{outcome: round.Void, stake: s.fresh, returns: s.fresh}, true
	case total == 0 && s.late > 0:
		return line{outcome: round.Void, stake: s.late, returns: s.late, lateOnly: true}, true
	case total == 0:
		return line{}, false
	}
	switch t.fate {
	case decided:
		l := t.play.settle(t, s)
		l.stake = cmp.Or(l.stake, total)
		return l, true
	case annulled:
		if t.play.dice() == 0 || t.rules.SicBo != nil {
			if s.zeros > 0 {
				return line{outcome: round.Prison, stake: total}, true
			}
			return line{outcome: round.Void, stake: total, returns: total}, true
		}
		return stays(total), true
	case undecided:
		return stays(total), true
	}
	return line{outcome: round.Unknown, stake: total}, true
}

// whole is what may move on a place that holds several prisoners: their sum.
// Where one withdraws his half and another has to stay, the half counts and
// what may be taken of the other is left open.
func (l *line) whole() *line {
	if l.fellow == nil {
		return l
	}
	sum := *l
	for f := l.fellow; f != nil; f = f.fellow {
		sum.stake += f.stake
		sum.returns += f.returns
		sum.must += f.must
		sum.slack += f.slack
		if f.outcome == round.Half {
			sum.outcome = round.Half
		}
	}
	return &sum
}

// settlement is the verdict's list.
func (t *table) settlement() []round.Settlement {
	out := make([]round.Settlement, 0, len(t.lines))
	for _, p := range t.places() {
		for l := t.lines[p]; l != nil; l = l.fellow {
			out = append(out, round.Settlement{Seat: p.Seat, Spot: p.Spot, Stake: l.stake, Outcome: l.outcome,
				Pays: l.pays, Returns: l.returns, Rule: t.rule(cmp.Or(l.article, t.rules.Articles.Bets))})
		}
	}
	return out
}

// money raises what was paid and collected wrongly.
func (t *table) money() {
	switch t.fate {
	case decided, undecided:
	case annulled:
		t.settledNull()
		return
	default:
		return
	}
	for p, l := range t.lines {
		t.check(p, l.whole())
	}
	for p := range t.sums {
		if t.lines[p] == nil {
			t.stray(p)
		}
	}
}

// settledNull raises every place where money moved after a round that only had null throws.
func (t *table) settledNull() {
	from := t.firstNull()
	places := []game.Place{}
	seen := map[game.Place]*struct {
		first int
		sum   money.Cents
	}{}
	for i := from; i < len(t.ev); i++ {
		e := &t.ev[i]
		if e.Type != round.Collect && e.Type != round.Pay && e.Type != round.Commission {
			continue
		}
		p := game.Place{Seat: e.Seat, Spot: e.Spot}
		if seen[p] == nil {
			places = append(places, p)
			seen[p] = &struct {
				first int
				sum   money.Cents
			}{first: i}
		}
		seen[p].sum += e.Amount
	}
	for _, p := range places {
		x := game.Amounts(round.Finding{Code: finding.VoidRoundSettled, Event: seen[p].first, Seat: p.Seat, Spot: p.Spot}, 0, seen[p].sum)
		t.f.Add(t.cite(x, t.rules.Articles.Null))
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

// check compares the movements on a place with what is due there.
func (t *table) check(p game.Place, l *line) {
	m, s := t.sums.Of(p), t.stakes[p]
	paid := m.Pay.Amount
	back := m.Return.Amount - s.givenBack
	c := dues{t: t, p: p, l: l, rule: t.rule(cmp.Or(l.article, t.rules.Articles.Bets))}
	switch l.outcome {
	case round.Win:
		c.winner(m)
	case round.Lose:
		if got := m.Collect.Amount; got+s.taken < l.must && (got > 0 || t.closed) {
			c.raise(finding.LoserNotCollected, m.Collect.Last, l.must, got)
		}
		c.unpaid(finding.PayoutToLoser, m)
	case round.Half:
		c.half(m, max(back, 0), s.taken)
		c.unpaid(finding.PayoutToLoser, m)
	case round.Push, round.Stay, round.Prison:
		if m.Collect.Amount > l.slack {
			c.raise(finding.PushCollected, m.Collect.Last, l.slack, m.Collect.Amount)
		}
		c.unpaid(finding.PushPaid, m)
	case round.Void:
		if paid > 0 {
			c.raise(finding.PayoutToLoser, m.Pay.Last, 0, paid)
		}
		if m.Collect.Amount > 0 && !l.lateOnly {
			c.raise(finding.ReturnWrong, m.Collect.Last, l.stake, l.stake-m.Collect.Amount)
		}
	}
}

// dues raises the money findings of one place.
type dues struct {
	t    *table
	p    game.Place
	l    *line
	rule string
}

func (c dues) raise(code finding.Code, event int, expected, observed money.Cents) {
	if event < 0 {
		event = game.Last(c.t.Rec)
	}
	c.t.f.Add(game.Amounts(round.Finding{Code: code, Event: event, Seat: c.p.Seat, Spot: c.p.Spot, Rule: c.rule}, expected, observed))
}

func (c dues) unpaid(code finding.Code, m game.Moved) {
	if m.Pay.Amount > 0 {
		c.raise(code, m.Pay.Last, 0, m.Pay.Amount)
	}
}

func (c dues) winner(m game.Moved) {
	due, paid := c.l.pays, m.Pay.Amount
	switch {
	case paid == 0 && due > 0:
		if c.t.closed {
			c.raise(finding.PayoutMissing, -1, due, 0)
		}
	case paid < due:
		c.raise(finding.PayoutUnder, m.Pay.Last, due, paid)
	case paid > due:
		c.raise(finding.PayoutOver, m.Pay.Last, due, paid)
	}
	if m.Collect.Amount > c.l.slack {
		c.raise(finding.CollectedWinner, m.Collect.Last, c.l.slack, m.Collect.Amount)
	}
}

// half accepts the lost half collected, with or without a return of the rest.
func (c dues) half(m game.Moved, back, taken money.Cents) {
	switch {
	case back > 0:
		if back != c.l.returns {
			c.raise(finding.ReturnWrong, m.Return.Last, c.l.returns, back)
		}
	case c.l.slack > 0 && m.Collect.Amount >= c.l.must && m.Collect.Amount <= c.l.must+c.l.slack:
	case m.Collect.Amount != c.l.must && m.Collect.Amount+taken != c.l.must:
		if m.Collect.Amount > 0 || c.t.closed {
			c.raise(finding.ReturnWrong, m.Collect.Last, c.l.returns, c.l.returns+c.l.must-m.Collect.Amount)
		}
	}
}

// stray raises money moved where nothing lay.
func (t *table) stray(p game.Place) {
	m := t.sums.Of(p)
	c := dues{t: t, p: p, rule: t.rule(t.rules.Articles.Bets)}
	c.unpaid(finding.PayoutToLoser, m)
	if m.Collect.Amount > 0 {
		c.raise(finding.OtherProcedure, m.Collect.Last, 0, m.Collect.Amount)
	}
}

// places are the places of the settlement in the order of the verdict.
func (t *table) places() []game.Place {
	out := make([]game.Place, 0, len(t.lines))
	for p := range t.lines {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b game.Place) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot))
	})
	return out
}
