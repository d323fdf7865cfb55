package pipeline

import (
	"slices"
	"time"

	"vision/calibration"
	"vision/internal/fact"
)

// Float is what a camera reads of a table's float (anticipo): the chips in the zone of the
// house's own stock, and in the rack. Low and High are cents; they are the same where all was counted.
type Float struct {
	Low, High int64
	At        time.Time // of the newest reading
}

// Float is the float as it is read now; false where no camera shows it or several do (they may
// show the same chips), where it is covered or being worked in, or where
// some stack's kind is not known.
func (t *Table) Float() (Float, bool) {
	f := t.loop.float.Load()
	if f == nil || showing(t.cameras) != 1 {
		return Float{}, false
	}
	return *f, true
}

// showing is how many cameras have the zone of the house's stock, or the rack.
func showing(cameras []*Camera) (n int) {
	for _, c := range cameras {
		if cal := c.Calibration(); cal != nil && (cal.Rack != nil || slices.ContainsFunc(cal.Zones, isFloat)) {
			n++
		}
	}
	return n
}

// isFloat reports whether a zone is of the house's stock, whose chips are no bets.
func isFloat(z calibration.Zone) bool { return z.Name == calibration.Float }

// float adds up what the zone of the stock holds, and the rack; nil where that is not known.
func (s *state) float(calibrated func(camera string) *calibration.Table) *Float {
	var f *Float
	for camera, zones := range s.seen {
		cal := calibrated(camera)
		o, ok := zones[calibration.Float]
		switch racked := cal != nil && cal.Rack != nil; {
		case !ok && (!racked || slices.ContainsFunc(cal.Zones, isFloat)):
			continue
		case racked && (s.racks[camera] == nil || s.racks[camera].float == nil):
			return nil
		case racked:
			rack := *s.racks[camera].float
			f = &rack
		case f == nil:
			f = &Float{}
		}
		values := worth(cal)
		for _, c := range o.Chips {
			low, high, ok := valueRange(c, values)
			if !ok {
				return nil
			}
			f.Low, f.High = f.Low+low, f.High+high
		}
		if o.Time.After(f.At) {
			f.At = o.Time
		}
	}
	return f
}

// valueRange is what a stack is worth at least and at most: one that could not be counted has
// a number of chips between two, of any value.
func valueRange(s fact.Stack, worth map[string]int64) (low, high int64, ok bool) {
	if s.Counted() {
		for _, c := range s.Chips {
			if worth[c] == 0 {
				return 0, 0, false
			}
			low += worth[c]
		}
		return low, low, true
	}
	var values []int64
	for _, v := range worth {
		if v > 0 {
			values = append(values, v)
		}
	}
	if s.Low == 0 || len(values) == 0 {
		return 0, 0, false
	}
	return int64(s.Low) * slices.Min(values), int64(s.High) * slices.Max(values), true
}
