package fusion

import (
	"slices"
	"time"

	"vision/internal/fact"
)

// clocks finds how far the cameras' clocks are apart by what moves: a hand is in a zone for as
// long in every picture. One that sees it under a flatter angle sees it sooner there and longer,
// so that the middle of a visit counts.
type clocks struct {
	first  string                      // the camera whose clock holds
	visits map[string]map[string]visit // the newest by zone and camera
	apart  map[string][]time.Duration  // the newest, by camera
}

// visit is the time in which a zone moves, by the camera's own clock.
type visit struct{ from, to time.Time }

const (
	// mostApart is how far clocks may be apart that are aligned: 200 ms, and what angles make of it.
	mostApart = 400 * time.Millisecond
	// visitsKept are those of which the median counts, and leastVisits how many it takes.
	visitsKept, leastVisits = 31, 8
)

func newClocks(first string) *clocks {
	return &clocks{first: first, visits: map[string]map[string]visit{}, apart: map[string][]time.Duration{}}
}

// visited takes in that a camera saw a zone move from a time on until another.
func (c *clocks) visited(zone, camera string, from, to time.Time) {
	if c.visits[zone] == nil {
		c.visits[zone] = map[string]visit{}
	}
	c.visits[zone][camera] = visit{from, to}
	for other, v := range c.visits[zone] {
		if other == c.first && camera != c.first {
			c.compare(camera, v, visit{from, to})
		} else if camera == c.first && other != c.first {
			c.compare(other, visit{from, to}, v)
		}
	}
}

// compare takes in a visit that the first camera saw and that another did, if they are one.
func (c *clocks) compare(camera string, first, other visit) {
	in, out := other.from.Sub(first.from), other.to.Sub(first.to)
	if max(in.Abs(), out.Abs()) > mostApart {
		return
	}
	l := append(c.apart[camera], (in+out)/2)
	c.apart[camera] = l[max(0, len(l)-visitsKept):]
}

// lag is how far a camera's clock is ahead of the first one's.
func (c *clocks) lag(camera string) time.Duration {
	l := slices.Sorted(slices.Values(c.apart[camera]))
	if len(l) < leastVisits {
		return 0
	}
	return l[len(l)/2]
}

// align gives an observation the times of the first camera's clock.
func (c *clocks) align(o *fact.Observation) {
	lag := c.lag(o.Camera)
	if lag == 0 {
		return
	}
	shift := func(t *time.Time) {
		if !t.IsZero() {
			*t = t.Add(-lag)
		}
	}
	for _, t := range []*time.Time{&o.Time, &o.Since, &o.Until} {
		shift(t)
	}
	o.Dice, o.Tubes = slices.Clone(o.Dice), slices.Clone(o.Tubes)
	for i := range o.Dice {
		shift(&o.Dice[i].Still)
	}
	for i := range o.Tubes {
		shift(&o.Tubes[i].Rest)
		shift(&o.Tubes[i].Since)
	}
}
