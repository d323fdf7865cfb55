package ringpoker

import (
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// sizes checks a bet or raise of amount chips before it is put: whether it is
// allowed at all, else the least and the most.
func (h *hand) sizes(i int, p *player, amount money.Cents, allIn bool) {
	raise := h.bets.cur > 0
	reopened := p.reopened || !p.acted || !slices.Contains(h.r.Limits.Double, h.o.Limit)
	if raise && (p.outOfTurn || !reopened || h.tooMany(p)) {
		h.at(i, "sizes", finding.RaiseWrong, p.seat)
		return
	}
	if h.o.Limit == fixedLimit {
		if !allIn {
			h.level(i, p, amount, raise)
		}
		return
	}
	h.least(i, p, amount, allIn, raise)
	h.most(i, p, amount)
}

// tooMany reports whether three raises have been made; with two in hand there is no limit.
func (h *hand) tooMany(p *player) bool {
	if h.liveCount() <= 2 {
		return false
	}
	return slices.Contains(h.r.Limits.PerHand, h.o.Limit) && h.bets.raises >= 3 ||
		slices.Contains(h.r.Limits.PerSeat, h.o.Limit) && p.raises >= 3
}

func (h *hand) least(i int, p *player, amount money.Cents, allIn, raise bool) {
	minimum, to := h.in.Rec.Table.Min, p.commit+amount
	switch {
	case allIn:
	case !raise && amount < minimum:
		h.amounts(i, "sizes", finding.BetBelowMin, p.seat, spotBote, minimum, amount)
	case raise && slices.Contains(h.r.Limits.Double, h.o.Limit) && to < 2*h.bets.cur:
		h.add("raise", game.Amounts(round.Finding{Code: finding.RaiseWrong, Event: i, Seat: p.seat}, 2*h.bets.cur, to))
	}
}

// most checks the largest bet that the table's limit allows.
func (h *hand) most(i int, p *player, amount money.Cents) {
	t, pot := h.toCall(p), h.pot()
	var limit money.Cents
	switch {
	case h.o.Limit == potLimit:
		limit = pot + t
	case h.o.Limit == splitLimit && h.r.seven():
		limit = h.highest()
	case h.o.Limit == splitLimit:
		limit = (pot + t) / 2
	case h.o.Limit == boteLimitado && h.bets.interval == 4:
		limit = h.bets.potAt / 2
	case h.o.Limit == boteLimitado && h.bets.interval == 5:
		limit = h.bets.potAt
	default:
		return
	}
	if amount > t+limit {
		h.amounts(i, "sizes", finding.BetAboveMax, p.seat, spotBote, t+limit, amount)
	}
}

// levels are the sizes that a fixed limit allows in this interval.
func (h *hand) levels() []money.Cents {
	low, high := h.in.Rec.Table.Min, h.o.High
	switch {
	case h.r.Limits.FlatBets:
		return []money.Cents{low}
	case h.bets.interval > 2:
		return []money.Cents{high}
	case h.bets.interval == 2 && h.r.stud():
		switch is, maybe := h.pairShown(); {
		case is && h.bets.highUsed:
			return []money.Cents{high}
		case maybe:
			return []money.Cents{low, high}
		}
	}
	return []money.Cents{low}
}

func (h *hand) highest() money.Cents { return slices.Max(h.levels()) }

// level checks a bet of the fixed limit.
func (h *hand) level(i int, p *player, amount money.Cents, raise bool) {
	levels := h.levels()
	inc := amount - h.toCall(p)
	want := slices.Max(levels)
	if slices.Contains(levels, inc) || want == 0 { // the record names no size
		return
	}
	for _, l := range levels { // the next level above what was bet
		if l > inc {
			want = min(want, l)
		}
	}
	switch {
	case raise:
		h.add("sizes", game.Amounts(round.Finding{Code: finding.RaiseWrong, Event: i, Seat: p.seat}, want, inc))
	case inc < want:
		h.amounts(i, "sizes", finding.BetBelowMin, p.seat, spotBote, want, amount)
	default:
		h.amounts(i, "sizes", finding.BetAboveMax, p.seat, spotBote, want, amount)
	}
}

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
