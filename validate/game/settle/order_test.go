package settle

import (
	"testing"

	"vision/validate/game"
	"vision/validate/round"
)

func TestPaidBeforeCollect(t *testing.T) {
	lost := game.Place{Seat: 1, Spot: "negro"}
	collect := round.Event{Type: round.Collect, Seat: 1, Spot: "negro"}
	other := round.Event{Type: round.Collect, Seat: 2, Spot: "rojo"}
	pay := round.Event{Type: round.Pay, Seat: 2, Spot: "rojo"}
	for name, c := range map[string]struct {
		events       []round.Event
		from, to     int
		pay, collect int
	}{
		"losers first":                {[]round.Event{collect, pay}, 0, 2, 1, -1},
		"paid first":                  {[]round.Event{other, pay, collect}, 0, 3, 1, 2},
		"nobody paid":                 {[]round.Event{collect, other}, 0, 2, -1, -1},
		"chips of a bet that won":     {[]round.Event{pay, other}, 0, 2, 0, -1},
		"collected in a later phase":  {[]round.Event{pay, collect}, 0, 1, 0, -1},
		"the payment of a phase gone": {[]round.Event{pay, collect}, 1, 2, -1, -1},
	} {
		p, k := PaidBeforeCollect(c.events, c.from, c.to, func(p game.Place) bool { return p == lost })
		if p != c.pay || k != c.collect {
			t.Errorf("%s: %d, %d, want %d, %d", name, p, k, c.pay, c.collect)
		}
	}
}
