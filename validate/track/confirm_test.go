package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// A payment that is counted one chip short, by a reader that is not quite sure, is read again before it is an
// alert, while it still lies there: where that shows the chip, nothing is said.
func TestTracker_whatDecidesAFindingIsReadAgain(t *testing.T) {
	for name, c := range map[string]struct {
		answers bool // the reader counts four chips when it looks again
		want    []finding.Code
	}{
		"it is seen to be right": {true, nil},
		"nobody looks again":     {false, []finding.Code{finding.PayoutUnder}},
	} {
		s, _, _ := wonAndCounted(3, false)
		tr := trackerOf(t, "punto_banco", func(c *track.Config) {
			c.Policy = func() track.Policy { return track.Policy{Rates: asPlayed().Rates, Threshold: 0.3} }
		})
		seen := map[string]fact.Observation{}
		var asked []string
		var raised []finding.Code
		var paid, emitted time.Time
		hear := func(o track.Out, now time.Time) {
			switch o := o.(type) {
			case *track.Alert:
				if o.State == track.Raised {
					raised, emitted = append(raised, o.Code), now
				}
			case *track.Reread:
				asked = append(asked, o.Zones...)
				for _, zone := range o.Zones {
					if again := seen[zone]; c.answers {
						again.Time = now
						again.Chips = slices.Clone(again.Chips)
						for i := range again.Chips {
							four := slices.Repeat([]string{"e5"}, 4)
							again.Chips[i] = fact.Stack{Chips: four, Low: 4, High: 4, P: 0.999, At: again.Chips[i].At}
						}
						tr.Observe(again)
					}
				}
			}
		}
		inputs := s.Inputs
		for now := tracktest.Start; now.Before(s.End); now = now.Add(100 * time.Millisecond) {
			for ; len(inputs) > 0 && !inputs[0].Arrives.After(now); inputs = inputs[1:] {
				if o := inputs[0].Seen; o == nil {
					tr.Hear(*inputs[0].Heard)
				} else {
					if o.Kind == fact.Stable {
						if seen[o.Zone] = *o; o.Zone == "seat:1 punto" && len(o.Chips) == 2 && paid.IsZero() {
							paid = now
						}
					}
					tr.Observe(*o)
				}
			}
			for _, o := range tr.Advance(now) {
				hear(o, now)
			}
		}
		if !slices.Equal(raised, c.want) || !slices.Equal(asked, []string{"seat:1 punto"}) {
			t.Errorf("%s: raised %v, want %v; asked to read %v again", name, raised, c.want, asked)
		}
		if late := emitted.Sub(paid); c.want != nil && late > 1500*time.Millisecond {
			t.Errorf("%s: said after %v", name, late)
		}
	}
}
