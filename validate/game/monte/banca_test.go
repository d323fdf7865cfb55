package monte_test

import (
	"testing"

	"vision/internal/testkit/rounds"
)

// TestMonteArticles: places, calls, bets and payments of monte o banca (I.1.13).
func TestMonteArticles(t *testing.T) {
	rounds.Slips(t, "testdata/banca.jsonl", "monte_banca-22", andalucia, []rounds.Slip{
		{"", "clean", "", ""},
		{"", "«primera carta» is missing", "drop 0", "announcement_missing primera_carta/-"},
		{"", "the first two calls exchanged", "0 call=segunda_carta; 2 call=primera_carta", "announcement_order; announcement_missing primera_carta/-"},
		{"", "«hagan juego» is missing", "drop 8", "announcement_missing hagan_juego/-"},
		{"", "the closing call is missing", "drop 14", "announcement_missing no_va_mas/-"},
		{"", "a bet after the closing call", "swap 13 14", "late_bet 4 anti:1 -/250; void_round_settled 4 anti:1 0/2750"},
		{"", "a card of the pack twice", "25 card=7B", "duplicate_card -/7B"},
		{"", "a card of another pack", "25 card=As", "foreign_card -/As; not_observable 3 cartas:3-4; not_observable 5 s2/viudo:3; not_observable 6 s2/camo:4"},
		{"", "a place that nobody saw", "1 card=??", "not_observable 1 salto:1; not_observable 2 camo:2; not_observable 3 cartas:1-2; not_observable 3 cartas:3-4; not_observable 4 anti:1; not_observable 5 s2/viudo:3; not_observable 6 s2/camo:4"},
		{"", "the card of Primeras was not seen", "16 card=??", "not_observable 1 salto:1; not_observable 2 camo:2; not_observable 3 cartas:1-2; not_observable 3 cartas:3-4; not_observable 4 anti:1; not_observable 5 s2/viudo:3; not_observable 6 s2/camo:4"},
		{"", "paid before the losers are off", "swap 17 18", "paid_before_collect"},
		{"", "cartas paid short", "20 amount=1800", "payout_under 3 cartas:1-2 2000/1800"},
		{"", "a loser is paid", "17 type=pay", "payout_to_loser 2 camo:2 0/350"},
		{"", "more than thirty times the minimum", "13 amount=6001; 19 amount=66011", "bet_above_max 4 anti:1 6000/6001"},
	})
}
