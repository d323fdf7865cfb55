package housepoker_test

import (
	"testing"

	"vision/internal/testkit/rounds"
	"vision/validate/game/hands"
	"vision/validate/game/housepoker"
)

// TestBankDraw: art. 50.3 of Castilla y León, letter by letter.
func TestBankDraw(t *testing.T) {
	rank, err := hands.New(rounds.Rules[*housepoker.Rules](t, cyl, "poker_con_descarte").Hand)
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
		if got := words(housepoker.BankDue(rank, cards(t, c.hand))); got != c.goes {
			t.Errorf("%s: %q, want %q", c.hand, got, c.goes)
		}
	}
}
