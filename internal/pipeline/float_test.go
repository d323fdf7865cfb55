package pipeline

import (
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
)

// The float is what its stacks are worth; one that was not counted makes it an interval, one
// of which nothing is known, or a hand over it, makes it unknown.
func TestTheFloatIsReadOrNotKnown(t *testing.T) {
	worth := func(string) map[string]int64 { return map[string]int64{"e5": 500, "e25": 2500, "rojo": 0} }
	at := time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC)
	counted := fact.Stack{Chips: []string{"e5", "e5", "e25"}, Low: 3, High: 3}
	for what, c := range map[string]struct {
		stacks    []fact.Stack
		low, high int64
		unknown   bool
	}{
		"counted":           {[]fact.Stack{counted, counted}, 7000, 7000, false},
		"nothing there":     {nil, 0, 0, false},
		"one counted rough": {[]fact.Stack{counted, {Low: 2, High: 3, Abstain: "hidden"}}, 3500 + 1000, 3500 + 7500, false},
		"of a colour":       {[]fact.Stack{{Chips: []string{"rojo"}, Low: 1, High: 1}}, 0, 0, true},
		"unread":            {[]fact.Stack{counted, {Abstain: fact.Unread}}, 0, 0, true},
	} {
		var s state
		s.observe(fact.Observation{Camera: "top", Zone: calibration.Float, Kind: fact.Settled, Time: at, Chips: c.stacks})
		s.observe(fact.Observation{Camera: "top", Zone: "seat:1", Kind: fact.Settled, Time: at, Chips: []fact.Stack{counted}})
		switch f := s.float(worth); {
		case c.unknown != (f == nil):
			t.Errorf("%s: %+v", what, f)
		case f != nil && (f.Low != c.low || f.High != c.high || !f.At.Equal(at)):
			t.Errorf("%s: %+v, want %d to %d", what, f, c.low, c.high)
		}
		s.observe(fact.Observation{Camera: "top", Zone: calibration.Float, Kind: fact.Stirred, Time: at})
		if f := s.float(worth); f != nil {
			t.Errorf("%s: under a hand it is %+v", what, f)
		}
	}
}
