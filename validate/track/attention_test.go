package track

import (
	"testing"
	"time"

	"vision/internal/fact"
)

// Time passes no faster than pictures are looked at; a reader that says nothing
// for long holds nobody up, and one that comes later still is too late.
func TestTimeWaitsForWhoLooks(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	a := attention{slowest: 15 * time.Second}
	if got := a.pass(at(1)); !got.Equal(at(1)) {
		t.Errorf("before anything was said %v", got.Sub(t0))
	}
	hear := func(camera string, s float64) bool {
		return a.observe(&fact.Observation{Kind: fact.Watermark, Camera: camera, Time: at(s)})
	}
	hear("one", 2)
	hear("two", 6)
	for _, c := range []struct{ now, want float64 }{{2.3, 2.3}, {4, 2.5}, {17, 2.5}, {18, 6.5}, {22, 22}, {21.5, 22}} {
		if got := a.pass(at(c.now)); !got.Equal(at(c.want)) {
			t.Errorf("at %v s: %v, want %v s", c.now, got.Sub(t0), c.want)
		}
	}
	if !hear("one", 7) || hear("one", 21.5) {
		t.Error("a picture from before what was concluded already is too late, one of just now is not")
	}
	if got := a.pass(at(-3600)); !got.Equal(at(-3600)) {
		t.Errorf("after the clock was put back %v", got.Sub(t0))
	}
}

// A reader that comes up slowly has its first looks late, before anything could be concluded from
// them: no round is lost. One that is late after time has gone on by its looks is.
func TestTheFirstLooksMayComeLate(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	a := attention{slowest: time.Minute}
	hear := func(s float64) bool {
		return a.observe(&fact.Observation{Kind: fact.Watermark, Camera: "one", Time: at(s)})
	}
	for range 2 { // the second time after the camera was lost
		a.pass(at(20))
		for _, s := range []float64{3, 4, 6, 9, 18} {
			if hear(s) {
				t.Errorf("the look at %v s came too late; nothing was awaited before it", s)
			}
			a.pass(at(20 + s))
		}
		delete(a.looked, "one")
	}
	a.pass(at(40))
	hear(39)
	hear(41)
	a.pass(at(44))
	a.pass(at(120)) // it said nothing for longer than anybody waits
	if !hear(42) {
		t.Error("time has passed without a look that was awaited, and it is not too late")
	}
}
