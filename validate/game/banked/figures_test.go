package banked_test

import (
	"testing"

	"vision/internal/card"
	"vision/validate/game/banked"
	"vision/validate/game/hands"
)

func rules(t testing.TB, norm, game string) *banked.Rules {
	t.Helper()
	_, g, err := books(t).Game(norm, game)
	if err != nil {
		t.Fatal(err)
	}
	return g.Rules.(*banked.Rules)
}

// net is what a bet of one unit wins over all hands of a pack, and how many they are.
func net(t testing.TB, r *banked.Rules, spot string, k int) (won, all int64) {
	t.Helper()
	rank, err := hands.New(r.Hand)
	if err != nil {
		t.Fatal(err)
	}
	pick := make([]card.Card, rank.Size())
	var deal func(n int, next card.Card)
	deal = func(n int, next card.Card) {
		if n == len(pick) {
			all++
			if p, ok := r.Prize(spot, k, rank.Value(pick)); ok {
				won += p
			} else {
				won--
			}
			return
		}
		for c := next; c <= 52; c++ {
			pick[n] = c
			deal(n+1, c+1)
		}
	}
	deal(0, 1)
	return won, all
}

// TestExactFigures: the house's part of the bets that look at no other hand, by
// all hands of the pack. The net figures follow from the number of hands of
// each combination: pareja plus 1 of three cards is 50·4 + 40·44 + 30·52 +
// 6·720 + 3·1096 + 3744 − 16440 = −1568 of 22100, 7.10 %.
func TestExactFigures(t *testing.T) {
	for _, c := range []struct {
		norm, game, spot string
		table            int
		want             int64
		long             bool
	}{
		{can, "tripoker", "pareja_plus", 1, -1568, false},
		{can, "tripoker", "pareja_plus", 2, -512, false},
		{cyl, "tripoker", "pareja_plus", 3, -596, false},
		{and, "tripoker", "fortuna", 1, -1232, false},
		{bal, "poker_trijoker", "apuesta_3", 1, -1139652, true},
		{can, "poker_trijoker", "apuesta_3", 1, -1146540, true}, // the ace does not stand low
	} {
		t.Run(c.norm+" "+c.game+" "+c.spot, func(t *testing.T) {
			if c.long && testing.Short() {
				t.Skip("all hands of five cards")
			}
			got, all := net(t, rules(t, c.norm, c.game), c.spot, c.table)
			if got != c.want {
				t.Errorf("net %d of %d, want %d", got, all, c.want)
			}
		})
	}
}

// TestHoldemBonusFigure: over the 1326 starting hands, aces against aces apart,
// the bonus wins 6·30 + 4·25 + 8·20 + 12·15 + 18·10 + 24·5 + 54·3 on 126 of them.
func TestHoldemBonusFigure(t *testing.T) {
	for _, norm := range []string{can, cyl} {
		pays := rules(t, norm, "poker_holdem_bonus").Spots["bonus"].Pays
		var won, all int64
		for a := card.Card(1); a <= 52; a++ {
			for b := a + 1; b <= 52; b++ {
				all++
				if n, ok := pays[banked.HoleName([]card.Card{a, b})]; ok {
					won += n
				} else {
					won--
				}
			}
		}
		if won != -118 || all != 1326 {
			t.Errorf("%s: net %d of %d", norm, won, all)
		}
	}
}

// TestBankDraw: art. 50.3 of Castilla y León, letter by letter.
func TestBankDraw(t *testing.T) {
	rank, err := hands.New(rules(t, cyl, "poker_con_descarte").Hand)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ hand, goes string }{
		{"As Kd Qh Jc Ts", ""}, {"2s 5s 9s Js Ks", ""}, {"5s 4d 3h 2c As", ""}, {"9s 9d 9h 2c 2s", ""},
		{"9s 9d 9h Kc 2s", "2s Kc"},
		{"9s 9d Kh Kc 2s", "2s"},
		{"9s 9d Kh 5c 2s", "2s 5c"},
		{"9s 9d Ks 5s 2s", "2s 5s"}, // a pair before four of a suit
		{"As 9s 7s 2s Kd", "Kd"},
		{"5s 6d 7h 8c Ks", "Ks"},
		{"2s 6d 7h 8c 9s", "2s"},
		{"As Kd Qh Jc 2s", "2s"},
		{"As 2d 3h 4c 9s", "2d 3h"}, // the ace does not stand low in four of a row
		{"As Kd 9h 5c 3s", "3s 5c"},
		{"5s 6d 7h 9c Ks", "5s 6d"},
	} {
		if got := words(banked.BankDue(rank, cards(t, c.hand))); got != c.goes {
			t.Errorf("%s: %q, want %q", c.hand, got, c.goes)
		}
	}
}
