package node

import (
	"fmt"
	"strings"
	"time"

	"vision/internal/health"
)

// slowness debounces the report that the machine is overloaded, and its end.
type slowness struct {
	late float64 // the share of the last seconds in which some table was read late
	good int     // seconds in a row in which none was
	on   bool
}

const (
	// lateBy is how far a table's reader may be behind the clock; it reports once a second.
	lateBy = 3 * time.Second
	// lateSmooth is how much of a new second counts.
	lateSmooth = 0.1
	// lateOn is the share from which it is reported.
	lateOn = 0.5
	// lateAgain is how many good seconds in a row end it, as for a camera whose pictures
	// are too few (pipeline.quality): a machine that is short of time has good moments.
	lateAgain = 30
)

// observe adds a second, and reports whether the machine is too slow now.
func (s *slowness) observe(late bool) bool {
	now := 0.0
	s.good++
	if late {
		now, s.good = 1, 0
	}
	s.late += lateSmooth * (now - s.late)
	s.on = s.late >= lateOn || s.on && s.good < lateAgain
	return s.on
}

// watchSpeed reports a machine that cannot keep up with its cameras. A camera that sends
// nothing is reported elsewhere.
func (n *Node) watchSpeed(s *slowness, now time.Time) {
	var late []string
	for _, t := range n.registry.all() {
		for _, c := range t.Cameras() {
			r := c.Reader()
			if r == nil || r.Newest.IsZero() || c.Feed().Blind() {
				continue
			}
			if by := now.Sub(r.Newest); by > lateBy {
				late = append(late, fmt.Sprintf("%s %.0f s", c.Config().Name, by.Seconds()))
			}
		}
	}
	const object = "" // it is the machine itself
	switch {
	case !s.observe(len(late) > 0):
		n.board.Clear(health.MachineSlow, object)
	case len(late) > 0:
		n.board.Set(health.MachineSlow, "", object, "read late: "+strings.Join(late, ", "))
	}
}
