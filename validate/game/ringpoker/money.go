package ringpoker

import (
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

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
