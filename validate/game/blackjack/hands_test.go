package blackjack_test

import (
	"fmt"
	"strings"
	"testing"

	"vision/internal/testkit/rounds"
)

// TestHandsApart: what happens to a hand and to those who bet on it (point cards, 1.3,
// 1.5 and 1.6; V.1 of the norms).
func TestHandsApart(t *testing.T) {
	const table = ` blackjack "table":{"min":500,"max":50000}`
	seventeen := "; card bank 8h; say croupier puntos_banca points=17; "
	for _, c := range []struct{ what, norm, events, found, lines string }{
		{"the score of a hand is what it was when it was called, before it was split again", "cantabria-2010",
			"bet 1 main 1000; bet 2 main 1000; card seat:1 8s; card seat:2 Ts; card bank 9d; card seat:1 8d; " +
				"say croupier puntos_mano zone=seat:1 points=16; card seat:2 9h; say croupier puntos_mano zone=seat:2 points=19; " +
				"act 1 split; bet 1 split:2 1000; card seat:1 8h; say croupier puntos_mano zone=seat:1 points=16; " +
				"act 1 split seat:1; bet 1 split:3 1000; card seat:1 Ks; say croupier puntos_mano zone=seat:1 points=19; " +
				"card seat:1/3 Kd; card seat:1/2 Kd" + seventeen + "pay 2 main 1000; pay 1 main 1000; pay 1 split:2 1000; pay 1 split:3 1000; clear",
			"announcement_wrong seat:1 18/19 @16", ""},
		{"a second stake is paid even at a blackjack", "andalucia-2010",
			"bet 1 main 1000; card seat:1 As; card bank 9d; card seat:1 Kd; act 1 double; bet 1 double 1000" + seventeen +
				"pay 1 main 1500; pay 1 double 1000; clear",
			"card_count_wrong seat:1 3/2 @10", "1 double win 1000 1000; 1 main win 1500 1000"},
		{"the bank draws for who bets behind a player paid even money", "andalucia-2010",
			"bet 1 main 1000; bet 2 main:1 1000; card seat:1 As; card bank Ad; card seat:1 Kd; say croupier seguro; " +
				"act 1 even_money; pay 1 main 1000; card bank 6h; say croupier puntos_banca points=17; pay 2 main:1 1500; clear",
			"", "1 main win 1000 1000; 2 main:1 win 1500 1000"},
		{"and does not when nobody is left", "andalucia-2010",
			"bet 1 main 1000; bet 2 main:1 1000; card seat:1 As; card bank Ad; card seat:1 Kd; say croupier seguro; " +
				"act 1 even_money; act 2 even_money seat:1; pay 1 main 1000; pay 2 main:1 1000; card bank 6h; " +
				"say croupier puntos_banca points=17; clear",
			"drew_must_stand bank -/11 @10", "1 main win 1000 1000; 2 main:1 win 1000 1000"},
		{"a vacant box that its bettor surrendered needs no bank", "balears-2005",
			"bet 1 main:3 1000; card seat:3 Ts; card bank 9d; card seat:3 6d; act 1 surrender seat:3; collect 1 main:3 500; clear",
			"", "1 main:3 half 0 500"},
		{"one that he did not does", "balears-2005",
			"bet 1 main:3 1000; card seat:3 Ts; card bank 9d; card seat:3 6d; collect 1 main:3 1000; clear",
			"collected_winner 1 main:3 0/1000 @4; stood_must_draw bank -/9 @5", "1 main:3 win 1000 1000"},
		{"the half that a surrender leaves is the player's own once the other is off", "balears-2005",
			"bet 1 main 1000; bet 2 main 1000; card seat:1 Ts; card seat:2 Ts; card bank 9d; card seat:1 6d; card seat:2 9d; " +
				"act 1 surrender; collect 1 main 500; withdraw 1 main 500" + seventeen + "pay 2 main 1000; clear",
			"", "1 main half 0 500; 2 main win 1000 1000"},
		{"before that he may not touch it", "balears-2005",
			"bet 1 main 1000; bet 2 main 1000; card seat:1 Ts; card seat:2 Ts; card bank 9d; card seat:1 6d; card seat:2 9d; " +
				"act 1 surrender; withdraw 1 main 500; collect 1 main 250" + seventeen + "pay 2 main 1000; clear",
			"late_withdrawal 1 main -/500 @8", ""},
	} {
		v := rounds.Cited(t, rounds.Script(t, c.norm+table, c.events))
		if got := rounds.Full(v.Findings); got != c.found {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.found)
		}
		var lines []string
		for _, s := range v.Settlement {
			lines = append(lines, fmt.Sprintf("%d %s %s %d %d", s.Seat, s.Spot, s.Outcome, s.Pays, s.Returns))
		}
		if got := strings.Join(lines, "; "); c.lines != "" && got != c.lines {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.lines)
		}
	}
}
