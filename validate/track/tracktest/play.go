// Package tracktest turns the simulator's scripts into the facts that readers
// and sensors would report of them, with the disorder of real ones: without
// pictures, so that thousands of rounds can be followed in a moment.
package tracktest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/lab/sim/script"
)

// Input is one fact and when it reaches the tracker.
type Input struct {
	Arrives time.Time
	Seen    *fact.Observation
	Heard   *fact.Sensed
}

// Disorder is how unlike perfect the facts are: chances and shares, 0 to 1.
type Disorder struct {
	Jitter    float64 // spread of the times of rest and of arrival
	Reread    float64 // chance that a card is first not read, or not surely
	Covered   float64 // chance that a hand lies over a zone for a while afterwards
	LateCalls float64 // chance that a call arrives up to two seconds late
	Twice     float64 // chance that a fact arrives twice
	Rough     float64 // chance that a stack is counted only roughly, by a reader that reports it
	Blurred   float64 // chance that one die of a throw is not read
	Lingers   float64 // chance that hands stay over a zone for one to five seconds; all of it is seen at once
	Unread    float64 // chance that a pile is never read as long as it lies; that something lies there is told
	Sure      float64 // chance that a pile of three chips or more is counted one wrong by a reader that is sure of it
	Vague     float64 // chance that a pile of three chips or more is counted only roughly as long as it lies
	Blank     float64 // chance that a card that lies face up is never read as long as it lies
	Raked     float64 // chance that the croupier rakes a pile to another of a shared zone before it is gone
	Nudged    float64 // chance that hands over a zone push some of its piles aside
	RackRead  float64 // share of the rests of a rack that has changed at which the change is reported; 0: it is not read
	RackWrong float64 // share of them at which it is reported one chip wrong; at the others its reader is not sure
}

// Session is what happened at one table.
type Session struct {
	Inputs []Input // in the order of arrival
	Rounds []script.Truth
	Starts []time.Time // when each round began
	End    time.Time
}

// player turns acts into facts.
type player struct {
	rng     *rand.Rand
	seed    uint64
	dis     Disorder
	zones   []calibration.Zone
	palette []calibration.Chip
	cards   map[int]script.Placed
	piles   map[int]script.Pile
	dice    map[int]fact.Die
	spread  map[int]fact.Point // where a tag lies
	busy    map[string]time.Time
	hands   []string // of the side that acts
	linger  map[string]lingering
	inputs  []Input
}

// lingering are hands that stay over a zone.
type lingering struct {
	until time.Time
	stir  time.Time
	hands []string
}

// Start is when every session begins.
var Start = time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)

// Play plays n rounds of a script.
func Play(cfg script.Config, zones []calibration.Zone, n int, dis Disorder) (*Session, error) {
	return PlayTampered(cfg, zones, n, dis, nil)
}

// Tamper changes a scripted round into one with a mistake that the scripts do
// not know: what happens and what is true of it alike. It reports whether the
// round gave occasion. What the rules find in the new record is the truth.
type Tamper func(r *script.Round) bool

// PlayTampered plays n rounds of a script, of which every second is tampered
// with where it gives occasion.
func PlayTampered(cfg script.Config, zones []calibration.Zone, n int, dis Disorder, tamper Tamper) (*Session, error) {
	g, err := script.New(cfg)
	if err != nil {
		return nil, err
	}
	var rounds []script.Round
	for i := range n {
		r := g.Next()
		if tamper != nil && i%2 == 1 {
			tamper(&r)
		}
		rounds = append(rounds, r)
	}
	s := Perform(rounds, zones, cfg.Palette, cfg.Seed, dis)
	if dis.RackRead > 0 && script.Racked(cfg.Game) {
		r := newRack(cfg.Seed, cfg.Palette)
		for i := range rounds {
			for _, o := range r.observe(rounds[i], s.Starts[i], dis) {
				s.Inputs = append(s.Inputs, Input{Arrives: o.Time.Add(seconds(0.1)), Seen: &o})
			}
		}
		s.sort()
	}
	return s, nil
}

// sort puts the inputs in the order of arrival.
func (s *Session) sort() {
	slices.SortStableFunc(s.Inputs, func(a, b Input) int { return a.Arrives.Compare(b.Arrives) })
}

// Perform reports rounds that were made elsewhere.
func Perform(
	rounds []script.Round, zones []calibration.Zone, palette []calibration.Chip, seed uint64, dis Disorder,
) *Session {
	p := newPlayer(seed, dis, zones, palette)
	s := &Session{}
	now := Start
	for _, z := range zones {
		if len(z.Reads) > 0 {
			p.observe(fact.Observation{Kind: fact.Stable, Zone: z.Name, Since: now, Time: now})
		}
	}
	now = now.Add(time.Second)
	for _, r := range rounds {
		s.Starts = append(s.Starts, now)
		s.Rounds = append(s.Rounds, r.Truth)
		for _, a := range r.Acts {
			p.leave(now.Add(seconds(a.At)))
			p.act(a, now.Add(seconds(a.At)))
		}
		now = now.Add(seconds(r.Length))
		p.leave(now)
	}
	p.leave(now.Add(time.Minute)) // who stays over the last round leaves too
	s.Inputs, s.End = p.inputs, now
	s.sort()
	return s
}

func newPlayer(seed uint64, dis Disorder, zones []calibration.Zone, palette []calibration.Chip) *player {
	return &player{
		rng: rand.New(rand.NewPCG(seed, 99)), seed: seed, dis: dis, zones: zones, palette: palette,
		cards: map[int]script.Placed{}, piles: map[int]script.Pile{}, dice: map[int]fact.Die{},
		spread: map[int]fact.Point{}, busy: map[string]time.Time{}, linger: map[string]lingering{},
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// act lets one thing happen at t.
func (p *player) act(a script.Act, t time.Time) {
	for i := range a.Sensed {
		p.hear(a.Sensed[i], t)
	}
	p.rake(a, t)
	touched := map[string]bool{}
	for _, tag := range a.Lift {
		touched[p.lift(tag)] = true
	}
	for _, c := range a.Cards {
		z := p.zone(c.Zone)
		p.cards[c.Tag] = c
		p.spread[c.Tag] = p.roughly(c.Tag, fact.Point{z.Polygon[0][0] + 45 + 34*float64(c.Slot), z.Polygon[0][1] + 60})
		touched[c.Zone] = true
	}
	for _, c := range a.Piles {
		p.piles[c.Tag] = c
		p.spread[c.Tag] = p.bed(c)
		touched[p.reader(c.Zone)] = true
	}
	for i, f := range a.Dice {
		z := p.zone("dice")
		d := fact.Die{
			Guesses: []fact.Guess{{Label: fmt.Sprint(f), P: 0.998}},
			At:      fact.Point{z.Polygon[0][0] + 40 + 300*p.rng.Float64(), z.Polygon[0][1] + 40 + 90*float64(i)},
		}
		if tags := slices.Sorted(maps.Keys(p.piles)); i == 0 && a.Irregular != "" {
			d.Irregular = a.Irregular
			if len(tags) > 0 {
				d.At = p.spread[tags[0]] // on somebody's stake
			}
		}
		p.dice[a.Tag+i] = d
		touched["dice"] = true
	}
	delete(touched, "")
	names := slices.Sorted(maps.Keys(touched))
	if p.rng.IntN(2) == 0 {
		slices.Reverse(names)
	}
	p.hands = nil
	switch {
	case a.Who == script.Croupier:
		p.hands = []string{fact.Bank}
	case a.Who > 0:
		p.hands = []string{fact.Players}
	}
	for _, z := range names {
		p.settle(z, t)
	}
	p.hands = nil
}

// lift takes one thing away and names the zone it lay in.
func (p *player) lift(tag int) string {
	defer delete(p.spread, tag)
	if c, ok := p.cards[tag]; ok {
		delete(p.cards, tag)
		return c.Zone
	}
	if c, ok := p.piles[tag]; ok {
		delete(p.piles, tag)
		return p.reader(c.Zone)
	}
	if _, ok := p.dice[tag]; ok {
		delete(p.dice, tag)
		return "dice"
	}
	return ""
}

func (p *player) zone(name string) calibration.Zone {
	for _, z := range p.zones {
		if z.Name == name {
			return z
		}
	}
	panic("no zone " + name)
}

// reader is the zone that is read for a place: the one around its centre.
func (p *player) reader(zone string) string {
	z := p.zone(zone)
	if len(z.Reads) > 0 {
		return zone
	}
	low, high := z.Bounds()
	for _, r := range p.zones {
		if len(r.Reads) > 0 && r.Contains(fact.Point{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2}) {
			return r.Name
		}
	}
	panic("no zone reads " + zone)
}

// bed is where a pile lies: side by side within its place.
func (p *player) bed(c script.Pile) fact.Point {
	low, high := p.zone(c.Zone).Bounds()
	f := (0.5 + float64(c.Slot%8)) / 8
	return fact.Point{low[0] + (high[0]-low[0])*f, (low[1] + high[1]) / 2}
}

// settle reports that a zone was disturbed and came to rest at t, or that hands stay there.
func (p *player) settle(zone string, t time.Time) {
	stir := t.Add(-seconds(0.25 + 0.2*p.rng.Float64()*p.dis.Jitter))
	if b := p.busy[zone]; stir.Before(b) {
		stir = b.Add(time.Millisecond) // after what was read before
	}
	l, stays := p.linger[zone]
	if stays {
		stir = l.stir
	} else {
		l.stir = stir
		p.observe(fact.Observation{Kind: fact.MotionStarted, Zone: zone, Time: stir})
	}
	for _, side := range p.hands {
		if !slices.Contains(l.hands, side) {
			l.hands = append(l.hands, side)
		}
	}
	if p.dis.Lingers > 0 && p.chance(p.dis.Lingers) {
		l.until = t.Add(seconds(1 + 4*p.rng.Float64()))
		p.linger[zone] = l
		return
	}
	delete(p.linger, zone)
	p.rest(zone, stir, t, l.hands)
}

// leave reports the zones that hands have left by t.
func (p *player) leave(t time.Time) {
	for _, z := range slices.Sorted(maps.Keys(p.linger)) {
		if l := p.linger[z]; !l.until.After(t) {
			delete(p.linger, z)
			p.rest(z, l.stir, l.until, l.hands)
		}
	}
}

// lastLook is when readers read a zone for the last time that stays at rest.
const lastLook = 1.2

// rest reports that a zone that stirred lies still since t.
func (p *player) rest(zone string, stir, t time.Time, hands []string) {
	rest := t.Add(seconds(0.02 + 0.1*p.dis.Jitter*p.rng.Float64()))
	if rest.Before(stir) { // what was read before did not show it yet
		rest = stir.Add(seconds(0.02))
	}
	p.nudge(zone)
	o := p.reading(zone)
	o.Hands = hands
	o.Since, o.Time, o.Until = rest, rest.Add(seconds(0.2)), rest.Add(seconds(lastLook))
	if len(o.Cards) > 0 && p.chance(p.dis.Reread) {
		first := o
		first.Cards = slices.Clone(o.Cards)
		c := &first.Cards[p.rng.IntN(len(o.Cards))]
		if c.Abstain = "unsure"; p.chance(0.5) {
			c.Abstain, c.Guesses = "blurred", nil
		}
		p.observe(first)
		o.Time = o.Time.Add(seconds(0.15))
	}
	p.observe(o)
	p.busy[zone] = o.Time
	if p.chance(p.dis.Covered) {
		p.cover(zone, o.Time)
	}
}

// cover lays a hand over a zone for a moment: what is read meanwhile lacks
// cards, or is an abstention.
func (p *player) cover(zone string, t time.Time) {
	full := p.reading(zone)
	p.observe(fact.Observation{Kind: fact.MotionStarted, Zone: zone, Time: t})
	o := full
	o.Since, o.Time = t.Add(seconds(0.05)), t.Add(seconds(0.1))
	if len(o.Cards) > 1 && p.chance(0.5) {
		o.Cards = o.Cards[1:]
	} else {
		o.Cards, o.Chips, o.Dice, o.Note = nil, nil, nil, "occluded"
	}
	p.observe(o)
	p.observe(fact.Observation{Kind: fact.MotionStarted, Zone: zone, Time: t.Add(seconds(0.12))})
	full.Since, full.Time, full.Until = t.Add(seconds(0.15)), t.Add(seconds(0.2)), t.Add(seconds(0.15+lastLook))
	p.observe(full)
	p.busy[zone] = full.Time
}

// reading is what a reader sees in a zone.
func (p *player) reading(zone string) fact.Observation {
	o := fact.Observation{Kind: fact.Stable, Zone: zone}
	for _, tag := range sorted(p.cards) {
		if c := p.cards[tag]; c.Zone == zone {
			label := c.Card.String()
			if c.Down {
				label = "BK"
			}
			seen := fact.Card{Guesses: []fact.Guess{{Label: label, P: 0.999}}, At: p.shake(p.spread[tag], 0.2)}
			if !c.Down && p.blank(tag) {
				seen.Guesses, seen.Abstain = nil, "unsure"
			}
			o.Cards = append(o.Cards, seen)
		}
	}
	for _, tag := range sorted(p.piles) {
		if c := p.piles[tag]; p.reader(c.Zone) == zone {
			n := len(c.Chips)
			s := fact.Stack{Chips: c.Chips, Low: n, High: n, P: 0.999, At: p.shake(p.spread[tag], 1)}
			if p.chance(p.dis.Rough) {
				s = p.rough(s)
			}
			if p.dis.Sure > 0 || p.dis.Vague > 0 {
				s = p.counted(tag, s)
			}
			if p.unread(tag) {
				s = fact.Stack{Abstain: fact.Unread, High: 20, At: s.At}
			}
			o.Chips = append(o.Chips, s)
		}
	}
	if zone == "dice" {
		for _, tag := range sorted(p.dice) {
			d := p.dice[tag]
			d.At = p.shake(d.At, 1)
			if blur := p.chance(p.dis.Blurred); blur && len(o.Dice) == 0 {
				d.Guesses, d.Abstain = nil, "unsure"
			}
			o.Dice = append(o.Dice, d)
		}
	}
	return o
}

// rough is a stack as a reader counts it that knows only about how high it is;
// its best guess may be one wrong.
func (p *player) rough(s fact.Stack) fact.Stack {
	n := max(1, len(s.Chips)+p.rng.IntN(3)-1)
	low, high := max(1, min(n, len(s.Chips))-p.rng.IntN(2)), max(n, len(s.Chips))+p.rng.IntN(2)
	s.Chips, s.P, s.Abstain = slices.Repeat(s.Chips[:1], n), 0.6, "unsure"
	s = Between(s, low, high)
	if p.chance(0.15) {
		s.Low, s.Abstain = 0, "occluded"
	}
	return s
}

// Between is a stack of one kind that has from low to high chips: what its P leaves is shared
// by the other numbers.
func Between(s fact.Stack, low, high int) fact.Stack {
	s.Low, s.High, s.Others = low, high, nil
	for n := max(1, low); n <= high; n++ {
		if n != len(s.Chips) {
			s.Others = append(s.Others, fact.Content{Chips: slices.Repeat(s.Chips[:1], n), P: 1})
		}
	}
	for i := range s.Others {
		s.Others[i].P = (1 - s.P) / float64(len(s.Others))
	}
	return s
}

// unread reports that a pile is of chips that the reader does not know.
func (p *player) unread(tag int) bool {
	return p.dis.Unread > 0 && p.of(ofUnread, tag).Float64() < p.dis.Unread
}

func sorted[T any](m map[int]T) []int { return slices.Sorted(maps.Keys(m)) }

// shake is where a reader finds what lies at a place, within so many millimetres
// along each axis: of a card that lies still within 0.2.
func (p *player) shake(at fact.Point, within float64) fact.Point {
	return fact.Point{at[0] + 2*within*(p.rng.Float64()-0.5), at[1] + 2*within*(p.rng.Float64()-0.5)}
}

// roughly is where the hand lays a card that belongs at a place.
func (p *player) roughly(tag int, at fact.Point) fact.Point {
	const within = 1.5 // millimetres along each axis
	rng := p.of(ofPlace, tag)
	return fact.Point{at[0] + 2*within*(rng.Float64()-0.5), at[1] + 2*within*(rng.Float64()-0.5)}
}

func (p *player) chance(c float64) bool { return p.rng.Float64() < c }

func (p *player) observe(o fact.Observation) {
	o.Camera = "top"
	at := o.Time.Add(seconds(0.03 + 0.1*p.dis.Jitter*p.rng.Float64()))
	p.inputs = append(p.inputs, Input{Arrives: at, Seen: &o})
	if p.chance(p.dis.Twice) {
		again := o
		p.inputs = append(p.inputs, Input{Arrives: at.Add(20 * time.Millisecond), Seen: &again})
	}
}

func (p *player) hear(s fact.Sensed, t time.Time) {
	s.Time, s.Received = t, t.Add(20*time.Millisecond)
	if p.chance(p.dis.LateCalls) {
		s.Received = t.Add(seconds(1.95 * p.rng.Float64()))
	}
	p.inputs = append(p.inputs, Input{Arrives: s.Received, Heard: &s})
	if p.chance(p.dis.Twice) {
		again := s
		p.inputs = append(p.inputs, Input{Arrives: s.Received.Add(30 * time.Millisecond), Heard: &again})
	}
}
