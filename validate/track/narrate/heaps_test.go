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

// A pile that went to another place under hands of both sides is no late bet if it is as much, and of the same seat;
// until that goes nothing of it is collected, and who was there then may have got a part.
func TestAPileRakedUnderHandsOfBothSides(t *testing.T) {
	stake, heap := scene.Place{Seat: 2, Spot: "grande_linea"}, scene.Place{Seat: 2, Spot: "pequeno"}
	bank, both := []string{fact.Bank}, []string{fact.Bank, fact.Players}
	for name, c := range map[string]struct {
		raked, gone []string // hands
		came        money.Cents
		want        []money.Cents
		hands       int // sides that may have taken the pile
	}{
		"under both":         {both, bank, 1000, []money.Cents{-1000}, 2},
		"another amount":     {both, bank, 500, []money.Cents{-1000, 500, -500}, 2},
		"gone under both":    {bank, both, 1000, []money.Cents{-1000}, 2},
		"by the house alone": {bank, bank, 1000, []money.Cents{-1000}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{Given: Given{Game: &Game{}, Scene: &scene.Scene{}}, Counts: Counts{Moves: []Move{
				{Place: stake, Delta: -1000, At: at(5), item: 0, hands: c.raked},
				{Place: heap, Delta: c.came, At: at(5), item: 1, hands: c.raked},
				{Place: heap, Delta: -c.came, At: at(7), item: 2, hands: c.gone},
			}}}
			var got []money.Cents
			moves := s.withoutHeaps(at(3))
			for _, m := range moves {
				got = append(got, m.Delta)
			}
			if !slices.Equal(got, c.want) || len(moves[0].hands) != c.hands {
				t.Errorf("movements of %v under %v, want %v", got, moves[0].hands, c.want)
			}
			if m := moves[0]; name == "by the house alone" && !m.At.Equal(at(7)) {
				t.Errorf("collected at %v, want when the heap goes", m.At)
			}
		})
	}
}
