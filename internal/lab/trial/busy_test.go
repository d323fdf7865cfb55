package trial

import (
	"testing"
	"time"
)

// A busy reader looks at some pictures; a long one takes it 0.3 s to 0.9 s, so that
// of 100 s at six a second one that is always busy sees about one in each 0.68 s.
func TestBusy(t *testing.T) {
	for share, want := range map[float64][2]int{0: {600, 600}, 0.3: {100, 400}, 1: {120, 180}} {
		b, looked := newBusy(Config{Seed: 1, Starve: share}), 0
		var last time.Time
		for i := range 600 {
			at := Start.Add(time.Duration(i) * time.Second / 6)
			if b.at(at) {
				continue
			}
			if share == 1 && at.Sub(last) < 300*time.Millisecond {
				t.Errorf("share 1: pictures at %v and %v", last, at)
			}
			looked, last = looked+1, at
			b.begin(at)
		}
		if looked < want[0] || looked > want[1] {
			t.Errorf("share %v: %d of 600 pictures looked at, want %v", share, looked, want)
		}
	}
}
