package trial

import (
	"testing"
	"time"
)

// A busy reader looks at some pictures, never two within 0.3 s of a long one.
func TestBusy(t *testing.T) {
	for share, want := range map[float64][2]int{0: {600, 600}, 0.3: {100, 400}, 1: {40, 120}} {
		b, looked := newBusy(Config{Seed: 1, Starve: share}), 0
		for i := range 600 {
			at := Start.Add(time.Duration(i) * time.Second / 6)
			if b.at(at) {
				continue
			}
			looked++
			b.begin(at)
		}
		if looked < want[0] || looked > want[1] {
			t.Errorf("share %v: %d of 600 pictures looked at, want %v", share, looked, want)
		}
	}
}
