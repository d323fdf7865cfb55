package child

import (
	"slices"
	"testing"
	"time"
)

// A child is judged by the time that it had a processor: what it waited for one is
// forgiven whenever that was, also before its word of the work came.
func TestABusyMachineIsNotAChildThatHangs(t *testing.T) {
	const ms = time.Millisecond
	spec := Spec{}
	spec.defaults()
	for name, c := range map[string]struct {
		late  []time.Duration // of every second that the watch looked
		pong  time.Duration   // before the last look
		busy  time.Duration   // as the pong says
		alive bool
		hangs bool
	}{
		"at work, and all was its own":               {late: []time.Duration{0, 0, 0}, pong: 50 * ms, busy: 1300 * ms, alive: true, hangs: true},
		"at work for less":                           {late: []time.Duration{0, 0, 0}, pong: 50 * ms, busy: 1100 * ms, alive: true},
		"kept waiting before its word came":          {late: []time.Duration{0, 900 * ms, 0}, pong: 50 * ms, busy: 1900 * ms, alive: true},
		"a long wait that is told of at its end":     {late: []time.Duration{0, 0, 1800 * ms}, pong: 50 * ms, busy: 2900 * ms, alive: true},
		"kept waiting before the work began":         {late: []time.Duration{900 * ms, 0, 0}, pong: 50 * ms, busy: 1300 * ms, alive: true, hangs: true},
		"silent":                                     {late: []time.Duration{0, 0, 0}, pong: 1300 * ms, alive: true, hangs: true},
		"silent without a processor":                 {late: []time.Duration{0, 0, 900 * ms}, pong: 1300 * ms, alive: true},
		"silent after its start, which takes longer": {late: []time.Duration{0, 0, 0}, pong: 3000 * ms},
		"without a processor for ever":               {late: slices.Repeat([]time.Duration{time.Second}, 40), pong: 39500 * ms, alive: true, hangs: true},
	} {
		t.Run(name, func(t *testing.T) {
			born := time.Unix(1000, 0)
			p := &proc{alive: c.alive, kept: []wait{{at: born}}}
			var err error
			end := born.Add(time.Duration(len(c.late)) * time.Second)
			p.since, p.busy = end.Add(-c.pong), c.busy
			for i, late := range c.late {
				now := born.Add(time.Duration(i+1) * time.Second)
				if now.Before(end) {
					p.waits(now, late)
					continue
				}
				err = p.hung(now, late, spec)
			}
			if (err != nil) != c.hangs {
				t.Errorf("it is said to hang: %v; want %v", err, c.hangs)
			}
		})
	}
}

// What is kept of waiting does not grow.
func TestWaitsAreKeptForAWhile(t *testing.T) {
	born := time.Unix(1000, 0)
	p := &proc{kept: []wait{{at: born}}}
	for i := range 10_000 {
		p.waits(born.Add(time.Duration(i)*watchEvery), watchEvery)
	}
	if limit := int(3*graceLimit/watchEvery) + 2; len(p.kept) > limit {
		t.Errorf("%d waits are kept; want at most %d", len(p.kept), limit)
	}
	if g := p.grace(p.kept[0].at, p.kept[len(p.kept)-1].at); g != graceLimit {
		t.Errorf("forgiven %v; want %v at most", g, graceLimit)
	}
}
