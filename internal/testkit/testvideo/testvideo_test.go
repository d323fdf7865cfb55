package testvideo

import (
	"testing"
	"time"
)

func TestStreamsAreWhatTheySay(t *testing.T) {
	start := time.Unix(1000, 0)
	if n := len(Plain(start)); n != 6*FPS {
		t.Errorf("Plain has %d units", n)
	}
	back := 0
	last := time.Duration(-1)
	for i, u := range Reordered(start) {
		if u.Key != (i%FPS == 0) {
			t.Errorf("unit %d: key %v", i, u.Key)
		}
		if u.PTS < last {
			back++
		}
		last = u.PTS
	}
	if back < FPS {
		t.Errorf("PTS goes back only %d times", back)
	}
	if us := Loop(Other(start), 2); len(us) != 4*FPS || us[3*FPS].PTS != 3*time.Second {
		t.Errorf("%d units looped", len(us))
	}
}
