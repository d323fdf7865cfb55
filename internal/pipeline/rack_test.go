package pipeline

import (
	"strings"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
)

// racked is a calibration with a rack of two tubes.
func racked(t *testing.T) *calibration.Table {
	t.Helper()
	cal := &calibration.Table{Schema: calibration.Schema, Table: "T", Camera: "top", Size: [2]int{1280, 720},
		Lens: calibration.Lens{Fx: 2600, Fy: 2600, Cx: 640, Cy: 360},
		Palette: []calibration.Chip{
			{ID: "e5", Face: "#c02030", Edge: "#ffffff", Diameter: 39, Thickness: 3.3, Value: 500},
			{ID: "e25", Face: "#20c030", Edge: "#ffffff", Diameter: 39, Thickness: 3.3, Value: 2500}},
		Rack: &calibration.Rack{Depth: 8, Tubes: []calibration.Tube{
			{Chip: "e5", Capacity: 40, Axis: [2]fact.Point{{0, 0}, {0, -140}}},
			{Chip: "e25", Capacity: 40, Axis: [2]fact.Point{{46, 0}, {46, -140}}}}}}
	var err error
	if cal.Pose, err = calibration.Looking([3]float64{23, 1000, 1500}, [2]float64{23, -60}); err != nil {
		t.Fatal(err)
	}
	if cal.Plane, err = calibration.PlaneOf(cal.Lens, cal.Pose); err != nil {
		t.Fatal(err)
	}
	if err := cal.Check(); err != nil {
		t.Fatal(err)
	}
	return cal
}

// The rack shows as its tubes with their number and the newest change, its money is the float, and what lies over a
// tube for long is named.
func TestTheRackIsShownAndNamed(t *testing.T) {
	cal, begun := racked(t), time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC)
	var s state
	for _, c := range []struct {
		name      string
		after     time.Duration
		first     fact.Tube // the second is read as 10 at every rest
		label     string
		low, high int64 // of the float, cents; 0: not known
		why       string
	}{
		{"first seen", 0, fact.Tube{High: 40, Abstain: "unlearned"}, "?", 0, 0, ""},
		{"a number between two", time.Second, fact.Tube{Low: 12, High: 13}, "12–13", 31000, 31500, ""},
		{"two more", 2 * time.Second, fact.Tube{Low: 14, High: 14, Change: []fact.Change{{N: 2}}}, "14 (+2)", 32000, 32000, ""},
		{"nothing since", 3 * time.Second, fact.Tube{Low: 14, High: 14, Change: []fact.Change{{N: 0}}}, "14 (+2)", 32000, 32000, ""},
		{"covered", 4 * time.Second, fact.Tube{High: 40, Abstain: "covered"}, "? (+2)", 0, 0, ""},
		{"covered for long", 5 * time.Minute, fact.Tube{High: 40, Abstain: "covered"}, "? (+2)", 0, 0, "tube 1 of the rack: something lies over it"},
		{"clear again", 6 * time.Minute, fact.Tube{Low: 14, High: 14}, "14 (+2)", 32000, 32000, ""},
		{"too small", 7 * time.Minute, fact.Tube{High: 40, Abstain: "small"}, "? (+2)", 0, 0, "seen too small"},
	} {
		at := begun.Add(c.after)
		c.first.Rest = at
		o := fact.Observation{Camera: "top", Zone: calibration.RackZone, Kind: fact.Rack, Time: at, Since: at,
			Tubes: []fact.Tube{c.first, {Tube: 1, Rest: at, Low: 10, High: 10}}}
		s.observe(o)
		if why := s.rack(&o, cal).why; !strings.Contains(why, c.why) || (why == "") != (c.why == "") {
			t.Errorf("%s: named %q, want %q", c.name, why, c.why)
		}
		read := s.overlay("top", worth(cal))
		if len(read) != 2 || read[0].Label != c.label || read[1].Label != "10" || read[0].Chip != "e5" ||
			read[0].Quad[0][0] >= read[0].Quad[1][0] || read[1].Quad[0][0] < read[0].Quad[1][0] {
			t.Errorf("%s: shown %+v, want %q and 10", c.name, read, c.label)
		}
		f := s.float(func(string) *calibration.Table { return cal })
		if (f != nil) != (c.low > 0) || f != nil && (f.Low != c.low || f.High != c.high) {
			t.Errorf("%s: the float is %+v, want %d to %d", c.name, f, c.low, c.high)
		}
	}
	cal.Palette = append(cal.Palette, calibration.Chip{ID: "e100", Value: 10000, Diameter: 39, Thickness: 3.3})
	o := fact.Observation{Camera: "top", Kind: fact.Rack, Tubes: []fact.Tube{{Low: 1, High: 1}, {Low: 1, High: 1}}}
	if r := s.rack(&o, cal); r.float != nil {
		t.Errorf("chips without a tube: the float is %+v", r.float)
	}
}

// Whatever the reader abstains for has its words.
func TestEveryReasonOfTheRackHasItsWords(t *testing.T) {
	for _, why := range []string{"unlearned", "hand", "covered", "across", "gap", "moved", "foreign", "small"} {
		if unreadable[why] == "" {
			t.Errorf("%q has no words", why)
		}
	}
}
