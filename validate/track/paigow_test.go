package track_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
	"vision/validate/track/tracktest"
)

// Hands that stay over seven cards hide that the last was dealt, or that they were turned: that
// seven are set, face up, says so. Nothing is wrong with such a round, and its money is settled.
func TestPaiGowUnderHands(t *testing.T) {
	game := "pai_gow_poker"
	for name, c := range map[string]struct {
		zone   string
		hidden func(o *fact.Observation) bool
	}{
		"the bank's are turned": {"bank", func(o *fact.Observation) bool {
			return slices.ContainsFunc(o.Cards, func(c fact.Card) bool { l, _ := fact.Best(c.Guesses); return l != "BK" })
		}},
		"the last of all is dealt": {"", func(o *fact.Observation) bool { return len(o.Cards) == 7 }},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := tracktest.Play(scriptOf(game, 3), tracktest.Zones(game, seats), 1, tracktest.Disorder{})
			if err != nil {
				t.Fatal(err)
			}
			if c.zone == "" {
				for _, e := range s.Rounds[0].Record.Events {
					if e.Type == round.CardDealt {
						c.zone = e.Zone
					}
				}
			}
			hidden := 0
			s.Inputs = slices.DeleteFunc(s.Inputs, func(in tracktest.Input) bool {
				if in.Seen == nil || in.Seen.Zone != c.zone || in.Seen.Kind != fact.Stable || !c.hidden(in.Seen) {
					return false
				}
				hidden++
				return true
			})
			var since time.Time // the hands that came over what is hidden leave when the zone is read next
			s.Inputs = slices.DeleteFunc(s.Inputs, func(in tracktest.Input) bool {
				if in.Seen == nil || in.Seen.Zone != c.zone || in.Seen.Kind != fact.MotionStarted {
					if in.Seen != nil && in.Seen.Zone == c.zone {
						since = time.Time{}
					}
					return false
				}
				again := !since.IsZero()
				since = in.Seen.Time
				return again
			})
			r := only(t, follow(trackerOf(t, game, nil), s))
			recorded, played := lines(t, r.Record.Events), lines(t, s.Rounds[0].Record.Events)
			turned := `"type":"reveal","zone":"` + c.zone + `"`
			others := func(ls []string) []string { // in which order they lie when they are turned nobody saw
				return slices.DeleteFunc(slices.Clone(ls), func(l string) bool { return strings.Contains(l, turned) })
			}
			reveals := slices.ContainsFunc(r.Record.Events, func(e round.Event) bool {
				return e.Type == round.Reveal && e.Zone == c.zone && len(e.Cards) == 7
			})
			if hidden == 0 || len(r.Findings) > 0 || !reveals || !slices.Equal(others(recorded), others(played)) {
				t.Errorf("%d hidden, findings %v\n%s", hidden, codes(r), sideBySide(recorded, played))
			}
		})
	}
}
