package scene

import (
	"maps"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/round"
)

// Felt is what lies on the table and the rounds it has seen, as a fold over
// entries in the order of time. It decides nothing that money depends on.
type Felt struct {
	layout          *Layout
	course          *Course
	Scene           *Scene   // the running round
	Ended           []*Scene // ended rounds that still wait for late lines
	Zones           map[string]ZoneState
	Chips           map[string]map[Place]Count // by zone
	stacks          map[string][]stack         // the stacks of a zone as read last
	unnamed         map[string][]unnamed       // what lies in a zone and no reader names
	Dice            DiceState
	blind           string    // why nothing can be seen at present
	displaced       bool      // the camera does not stand as calibrated
	unseenUntil     time.Time // nothing that came about before this was seen
	betsUnseenUntil time.Time // the same, but for bets
	Until           time.Time // the end of the last finished round
}

// ZoneState is what is remembered of a zone between two readings.
type ZoneState struct {
	Read        time.Time // of the last reading
	Rest        time.Time // since when it was at rest then
	From        time.Time // since when it had moved before that
	MovingSince time.Time // since when it moves; zero while at rest
	Until       time.Time // when it is read for the last time if it stays at rest
	// Laid is where backs were glimpsed beside all cards that lay there, since it moves.
	Laid []fact.Point
}

// Input is one input in the tracker's log: an observation, a line heard, or
// the end of the round, decided by the clock.
type Input struct {
	At     time.Time         `json:"at"`
	Seq    uint64            `json:"seq"`
	Seen   *fact.Observation `json:"seen,omitempty"`
	Heard  *round.Event      `json:"heard,omitempty"`
	Source string            `json:"source,omitempty"` // who reported it
	Ending string            `json:"ending,omitempty"`
	Lost   string            `json:"lost,omitempty"` // why nothing was seen until the next reading
}

// Stirs reports whether an entry reports nothing but that something moves in a zone: no scene
// changes by it, but by the rack's.
func (e Input) Stirs() bool {
	o := e.Seen
	return o != nil && o.Kind == fact.MotionStarted && o.Zone != calibration.RackZone &&
		(o.Since.IsZero() || o.Time.Sub(o.Since) <= ShortGap)
}

// NewFelt is an empty table.
func NewFelt(a *Layout, c *Course) *Felt {
	return &Felt{
		layout: a, course: c, Scene: &Scene{Course: c, Opening: map[Place]Count{}},
		Zones: map[string]ZoneState{}, Chips: map[string]map[Place]Count{}, stacks: map[string][]stack{},
		unnamed: map[string][]unnamed{},
	}
}

// Clone is a copy that can be folded on by itself.
func (f *Felt) Clone() *Felt {
	c := *f
	c.Scene = f.Scene.clone()
	c.Ended = make([]*Scene, len(f.Ended))
	for i, sc := range f.Ended {
		c.Ended[i] = sc.clone()
	}
	// The lists are never written to.
	c.Zones, c.stacks, c.unnamed = maps.Clone(f.Zones), maps.Clone(f.stacks), maps.Clone(f.unnamed)
	c.Chips = make(map[string]map[Place]Count, len(f.Chips))
	for z, m := range f.Chips {
		c.Chips[z] = maps.Clone(m)
	}
	return &c
}

// Fold takes in one entry.
func (f *Felt) Fold(e Input) {
	switch {
	case e.Seen != nil:
		f.observe(e.Seen)
	case e.Heard != nil:
		f.foldLine(*e.Heard, e.At)
	case e.Lost != "":
		f.blind, f.displaced = e.Lost, false // who looks on from here reports anew whether the camera stands
		f.markUnseen(e.At, e.Lost)
	case e.Ending != "":
		f.end(e.At)
	}
}

func (f *Felt) observe(o *fact.Observation) {
	switch o.Kind {
	case fact.MotionStarted:
		if o.Zone == calibration.RackZone {
			f.eachRack(o, func(rests *rackRests) { rests.startMotion(o) })
		}
		m := f.Zones[o.Zone]
		if f.layout.Zones[o.Zone] != nil && m.MovingSince.IsZero() { // of no other zone is anything kept
			if m.MovingSince = o.Time; !o.Since.IsZero() && o.Time.Sub(o.Since) > ShortGap {
				m.MovingSince = o.Since // it may have begun as soon as nobody looked
			}
			f.Zones[o.Zone] = m
		}
		if !o.Since.IsZero() {
			f.addGap(CoverageGap{o.Since, o.Time}, unlooked)
		}
	case fact.Watermark:
		f.addGap(CoverageGap{o.Since, o.Time}, unlooked)
	case fact.Stable:
		f.readZone(o)
	case fact.Rack:
		f.rackRead(o)
	case fact.PartialReading:
		f.glimpse(o)
	case fact.Gap:
		f.addGap(CoverageGap{o.Since, o.Time}, because("frames were lost", o.Note))
	case fact.Blind:
		f.blind = because("the camera sent nothing", o.Note)
		f.markUnseen(o.Time, f.blind)
	case fact.Moved:
		why := because("the camera was moved", o.Note)
		if f.displaced, f.blind = !o.OK, ""; f.displaced {
			f.blind = why
		}
		f.markUnseen(o.Time, why)
	}
}

// unlooked is the reason of a round of which too few pictures were looked at.
const unlooked = "the reader did not look for a while"

func because(why, note string) string {
	if note == "" {
		return why
	}
	return why + ": " + note
}

// markUnseen marks the running round, and any that begins with something that
// came about before to.
func (f *Felt) markUnseen(to time.Time, why string) {
	f.unseenUntil = Latest(f.unseenUntil, to)
	if f.Scene.Begun() {
		f.Scene.mark(why)
	}
}

// put adds an event to the running round.
func (f *Felt) put(h Event) {
	if f.blind != "" {
		f.Scene.mark(f.blind)
	} else if f.wasUnseen(h) {
		f.Scene.mark("part of the round was not seen")
	}
	f.Scene.add(h)
}

func (f *Felt) readZone(o *fact.Observation) {
	z := f.layout.Zones[o.Zone]
	if z == nil {
		return
	}
	if f.blind != "" {
		f.unseenUntil = Latest(f.unseenUntil, o.Time)
		if f.displaced {
			return // what is read through a displaced calibration is worth nothing
		}
		f.blind = ""
	}
	r := f.Zones[o.Zone].next(o)
	f.Zones[o.Zone] = ZoneState{Read: o.Time, Rest: o.Since, From: r.from, Until: o.Until}
	if o.Note == "" {
		if z.Cards {
			f.readCards(z, o.Cards, r)
		}
		if z.Dice {
			f.readDice(z, o.Dice, r)
		}
	}
	if z.Chips {
		f.readChips(z, o, r)
	}
}

// glimpse takes in cards that lay open to view in a zone which moved: those that were not
// there before were dealt, and those that lay face down and show their faces were turned by then.
func (f *Felt) glimpse(o *fact.Observation) {
	z, m := f.layout.Zones[o.Zone], f.Zones[o.Zone]
	if z == nil || !z.Cards || f.blind != "" || m.MovingSince.IsZero() || f.newDeal(o.Cards, o.Since) {
		return
	}
	r := rest{from: Earliest(m.MovingSince, o.Since), at: o.Since, hands: o.Hands}
	matched := f.Scene.match(z.name, o.Cards, r)
	all := f.Scene.allAmong(z.name, matched)
	for _, i := range leftToRight(o.Cards) {
		switch k, known := matched[i]; {
		case known:
			f.Scene.Tracks[k].faceGlimpsed(o.Cards[i], o.Time)
		case all && backUp(o.Cards[i]):
			m.Laid = append(m.Laid[:len(m.Laid):len(m.Laid)], o.Cards[i].At)
		case !backUp(o.Cards[i]) && f.Scene.missed(z.name) < 0: // or it may be that one
			f.appear(z, o.Cards[i], r)
		}
	}
	f.Zones[o.Zone] = m
}

// next is the reading o of a zone, seen against the one before.
func (m ZoneState) next(o *fact.Observation) rest {
	r := rest{at: o.Time, from: m.MovingSince, hands: o.Hands, laid: m.Laid, first: m.Read.IsZero()}
	if !o.Since.IsZero() {
		r.at = o.Since
		if r.again = m.MovingSince.IsZero() && m.Rest.Equal(o.Since); r.again {
			r.from = m.From
		}
	}
	for _, from := range []time.Time{m.Read, r.at} {
		if r.from.IsZero() || r.from.After(r.at) {
			r.from = from
		}
	}
	return r
}

// rest is one reading of a zone at rest: it began to move at from and was at rest at at.
type rest struct {
	from, at time.Time
	first    bool         // nothing is known of the zone before
	again    bool         // nothing moved since the reading before: it is read anew
	hands    []string     // sides of the table from which arms had come
	laid     []fact.Point // where backs were glimpsed beside all that lay there before
}

// On is what lies on a place, which may reach into several zones.
func (f *Felt) On(p Place) (c Count) {
	for _, m := range f.Chips {
		if part, ok := m[p]; ok {
			hidden := c.Hidden || part.Hidden
			under := hidden && (!c.Hidden || c.Occluded) && (!part.Hidden || part.Occluded) // not a chip of it was seen
			unread, beside := c.Unread+part.Unread, c.Counted()+part.Counted()
			if c = sum(c, part); hidden {
				c.Unread, c.Beside = unread, beside
			}
			c.Hidden, c.Occluded = hidden, under
		}
	}
	return c
}

// Totals is what lies on every place.
func (f *Felt) Totals() map[Place]Count {
	t := map[Place]Count{}
	for _, m := range f.Chips {
		for p := range m {
			t[p] = f.On(p)
		}
	}
	return t
}
