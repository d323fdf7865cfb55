package node

import (
	"sync"
	"time"

	"github.com/prometheus/procfs"
)

// load measures the use of the machine's processors, by any process.
type load struct {
	mu          sync.Mutex
	at          time.Time
	busy, total float64 // seconds since the machine's start, when last looked at
	smooth      float64
}

const (
	loadEvery = time.Second
	// loadSmooth is the weight of a new measurement: a change shows within some seconds.
	loadSmooth = 0.2
)

// share is that of the last seconds, 0 to 1; 0 where it cannot be measured.
func (l *load) share() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.at) >= loadEvery {
		l.at = now
		if fs, err := procfs.NewDefaultFS(); err == nil {
			if stat, err := fs.Stat(); err == nil {
				l.add(ticks(stat.CPUTotal))
			}
		}
	}
	return l.smooth
}

// add takes a measurement in.
func (l *load) add(busy, total float64) {
	if l.total > 0 && total > l.total && busy >= l.busy {
		now := (busy - l.busy) / (total - l.total)
		l.smooth += loadSmooth * (now - l.smooth)
	}
	l.busy, l.total = busy, total
}

// ticks are the seconds that the processors were busy, and all (proc_stat(5)); what guests use is in user already.
func ticks(c procfs.CPUStat) (busy, total float64) {
	busy = c.User + c.Nice + c.System + c.IRQ + c.SoftIRQ + c.Steal
	return busy, busy + c.Idle + c.Iowait
}
