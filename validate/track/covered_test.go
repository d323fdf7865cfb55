package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/validate/track/tracktest"
)

// Cards of the row that is dealt first lie under the dealing arm while the second is
// dealt: that it was dealt too soon is not said before the first is seen again.
func TestTheRowUnderTheArmMayBeWhole(t *testing.T) {
	p := &play{}
	p.lay("seat:1 color", "e5", 4)
	for _, c := range [][2]string{{"negro", "Ts"}, {"negro", "6h"}, {"negro", "9d"}, {"negro", "7c"},
		{"rojo", "2c"}, {"rojo", "3d"}, {"rojo", "9h"}, {"rojo", "8c"}, {"rojo", "9s"}} {
		p.card(c[0], c[1], false)
	}
	p.wait(2)
	s := session("treinta_cuarenta", p)
	hidden := tracktest.Start.Add(time.Second + time.Duration((p.now-1.5)*float64(time.Second)))
	row := func(in tracktest.Input, cards int) bool {
		return in.Seen != nil && in.Seen.Kind == fact.Settled && in.Seen.Zone == "negro" && len(in.Seen.Cards) == cards
	}
	s.Inputs = slices.DeleteFunc(s.Inputs, func(in tracktest.Input) bool { return row(in, 3) })
	for i := range s.Inputs {
		if in := &s.Inputs[i]; row(*in, 4) {
			in.Arrives, in.Seen.Since, in.Seen.Time = hidden, hidden.Add(-200*time.Millisecond), hidden
		}
	}
	slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
	for _, a := range alerts(follow(trackerOf(t, "treinta_cuarenta", nil), s)) {
		if a.Code == "deal_order_wrong" {
			t.Errorf("%s %s", a.State, a.Code)
		}
	}
}
