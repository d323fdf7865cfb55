package pipeline

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vision/calibration"
	"vision/calibration/density"
	"vision/calibration/layout"
	"vision/capture"
	"vision/internal/config"
	"vision/internal/health"
)

// shown is a camera whose board counts how often something began or ended.
func shown(t *testing.T) (c *Camera, b *health.Board, changes *int) {
	t.Helper()
	changes = new(int)
	b = health.NewBoard(func(health.Problem, bool) { *changes++ })
	c = &Camera{cfg: config.Camera{Name: "one"}, table: &Table{cfg: config.Table{ID: "BJ1"}, deps: &Deps{Board: b}}}
	c.table.cameras = []*Camera{c}
	return c, b, changes
}

// A camera whose timestamps are no clock is named while it is so.
func TestACamerasClockIsNamed(t *testing.T) {
	c, b, _ := shown(t)
	c.state(capture.State{Up: true})
	if p := b.Present(); len(p) != 0 {
		t.Fatalf("%+v", p)
	}
	c.state(capture.State{Up: true, Clock: errors.New("its RTP timestamps stand still")})
	if p := b.Present(); len(p) != 1 || p[0].Code != health.CameraClock || p[0].Table != "BJ1" || p[0].Detail != "its RTP timestamps stand still" {
		t.Fatalf("%+v", p)
	}
	c.state(capture.State{Up: true})
	if p := b.Present(); len(p) != 0 {
		t.Fatalf("still named: %+v", p)
	}
}

// A camera that stands straight above a table with chips is named once, with what to do,
// and not taken back whenever a picture was watched without being read.
func TestACameraWithoutHeightsDoesNotFlicker(t *testing.T) {
	c, b, changes := shown(t)
	c.cal = &calibration.Table{Size: [2]int{1280, 720}, Plane: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
		Zones: []calibration.Zone{{Name: "seat:1 main", Reads: []string{"chips"}}}}
	c.readable(c.cal)
	for range 40 {
		c.readable(c.cal)
		c.unreadable(calibration.ErrNoHeights)
	}
	if p := b.Present(); len(p) != 1 || p[0].Code != health.CameraUnreadable ||
		p[0].Detail != calibration.ErrNoHeights.Error() {
		t.Fatalf("%+v", p)
	}
	if *changes != 1 {
		t.Errorf("said %d times", *changes)
	}
	c.cal.Zones[0].Reads = []string{"cards"}
	if c.readable(c.cal); len(b.Present()) != 0 {
		t.Errorf("cards need no heights: %+v", b.Present())
	}
}

// A camera that sees chips too small to be counted says so when its calibration is loaded, and
// takes it back for one that sees them large enough.
func TestACoarseCameraIsNamed(t *testing.T) {
	c, b, _ := shown(t)
	l, err := layout.New("blackjack", layout.Dims{})
	if err != nil {
		t.Fatal(err)
	}
	c.cfg.Calibration = filepath.Join(t.TempDir(), "one.yaml")
	for _, size := range [][2]int{{320, 180}, {3840, 2160}} {
		cal, err := density.Mount{Height: 2000, Distance: 2000, Size: size}.Over(l)
		if err != nil {
			t.Fatal(err)
		}
		cal.Palette = []calibration.Chip{{ID: "e25", Face: "#1f8a4c", Edge: "#f0e9d2", Diameter: 39, Thickness: 3.3, Value: 2500}}
		cal.Table, cal.Camera, cal.Card, cal.Deck = "BJ1", "one", [2]float64{63, 88}, "french"
		if err := cal.Save(c.cfg.Calibration); err != nil {
			t.Fatal(err)
		}
		c.load()
		c.nameCoarse()
		var coarse bool
		for _, p := range b.Present() {
			coarse = coarse || p.Code == health.CameraCoarse && p.Table == "BJ1" && strings.Contains(p.Detail, "chips are not read in seat:1")
		}
		if want := size[0] == 320; coarse != want {
			t.Errorf("%v: %+v", size, b.Present())
		}
		if want := size[0] == 320; slices.Contains(c.Lacks(), LacksDetail) != want {
			t.Errorf("%v lacks %v", size, c.Lacks())
		}
	}
	// One that sees them too small lacks nothing where another of the table counts them.
	fine := &Camera{cal: c.cal}
	coarse, err := density.Mount{Height: 2000, Distance: 2000, Size: [2]int{320, 180}}.Over(l)
	if err != nil {
		t.Fatal(err)
	}
	coarse.Palette = fine.cal.Palette
	c.cal = coarse
	c.table.cameras = append(c.table.cameras, fine)
	if c.nameCoarse(); len(b.Present()) != 0 || slices.Contains(c.Lacks(), LacksDetail) {
		t.Errorf("beside a camera that counts them: %+v, lacks %v", b.Present(), c.Lacks())
	}
}
