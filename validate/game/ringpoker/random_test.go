package ringpoker_test

import (
	"pgregory.net/rapid"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/round"
)

func cardNames() []card.Card {
	out := []card.Card{card.Unseen}
	for rank := 1; rank <= 13; rank++ {
		for suit := range 4 {
			out = append(out, card.Of(rank, suit))
		}
	}
	return out
}

// randomEvent is an event of any sort that the game's vocabulary has.
func randomEvent(t *rapid.T, game string, cards []card.Card) round.Event {
	seat := rapid.IntRange(1, 4).Draw(t, "seat")
	amount := money.Cents(rapid.IntRange(1, 12).Draw(t, "amount") * 100)
	any := func() card.Card { return rapid.SampledFrom(cards).Draw(t, "card") }
	zone := "seat:" + string(rune('0'+seat))
	board := "board"
	switch {
	case game == "doble_holdem_circulo":
		board = rapid.SampledFrom([]string{"board1", "board2"}).Draw(t, "line")
	case game == "poker_cubierto_5" || game == "poker_descubierto_5":
		board = zone
	}
	face := rapid.SampledFrom([]string{"up", "down"}).Draw(t, "face")
	switch rapid.IntRange(0, 13).Draw(t, "type") {
	case 0, 1, 2, 3:
		return round.Event{Type: round.Bet, Seat: seat, Spot: "bote", Amount: amount}
	case 4:
		return round.Event{Type: round.Bet, Seat: seat, Amount: amount, Spot: rapid.SampledFrom([]string{"ante", "ciega_pequena", "ciega_grande"}).Draw(t, "spot")}
	case 5, 6:
		return round.Event{Type: round.Action, Seat: seat, Action: rapid.SampledFrom([]string{"check", "fold", "fold", "call", "bet", "draw", "stand", "play", "sit_out"}).Draw(t, "action")}
	case 7:
		return round.Event{Type: round.CardDealt, Zone: zone, Card: any(), Face: face}
	case 8, 9:
		return round.Event{Type: round.CardDealt, Zone: board, Card: any(), Face: "up"}
	case 10:
		return round.Event{Type: round.Reveal, Zone: zone,
			Cards: []card.Card{any(), any(), any(), any(), any()}[:rapid.IntRange(1, 5).Draw(t, "cards")]}
	case 11:
		if rapid.Bool().Draw(t, "touch") {
			return round.Event{Type: round.Incident, Kind: "cards_touch", Zone: "seat:1", With: []int{2}}
		}
		return round.Event{Type: round.Incident, Zone: zone, Kind: rapid.SampledFrom([]string{"overchip", "card_retired", "protected_mucked", "foreign_back", "card_floor"}).Draw(t, "kind")}
	case 12:
		return round.Event{Type: round.Announce, By: round.Croupier, Seat: seat,
			Call: rapid.SampledFrom([]string{"no_va", "gana", "misdeal", "descarte", "ultima_carta"}).Draw(t, "call"), Number: "1"}
	}
	other := rapid.SampledFrom([]round.Type{round.Burn, round.Pay, round.Return, round.Commission}).Draw(t, "other")
	return round.Event{Type: other, Seat: seat, Spot: "bote", Amount: amount, Count: 1}
}
