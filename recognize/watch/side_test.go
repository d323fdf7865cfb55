package watch

import (
	"testing"
	"time"
)

// A zone that settles names where the arms came in that lay over it, and no
// others.
func TestReachNamesTheBorder(t *testing.T) {
	f := newFilm(t)
	f.play(10)
	var last Event
	for y := 500; y > 200; y -= 50 {
		f.objects = []box{{240, y, 60, 540 - y, 170}, {700, 0, 60, 90, 170}}
		f.play(1)
	}
	f.objects = []box{{200, 200, 24, 16, 230}}
	for range 20 {
		f.draw()
		f.at = f.at.Add(time.Second / 12)
		events, err := f.w.Frame(f.luma(), f.at)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Kind == AtRest && e.Zone == 0 {
				last = e
			}
		}
	}
	if len(last.Reach) != 1 || last.Reach[0][1] < 500 || last.Reach[0][0] < 230 || last.Reach[0][0] > 310 {
		t.Errorf("reach %v, want one point at the lower border near 270", last.Reach)
	}
}
