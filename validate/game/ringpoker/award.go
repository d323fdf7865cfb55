package ringpoker

import (
	"slices"

	"vision/internal/money"
)

// divide makes the pots and gives them to the best hands.
func (h *hand) divide(in []reading) {
	x := &h.final
	var shares []share
	for _, p := range h.order {
		if p.refund || p.ante+p.total == 0 && !p.in {
			continue
		}
		live := slices.ContainsFunc(in, func(r reading) bool { return r.p == p })
		shares = append(shares, share{p.seat, p.total, p.ante, live})
	}
	if seat, amount := uncalled(shares); seat > 0 {
		x.returns[seat] += amount
		for k := range shares {
			if shares[k].seat == seat {
				shares[k].total -= amount
			}
		}
	}
	x.pots = pots(shares, h.carry.Bote)
	if k := &h.o.Rake; k.Mode == "percent" {
		rate, limit := k.Rate, k.Cap
		if most := h.r.Rake.Most; most > 0 {
			rate = min(rate, most)
		}
		switch limit {
		case 0:
			limit = -1
		case -1:
			limit = 0
		}
		rakePots(x.pots, rate, k.Unit, limit)
	}
	for k := range x.pots {
		h.award(&x.pots[k], in)
	}
}

// award gives one pot, in halves where there are two ways to win it.
func (h *hand) award(p *pot, in []reading) {
	x := &h.final
	x.pot += p.Amount
	x.rake += p.Rake
	net := p.Amount - p.Rake
	var eligible []reading
	for _, r := range in {
		if slices.Contains(p.Seats, r.p.seat) {
			eligible = append(eligible, r)
		}
	}
	first := best(eligible, func(r reading) int64 { return int64(r.high[0]) })
	switch {
	case len(eligible) > 1 && len(h.cards.board) > 1:
		a, b := halves(net, h.o.Chip)
		h.pay(p, first, a)
		h.pay(p, best(eligible, func(r reading) int64 { return int64(r.high[1]) }), b)
	case h.r.Low && slices.ContainsFunc(eligible, func(r reading) bool { return r.low > 0 }):
		low := best(eligible, func(r reading) int64 {
			if r.low == 0 {
				return 0
			}
			return 1<<32 - int64(r.low)
		})
		a, b := halves(net, h.o.Chip)
		h.pay(p, first, a)
		h.pay(p, low, b)
		for _, s := range low {
			if !slices.Contains(x.low, s) {
				x.low = append(x.low, s)
				x.categories[s] = append(x.categories[s], bajo)
			}
		}
	default:
		h.pay(p, first, net)
	}
	slices.Sort(p.Winners)
}

// best are the seats of the readings with the greatest worth.
func best(in []reading, worth func(reading) int64) []int {
	var out []int
	top := int64(-1)
	for _, r := range in {
		switch v := worth(r); {
		case v > top:
			top, out = v, []int{r.p.seat}
		case v == top:
			out = append(out, r.p.seat)
		}
	}
	return out
}

// pay splits a part of a pot among its winners.
func (h *hand) pay(p *pot, winners []int, amount money.Cents) {
	var order []int
	if slices.Contains(winners, h.bets.last) {
		order = append(order, h.bets.last)
	}
	for _, s := range h.ring.from(h.mano, h.ring.dir) {
		if slices.Contains(winners, s) && s != h.bets.last {
			order = append(order, s)
		}
	}
	var weights map[int]money.Cents
	if h.o.Proportional && len(order) > 1 {
		weights = map[int]money.Cents{}
		for _, s := range order {
			if !h.players[s].known {
				weights = nil
				break
			}
			weights[s] = h.players[s].stack
		}
	}
	for seat, part := range split(amount, h.o.Chip, order, weights) {
		h.final.pays[seat] += part
	}
	for _, s := range order {
		h.final.wins[s] = true
		if !slices.Contains(p.Winners, s) {
			p.Winners = append(p.Winners, s)
		}
	}
}

// goBack adds up what goes back to its owners: chips that do not count, and all
// chips of hands that the norm pays back.
func (h *hand) goBack() {
	x := &h.final
	for _, p := range h.order {
		x.returns[p.seat] += p.excess
		if p.refund {
			x.returns[p.seat] += p.ante + p.total
		}
	}
	if x.blank || x.stays {
		x.pot = h.pot()
	}
}
