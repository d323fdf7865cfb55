package housepoker

import (
	"vision/internal/card"
	"vision/validate/game/hands"
)

// Prize is what a spot pays to one for a hand, by the k-th table where the house chooses.
func (r *Rules) Prize(spot string, k int, v hands.Value) (int64, bool) {
	sp := r.Spots[spot]
	return sp.prize(v, k)
}

// Meet is what a bet against the bank wins to one, -1 where it is lost, when two hands meet.
func (r *Rules) Meet(spot string, rank *hands.Ranking, player, bank hands.Value) int64 {
	sp := r.Spots[spot]
	o, n := sp.meet(player, bank, r.plays(rank, bank), 1)
	if o == "lose" {
		return -1
	}
	return n
}

// Plays reports whether a hand lets the bank play.
func (r *Rules) Plays(rank *hands.Ranking, v hands.Value) bool { return r.plays(rank, v) }

// HoleName exports holeName.
func HoleName(cards []card.Card) string { return holeName(cards) }

// BankDue exports the draw of the bank.
func BankDue(r *hands.Ranking, five []card.Card) []card.Card {
	return (&table{rank: r}).bankDue(five)
}

// Two is what a bet of pai gow wins to one with so many hands above the banker's,
// after the commission.
func (r *Rules) Two(spot string, above int) float64 {
	sp := r.Spots[spot]
	switch o, n := sp.two(above); o {
	case "win":
		return float64(n) * (1 - float64(sp.Commission)/10000)
	case "push":
		return 0
	}
	return -1
}
