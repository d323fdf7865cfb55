package banked

import (
	"vision/internal/card"
	"vision/validate/game/hands"
)

// Prize is what a spot pays to one for a hand, by the k-th table where the house chooses.
func (r *Rules) Prize(spot string, k int, v hands.Value) (int64, bool) {
	sp := r.Spots[spot]
	return (&table{rules: r, opt: &options{plusTable: k}}).prize(&sp, nil, v)
}

// HoleName exports holeName.
func HoleName(cards []card.Card) string { return holeName(cards) }

// BankDue exports the draw of the bank.
func BankDue(r *hands.Ranking, five []card.Card) []card.Card {
	return (&table{rank: r}).bankDue(five)
}
