package fusion

import (
	"slices"
	"time"

	"vision/internal/fact"
)

// Views makes one felt of what the cameras of a table see. A zone moves while every camera that
// sees it has it move: an arm that passes before one camera hides nothing from another. What lies
// in it is read by all in whose picture it is at rest. A camera that is blind, frozen or moved
// leaves its zones to the others. Times are those of the first camera's clock.
//
// One goroutine uses it.
type Views struct {
	names     []string
	cameras   map[string]*camera
	zones     map[string]*zone
	clocks    *clocks
	watermark time.Time         // up to when all cameras have looked, as last reported
	lost      *fact.Observation // why a part of the table is not seen, as last reported; nil: all is
}

// camera is one view of the table.
type camera struct {
	zones     []string
	lost      *fact.Observation // why nothing is seen by it, Blind or Moved; nil: it sees
	watermark time.Time
	gaps      []gap // the newest times in which it did not look
}

type gap struct{ from, to time.Time }

// zone is the state of a part of the felt.
type zone struct {
	views    map[string]*view // by camera
	moving   bool             // as last reported
	rest     time.Time        // since when it is at rest, as last reported
	reported bool             // something was reported of that rest
	key      string           // of it
}

// view is a zone as one camera sees it.
type view struct {
	movingSince time.Time         // since when it moves; zero: it is at rest
	read        *fact.Observation // what was read since it came to rest; nil: nothing yet
	before      *fact.Observation // and before it stirred; nil: that is not known
}

const (
	// restLag is how much later than the first camera another may see a zone at rest: what is
	// read of it may change until then.
	restLag = time.Second
	// mostGaps bounds what is kept of a camera's gaps.
	mostGaps = 64
	// correlation is the correlation of the log odds that two cameras give to what lies in a zone:
	// TestFitViews has 0.46 of 112 stacks.
	correlation = 0.5
)

// NewViews makes the felt of these cameras and the zones that each sees; the first is the one
// whose clock holds.
func NewViews(names []string, zones func(camera string) []string) *Views {
	v := &Views{names: names, cameras: map[string]*camera{}, zones: map[string]*zone{}}
	for _, name := range names {
		c := &camera{zones: zones(name)}
		v.cameras[name] = c
		for _, z := range c.zones {
			if v.zones[z] == nil {
				v.zones[z] = &zone{views: map[string]*view{}}
			}
			v.zones[z].views[name] = &view{}
		}
	}
	v.clocks = newClocks(append(names, "")[0])
	v.Reset()
	return v
}

// Reset forgets all observations: the table's reader has restarted.
func (v *Views) Reset() {
	v.watermark, v.lost = time.Time{}, nil
	for _, c := range v.cameras {
		c.lost, c.watermark, c.gaps = nil, time.Time{}, nil
	}
	for _, z := range v.zones {
		for _, w := range z.views {
			*w = view{}
		}
		z.moving, z.rest, z.reported = true, time.Time{}, false
	}
}

// Observe takes in what one camera saw and returns what that means for the felt, in order.
func (v *Views) Observe(o fact.Observation) []fact.Observation {
	c := v.cameras[o.Camera]
	if c == nil || len(v.cameras) == 1 {
		return []fact.Observation{o}
	}
	z := v.zones[o.Zone]
	var own *view
	if z != nil {
		own = z.views[o.Camera]
	}
	if own != nil && o.Kind == fact.Stable && !own.movingSince.IsZero() {
		v.clocks.visited(o.Zone, o.Camera, own.movingSince, o.Since)
	}
	stirred := o.Time
	v.clocks.align(&o)
	switch o.Kind {
	case fact.Watermark:
		if c.lost != nil && c.lost.Kind == fact.Blind && o.Time.After(c.lost.Time) {
			c.lost = nil
		}
		return v.reportCoverage(v.advance(c, o), o)
	case fact.Gap:
		out := v.forget(c, o.Time)
		for _, g := range v.missed(c, gap{o.Since, o.Time}) {
			o.Since, o.Time = g.from, g.to
			out = append(out, o)
		}
		return out
	case fact.Blind, fact.Moved:
		if c.lost = &o; o.OK {
			c.lost = nil
		}
		return v.reportCoverage(v.forget(c, o.Time), o)
	case fact.MotionStarted:
		if own != nil {
			if own.read != nil {
				own.before = own.read
			}
			own.movingSince, own.read = stirred, nil
			return v.reportMotion(z, o)
		}
	case fact.Stable:
		switch {
		case c.lost != nil && c.lost.Kind == fact.Moved:
			return nil // it was read where the camera no longer looks
		case c.lost != nil:
			c.lost = nil // who reads sees
		}
		if own != nil {
			return v.reportCoverage(v.reportStable(z, own, o), o)
		}
	case fact.PartialReading:
		if own != nil && !z.moving {
			return nil
		}
	}
	return []fact.Observation{o} // the rack, which each camera reads by itself
}

// sees reports whether a camera sees.
func (v *Views) sees(name string) bool { return v.cameras[name].lost == nil }

// atRest reports whether some camera that sees has a zone at rest.
func (v *Views) atRest(z *zone) bool {
	for name, w := range z.views {
		if w.read != nil && v.sees(name) {
			return true
		}
	}
	return false
}

// reportMotion reports that a zone moves once all that see it have it move. A camera that has not read it
// yet knows of no rest that could go on.
func (v *Views) reportMotion(z *zone, o fact.Observation) []fact.Observation {
	if v.atRest(z) {
		return nil
	}
	z.moving = true
	if len(z.views) > 1 {
		o.Since = time.Time{} // what nobody looked at is reported by itself
	}
	return []fact.Observation{o}
}

// reportStable takes in what a camera read of a zone at rest.
func (v *Views) reportStable(z *zone, own *view, o fact.Observation) (out []fact.Observation) {
	moved := own.movingSince.Add(-v.clocks.lag(o.Camera))
	// A camera that has not read the zone since it rests only adds to what lies there.
	changes := own.before != nil && Key(*own.before) != Key(o) && moved.After(z.rest)
	own.movingSince, own.read, own.before = time.Time{}, &o, nil
	if z.moving {
		z.moving, z.rest, z.reported = false, o.Since, false
	}
	felt := v.fuse(z, o)
	key := Key(felt)
	if z.reported && key == z.key {
		return nil
	}
	if z.reported && changes { // the others have not seen what changed it
		z.rest, felt.Since = o.Since, o.Since
		out = append(out, fact.Observation{Table: o.Table, Camera: o.Camera, Kind: fact.MotionStarted, Zone: o.Zone,
			Time: moved})
	}
	z.reported, z.key = true, key
	return append(out, felt)
}

// fuse is what lies in a zone by all cameras in whose picture it is at rest.
func (v *Views) fuse(z *zone, o fact.Observation) fact.Observation {
	var cards Things[fact.Card]
	var chips Things[fact.Stack]
	var dice Things[fact.Die]
	o.Since, o.Hands = z.rest, nil
	for _, name := range v.names {
		w := z.views[name]
		if w == nil || !v.sees(name) {
			continue
		}
		if w.read == nil {
			if until := z.rest.Add(restLag); until.After(o.Until) {
				o.Until = until
			}
			continue
		}
		if w.read.Until.After(o.Until) {
			o.Until = w.read.Until
		}
		o.Hands = append(o.Hands, w.read.Hands...)
		Cards.Add(&cards, w.read.Cards...)
		Stacks.Add(&chips, w.read.Chips...)
		Dice.Add(&dice, w.read.Dice...)
	}
	slices.Sort(o.Hands)
	o.Hands = slices.Compact(o.Hands)
	o.Cards, o.Chips = Cards.Fuse(&cards, 1, correlation), Stacks.Fuse(&chips, 1, correlation)
	o.Dice = Dice.Fuse(&dice, 1, correlation)
	// A stack shows as the first of the cameras has it, whoever knows best what it is: readings of it
	// are compared by their size.
	for i, s := range o.Chips {
		if first, ok := Stacks.first(&chips, s); ok {
			o.Chips[i].Quad = first.Quad
		}
	}
	return o
}

// advance takes in how far a camera looked. What no camera looked at is a gap, and what only this one
// could have seen.
func (v *Views) advance(c *camera, o fact.Observation) (out []fact.Observation) {
	if !o.Since.IsZero() {
		for _, g := range v.missed(c, gap{o.Since, o.Time}) {
			out = append(out, fact.Observation{Table: o.Table, Kind: fact.Watermark, Since: g.from, Time: g.to, Frame: o.Frame})
		}
	}
	if o.Time.After(c.watermark) {
		c.watermark = o.Time
	}
	at := c.watermark
	for _, other := range v.cameras {
		if other.lost == nil && !other.watermark.IsZero() && other.watermark.Before(at) {
			at = other.watermark
		}
	}
	if at.After(v.watermark) {
		v.watermark = at
		out = append(out, fact.Observation{Table: o.Table, Kind: fact.Watermark, Time: at, Frame: o.Frame, Unread: o.Unread})
	}
	return out
}

// missed are the parts of a camera's gap in which nobody looked at some zone that it sees.
func (v *Views) missed(c *camera, g gap) (out []gap) {
	c.gaps = append(c.gaps, g)
	c.gaps = c.gaps[max(0, len(c.gaps)-mostGaps):]
	for _, name := range c.zones {
		left := []gap{g}
		for other := range v.zones[name].views {
			if o := v.cameras[other]; o != c && o.lost == nil && !o.watermark.IsZero() {
				left = common(left, o.gaps)
			}
		}
		for _, g := range left {
			if !slices.Contains(out, g) {
				out = append(out, g)
			}
		}
	}
	return out
}

// common are the times that lie in a gap of both lists.
func common(a, b []gap) (out []gap) {
	for _, g := range a {
		for _, h := range b {
			if h.from.Before(g.from) {
				h.from = g.from
			}
			if h.to.After(g.to) {
				h.to = g.to
			}
			if h.from.Before(h.to) {
				out = append(out, h)
			}
		}
	}
	return out
}

// forget forgets what a camera has read, and reports that zones move which no other has at rest.
func (v *Views) forget(c *camera, at time.Time) (out []fact.Observation) {
	for _, name := range c.zones {
		z := v.zones[name]
		for n, w := range z.views {
			if v.cameras[n] == c {
				*w = view{}
			}
		}
		if v.atRest(z) || z.moving {
			continue
		}
		z.moving = true
		if len(z.views) > 1 {
			out = append(out, fact.Observation{Kind: fact.MotionStarted, Zone: name, Time: at})
		}
	}
	return out
}

// reportCoverage adds to what is reported whether all of the table is seen. A reading ends that it is not, so
// that it has to be reported again after each.
func (v *Views) reportCoverage(out []fact.Observation, o fact.Observation) []fact.Observation {
	lost := v.unseen()
	stable := slices.ContainsFunc(out, func(o fact.Observation) bool { return o.Kind == fact.Stable })
	switch {
	case lost != nil && (lost != v.lost || stable):
		again := *lost
		if again.Time.Before(o.Time) {
			again.Time = o.Time
		}
		if !slices.ContainsFunc(v.names, v.sees) {
			again.Camera = "" // no camera is waited for
		}
		out = append(out, again)
	case lost == nil && v.lost != nil && v.lost.Kind == fact.Moved:
		out = append(out, fact.Observation{Table: o.Table, Camera: v.lost.Camera, Kind: fact.Moved, OK: true, Time: o.Time})
	}
	v.lost = lost
	return out
}

// unseen is why a zone is seen by nobody; nil: none is.
func (v *Views) unseen() *fact.Observation {
	for _, name := range v.names {
		c := v.cameras[name]
		if c.lost == nil {
			continue
		}
		for _, z := range c.zones {
			alone := true
			for other := range v.zones[z].views {
				alone = alone && !v.sees(other)
			}
			if alone {
				return c.lost
			}
		}
	}
	return nil
}
