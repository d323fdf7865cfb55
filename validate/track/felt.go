package track

import (
	"maps"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
)

// felt is what lies on the table and the rounds it has seen, as a fold over
// entries in the order of time. It decides nothing that money depends on.
type felt struct {
	atlas     *atlas
	game      *game
	scene     *scene   // the running round
	past      []*scene // ended rounds that still wait for late lines
	zones     map[string]memory
	chips     map[string]map[place]count // by zone
	standing  map[string][]standing      // the stacks of a zone as read last
	dice      dicebox
	blind     string    // why nothing can be seen at present
	displaced bool      // the camera does not stand as calibrated
	dark      time.Time // nothing that came about before this was seen
	unwatched time.Time // the same, but for bets
	brief     time.Duration
	until     time.Time // the end of the last finished round
}

// memory is what is remembered of a zone between two readings.
type memory struct {
	settled time.Time // of the last reading
	rest    time.Time // since when it was at rest then
	stirred time.Time // since when it moves; zero while at rest
}

// entry is one input in the tracker's log: an observation, a line heard, or
// the end of the round, decided by the clock.
type entry struct {
	At     time.Time         `json:"at"`
	Seq    uint64            `json:"seq"`
	Seen   *fact.Observation `json:"seen,omitempty"`
	Heard  *round.Event      `json:"heard,omitempty"`
	Source string            `json:"source,omitempty"` // who said it
	Ending string            `json:"ending,omitempty"`
	Lost   string            `json:"lost,omitempty"` // why nothing was seen until the next reading
}

func newFelt(a *atlas, g *game, brief time.Duration) *felt {
	return &felt{
		atlas: a, game: g, brief: brief, scene: &scene{game: g, opening: map[place]count{}},
		zones: map[string]memory{}, chips: map[string]map[place]count{}, standing: map[string][]standing{},
	}
}

func (f *felt) clone() *felt {
	c := *f
	c.scene = f.scene.clone()
	c.past = make([]*scene, len(f.past))
	for i, sc := range f.past {
		c.past[i] = sc.clone()
	}
	c.zones, c.standing = maps.Clone(f.zones), maps.Clone(f.standing) // the lists are never written to
	c.chips = make(map[string]map[place]count, len(f.chips))
	for z, m := range f.chips {
		c.chips[z] = maps.Clone(m)
	}
	return &c
}

// step takes in one entry.
func (f *felt) step(e entry) {
	switch {
	case e.Seen != nil:
		f.see(e.Seen)
	case e.Heard != nil:
		f.hear(*e.Heard, e.At)
	case e.Lost != "":
		f.blind, f.displaced = e.Lost, false // who looks on from here says anew whether the camera stands
		f.darken(e.At, e.Lost)
	case e.Ending != "":
		f.end(e.At, e.Ending)
	}
}

func (f *felt) see(o *fact.Observation) {
	switch o.Kind {
	case fact.Stirred:
		m := f.zones[o.Zone]
		if m.stirred.IsZero() {
			if m.stirred = o.Time; !o.Since.IsZero() && o.Time.Sub(o.Since) > blink {
				m.stirred = o.Since // it may have begun as soon as nobody looked
			}
			f.zones[o.Zone] = m
		}
		if !o.Since.IsZero() {
			f.miss(span{o.Since, o.Time}, unlooked)
		}
	case fact.Looked:
		f.miss(span{o.Since, o.Time}, unlooked)
	case fact.Settled:
		f.settle(o)
	case fact.Gap:
		f.miss(span{o.Since, o.Time}, because("frames were lost", o.Note))
	case fact.Blind:
		f.blind = because("the camera sent nothing", o.Note)
		f.darken(o.Time, f.blind)
	case fact.Moved:
		why := because("the camera was moved", o.Note)
		f.displaced, f.blind = !o.OK, ""
		if f.displaced {
			f.blind = why
		}
		f.darken(o.Time, why)
	}
}

// unlooked is said of a round of which too few pictures were looked at.
const unlooked = "the reader did not look for a while"

func because(why, note string) string {
	if note == "" {
		return why
	}
	return why + ": " + note
}

// darken marks the running round, and any that begins with something that
// came about before to.
func (f *felt) darken(to time.Time, why string) {
	if to.After(f.dark) {
		f.dark = to
	}
	if f.scene.begun() {
		f.scene.mark(why)
	}
}

// put adds a happening to the running round.
func (f *felt) put(h happening) {
	if f.blind != "" {
		f.scene.mark(f.blind)
	} else if f.unseen(h) {
		f.scene.mark("part of the round was not seen")
	}
	f.scene.add(h)
}

func (f *felt) settle(o *fact.Observation) {
	z := f.atlas.zones[o.Zone]
	if z == nil {
		return
	}
	if f.blind != "" {
		if f.dark.Before(o.Time) {
			f.dark = o.Time
		}
		if f.displaced {
			return // what is read through a displaced calibration is worth nothing
		}
		f.blind = ""
	}
	r := f.zones[o.Zone].next(o)
	f.zones[o.Zone] = memory{settled: o.Time, rest: o.Since}
	if o.Note == "" {
		if z.cards {
			f.readCards(z, o.Cards, r)
		}
		if z.dice {
			f.readDice(z, o.Dice, r)
		}
	}
	if z.chips {
		f.readChips(z, o, r)
	}
}

// next is the reading o of a zone, seen against the one before.
func (m memory) next(o *fact.Observation) rest {
	r := rest{first: m.settled.IsZero() && m.stirred.IsZero(), at: o.Time, from: m.stirred}
	if !o.Since.IsZero() {
		r.at = o.Since
		r.again = m.stirred.IsZero() && m.rest.Equal(o.Since)
	}
	if r.from.IsZero() || r.from.After(r.at) {
		r.from = m.settled
	}
	if r.from.IsZero() || r.from.After(r.at) {
		r.from = r.at
	}
	return r
}

// rest is one reading of a zone at rest: it stirred at from and lay still at at.
type rest struct {
	from, at time.Time
	first    bool // nothing is known of the zone before
	again    bool // nothing moved since the reading before: it is read anew
}

// on is what lies on a place, which may reach into several zones.
func (f *felt) on(p place) (c count) {
	for _, m := range f.chips {
		if part, ok := m[p]; ok {
			hidden := c.hidden || part.hidden
			under := hidden && (!c.hidden || c.under) && (!part.hidden || part.under) // not a chip of it was seen
			c = sum(c, part)
			c.hidden, c.under = hidden, under
		}
	}
	return c
}

// totals is what lies on every place.
func (f *felt) totals() map[place]count {
	t := map[place]count{}
	for _, m := range f.chips {
		for p := range m {
			t[p] = f.on(p)
		}
	}
	return t
}
