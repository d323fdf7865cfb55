package script

import (
	"encoding/json"
	"slices"

	"vision/internal/lab/sim/script/poker"
	"vision/internal/money"
)

// The bets on a meter: progresivo (cantabria-2010 A.14.1 VII, L3971-3993) and
// jackpot (castilla-y-leon-2013 art. 51, L812-859). Both are judged on the first
// five cards alone: who has bought a card has no progresivo, who has drawn no jackpot.

// shares are the hands that win, in hundredths of a percent of the meter.
var shares = map[string]map[poker.Category]int64{
	"progresivo": {poker.EscaleraReal: 10000, poker.EscaleraColor: 1000},
	"jackpot":    {poker.EscaleraReal: 10000, poker.EscaleraColor: 1000, poker.Poquer: 500},
}

// reading is what the meter shows before the round.
func (r *bankedRound) reading() money.Cents {
	if r.g.slot == "" {
		return 0
	}
	var left map[string]money.Cents
	if json.Unmarshal(r.rec.Carry, &left) == nil {
		return left[r.meterName()]
	}
	opened, _ := r.g.house[r.meterName()].(int)
	return money.Cents(opened)
}

func (r *bankedRound) meterName() string { return r.g.slot + "_meter" }

// meter is what each seat wins of it, and what stays.
func (r *bankedRound) meter() (prizes map[int]money.Cents, left money.Cents) {
	if r.g.slot == "" {
		return nil, 0
	}
	var in []player
	for _, n := range r.in() {
		h := r.handOf(seatZone(n))
		if r.spotOf(n, r.g.slot).stake > 0 && !r.drew[n] && shares[r.g.slot][h.Category] > 0 {
			in = append(in, player{n, h})
		}
	}
	return cascade(r.g.slot, r.reading(), in)
}

// player is a hand that plays for a meter.
type player struct {
	seat int
	hand poker.Hand
}

// cascade pays the highest hand first and each lower one of what is left. Equal
// hands divide their share; equal escaleras de color win, at the jackpot, each a
// whole share of what the meter had at first (art. 51.4.c-d, L849-851).
func cascade(slot string, first money.Cents, in []player) (prizes map[int]money.Cents, left money.Cents) {
	slices.SortStableFunc(in, func(a, b player) int { return poker.Compare(b.hand, a.hand) })
	prizes, left = map[int]money.Cents{}, first
	for len(in) > 0 {
		n := 1
		for n < len(in) && poker.Compare(in[0].hand, in[n].hand) == 0 {
			n++
		}
		category := in[0].hand.Category
		share := shares[slot][category]
		each := money.MulDiv(left, share, 10000) / money.Cents(n)
		if n > 1 && slot == "jackpot" && category == poker.EscaleraColor {
			each = money.MulDiv(first, share, 10000)
		}
		for _, p := range in[:n] {
			prizes[p.seat] = min(each, left)
			left -= prizes[p.seat]
		}
		in = in[n:]
	}
	return prizes, left
}

// leaves is what the round leaves to the next: the meter, or who has the bank. A
// meter from which a prize was taken has grown again to a round sum; one that was
// won opens as it opened first.
func (r *bankedRound) leaves() json.RawMessage {
	switch {
	case r.g.sets:
		return json.RawMessage(`{"bank":"croupier"}`)
	case r.g.slot == "":
		return nil
	}
	const whole = 100000
	left := r.left
	if left = (left + whole - 1) / whole * whole; left == 0 {
		left = money.Cents(r.g.house[r.meterName()].(int))
	}
	return asJSON(map[string]money.Cents{r.meterName(): left})
}
