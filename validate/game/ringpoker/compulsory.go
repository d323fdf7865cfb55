package ringpoker

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// blindSeats are the seats of the small and the big blind.
func (h *hand) blindSeats() (small, big int) {
	small = h.mano
	if h.r.DealLeft { // both stand after the marca
		small = h.ring.after(h.mano, 1)
	}
	return small, h.ring.after(small, 1)
}

// forcedBet follows chips on the ante or a blind.
func (h *hand) forcedBet(i int, p *player, spot string, amount money.Cents) {
	if !h.playing(p.seat) {
		h.at(i, "turn", finding.PlayerActionNotAllowed, p.seat)
		p.excess += amount
		return
	}
	left, known := p.left()
	p.allIn = p.allIn || known && amount >= left
	if (spot == spotAnte) != (h.o.Forced == "ante") || h.o.Forced == "none" {
		h.add("forced", round.Finding{Code: finding.BetNotAllowed, Event: i, Seat: p.seat, Spot: spot, Observed: amount})
		p.ante += amount
		return
	}
	if spot == spotAnte {
		p.ante += amount
		return
	}
	p.commit += amount
	p.total += amount
}

// forcedTotal is what a seat put on a compulsory spot, and by which event last.
func (h *hand) forcedTotal(seat int, spot string) (sum money.Cents, last int) {
	last = -1
	for i := range h.ev {
		if e := &h.ev[i]; e.Type == round.Bet && e.Seat == seat && e.Spot == spot {
			sum += e.Amount
			last = i
		}
	}
	return sum, last
}

// forcedDue raises compulsory bets of another size than the table's.
func (h *hand) forcedDue(seat int, spot string, due money.Cents) {
	sum, last := h.forcedTotal(seat, spot)
	allIn := false
	if stack, known := h.o.Stacks[seat]; known {
		allIn = sum >= stack
	}
	switch {
	case last < 0 || sum == due:
	case sum > due:
		h.amounts(last, "forced", finding.BetAboveMax, seat, spot, due, sum)
	case !allIn:
		h.amounts(last, "forced", finding.BetBelowMin, seat, spot, due, sum)
	}
}

// checkForced checks the compulsory bets once the hand is over.
func (h *hand) checkForced() {
	minimum := h.in.Rec.Table.Min
	switch h.o.Forced {
	case "ante":
		if h.r.AnteMost && h.o.Ante > minimum/2 {
			h.amounts(0, "forced", finding.BetAboveMax, 0, spotAnte, minimum/2, h.o.Ante)
		}
		for _, seat := range h.o.Players {
			p := h.players[seat]
			h.forcedDue(seat, spotAnte, h.o.Ante)
			if _, at := h.forcedTotal(seat, spotAnte); at < 0 && h.o.Ante > 0 && (p.in || p.total > 0) {
				h.amounts(h.last, "forced", finding.BetBelowMin, seat, spotAnte, h.o.Ante, 0)
			}
		}
	case "ciegas":
		small, big := h.blindSeats()
		h.checkBlind(spotSmall, small, minimum/2)
		h.checkBlind(spotBig, big, minimum)
	}
}

// checkBlind checks one blind: who posted it, and how much.
func (h *hand) checkBlind(spot string, right int, due money.Cents) {
	posted := false
	for _, seat := range h.o.Players {
		_, at := h.forcedTotal(seat, spot)
		if at < 0 {
			continue
		}
		posted = true
		if seat != right {
			h.add("forced", round.Finding{Code: finding.PlayerActionNotAllowed, Event: at, Seat: seat, Spot: spot})
		}
		h.forcedDue(seat, spot, due)
	}
	if !posted && due > 0 {
		h.amounts(h.last, "forced", finding.BetBelowMin, right, spot, due, 0)
	}
}
