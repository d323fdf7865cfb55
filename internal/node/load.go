package node

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"time"
)

// load measures how much of the machine's processors is in use: all of it, whoever uses it.
type load struct {
	mu          sync.Mutex
	at          time.Time
	busy, total uint64 // ticks since the machine's start, when last looked at
	smooth      float64
}

const (
	loadEvery = time.Second
	// loadSmooth is how much of a new measurement counts: a change is felt within some seconds.
	loadSmooth = 0.2
)

// share is that of the last seconds, 0 to 1; 0 where the machine does not say.
func (l *load) share() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.at) >= loadEvery {
		l.at = now
		raw, err := os.ReadFile("/proc/stat")
		if busy, total, ok := ticks(raw); err == nil && ok {
			l.add(busy, total)
		}
	}
	return l.smooth
}

// add takes a measurement in.
func (l *load) add(busy, total uint64) {
	if l.total > 0 && total > l.total && busy >= l.busy {
		now := float64(busy-l.busy) / float64(total-l.total)
		l.smooth += loadSmooth * (now - l.smooth)
	}
	l.busy, l.total = busy, total
}

// ticks reads the first line of /proc/stat (proc_stat(5)): user, nice, system, idle, iowait,
// irq, softirq, steal; what guests use is in user already.
func ticks(raw []byte) (busy, total uint64, ok bool) {
	line, _, _ := bytes.Cut(raw, []byte("\n"))
	f := bytes.Fields(line)
	if len(f) < 5 || string(f[0]) != "cpu" {
		return 0, 0, false
	}
	for i, x := range f[1:min(len(f), 9)] {
		n, err := strconv.ParseUint(string(x), 10, 64)
		if err != nil {
			return 0, 0, false
		}
		total += n
		if i != 3 && i != 4 {
			busy += n
		}
	}
	return busy, total, true
}
