package track

import (
	"time"

	"vision/internal/fact"
	"vision/validate/track/scene"
)

// attention is how far the pictures were looked at, per camera.
type attention struct {
	looked map[string]look
	passed time.Time // how far the tracker has let time pass
	// slowest is how far a reader may be behind that still comes to its end.
	slowest time.Duration
}

// look is that of a camera.
type look struct {
	last  time.Time
	begun time.Time // how far time had passed when its first look came
}

// prompt is how soon a reader that has time reports what it sees.
const prompt = 500 * time.Millisecond

// observe takes in how far a camera's pictures were looked at. It reports whether
// time has passed already as if they had been; before a camera's first look nothing is
// known that could have, however late that look and the next ones come.
func (a *attention) observe(o *fact.Observation) (late bool) {
	l, known := a.looked[o.Camera]
	if a.looked == nil {
		a.looked = map[string]look{}
	}
	if !known {
		l.begun = a.passed
	}
	l.last = scene.Latest(l.last, o.Time)
	a.looked[o.Camera] = l
	return known && a.passed.After(l.begun) && o.Time.Add(2*prompt).Before(a.passed)
}

// pass is the time that has passed for who knows only what was looked at: no
// later than what the slowest camera's reader still may report. A reader that reports
// nothing for long has nothing to report.
func (a *attention) pass(now time.Time) time.Time {
	if now.Add(a.slowest).Before(a.passed) {
		*a = attention{slowest: a.slowest} // the clock was put back
	}
	at := now
	for _, l := range a.looked {
		if t := l.last.Add(prompt); t.Before(at) && now.Sub(t) <= a.slowest {
			at = t
		}
	}
	a.passed = scene.Latest(a.passed, at)
	return a.passed
}

// after reports whether every camera has looked since a time, and reported what it saw until then.
func (a *attention) after(at time.Time) bool {
	for _, l := range a.looked {
		if l.last.Before(at) {
			return false
		}
	}
	return len(a.looked) > 0
}
