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

// forced is what a player put on a compulsory spot. Chips that only make good
// what was taken back are not counted again.
type forced struct {
	sum  money.Cents
	last int // event
}

// forcedBet follows chips on the ante or a blind.
func (h *hand) forcedBet(i int, p *player, spot string, amount money.Cents) {
	if !h.playing(p.seat) {
		h.at(i, "turn", finding.PlayerActionNotAllowed, p.seat)
		p.excess += amount
		return
	}
	_, further := p.forced[spot]
	p.forced[spot] = forced{p.forced[spot].sum + amount, i}
	left, known := p.left()
	p.allIn = p.allIn || known && amount >= left
	if (spot == spotAnte) != (h.o.Forced == "ante") || h.o.Forced == "none" {
		if !further {
			h.add("forced", round.Finding{Code: finding.BetNotAllowed, Event: i, Seat: p.seat, Spot: spot, Observed: h.laid(i)})
		}
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

// laid is all that a seat lays on a spot from event i on.
func (h *hand) laid(i int) (sum money.Cents) {
	for k := i; k < len(h.ev); k++ {
		if e := &h.ev[k]; e.Type == round.Bet && e.Seat == h.ev[i].Seat && e.Spot == h.ev[i].Spot {
			sum += e.Amount
		}
	}
	return sum
}

// forcedDue raises compulsory bets of another size than the table's; due is 0 where the
// record names none.
func (h *hand) forcedDue(p *player, spot string, due money.Cents) {
	put, there := p.forced[spot]
	allIn := p.known && put.sum >= p.stack
	switch {
	case !there || due == 0 || put.sum == due:
	case put.sum > due:
		h.amounts(put.last, "forced", finding.BetAboveMax, p.seat, spot, due, put.sum)
	case !allIn:
		h.amounts(put.last, "forced", finding.BetBelowMin, p.seat, spot, due, put.sum)
	}
}

// checkForced checks the compulsory bets once the hand is over.
func (h *hand) checkForced() {
	minimum := h.in.Rec.Table.Min
	switch h.o.Forced {
	case "ante":
		if h.r.AnteMost && minimum > 0 && h.o.Ante > minimum/2 {
			h.amounts(0, "forced", finding.BetAboveMax, 0, spotAnte, minimum/2, h.o.Ante)
		}
		for _, seat := range h.o.Players {
			p := h.players[seat]
			h.forcedDue(p, spotAnte, h.o.Ante)
			if _, there := p.forced[spotAnte]; !there && h.o.Ante > 0 && (p.in || p.total > 0) {
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
		put, there := h.players[seat].forced[spot]
		if !there {
			continue
		}
		posted = true
		if seat != right {
			h.add("forced", round.Finding{Code: finding.PlayerActionNotAllowed, Event: put.last, Seat: seat, Spot: spot})
		}
		h.forcedDue(h.players[seat], spot, due)
	}
	if !posted && due > 0 {
		h.amounts(h.last, "forced", finding.BetBelowMin, right, spot, due, 0)
	}
}
