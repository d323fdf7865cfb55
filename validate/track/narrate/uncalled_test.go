package narrate

import (
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/track/scene"
)

// What nobody called goes back to who still plays, whole or a part of what he had laid; nothing of what
// the croupier alone took does.
func TestWhoseBetNobodyCalled(t *testing.T) {
	took := func(seat int, sum money.Cents, hands ...string) Move {
		return Move{Place: scene.Place{Seat: seat, Spot: scene.BoteSpot}, Delta: -sum, hands: hands}
	}
	bank, both := []string{fact.Bank}, []string{fact.Bank, fact.Players}
	for name, c := range map[string]struct {
		near   []Move
		folded []int
		excess money.Cents
		want   int
	}{
		"none is too much":            {near: []Move{took(1, 500)}, want: -1},
		"just that":                   {near: []Move{took(1, 500), took(2, 250)}, excess: 250, want: 1},
		"a part of it":                {near: []Move{took(2, 250, bank...), took(3, 500, both...)}, folded: []int{2}, excess: 250, want: 1},
		"two of the sum, one gave up": {near: []Move{took(1, 250), took(2, 250)}, folded: []int{1}, excess: 250, want: 1},
		"the croupier took all":       {near: []Move{took(1, 500, bank...), took(2, 250, bank...)}, excess: 250, want: -1},
		"more than anybody laid":      {near: []Move{took(1, 500), took(2, 250)}, excess: 900, want: -1},
	} {
		r := &ringPokerRound{fold: map[int]time.Time{}}
		for _, seat := range c.folded {
			r.fold[seat] = at(1)
		}
		if got := r.uncalled(c.near, c.excess); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
