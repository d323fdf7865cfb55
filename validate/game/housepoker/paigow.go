package housepoker

import (
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/round"
)

// sumOfDice is the sum of the throw that counts; 0 where it is not three dice read.
func (t *table) sumOfDice() int {
	if t.dice == none {
		return 0
	}
	return sumOf(t.ev[t.dice].Faces)
}

// sumOf is the sum of three dice; 0 where they are not three, or one was not read.
func sumOf(faces []int) int {
	if len(faces) != 3 {
		return 0
	}
	sum := 0
	for _, f := range faces {
		if f == 0 {
			return 0
		}
		sum += f
	}
	return sum
}

// Ring are the zones of all positions of pai gow's table in the order in which a
// throw has them dealt: clockwise from the position that the dice choose, the banker
// being the first (A.14.3 VIII); nil when the dice are not known. Of rec the table's
// options and what the round before left are heard; its error is theirs.
func (r *Rules) Ring(rec *round.Record, faces []int) ([]string, error) {
	o, err := readOptions(rec, r)
	sum := sumOf(faces)
	if err != nil || sum == 0 {
		return nil, err
	}
	return o.ring(sum), nil
}

func (o *options) ring(sum int) []string {
	n := o.places + 1
	out := make([]string, n)
	for k := range out {
		out[k] = bank
		if at := (o.banker + sum - 1 + k) % n; at > 0 {
			out[k] = game.SeatZone(at)
		}
	}
	return out
}

// ringOrder is the ring without the positions at which nobody plays; nil when the
// dice are not known.
func (t *table) ringOrder() []string {
	sum := t.sumOfDice()
	if sum == 0 {
		return nil
	}
	plays := t.playing()
	return slices.DeleteFunc(t.opt.ring(sum), func(zone string) bool {
		return zone != bank && !slices.Contains(plays, game.SeatOf(zone))
	})
}

// throws checks the number of dice.
func (t *table) throws() {
	if !t.rules.Deal.Hands {
		return
	}
	for i, e := range game.Each(t.ev, round.Dice) {
		if len(e.Faces) != 3 {
			t.Add(round.Finding{Code: finding.DiceCountWrong, Event: i, Expected: 3, Observed: len(e.Faces), Rule: t.cite("deal")})
		}
	}
}

// setBadly reports whether two hands are not five and two of the zone's cards, or
// the lower is above the higher.
func (t *table) setBadly(zone string, highs, lows []card.Card) bool {
	if len(highs) != 5 || len(lows) != 2 {
		return true
	}
	if t.view(zone) == known {
		mine := slices.Sorted(slices.Values(t.cards(zone)))
		if !slices.Equal(mine, slices.Sorted(slices.Values(slices.Concat(highs, lows)))) {
			return true
		}
	}
	h, l := t.rank.Value(highs), t.low.Value(lows)
	return h != 0 && l != 0 && l > h
}

// arrangements judges how the hands were set.
func (t *table) arrangements() {
	if t.low == nil {
		return
	}
	raise := func(event, n int, zone string) {
		t.Add(round.Finding{Code: finding.HandSetWrong, Event: event, Seat: n, Zone: zone, Rule: t.cite("set")})
	}
	if t.bankSet >= 0 && t.setBadly(bank, t.bankHigh, t.bankLow) {
		raise(t.bankSet, 0, bank)
	}
	for _, n := range t.playing() {
		if s := t.seat(n); s.arranged >= 0 && t.setBadly(game.SeatZone(n), s.high, s.low) {
			s.bad = true
			raise(s.arranged, n, game.SeatZone(n))
		}
	}
	t.waitForSets()
}

// waitForSets finds the croupier's hand turned before a player has set his.
func (t *table) waitForSets() {
	shown := min(t.bankAt, len(t.ev))
	if t.bankSet >= 0 {
		shown = min(shown, t.bankSet)
	}
	for _, n := range t.playing() {
		s := t.seat(n)
		if shown < len(t.ev) && (s.set == none || s.set > shown) && (s.arranged == none || s.arranged > shown) {
			t.procedure(shown)
		}
	}
}

// twoHands are the values of a player's or the bank's hands as they were set.
func (t *table) twoHands(zone string, highs, lows []card.Card, event int) (high, low hands.Value, why sight) {
	if slices.ContainsFunc(slices.Concat(t.cards(zone), highs, lows), t.foreign) {
		return 0, 0, silent
	}
	if event == none {
		return 0, 0, unseen
	}
	high, low = t.rank.Value(highs), t.low.Value(lows)
	if high == 0 || low == 0 {
		return 0, 0, unseen
	}
	return high, low, known
}

// bankerHands are the hands that the players' are compared with.
func (t *table) bankerHands() (high, low hands.Value, why sight) {
	if b := t.opt.banker; b > 0 {
		s := t.seat(b)
		return t.twoHands(game.SeatZone(b), s.high, s.low, s.arranged)
	}
	return t.twoHands(bank, t.bankHigh, t.bankLow, t.bankSet)
}

// comparison is how many of a seat's two hands are above the banker's: 2 wins,
// 1 is null, 0 loses.
func (t *table) comparison(s *seat) (int, sight) {
	if s.bad {
		return 0, known
	}
	high, low, why := t.twoHands(game.SeatZone(s.n), s.high, s.low, s.arranged)
	bankHigh, bankLow, bankWhy := t.bankerHands()
	if why = max(why, bankWhy); why != known {
		return 0, why
	}
	n := 0
	if high > bankHigh {
		n++
	}
	if low > bankLow {
		n++
	}
	return n, known
}

// two is what a bet of pai gow does with so many hands above the banker's, and
// what it wins to one.
func (sp *Spot) two(above int) (round.Outcome, int64) {
	switch above {
	case 2:
		return round.Win, sp.Pays["any"]
	case 1:
		return round.Push, 0
	}
	return round.Lose, 0
}

// againstTwo settles a bet of pai gow with its commission.
func (t *table) againstTwo(e *entry, s *seat, sp *Spot) {
	above, why := t.comparison(s)
	if why != known {
		e.unknown(why)
		return
	}
	switch o, n := sp.two(above); o {
	case round.Lose:
		e.Settle(o, 0, 0)
	default:
		e.Settle(o, e.Stake*money.Cents(n), e.Stake)
		e.Commission = money.MulDiv(e.Pays, int64(t.opt.commission), 10000)
	}
}
