package scene

import (
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/round"
)

// A layout that has not come to rest since before a round shows the bets of an earlier one.
func TestFelt_layoutHiddenThroughout(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	at := func(s int) time.Time { return t0.Add(time.Duration(s) * time.Second) }
	for name, c := range map[string]struct {
		spot    string
		stirred int // seconds after the opening call
		settled int // 0: never
		dark    bool
	}{
		"covered since before":             {"", -5, 0, true},
		"seen once meanwhile":              {"", -5, 8, false},
		"seen after the ball":              {"", -5, 25, true},
		"covered since the bets were laid": {"", 2, 0, false},
		"one seat's own spot":              {"punto", -5, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			seat := 0
			if c.spot != "" {
				seat = 1
			}
			f := NewFelt(NewLayout([]calibration.Zone{square("z", c.spot, seat, 0, 300, "chips")},
				[]calibration.Chip{{ID: "a", Value: 100}}, 500, erring), &Course{Kind: ByCards})
			see := func(kind fact.Kind, s int) {
				f.observe(&fact.Observation{Kind: kind, Zone: "z", Time: at(s), Since: at(s)})
			}
			see(fact.Stable, -10)
			if c.stirred < 0 {
				see(fact.MotionStarted, c.stirred)
			}
			f.foldLine(round.Event{Type: round.Announce, Call: "hagan_juego"}, t0)
			if c.stirred >= 0 {
				see(fact.MotionStarted, c.stirred)
			}
			if c.settled != 8 {
				f.foldLine(round.Event{Type: round.Ball}, at(20))
			}
			if c.settled > 0 {
				see(fact.Stable, c.settled)
				see(fact.MotionStarted, c.settled+1)
			}
			f.end(at(30))
			if got := f.Ended[0].Unverifiable() != ""; got != c.dark {
				t.Errorf("not verifiable: %q", f.Ended[0].Unverifiable())
			}
		})
	}
}
