package rtsp

import (
	"fmt"
	"time"
)

// clock gives the units of one connection their times. Arrival times jitter, a
// camera's own clock may be wrong by years, and some cameras' RTP timestamps stand
// still, jump or run at a rate of their own (RFC 3550 §5.1 wants them to be of the
// moment of sampling). The least delayed arrivals of the last seconds place the
// stream's timestamps on the node's clock, and the camera's sender reports are
// believed where they agree. Timestamps that are not those of a clock are not used:
// such pictures are timed by their arrival, and fault has why.
type clock struct {
	patience time.Duration // by which timestamps are judged over longer

	begun  bool
	base   time.Time     // wall time of timestamp 0 by the least delayed unit
	offset time.Duration // from timestamps to the PTS that are given
	pts    time.Duration // timestamp of the newest unit
	now    time.Time     // its arrival
	head   time.Duration // the greatest timestamp since the last jump
	out    time.Duration // the greatest PTS that was given
	last   time.Time     // wall time that was given with it

	win    window
	before float64 // the rate of the window before, 1: as it should be
	good   int     // windows in a row in which the timestamps were those of a clock
	jumps  []time.Time
	fault  error // why timestamps are not believed; nil: they are
}

// window is a stretch of arrivals over which the timestamps are judged.
type window struct {
	units   int
	pts     time.Duration // of its first unit
	now     time.Time
	late    time.Duration // the least delay against base
	jumped  bool
	stepped bool // timestamps advanced at all
}

const (
	// agree is how far a sender report may be off to be believed.
	agree = 500 * time.Millisecond
	// judged is how long a window is; it has some units at least.
	judged      = 5 * time.Second
	judgedUnits = 4
	// lateness of all units of a window from which the base is wrong: after a burst
	// of older pictures, or on a way that has become longer.
	lateness = 300 * time.Millisecond
	// offRate is how far timestamps may run off real time. A camera's quartz is off
	// by 0.01 %, a window's edges by the jitter of two arrivals.
	offRate = 0.1
	// jumpBack and jumpAhead are steps that no order of coding and no loss explains.
	jumpBack, jumpAhead = time.Second, 2 * time.Second
	// manyJumps within jumpMemory are no clock.
	manyJumps  = 3
	jumpMemory = time.Minute
	// trustAgain is how many good windows in a row end a fault.
	trustAgain = 6
)

// times are PTS and wall time of the unit with this timestamp (since the first one of
// the connection); ntp is its time by the camera's reports, zero where there were none.
func (c *clock) times(pts time.Duration, ntp, now time.Time) (time.Duration, time.Time) {
	if !c.begun {
		c.begun, c.base, c.head = true, now.Add(-pts), pts
		c.offset = c.out - pts
		c.win = window{pts: pts, now: now}
	} else {
		c.base = c.base.Add(max(pts-c.pts, 0) / 1000) // let the clocks drift apart by 0.1 %
		c.step(pts, now)
	}
	told, wall := c.align(pts, ntp, now)
	c.pts, c.now, c.head = pts, now, max(c.head, pts)
	return told, wall.Round(0)
}

// step judges the timestamp against the arrival.
func (c *clock) step(pts time.Duration, now time.Time) {
	late := now.Add(-pts).Sub(c.base)
	if d := pts - c.pts; pts-c.head < -jumpBack || d > jumpAhead && late < -jumpAhead {
		c.jump(pts, now)
		late = 0
	}
	if late < 0 {
		c.base, late = now.Add(-pts), 0
	}
	w := &c.win
	if w.units == 0 || late < w.late {
		w.late = late
	}
	w.units++
	w.stepped = w.stepped || pts != c.pts
	if now.Sub(w.now) >= judged+c.patience && w.units >= judgedUnits {
		c.judge(pts, now)
	}
}

// jump goes on at a timestamp that has nothing to do with the one before.
func (c *clock) jump(pts time.Duration, now time.Time) {
	for len(c.jumps) > 0 && now.Sub(c.jumps[0]) > jumpMemory {
		c.jumps = c.jumps[1:]
	}
	c.jumps = append(c.jumps, now)
	if len(c.jumps) >= manyJumps {
		c.distrust(fmt.Errorf("its RTP timestamps have jumped %d times within a minute", len(c.jumps)))
		c.jumps = c.jumps[1:]
	}
	c.base, c.head, c.win.jumped = now.Add(-pts), pts, true
	c.offset = c.out + max(now.Sub(c.now), time.Millisecond) - pts
}

// judge closes a window and begins the next.
func (c *clock) judge(pts time.Duration, now time.Time) {
	w := c.win
	c.win = window{pts: pts, now: now}
	if w.jumped { // its rate is no evidence
		c.before, c.good = 1, 0
		return
	}
	rate := float64(pts-w.pts) / float64(now.Sub(w.now))
	switch {
	case !w.stepped:
		c.distrust(fmt.Errorf("its RTP timestamps stand still"))
	case rate < 1-offRate && c.before < 1-offRate || rate > 1+offRate && c.before > 1+offRate:
		c.distrust(fmt.Errorf("its RTP timestamps advance by %.2f s in a second", rate))
	case rate < 1-offRate || rate > 1+offRate: // arrivals that were held up, or a burst
		c.good = 0
	default:
		c.trust(pts, now)
	}
	if w.late > lateness {
		c.base = c.base.Add(w.late)
	}
	c.before = rate
}

func (c *clock) distrust(why error) { c.fault, c.good = why, 0 }

// trust counts a good window and ends the fault after some.
func (c *clock) trust(pts time.Duration, now time.Time) {
	c.good++
	if c.fault == nil || c.good < trustAgain {
		return
	}
	c.fault, c.jumps = nil, nil
	c.base, c.head = now.Add(-pts), pts
	c.offset = c.out + max(now.Sub(c.now), time.Millisecond) - pts
}

// align is what the unit gets. A picture that comes in another order than it is shown
// (a B-frame) keeps its place between the others; all others only rise.
func (c *clock) align(pts time.Duration, ntp, now time.Time) (time.Duration, time.Time) {
	if c.fault != nil {
		told := c.out
		if !c.now.IsZero() {
			told += max(now.Sub(c.now), time.Microsecond)
		}
		return c.rise(told, now)
	}
	told, w := pts+c.offset, c.base.Add(pts)
	if !ntp.IsZero() && ntp.Sub(w).Abs() <= agree && !ntp.After(now.Add(50*time.Millisecond)) {
		w = ntp
	}
	if pts < c.head && told < c.out {
		return told, w
	}
	return c.rise(told, w)
}

// rise notes the newest time and keeps it after all others.
func (c *clock) rise(told time.Duration, w time.Time) (time.Duration, time.Time) {
	if !c.last.IsZero() {
		told = max(told, c.out+time.Microsecond)
		if !w.After(c.last) {
			w = c.last.Add(time.Microsecond)
		}
	}
	c.out, c.last = told, w
	return told, w
}
