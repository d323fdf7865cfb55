package housepoker

import (
	"cmp"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/round"
)

// claim is a hand that may take something out of the meter.
type claim struct {
	e       *entry
	value   hands.Value
	prize   Prize
	changed bool // with exchanged cards
}

// better orders claims as they are paid: without exchange first, then the higher hand.
func better(a, b claim) int {
	switch {
	case a.changed == b.changed:
		return cmp.Compare(b.value, a.value)
	case b.changed:
		return -1
	}
	return 1
}

// meters settles the bets on the progressive prizes, best hand first.
func (t *table) meters() {
	claims, hidden := t.claims()
	slices.SortStableFunc(claims, better)
	claims = slices.DeleteFunc(claims, func(c claim) bool { return t.hangsOn(hidden, c) })
	left := t.opt.meter
	for k := 0; k < len(claims); {
		n := k + 1
		for n < len(claims) && better(claims[k], claims[n]) == 0 {
			n++
		}
		left = t.pay(claims[k:n], left)
		k = n
	}
	if t.opt.metered && t.meterName() != "" {
		t.next[t.meterName()] = t.keepMeter(left)
	}
}

// meterName is the field of next that holds the meter; "" where the game has none.
func (t *table) meterName() string {
	for _, name := range []string{"progresivo", "jackpot"} {
		if _, ok := t.rules.Spots[name]; ok {
			return name + "_meter"
		}
	}
	return ""
}

func (t *table) keepMeter(left money.Cents) money.Cents {
	if t.rules.Deal.Draw && t.opt.jackpotKind == "fixed" {
		return t.opt.meter
	}
	return left
}

// hangsOn reports whether a percentage hangs on hands that nobody saw, which may come
// before it and leave less in the meter; then it is not known either.
func (t *table) hangsOn(hidden []claim, c claim) bool {
	k := slices.IndexFunc(hidden, func(h claim) bool { return c.changed || !h.changed })
	if k < 0 || c.prize.Times > 0 || !t.opt.metered {
		return false
	}
	c.e.unknown(hidden[k].e.cause)
	return true
}

// claims are the bets on the meter whose hand has a prize, and those whose hand is not
// known; the others are settled here.
func (t *table) claims() (list, hidden []claim) {
	for _, e := range t.entries {
		sp := t.rules.spot(e.Spot)
		if sp.Against != AgainstMeter || e.Outcome != "" {
			continue
		}
		if sp.House && !t.opt.interconnected {
			e.unknown(silent)
			continue
		}
		switch c, why := t.claim(e, sp); {
		case c.changed && !t.opt.withDiscard, why == unseen && t.seat(e.Seat).fold >= 0:
			e.Lose()
		case why != known:
			e.unknown(why)
			hidden = append(hidden, c)
		case c.prize == Prize{}:
			e.Lose()
		default:
			list = append(list, c)
		}
	}
	return list, hidden
}

// claim is what a bet on the meter may take, where its hand is known.
func (t *table) claim(e *entry, sp *Spot) (claim, sight) {
	s := t.seat(e.Seat)
	v, why := t.meterHand(s)
	c := claim{e: e, value: v, changed: t.rules.Deal.Draw && len(t.zone(game.SeatZone(s.n)).gone) > 0}
	table := sp.Prizes
	if c.changed {
		table = sp.Changed
	}
	if why == known {
		c.prize = table[v.Category().String()]
	}
	return c, why
}

// meterHand is the hand that counts for the meter: the first five cards, the
// final ones, or the own three with two common ones.
func (t *table) meterHand(s *seat) (hands.Value, sight) {
	zone := game.SeatZone(s.n)
	switch {
	case t.wheel != nil:
		why := max(t.view(zone), t.view(board))
		if why != known {
			return 0, why
		}
		return t.wheel.Best(append(t.cards(zone), t.cards(board)...)).Value, known
	case t.opt.progresivo == "first" && t.has("buy_card"):
		return t.firstHand(zone)
	}
	h, why := t.hand(zone)
	return h.Value, why
}

// firstCards are the cards of the initial deal, those put aside among them.
func (t *table) firstCards(zone string) []card.Card {
	z := t.zone(zone)
	list := slices.Clone(z.gone)
	for _, s := range z.slots {
		if !s.extra {
			list = append(list, s.card)
		}
	}
	return list
}

func (t *table) firstHand(zone string) (hands.Value, sight) {
	cards := t.firstCards(zone)
	for _, c := range cards {
		if t.foreign(c) {
			return 0, silent
		}
	}
	if v := t.rank.Value(cards); v != 0 {
		return v, known
	}
	return 0, unseen
}

// pay gives equal hands their prize and says what is left of the meter.
func (t *table) pay(equal []claim, left money.Cents) money.Cents {
	p, n := equal[0].prize, money.Cents(len(equal))
	if p.Times > 0 {
		for _, c := range equal {
			c.win(c.e.Stake * money.Cents(p.Times))
			left = max(left-c.e.Pays, 0)
		}
		return left
	}
	if !t.opt.metered {
		for _, c := range equal {
			c.e.unknown(silent)
		}
		return left
	}
	flush := equal[0].value.Category() == hands.EscaleraColor
	each := money.MulDiv(left, p.Share, 10000)
	switch {
	case n > 1 && flush && t.rules.MeterEach:
		each = money.MulDiv(t.opt.meter, p.Share, 10000)
	case n > 1:
		each /= n
	}
	for _, c := range equal {
		prize := min(each, left)
		c.win(prize)
		left -= prize
	}
	return left
}

func (c claim) win(prize money.Cents) {
	if prize == 0 {
		c.e.Lose()
		return
	}
	c.e.Settle(round.Win, prize, 0)
}

// rankOf is the place of a winner of a percentage in the order of payment;
// ok is false for bets that win none.
func (t *table) rankOf(e *entry) (claim, bool) {
	sp := t.rules.spot(e.Spot)
	if sp.Against != AgainstMeter || e.Outcome != round.Win {
		return claim{}, false
	}
	c, _ := t.claim(e, sp)
	return c, c.prize.Share > 0
}
