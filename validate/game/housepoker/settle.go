package housepoker

import (
	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/game/settle"
	"vision/validate/round"
)

const (
	known  sight = iota
	unseen       // a card is not known: the bet is not observable
	silent       // undecidable for a reason that is reported elsewhere, or is none
)

// qualifies reports whether the bank plays with a hand.
func (t *table) qualifies(v hands.Value) bool { return t.rules.plays(t.rank, v) }

// plays reports whether a hand lets the bank play; any does where the game has no least hand.
func (r *Rules) plays(rank *hands.Ranking, v hands.Value) bool {
	return r.Qualify == nil || v >= rank.Make(r.Qualify.Category, r.Qualify.Ranks...)
}

// settle decides every spot with chips and the virtual ones that win.
func (t *table) settle() {
	room := make([]entry, len(t.places))
	t.entries = make([]*entry, 0, len(t.places)+len(t.dealtIn))
	for k, c := range t.places {
		if c.there() == 0 {
			continue
		}
		e := &room[k]
		*e = entry{Due: settle.On(c.Place, c.valid)}
		e.Back = c.void
		switch {
		case c.valid == 0:
			e.Stake, e.Back = c.void, 0
			e.Void()
		case t.void:
			e.Void()
		default:
			t.decide(e, t.rules.spot(c.Spot))
		}
		t.entries = append(t.entries, e)
	}
	if !t.void {
		t.meters()
		t.virtuals()
	}
}

func (t *table) decide(e *entry, sp *Spot) {
	s := t.seat(e.Seat)
	switch {
	case s.void:
		e.Void()
	case t.lostOut(s, e):
		e.Lose()
	case sp.Against == AgainstBank:
		t.againstBank(e, s, sp)
	case sp.Against == AgainstTwo:
		t.againstTwo(e, s, sp)
	case sp.Against == AgainstMeter:
		// by the cascade
	default:
		t.ownBet(e, s, sp)
	}
}

// lostOut reports whether a seat lost a bet by what it did outside the cards,
// before the bet was settled.
func (t *table) lostOut(s *seat, e *entry) bool {
	if !s.loses {
		return false
	}
	first := t.moved.Of(e.Place()).First()
	return first < 0 || first > s.out
}

// undecided reports whether nobody saw what a seat decided.
func (t *table) undecided(s *seat) bool {
	return t.rules.Second != "" && s.play == none && s.chips == none && s.turn == none && s.river == none
}

func (t *table) againstBank(e *entry, s *seat, sp *Spot) {
	if s.fold >= 0 {
		e.Lose()
		return
	}
	if t.undecided(s) {
		e.unknown(unseen)
		return
	}
	b, bs := t.hand(bank)
	if bs != known {
		_, ps := t.hand(game.SeatZone(s.n))
		e.unknown(max(bs, ps))
		return
	}
	o, pays, why := t.versus(s, sp, e.Stake, b.Value, t.qualifies(b.Value))
	switch o {
	case round.Unknown:
		e.unknown(why)
	case round.Lose:
		e.Settle(o, 0, 0)
	default:
		e.Settle(o, pays, e.Stake)
	}
}

// unequal is what a bet does against a bank that does not play, whatever the
// player holds; ok is false where his hand matters.
func (sp *Spot) unequal() (o round.Outcome, odds int64, ok bool) {
	switch sp.Unequal {
	case "win":
		return round.Win, 1, true
	case "push":
		return round.Push, 0, true
	}
	return "", 0, false
}

// meet is what a bet against the bank does when two hands meet: the outcome,
// and what it wins to one.
func (sp *Spot) meet(player, bank hands.Value, qualifies bool, table int) (round.Outcome, int64) {
	if !qualifies {
		if o, n, ok := sp.unequal(); ok {
			return o, n
		}
	}
	n, paid := sp.prize(player, table)
	won := player > bank || !qualifies && sp.Unequal == "table"
	switch {
	case won && paid:
		return round.Win, n
	case won:
		return round.Push, 0
	case player == bank && sp.TieWins:
		return round.Win, 1
	case player == bank:
		return round.Push, 0
	}
	return round.Lose, 0
}

// versus compares a seat's hand with the bank's known one, which qualifies or not.
func (t *table) versus(s *seat, sp *Spot, stake money.Cents, b hands.Value,
	qualifies bool) (round.Outcome, money.Cents, sight) {
	if !qualifies {
		if o, n, ok := sp.unequal(); ok {
			return o, stake * money.Cents(n), known
		}
	}
	h, why := t.hand(game.SeatZone(s.n))
	if why != known {
		return round.Unknown, 0, why
	}
	o, n := sp.meet(h.Value, b, qualifies, t.opt.plusTable)
	return o, stake * money.Cents(n), known
}
