package ringpoker

import (
	"math/bits"
	"slices"

	"vision/internal/money"
)

// share is what one seat has put into a hand, without what goes back to it.
type share struct {
	seat  int
	total money.Cents // of all intervals, blinds included
	dead  money.Cents // antes: they belong to the main pot
	live  bool        // may still win
}

// pot is a part of the chips with those who may win it.
type pot struct {
	Amount  money.Cents `json:"amount"`
	Rake    money.Cents `json:"rake"`
	Seats   []int       `json:"seats"`
	Winners []int       `json:"winners"`
}

// uncalled is the part of the highest total that nobody has matched, and whose
// it is; seat 0 where two are equal.
func uncalled(shares []share) (seat int, amount money.Cents) {
	var first, second money.Cents
	for _, s := range shares {
		switch {
		case s.total > first:
			first, second, seat = s.total, first, s.seat
		case s.total > second:
			second = s.total
		}
	}
	if first == second {
		return 0, 0
	}
	return seat, first - second
}

// pots divides what was put (the uncalled part already taken out) and the chips
// carried from earlier hands: one pot for each different total of the live
// seats. Chips of the others above the top one join the last pot.
func pots(shares []share, carried money.Cents) []pot {
	var levels []money.Cents
	for _, s := range shares {
		if s.live {
			levels = append(levels, s.total)
		}
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	out := make([]pot, 0, len(levels))
	below := money.Cents(0)
	for k, level := range levels {
		p := pot{Seats: []int{}, Winners: []int{}}
		for _, s := range shares {
			top := min(s.total, level)
			if k == len(levels)-1 {
				top = s.total
			}
			if top > below {
				p.Amount += top - below
			}
			if k == 0 {
				p.Amount += s.dead
			}
			if s.live && s.total >= level {
				p.Seats = append(p.Seats, s.seat)
			}
		}
		if k == 0 {
			p.Amount += carried
		}
		slices.Sort(p.Seats)
		out = append(out, p)
		below = level
	}
	return out
}

// rakePots takes the house's percentage from each pot in turn: rounded half up,
// then down to a multiple of unit; together at most limit (negative: no limit).
func rakePots(list []pot, rate int64, unit, limit money.Cents) {
	left := limit
	for i := range list {
		r := percent(list[i].Amount, rate)
		r -= r % unit
		if limit >= 0 {
			r = min(r, left)
			left -= r
		}
		list[i].Rake = r
	}
}

// percent is a rate in basis points of an amount, rounded half up.
func percent(amount money.Cents, rate int64) money.Cents {
	hi, lo := bits.Mul64(uint64(amount), uint64(2*rate))
	lo, carry := bits.Add64(lo, 10000, 0)
	q, _ := bits.Div64(hi+carry, lo, 20000)
	return money.Cents(q)
}

// split divides an amount among winners in the order in which the remaining
// chips go to them: parts in proportion to weights (nil: equal), down to chip;
// the chips that remain one each; what is less than a chip to the first.
func split(amount, chip money.Cents, winners []int, weights map[int]money.Cents) map[int]money.Cents {
	out := make(map[int]money.Cents, len(winners))
	if len(winners) == 0 {
		return out
	}
	var sum money.Cents
	for _, w := range winners {
		sum += weights[w]
	}
	rest := amount
	for _, w := range winners {
		part := amount / money.Cents(len(winners))
		if sum > 0 {
			hi, lo := bits.Mul64(uint64(amount), uint64(weights[w]))
			q, _ := bits.Div64(hi, lo, uint64(sum))
			part = money.Cents(q)
		}
		part -= part % chip
		out[w] = part
		rest -= part
	}
	for k := 0; rest >= chip; k++ {
		out[winners[k%len(winners)]] += chip
		rest -= chip
	}
	out[winners[0]] += rest
	return out
}

// halves divides an amount between high and low, or between the two lines of
// doble hold'em: the second half rounded down to chip.
func halves(amount, chip money.Cents) (first, second money.Cents) {
	second = amount / 2
	second -= second % chip
	return amount - second, second
}

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
