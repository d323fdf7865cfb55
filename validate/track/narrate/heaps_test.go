package narrate

import (
	"slices"
	"testing"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/track/scene"
)

// Chips that the house rakes together on a place of the layout, as it takes others, are no bet:
// they go with what lay there. Whatever somebody else may have laid stays.
func TestChipsRakedTogether(t *testing.T) {
	stake, other := scene.Place{Seat: 2, Spot: "caballo:7-8"}, scene.Place{Seat: 1, Spot: "pleno:16"}
	bank, players := []string{fact.Bank}, []string{fact.Players}
	for name, c := range map[string]struct {
		hands []string // at the stake
		takes float64  // when the house took the other
		ball  float64
		want  []money.Cents
	}{
		"raked together":             {hands: bank, takes: 5, ball: 3, want: []money.Cents{-500, -1000}},
		"nothing else was taken":     {hands: bank, takes: 4, ball: 3, want: []money.Cents{-500, 4500, -5500}},
		"before the ball lay":        {hands: bank, takes: 5, ball: 6, want: []money.Cents{-500, 4500, -5500}},
		"players' hands":             {hands: players, takes: 5, ball: 3, want: []money.Cents{-500, 4500, -5500}},
		"hands of nobody knows whom": {takes: 5, ball: 3, want: []money.Cents{-500, 4500, -5500}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{Given: Given{Game: &Game{}, Scene: &scene.Scene{}}, Counts: Counts{Moves: []Move{
				{Place: other, Delta: -500, At: at(c.takes), item: 0, hands: bank},
				{Place: stake, Delta: 4500, At: at(5), item: 1, hands: c.hands},
				{Place: stake, Delta: -5500, At: at(7), item: 2, hands: bank},
			}}}
			var got []money.Cents
			for _, m := range s.withoutHeaps(at(c.ball)) {
				got = append(got, m.Delta)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("movements of %v, want %v", got, c.want)
			}
		})
	}
}
