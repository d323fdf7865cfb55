package node

import (
	"math"
	"testing"
)

func TestLoadIsTheShareOfBusyTicks(t *testing.T) {
	busy, total, ok := ticks([]byte("cpu  100 20 30 800 50 1 2 7 40 5\ncpu0 1 2 3 4\n"))
	if !ok || busy != 160 || total != 1010 { // idle 800, iowait 50; guests are in user already
		t.Errorf("%d of %d, %v", busy, total, ok)
	}
	for _, bad := range []string{"", "cpu", "cpu 1 2 3", "intr 1 2 3 4 5", "cpu 1 2 x 4 5"} {
		if _, _, ok := ticks([]byte(bad)); ok {
			t.Errorf("%q was read", bad)
		}
	}
	l := &load{}
	for i := range uint64(60) {
		l.add(30*i, 100*i)
	}
	if math.Abs(l.smooth-0.3) > 0.01 {
		t.Errorf("after a minute at 30 %% it is %.2f", l.smooth)
	}
	l.add(0, 10) // the machine counts anew
	if math.Abs(l.smooth-0.3) > 0.01 {
		t.Errorf("a leap of the counters makes it %.2f", l.smooth)
	}
}

func FuzzTicks(f *testing.F) {
	f.Add([]byte("cpu  100 20 30 800 50 1 2 7 40 5\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if busy, total, ok := ticks(raw); !ok && (busy != 0 || total != 0) {
			t.Errorf("%q: %d of %d", raw, busy, total)
		}
	})
}
