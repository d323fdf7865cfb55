package hands

import (
	"testing"

	"vision/internal/card"
)

func cardsOf(t *testing.T, names ...string) []card.Card {
	t.Helper()
	var out []card.Card
	for _, n := range names {
		c, err := card.Parse(n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// TestOpen: cards that lie open in stud, each row better than the one before.
func TestOpen(t *testing.T) {
	var before uint32
	for _, names := range [][]string{{"2c"}, {"Ks"}, {"Ah"}, {"Ah", "2c"}, {"Ah", "Kc", "Qc", "9c"}, {"Ah", "Kc", "Qc", "Jc"}, {"2c", "2d", "Ah", "Kh"},
		{"3c", "3d"}, {"3c", "3d", "5h"}, {"3c", "3d", "2h", "2s"}, {"2c", "2d", "2h", "As"}, {"Ac", "Ad", "Ah", "2h", "2s"}, {"2c", "2d", "2h", "2s"}} {
		v := Open(cardsOf(t, names...))
		if v <= before {
			t.Errorf("%v is not better than the one before", names)
		}
		before = v
	}
	if a, b := Open(cardsOf(t, "Ah", "Kc")), Open(cardsOf(t, "Ks", "Ad")); a != b {
		t.Error("suits and order must not count")
	}
}

func TestBestLow(t *testing.T) {
	board := cardsOf(t, "8d", "5c", "3h", "Ks", "Kh")
	for _, c := range []struct {
		own  []string
		want uint32
	}{{[]string{"Ah", "2h", "Tc", "Jd"}, 0x85321}, {[]string{"Ah", "3c", "Tc", "Jd"}, 0}, {[]string{"7s", "6s", "4h", "2c"}, 0x85432}} {
		if got, cards := BestLow(cardsOf(t, c.own...), board); got != c.want || (got > 0) != (len(cards) == 5) {
			t.Errorf("%v: %x %v, want %x", c.own, got, cards, c.want)
		}
	}
}
