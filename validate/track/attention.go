package track

import (
	"time"

	"vision/internal/fact"
)

// attention is how far the pictures were looked at, per camera.
type attention struct {
	looked map[string]time.Time
	begun  map[string]time.Time // how far time had passed when the camera's first look came
	passed time.Time            // how far the tracker has let time pass
	// slowest is how far a reader may be behind that still comes to its end.
	slowest time.Duration
}

// prompt is how soon a reader that has time reports what it sees.
const prompt = 500 * time.Millisecond

// observe takes in how far a camera's pictures were looked at. It reports whether
// time has passed already as if they had been; before a camera's first look nothing is
// known that could have, however late that look and the next ones come.
func (a *attention) observe(o *fact.Observation) (late bool) {
	seen, known := a.looked[o.Camera]
	if a.looked == nil {
		a.looked = map[string]time.Time{}
	}
	if a.begun == nil {
		a.begun = map[string]time.Time{}
	}
	if !known {
		a.begun[o.Camera] = a.passed
	}
	if o.Time.After(seen) {
		a.looked[o.Camera] = o.Time
	}
	return known && a.passed.After(a.begun[o.Camera]) && o.Time.Add(2*prompt).Before(a.passed)
}

// pass is the time that has passed for who knows only what was looked at: no
// later than what the slowest camera's reader still may report. A reader that reports
// nothing for long has nothing to report.
func (a *attention) pass(now time.Time) time.Time {
	if now.Add(a.slowest).Before(a.passed) {
		*a = attention{slowest: a.slowest} // the clock was put back
	}
	at := now
	for _, seen := range a.looked {
		if t := seen.Add(prompt); t.Before(at) && now.Sub(t) <= a.slowest {
			at = t
		}
	}
	if at.Before(a.passed) {
		return a.passed
	}
	a.passed = at
	return at
}

// after reports whether every camera has looked since a time, and reported what it saw until then.
func (a *attention) after(at time.Time) bool {
	for _, seen := range a.looked {
		if seen.Before(at) {
			return false
		}
	}
	return len(a.looked) > 0
}
