package ringpoker

import (
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// before checks what comes before the first card: players, the marca, the
// session's fee.
func (h *hand) before() {
	n := len(h.o.Players)
	if b := h.r.Players; n > b.Max {
		h.counts(0, "players", finding.OtherProcedure, 0, b.Max, n)
	} else if n < b.Min {
		h.counts(0, "players", finding.OtherProcedure, 0, b.Min, n)
	}
	if h.carry.Marca > 0 {
		if want := h.ring.from(h.carry.Marca, h.ring.dir)[0]; want != h.o.Marca {
			h.counts(0, "marca", finding.OtherProcedure, 0, want, h.o.Marca)
			h.cause(0, h.r.Misdeal.Marca)
		}
	}
	if k := &h.o.Rake; k.Mode == "session" && h.r.Rake.Band {
		least, most := percent(k.Base, 1000), percent(k.Base, 2000)
		if k.Fee < least {
			h.amounts(0, "rake", finding.CommissionWrong, 0, "", least, k.Fee)
		} else if k.Fee > most {
			h.amounts(0, "rake", finding.CommissionWrong, 0, "", most, k.Fee)
		}
	}
}

// after checks what only the end of the record can tell.
func (h *hand) after() {
	if h.misdeal < 0 {
		h.checkAwaited(h.last)
		h.checkCards(h.last)
		h.unanswered(h.last)
		if h.said.fold >= 0 && h.r.Calls.NoVa {
			h.foldUnsaid(h.last)
		}
		h.checkDraw()
	}
	h.checkForced()
}

// verdict settles the hand.
func (h *hand) verdict() round.Verdict {
	if is, cut := h.void(); is {
		return h.voided(cut)
	}
	if h.misdeal >= 0 {
		h.at(h.misdeal, "misdeal", finding.IrregularityIgnored, 0)
		h.final.unknown = true
		h.keepMarca()
		return h.done()
	}
	if h.r.Errors.TakeBack {
		for _, i := range h.early {
			h.at(i, "early", finding.IrregularityIgnored, 0)
		}
	}
	h.decide()
	h.next["marca"] = h.ring.after(h.o.Marca, h.ring.dir)
	if h.final.unknown {
		return h.done()
	}
	h.checkWinnersSaid()
	h.checkMoney()
	h.nextHand()
	return h.done()
}

func (h *hand) keepMarca() {
	h.next["marca"], h.next["bote"] = h.o.Marca, h.carry.Bote
	if h.r.Draw {
		h.next["blank_hands"] = h.carry.Blank
	}
}

// nextHand is what the hand leaves for the next one.
func (h *hand) nextHand() {
	x := &h.final
	left, blank := money.Cents(0), 0
	if x.stays || x.blank {
		left = x.pot
	}
	if x.blank {
		blank = h.carry.Blank + 1
	}
	if h.r.Draw {
		h.next["bote"], h.next["blank_hands"] = left, blank
	} else if left > 0 {
		h.next["bote"] = left
	}
}

// voided gives every chip back. Findings of what came after
// the event cut do not stand.
func (h *hand) voided(cut int) round.Verdict {
	kept := h.newFindings()
	for _, f := range h.List() {
		if f.Event <= cut || h.missedBy(&f, cut) {
			kept.Add(f)
		}
	}
	h.Findings = kept
	h.keepMarca()
	v := round.Verdict{Void: true, Next: h.next}
	given, end := h.given(), settle.EndOf(h.in.Rec)
	for _, p := range h.order {
		if p.put == 0 {
			continue
		}
		v.Settlement = append(v.Settlement, h.line(p, round.Void, 0, p.put))
		if back := given.Of(game.Place{Seat: p.seat, Spot: spotBote}).Return; back.Amount != p.put {
			h.amounts(end.At(back.Last), "misdeal", finding.ReturnWrong, p.seat, spotBote, p.put, back.Amount)
		}
	}
	for i := range h.ev {
		switch e := &h.ev[i]; e.Type {
		case round.Pay:
			h.add("misdeal", round.Finding{Code: finding.VoidRoundSettled, Event: i, Seat: e.Seat, Spot: e.Spot, Observed: e.Amount})
		case round.Commission:
			h.add("misdeal", round.Finding{Code: finding.VoidRoundSettled, Event: i, Observed: e.Amount})
		}
	}
	v.Findings = h.List()
	return v
}

func (h *hand) line(p *player, outcome round.Outcome, pays, returns money.Cents) round.Settlement {
	return round.Settlement{Seat: p.seat, Spot: spotBote, Stake: p.put, Outcome: outcome, Pays: pays, Returns: returns,
		Rule: h.cite("settle")}
}

// done is the verdict of a hand that is not void.
func (h *hand) done() round.Verdict {
	x := &h.final
	v := round.Verdict{Hands: x.hands, Next: h.next}
	for _, p := range h.order {
		if p.put == 0 && x.pays[p.seat] == 0 {
			continue
		}
		s := h.line(p, round.Lose, x.pays[p.seat], x.returns[p.seat])
		switch {
		case x.unknown:
			s.Outcome, s.Pays, s.Returns = round.Unknown, 0, 0
		case p.refund || p.put > 0 && p.put == s.Returns && s.Pays == 0: // all of it back, and nothing won
			s.Outcome = round.Void
		case x.wins[p.seat]:
			s.Outcome = round.Win
		case x.blank:
			s.Outcome = round.Stay
		}
		v.Settlement = append(v.Settlement, s)
	}
	if !x.unknown {
		v.Result = h.result()
	}
	v.Findings = h.List()
	return v
}

func (h *hand) result() map[string]any {
	x := &h.final
	winners := []int{}
	for _, p := range h.order {
		if x.wins[p.seat] {
			winners = append(winners, p.seat)
		}
	}
	slices.Sort(winners)
	out := map[string]any{"pot": x.pot, "rake": x.rake, "winners": winners}
	if x.blank {
		out["blank"] = true
		return out
	}
	if x.pots != nil {
		out["pots"] = x.pots
	}
	if len(x.low) > 0 {
		slices.Sort(x.low)
		out["low_winners"] = x.low
	}
	return out
}

// given is what each seat was given, whatever the spot: the pot is pushed to a
// player together with his own chips.
func (h *hand) given() game.Tally {
	return game.SumsBy(h.in.Rec, 0, func(e *round.Event) game.Place { return game.Place{Seat: e.Seat, Spot: spotBote} })
}

// checkMoney compares what each seat got with what it was due, and the rake
// with what was deducted at the whole table. A bet is neither collected nor
// returned by itself (circle poker, 6): of the comparison of the other games only
// the payment is left.
func (h *hand) checkMoney() {
	given := h.given()
	table := game.SumsBy(h.in.Rec, 0, func(*round.Event) game.Place { return game.Place{} }).Of(game.Place{})
	for _, p := range h.order {
		at := game.Place{Seat: p.seat, Spot: spotBote}
		h.checkSeat(at, given.Of(at), table.Pay.Last)
		delete(given, at)
	}
	for at, m := range given {
		h.checkSeat(at, *m, table.Pay.Last)
	}
	h.checkRake(table)
}

// checkSeat compares what a seat got; pushed is the last push of chips out of the pot.
func (h *hand) checkSeat(p game.Place, m game.Moved, pushed int) {
	pays := h.final.pays[p.Seat]
	due, got := pays+h.final.returns[p.Seat], m.Pay.Amount+m.Return.Amount
	topic, at := "settle", settle.EndOf(h.in.Rec).At(max(m.Pay.Last, m.Return.Last))
	code := settle.Paid(due, got)
	switch {
	case code == "":
		return
	case due == 0:
		code = finding.PayoutToLoser
	case pays == 0:
		code, topic = finding.ReturnWrong, "return"
	case code == finding.PayoutUnder && m.Pay.Amount == 0: // his own; the pot went to others
		at = max(at, pushed)
	}
	h.amounts(at, topic, code, p.Seat, spotBote, due, got)
}

func (h *hand) checkRake(table game.Moved) {
	due, k := h.final.rake, table.Commission
	switch {
	case k.First < 0 && due > 0:
		h.amounts(h.last, "rake", finding.CommissionMissing, 0, "", due, 0)
	case k.Amount != due:
		h.amounts(k.Last, "rake", finding.CommissionWrong, 0, "", due, k.Amount)
	}
	if k.First >= 0 && table.Pay.First >= 0 && k.First > table.Pay.First {
		h.at(k.First, "rake", finding.PayoutOrderWrong, 0)
	}
}
