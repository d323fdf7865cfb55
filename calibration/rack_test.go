package calibration

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"vision/internal/fact"
)

// racked is the example with a rack of two tubes towards the croupier.
func racked(t testing.TB) *Table {
	c := example(t)
	c.Rack = &Rack{Depth: 12, Tilt: 10, Tubes: []Tube{
		{Chip: "5", Axis: [2]fact.Point{{500, 0}, {500, -100}}, Capacity: 29},
		{Chip: AnyChip, Axis: [2]fact.Point{{546, 0}, {546, -100}}, Capacity: 25},
	}}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRack_isCheckedAndVersioned(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(*Table)
		want   string
	}{
		{"no tubes", func(c *Table) { c.Rack.Tubes = nil }, "rack: has 0 tubes"},
		{"deep", func(c *Table) { c.Rack.Depth = 900 }, "depth 900 mm"},
		{"steep", func(c *Table) { c.Rack.Tilt = math.NaN() }, "tilt NaN°"},
		{"unknown chip", func(c *Table) { c.Rack.Tubes[0].Chip = "7" }, `rack.tubes[0]: chip "7" is no round chip`},
		{"plaque", func(c *Table) { c.Rack.Tubes[0].Chip = "p1000" }, `chip "p1000" is no round chip`},
		{"NaN", func(c *Table) { c.Rack.Tubes[1].Axis[0][0] = math.NaN() }, "rack.tubes[1]: the axis ends at"},
		{"no capacity", func(c *Table) { c.Rack.Tubes[0].Capacity = 0 }, "capacity 0: want 1"},
		{"short", func(c *Table) { c.Rack.Tubes[0].Capacity = 30 }, `need 100.6 mm; the axis is 100.0 mm`},
		{"no length", func(c *Table) { c.Rack.Tubes[0].Axis[1] = c.Rack.Tubes[0].Axis[0] }, "the axis is 0.0 mm long"},
		{"one in another", func(c *Table) { c.Rack.Tubes[1].Axis = c.Rack.Tubes[0].Axis }, "lies 0.0 mm from tubes[0]"},
		{"outside", func(c *Table) {
			for i := range c.Rack.Tubes[1].Axis {
				c.Rack.Tubes[1].Axis[i][0] += 5000
			}
		}, "outside the frame"},
		{"zone of its name", func(c *Table) { c.Zones[1].Name = RackZone }, `one is named "rack"`},
		{"without heights", func(c *Table) { c.Lens, c.Pose, c.Plane = Lens{}, Pose{}, [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1} },
			"chips in tubes cannot be counted"},
	} {
		c := racked(t)
		x.change(c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v, want one with %q", x.name, err, x.want)
		}
	}
	c := racked(t)
	if c.Hash() == example(t).Hash() {
		t.Error("the version does not know the rack")
	}
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := Parse(text); err != nil || back.Hash() != c.Hash() {
		t.Errorf("came back otherwise (%v):\n%s", err, text)
	}
}

// What is placed by its corners in the picture shows where the corners were.
func TestNewRack_fromItsCorners(t *testing.T) {
	c := example(t)
	v, err := c.View()
	if err != nil {
		t.Fatal(err)
	}
	for _, tilt := range []float64{0, 14, -9} {
		want := &Rack{Depth: 15, Tilt: tilt}
		for k := range 6 {
			x := 450 + 45*float64(k)
			want.Tubes = append(want.Tubes, Tube{Chip: "5", Axis: [2]fact.Point{{x, 60}, {x, -90}}, Capacity: 40})
		}
		var corners [4]fact.Point
		for i, p := range []fact.Point{{427.5, -90}, {697.5, -90}, {697.5, 60}, {427.5, 60}} {
			corners[i] = v.ToImageAt(want.raise(p, 0))
		}
		got, err := NewRack(v, corners, strings.Split("5 5 25 25 * 5", " "), 40, 15, tilt)
		if err != nil {
			t.Fatal(err)
		}
		for i, u := range got.Tubes {
			near(t, fmt.Sprintf("tilt %v: tube %d, closed end", tilt, i), u.Axis[0], want.Tubes[i].Axis[0], 0.3)
			near(t, fmt.Sprintf("tilt %v: tube %d, open end", tilt, i), u.Axis[1], want.Tubes[i].Axis[1], 0.3)
		}
		if got.Tubes[4].Chip != AnyChip || got.Tubes[2].Chip != "25" {
			t.Errorf("kinds %+v", got.Tubes)
		}
	}
	if _, err := NewRack(v, [4]fact.Point{}, nil, 40, 0, 0); err == nil || !strings.Contains(err.Error(), "no tubes") {
		t.Errorf("without tubes: %v", err)
	}
}

// A chip of known size lies in a tilted tube as geometry has it.
func TestRack_On(t *testing.T) {
	r := racked(t).Rack
	r.Tilt = 30
	u := &r.Tubes[0] // its middle is the rack's
	mm, height := r.On(u, 50, 0, 0)
	near(t, "middle", mm, fact.Point{500, -50}, 1e-9)
	if math.Abs(height+12) > 1e-9 {
		t.Errorf("the middle lies at %v, want -12", height)
	}
	mm, height = r.On(u, 0, 20, 0)
	near(t, "over the closed end", mm, fact.Point{500, -50 + 50*math.Cos(math.Pi/6) + 10}, 1e-9)
	if want := -12 - 25 + 20*math.Cos(math.Pi/6); math.Abs(height-want) > 1e-9 {
		t.Errorf("over the closed end lies at %v, want %v", height, want)
	}
	if mm, _ = r.On(u, 50, 20, math.Pi/2); math.Abs(mm[0]-520) > 1e-9 {
		t.Errorf("beside the axis: %v, want x 520", mm)
	}
}

// A rack that the new calibration does not show any more is left out, and that is said.
func TestTable_keepsItsRack(t *testing.T) {
	cal := racked(t)
	r := cal.Rack
	if err := cal.KeepRack(r); err != nil || cal.Rack != r {
		t.Errorf("one that is seen: %v", err)
	}
	if err := cal.KeepRack(nil); err != nil || cal.Rack != nil {
		t.Errorf("none: %v", err)
	}
	out := *r
	out.Tubes = []Tube{r.Tubes[0]}
	for i := range out.Tubes[0].Axis {
		out.Tubes[0].Axis[i][0] += 5000
	}
	if err := cal.KeepRack(&out); err == nil || cal.Rack != nil || !strings.Contains(err.Error(), "place it again") ||
		!strings.Contains(err.Error(), "outside the frame") {
		t.Errorf("one out of view: %v, kept %v", err, cal.Rack != nil)
	}
}
