package tracktest

import (
	"math/rand/v2"
	"slices"

	"vision/internal/fact"
)

// Parts of the noise of real readers, for measuring what each costs.
var parts = map[string]func(to, from *Disorder){
	"counts": func(to, from *Disorder) { to.Sure, to.Vague, to.Unread = from.Sure, from.Vague, from.Unread },
	"cards":  func(to, from *Disorder) { to.Blank, to.Reread = from.Blank, from.Reread },
	"dice":   func(to, from *Disorder) { to.Blurred = from.Blurred },
	"hands":  func(to, from *Disorder) { to.Lingers, to.Covered = from.Lingers, from.Covered },
	"nudges": func(to, from *Disorder) { to.Nudged = from.Nudged },
	"calls":  func(to, from *Disorder) { to.LateCalls, to.Twice = from.LateCalls, from.Twice },
}

// Real is the noise of readers as they were measured on drawn house tables after H.264: of
// 360 stacks 8 were counted wrong by a reader that was sure and 71 roughly
// (docs/accuracy.md); hands stay over a zone in some acts of a hundred, and lines come late.
func Real() Disorder {
	return Disorder{
		Jitter: 1, Reread: 0.1, Covered: 0.1, LateCalls: 0.2, Twice: 0.05, Blurred: 0.02, Lingers: 0.07,
		Sure: 0.022, Vague: 0.15, Blank: 0.01, Nudged: 0.05, Unread: 0.005,
	}
}

// Only is the noise with the named parts alone; with none, all of it. It panics at a name
// that is none: kits are for tests.
func (d Disorder) Only(names ...string) Disorder {
	if len(names) == 0 {
		return d
	}
	out := Disorder{Jitter: d.Jitter}
	for _, name := range names {
		take, ok := parts[name]
		if !ok {
			panic("noise has no part " + name)
		}
		take(&out, &d)
	}
	return out
}

// of is a stream of chances that is the same for a thing as long as it lies.
func (p *player) of(what, tag int) *rand.Rand {
	return rand.New(rand.NewPCG(p.seed, uint64(what)<<32|uint64(tag)))
}

// What a stream of chances is for.
const (
	ofCount = iota + 0x51
	ofCard
)

// steady is the share of wrong counts that a pile keeps as long as it lies: what makes a
// reader err, the light or a neighbour, stays. The others are of one reading.
const steady = 0.7

// counted is a stack as the chip reader counts it: mostly right and sure, roughly now and
// then, and one chip wrong by a reader that is sure, or nearly so, as seldom as told.
func (p *player) counted(tag int, s fact.Stack) fact.Stack {
	n, lies := len(s.Chips), p.of(ofCount, tag)
	vague := lies.Float64() < p.dis.Vague && n > 1
	kept, by, doubt := lies.Float64() < steady*p.dis.Sure, 1-2*lies.IntN(2), lies.ExpFloat64()
	once := p.chance((1 - steady) * p.dis.Sure)
	switch {
	case vague:
		return p.rough(s)
	case (kept || once) && n > 2: // nobody takes one chip for two
		s.Chips = slices.Repeat([]string{s.Chips[0]}, n+by)
		s.Low, s.High, s.P = n+by, n+by, 1-min(0.1, 0.04*doubt)
	case p.dis.Sure > 0 && n > 2:
		s.P = 1 - min(0.1, 0.008*doubt)
	}
	return s
}

// nudge pushes piles of a zone aside, which hands leave as they were.
func (p *player) nudge(zone string) {
	if p.dis.Nudged == 0 || !p.chance(p.dis.Nudged) {
		return
	}
	for _, tag := range sorted(p.piles) {
		if c := p.piles[tag]; p.reader(c.Zone) == zone && p.rng.IntN(2) == 0 {
			p.spread[tag] = p.within(c.Zone, p.shake(p.spread[tag], 15))
		}
	}
}

// within is a place held inside a zone.
func (p *player) within(zone string, at fact.Point) fact.Point {
	low, high := p.zone(zone).Bounds()
	return fact.Point{min(max(at[0], low[0]+1), high[0]-1), min(max(at[1], low[1]+1), high[1]-1)}
}

// blank tells that a card is never read as long as it lies.
func (p *player) blank(tag int) bool {
	return p.dis.Blank > 0 && p.of(ofCard, tag).Float64() < p.dis.Blank
}
