package housepoker

import (
	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// prize is what a spot pays to one for a hand, by the table that the house
// chose where the norm prints several.
func (sp *Spot) prize(v hands.Value, table int) (int64, bool) {
	name := v.Category().String()
	if v.Category() == hands.Pareja && v.Rank(0) < sp.PairFrom {
		return 0, false
	}
	for _, row := range sp.Tables {
		if c, n, err := tableRow(row, table); err == nil && c == name {
			return n, n > 0
		}
	}
	n, ok := sp.Pays[name]
	if !ok {
		n, ok = sp.Pays["any"]
	}
	return n, ok
}

// ownBet decides a bet that does not look at the bank's hand.
func (t *table) ownBet(e *entry, s *seat, sp *Spot) {
	if s.fold >= 0 && sp.FoldLoses && (e.Spot != "pareja_plus" || t.opt.foldPlus) {
		e.Lose()
		return
	}
	var n int64
	var paid bool
	var why sight
	switch sp.Against {
	case AgainstHole:
		n, paid, why = t.hole(s, sp)
	case AgainstFlop:
		n, paid, why = t.flop(s, sp)
	default:
		var h hands.Hand
		if h, why = t.hand(game.SeatZone(s.n)); why == known {
			n, paid = sp.prize(h.Value, t.opt.plusTable)
		}
	}
	switch {
	case why == unseen && s.fold >= 0 && !sp.FoldShows:
		e.Lose()
	case why != known:
		e.unknown(why)
	case !paid:
		e.Lose()
	default:
		e.Win(e.Stake * money.Cents(n))
		if e.Spot == "seguro" && !t.opt.seguroBack {
			e.Returns = 0
		}
	}
}

// hole is the prize of the two own cards, and of two aces against two aces.
func (t *table) hole(s *seat, sp *Spot) (int64, bool, sight) {
	why := t.view(game.SeatZone(s.n))
	if why != known {
		return 0, false, why
	}
	name := holeName(t.cards(game.SeatZone(s.n)))
	if both, ok := sp.Pays[name+"-"+name]; ok {
		if why := t.view(bank); why != known {
			return 0, false, why
		}
		if holeName(t.cards(bank)) == name {
			return both, true, known
		}
	}
	n, ok := sp.Pays[name]
	return n, ok, known
}

// holeName writes two cards as tables of hold'em do: "AA", "AKs" suited, "AKo" not.
func holeName(cards []card.Card) string {
	a, b := cards[0], cards[1]
	rank := func(c card.Card) int { return (c.Number() + 11) % 13 } // ace highest
	if rank(a) < rank(b) {
		a, b = b, a
	}
	name := string([]byte{a.Rank(), b.Rank()})
	switch {
	case a.Rank() == b.Rank():
		return name
	case a.Suit() == b.Suit():
		return name + "s"
	}
	return name + "o"
}

// flop is the prize of the two own cards with the first three of the board.
func (t *table) flop(s *seat, sp *Spot) (int64, bool, sight) {
	why := t.view(game.SeatZone(s.n))
	cards := t.cards(game.SeatZone(s.n))
	z := t.zone(board)
	if len(z.slots) < 3 {
		return 0, false, max(why, unseen)
	}
	for _, c := range z.slots[:3] {
		switch {
		case t.foreign(c.card):
			why = silent
		case c.card == card.Unseen:
			why = max(why, unseen)
		}
		cards = append(cards, c.card)
	}
	if why != known {
		return 0, false, why
	}
	n, ok := sp.prize(t.rank.Best(cards).Value, t.opt.plusTable)
	return n, ok, known
}

// virtuals settles the automatic prizes on the ante, which have no chips.
func (t *table) virtuals() {
	for _, s := range t.active() {
		a := t.chips[game.Place{Seat: s.n, Spot: ante}]
		if !s.inPlay(t) || a == nil || a.valid == 0 || t.undecided(s) {
			continue
		}
		h, why := t.hand(game.SeatZone(s.n))
		if why != known {
			continue
		}
		for name, sp := range t.rules.Spots {
			if sp.Against != Virtual {
				continue
			}
			if n, ok := sp.prize(h.Value, t.opt.plusTable); ok && n > 0 {
				e := &entry{Due: settle.On(game.Place{Seat: s.n, Spot: name}, 0)}
				e.Settle(round.Win, a.valid*money.Cents(n), 0)
				t.addVirtual(e)
			}
		}
	}
}

// addVirtual adds a prize to the entry of chips that were laid on its spot by
// mistake, or as an entry of its own.
func (t *table) addVirtual(e *entry) {
	k := t.entryOf(e.Place())
	if k < 0 {
		t.entries = append(t.entries, e)
		return
	}
	x := t.entries[k]
	x.Back, x.Stake = x.Stake, 0
	x.Settle(round.Win, e.Pays, 0)
}
