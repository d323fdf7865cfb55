package track_test

import (
	"slices"
	"testing"
)

// A seat is pushed the same sum twice, once for the bet that won and once for
// one that lost. Which push was for which bet nobody sees: the mistake is an
// alert, and that the payments came in the wrong order, which follows from only
// one of the two, is none. Where it follows from both it is.
func TestPushesOfTheSameSum(t *testing.T) {
	for name, c := range map[string]struct {
		between, order bool
	}{"one before the other seat's": {true, false}, "both before the other seat's": {false, true}} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("docena:3", "color1", 4)
			p.lay("falta", "color1", 4)
			p.lay("columna:2", "color2", 4)
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			push := func(zone string, chips int) {
				p.lay(zone, "e5", chips)
				p.wait(1)
				p.lift(p.tag)
			}
			push("seat:1 pay", 4)
			if !c.between {
				push("seat:1 pay", 4)
			}
			push("seat:2 pay", 8)
			if c.between {
				push("seat:1 pay", 4)
			}
			var alerts, doubts []string
			for _, f := range only(t, perform(t, "ruleta_americana", nil, p)).Findings {
				if f.Alert {
					alerts = append(alerts, f.Code)
				} else {
					doubts = append(doubts, f.Code)
				}
			}
			slices.Sort(alerts)
			want := []string{"loser_not_collected", "payout_to_loser"}
			if c.order {
				want = []string{"loser_not_collected", "payout_order_wrong", "payout_to_loser"}
			}
			if !slices.Equal(alerts, want) {
				t.Errorf("alerts %q, notes %q; want alerts %q", alerts, doubts, want)
			}
		})
	}
}
