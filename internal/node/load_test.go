package node

import (
	"math"
	"testing"

	"github.com/prometheus/procfs"
)

func TestLoadIsTheShareOfBusyTicks(t *testing.T) {
	busy, total := ticks(procfs.CPUStat{User: 100, Nice: 20, System: 30, Idle: 800, Iowait: 50,
		IRQ: 1, SoftIRQ: 2, Steal: 7, Guest: 40, GuestNice: 5})
	if busy != 160 || total != 1010 { // guests are in user already
		t.Errorf("%v of %v", busy, total)
	}
	l := &load{}
	for i := range 60 {
		l.add(30*float64(i), 100*float64(i))
	}
	if math.Abs(l.smooth-0.3) > 0.01 {
		t.Errorf("after a minute at 30 %% it is %.2f", l.smooth)
	}
	l.add(0, 10) // the machine counts anew
	if math.Abs(l.smooth-0.3) > 0.01 {
		t.Errorf("a leap of the counters makes it %.2f", l.smooth)
	}
}
