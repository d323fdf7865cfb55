package wheels

import (
	"cmp"
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/round"
)

// bets is the carry of the dice games whose stakes may stay.
type bets struct {
	Bets []Kept `json:"bets,omitempty"`
}

// Kept is a stake that stays on the table.
type Kept struct {
	Seat   int         `json:"seat"`
	Spot   string      `json:"spot"`
	Amount money.Cents `json:"amount"`
}

// lay puts carried stakes on the table.
func (t *table) carryBets(list []Kept, allowed func(spot string) bool) error {
	for i, b := range list {
		path := fmt.Sprintf("carry.bets[%d]", i)
		s := t.at(game.Place{Seat: b.Seat, Spot: b.Spot})
		switch {
		case !allowed(b.Spot):
			return round.Malformed(path+".spot", "", "%s carries no bet on %q", t.Game.Code, b.Spot)
		case b.Seat < 1 || b.Amount <= 0 || b.Amount > round.MaxAmount:
			return round.Malformed(path, "", "a carried bet needs a seat and an amount above 0")
		case s.carried > 0:
			return round.Malformed(path, "add the two", "seat %d is there twice on %s", b.Seat, b.Spot)
		}
		s.carried = b.Amount
	}
	return nil
}

func sortKept(list []Kept) []Kept {
	slices.SortFunc(list, func(a, b Kept) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot))
	})
	return list
}

// staying are the stakes that the round leaves on the table.
func (t *table) staying() []Kept {
	out := []Kept{}
	for at, l := range t.lines {
		if l.Outcome == round.Stay || l.Outcome == round.Unknown {
			out = append(out, Kept{at.Seat, at.Spot, l.Stake})
		}
	}
	return sortKept(out)
}
