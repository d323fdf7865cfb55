package recognize

import (
	"testing"
	"time"
)

// A zone on which a possible finding hangs is read in each picture of half a second, and at its usual times
// besides; one that moves, or was not read yet, as always.
func TestZone_again(t *testing.T) {
	rest := time.Unix(1000, 0)
	read := func(asked time.Duration, moves bool) (times []time.Duration) {
		z := &zone{}
		z.schedule(rest, rest, []time.Duration{1200 * time.Millisecond})
		for d := time.Duration(0); d < 2*time.Second; d += askedEvery {
			if d == asked {
				z.asked = true
			}
			if moves && d == 100*askedEvery/10 {
				z.reset()
			}
			if z.asked {
				z.again(rest.Add(d))
			}
			if z.due(rest.Add(d)) {
				z.begin()
				z.reads++
				times = append(times, d)
			}
		}
		return times
	}
	if got := read(-1, false); len(got) != 2 {
		t.Errorf("not asked for: read at %v", got)
	}
	got := read(10*askedEvery, false)
	if want := 2 + int((askedFor+askedEvery-1)/askedEvery); len(got) != want || got[1] != 10*askedEvery ||
		got[len(got)-1] != 1200*time.Millisecond {
		t.Errorf("asked for: read at %v, want %d times", got, want)
	}
	if got := read(20*askedEvery, true); len(got) != 1 {
		t.Errorf("asked for while it moved: read at %v", got)
	}
	if got := read(0, false); len(got) != 2 {
		t.Errorf("asked for before it was read: read at %v", got)
	}
}
