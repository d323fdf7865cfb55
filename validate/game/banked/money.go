package banked

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// paid is what happened to the money of one place.
type paid struct {
	p, c, k, r                     money.Cents // pay, collect, commission, return
	lastP, lastC, lastK, lastR, at int
	pays                           bool // there was a pay event
}

// paidOn are the movements of a place; void chips that went back are left out.
func (t *table) paidOn(p game.Place, void money.Cents) paid {
	m := t.moved.Of(p)
	x := paid{p: m.Pay.Amount, c: m.Collect.Amount, k: m.Commission.Amount, r: m.Return.Amount - min(void, m.Return.Amount),
		lastP: m.Pay.Last, lastC: m.Collect.Last, lastK: m.Commission.Last, lastR: m.Return.Last, pays: m.Pay.First >= 0}
	x.at = max(x.lastP, x.lastC, x.lastK)
	return x
}

// kept is what the player keeps of a stake.
func (x *paid) kept(stake money.Cents) money.Cents { return max(stake-x.c, x.r, 0) }

// mergeCommissions gives commissions without spot to the only spot of their seat.
func (t *table) mergeCommissions() {
	for i := range t.ev {
		e := &t.ev[i]
		if e.Type != round.Commission || e.Spot != "" {
			continue
		}
		from := game.Place{Seat: e.Seat}
		n := max(e.Seat, game.SeatOf(e.Zone))
		to := game.Place{Seat: n, Spot: "apuesta"}
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
// apart, where nothing was paid on the prize's own spot.
func (t *table) combined() map[game.Place]money.Cents {
	parts := map[game.Place]money.Cents{}
	for _, v := range t.entries {
		if t.rules.spot(v.Spot).Against != Virtual || v.Outcome != round.Win {
			continue
		}
		own := game.Place{Seat: v.Seat, Spot: v.Spot}
		if t.moved.Of(own).Pay.First >= 0 {
			continue
		}
		for _, a := range t.entries {
			if a.Seat == v.Seat && a.Spot == ante && t.moved.Of(game.Place{Seat: a.Seat, Spot: ante}).Pay.Amount == a.Pays+v.Pays {
				parts[own] = v.Pays
				parts[game.Place{Seat: a.Seat, Spot: ante}] = -v.Pays
			}
		}
	}
	return parts
}

// settlement compares every entry with what was moved.
func (t *table) settlement() {
	parts := t.combined()
	due := map[game.Place]bool{}
	quiet := t.quiet()
	t.verdict.Settlement = make([]round.Settlement, 0, len(t.entries))
	for _, e := range t.entries {
		p := game.Place{Seat: e.Seat, Spot: e.Spot}
		due[p] = true
		if !quiet {
			x := t.paidOn(p, e.void)
			x.p += parts[p]
			t.compare(e, p, &x)
		}
		s := e.Settlement
		s.Rule = t.cite(s.Spot, "odds")
		if s.Outcome != round.Unknown {
			s.Returns += e.void
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
			t.money(max(m.Pay.Last, m.Collect.Last, m.Commission.Last), finding.VoidRoundSettled, p, 0, m.Pay.Amount-m.Commission.Amount)
		case !t.void && m.Pay.Amount > 0 && !t.maybeWon(p):
			t.money(m.Pay.Last, finding.PayoutToLoser, p, 0, m.Pay.Amount)
		}
	}
	t.qualifyIgnored(parts)
}

// maybeWon tells whether an automatic prize is undecided because the hand, or
// the seat's decision, is not known.
func (t *table) maybeWon(p game.Place) bool {
	s := t.seat(p.Seat)
	if t.rules.spot(p.Spot).Against != Virtual || !s.inPlay(t) {
		return false
	}
	_, why := t.hand(game.SeatZone(s.n))
	return why != known || t.undecided(s)
}

// quiet tells whether the round was annulled without cause: then its money is not judged.
func (t *table) quiet() bool { return t.annulled >= 0 && !t.void }

func (t *table) compare(e *entry, p game.Place, x *paid) {
	switch e.Outcome {
	case round.Unknown:
		if e.cause == unseen {
			t.add(round.Finding{Code: finding.NotObservable, Event: t.last, Seat: p.Seat, Spot: p.Spot})
		}
	case round.Void:
		t.compareVoid(e, p, x)
	case round.Win:
		t.compareWin(e, p, x)
	case round.Push:
		if x.p > 0 {
			t.money(x.lastP, finding.PushPaid, p, 0, x.p)
		}
		t.keeps(e, p, x, finding.PushCollected)
		t.noCommission(p, x)
	default:
		if x.p > 0 {
			t.money(x.lastP, finding.PayoutToLoser, p, 0, x.p)
		}
		if kept := x.kept(e.Stake); kept > 0 && t.closed && t.rules.spot(e.Spot).Against != AgainstMeter {
			t.money(t.eventOf(x.lastC), finding.LoserNotCollected, p, e.Stake, e.Stake-kept)
		}
		t.noCommission(p, x)
	}
}

// eventOf is an event, or the record's last where there was none.
func (t *table) eventOf(i int) int {
	if i < 0 {
		return t.last
	}
	return i
}

func (t *table) noCommission(p game.Place, x *paid) {
	if x.k > 0 {
		t.money(x.lastK, finding.CommissionWrong, p, 0, x.k)
	}
}

// keeps checks that a stake that did not lose stays with the player.
func (t *table) keeps(e *entry, p game.Place, x *paid, code finding.Code) {
	if kept := x.kept(e.Stake); kept < e.Returns {
		t.money(x.lastC, code, p, 0, e.Stake-kept)
	}
	if x.r > e.Stake {
		t.money(x.lastR, finding.ReturnWrong, p, e.Stake, x.r)
	}
}

func (t *table) compareVoid(e *entry, p game.Place, x *paid) {
	if kept := x.kept(e.Stake); x.p > 0 || x.k > 0 || kept < e.Stake {
		t.money(t.eventOf(x.at), finding.VoidRoundSettled, p, 0, x.p-x.k+kept-e.Stake)
	}
	if x.r > e.Stake {
		t.money(x.lastR, finding.ReturnWrong, p, e.Stake, x.r)
	}
}

func (t *table) compareWin(e *entry, p game.Place, x *paid) {
	t.keeps(e, p, x, finding.CollectedWinner)
	net := e.Pays - e.Commission
	taken := x.k > 0
	switch {
	case x.p == e.Pays, x.p == net && !taken:
	case x.p == 0:
		if t.closed {
			t.money(t.last, finding.PayoutMissing, p, e.Pays, 0)
		}
	case x.p < e.Pays:
		t.money(x.lastP, finding.PayoutUnder, p, e.Pays, x.p)
	default:
		t.money(x.lastP, finding.PayoutOver, p, e.Pays, x.p)
	}
	switch {
	case taken && x.k != e.Commission:
		t.money(x.lastK, finding.CommissionWrong, p, e.Commission, x.k)
	case !taken && e.Commission > 0 && x.p != net && t.closed:
		t.money(t.last, finding.CommissionMissing, p, e.Commission, 0)
	}
}

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
		p := game.Place{Seat: e.Seat, Spot: e.Spot}
		x := t.paidOn(p, e.void)
		x.p += parts[p]
		if x.p != pays || x.kept(e.Stake) != keeps {
			return
		}
		wrong = wrong || e.Outcome != round.Unknown && (x.p != e.Pays || x.kept(e.Stake) != e.Returns)
		last = max(last, x.lastP, x.lastC)
	}
	if wrong {
		t.at(t.eventOf(last), finding.NoQualifyIgnored)
	}
}
