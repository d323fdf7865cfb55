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
	cal := &calibration.Table{Palette: []calibration.Chip{{ID: "e5", Value: 500}, {ID: "e25", Value: 2500}, {ID: "rojo"}}}
	calibrated := func(string) *calibration.Table { return cal }
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
		s.observe(fact.Observation{Camera: "top", Zone: calibration.Float, Kind: fact.Stable, Time: at, Chips: c.stacks})
		s.observe(fact.Observation{Camera: "top", Zone: "seat:1", Kind: fact.Stable, Time: at, Chips: []fact.Stack{counted}})
		switch f := s.float(calibrated); {
		case c.unknown != (f == nil):
			t.Errorf("%s: %+v", what, f)
		case f != nil && (f.Low != c.low || f.High != c.high || !f.At.Equal(at)):
			t.Errorf("%s: %+v, want %d to %d", what, f, c.low, c.high)
		}
		s.observe(fact.Observation{Camera: "top", Zone: calibration.Float, Kind: fact.MotionStarted, Time: at})
		if f := s.float(calibrated); f != nil {
			t.Errorf("%s: under a hand it is %+v", what, f)
		}
	}
}

// Two cameras may show the same chips, or parts of them: then the float is not known.
func TestTheFloatIsOfOneCamera(t *testing.T) {
	table := &Table{loop: &tableLoop{}}
	table.loop.float.Store(&Float{Low: 100, High: 100})
	with := func(zone string) *Camera {
		return &Camera{table: table, cal: &calibration.Table{Zones: []calibration.Zone{{Name: zone}}}}
	}
	for what, c := range map[string]struct {
		cameras []*Camera
		known   bool
	}{
		"none":             {[]*Camera{with("seat:1"), {table: table}}, false},
		"one of two":       {[]*Camera{with("seat:1"), with(calibration.Float)}, true},
		"both of two show": {[]*Camera{with(calibration.Float), with(calibration.Float)}, false},
	} {
		table.cameras = c.cameras
		if f, known := table.Float(); known != c.known || known && f.Low != 100 {
			t.Errorf("%s: %+v, %v", what, f, known)
		}
	}
}
