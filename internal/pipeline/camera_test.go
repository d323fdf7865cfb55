package pipeline

import (
	"errors"
	"testing"

	"vision/calibration"
	"vision/capture"
	"vision/internal/config"
	"vision/internal/health"
)

// shown is a camera whose board counts how often something began or ended.
func shown(t *testing.T) (c *Camera, b *health.Board, changes *int) {
	t.Helper()
	changes = new(int)
	b = health.NewBoard(func(health.Problem, bool) { *changes++ })
	c = &Camera{cfg: config.Camera{Name: "one"}, table: &Table{cfg: config.Table{ID: "BJ1"}, lent: &Lent{Board: b}}}
	c.table.cameras = []*Camera{c}
	return c, b, changes
}

// A camera whose timestamps are no clock is named while it is so.
func TestACamerasClockIsNamed(t *testing.T) {
	c, b, _ := shown(t)
	c.state(capture.State{Name: "one", Up: true})
	if p := b.Present(); len(p) != 0 {
		t.Fatalf("%+v", p)
	}
	c.state(capture.State{Name: "one", Up: true, Clock: errors.New("its RTP timestamps stand still")})
	if p := b.Present(); len(p) != 1 || p[0].Code != health.CameraClock || p[0].Table != "BJ1" || p[0].Detail != "its RTP timestamps stand still" {
		t.Fatalf("%+v", p)
	}
	c.state(capture.State{Name: "one", Up: true})
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
