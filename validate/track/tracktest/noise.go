package tracktest

import (
	"math/rand/v2"
	"slices"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/sim/script"
)

// Parts of the noise of real readers, for measuring what each costs.
var parts = map[string]func(to, from *Disorder){
	"counts": func(to, from *Disorder) { to.Sure = from.Sure },
	"rough":  func(to, from *Disorder) { to.Vague = from.Vague },
	"unread": func(to, from *Disorder) { to.Unread = from.Unread },
	"cards":  func(to, from *Disorder) { to.Blank, to.Reread = from.Blank, from.Reread },
	"dice":   func(to, from *Disorder) { to.Blurred = from.Blurred },
	"hands":  func(to, from *Disorder) { to.Lingers, to.Covered = from.Lingers, from.Covered },
	"rakes":  func(to, from *Disorder) { to.Raked = from.Raked },
	"nudges": func(to, from *Disorder) { to.Nudged = from.Nudged },
	"calls":  func(to, from *Disorder) { to.LateCalls, to.Twice = from.LateCalls, from.Twice },
	"rack":   func(to, from *Disorder) { to.RackRead, to.RackWrong = from.RackRead, from.RackWrong },
}

// Real is the noise of today's readers as it is measured on drawn house tables after H.264, two rounds of a game at a
// time (NOISE_OUT=FILE NOISE_SEED=SEED go test ./internal/lab/trial -run ReadNoise, seeds 770001 and 770002 of 33
// games, 770003 of twelve): of 1,921 piles one was counted wrong by a reader that was sure, of which the upper end of
// Wilson's interval is 0.3 %, and 13 had no kind; of 536 of three chips and more 11 were counted roughly; of 2,009
// cards six were never read. The shares are those, or within their intervals. Hands stay over a zone in some acts of a
// hundred, and lines come late. Path-traced tables are read worse (internal/lab/ACCURACY.md). The rack's figures are
// those that its reader has to reach: of 930 changes of tubes none was reported wrong, of which the upper end of
// Wilson's interval is 0.4 %, and only 39 were of chips that moved (go test ./recognize -run RackOfATable).
func Real() Disorder {
	return Disorder{
		Jitter: 1, Reread: 0.1, Covered: 0.1, LateCalls: 0.2, Twice: 0.05, Blurred: 0.02, Lingers: 0.07,
		Sure: 0.003, Vague: 0.027, Blank: 0.003, Nudged: 0.05, Raked: 0.03, Unread: 0.005,
		RackRead: 0.97, RackWrong: 0.003,
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
	ofPlace  = 0
	ofCount  = 0x51
	ofCard   = 0x52
	ofRake   = 0x53
	ofUnread = 0x6ead
)

// steady is the share of wrong counts that a pile keeps as long as it lies: what makes a
// reader err, the light or a neighbour, stays. The others are of one reading.
const steady = 0.7

// How sure the chip reader is of stacks that it counts rightly, and roughly, each as often as it reports so, and was of
// some that the reader before it counted one wrong: this one has counted none.
var (
	rightly = slices.Concat(
		[]float64{0.926, 0.952, 0.966, 0.974, 0.98, 0.985, 0.988, 0.991, 0.992, 0.993, 0.994},
		[]float64{0.995, 0.995, 0.996, 0.996, 0.996, 0.997, 0.997, 0.997},
		slices.Repeat([]float64{0.998}, 4), slices.Repeat([]float64{0.999}, 11), slices.Repeat([]float64{1}, 6),
	)
	wrongly = []float64{0.931, 0.931, 0.994, 0.996, 0.996, 0.999, 0.999, 1}
	roughly = []float64{0.45, 0.53, 0.63, 0.70, 0.79, 0.83, 0.86}
)

// missed is the share of rough counts of which the likeliest number is one wrong, and halved
// what they report of one on which the ways to count differ: that has no interval.
const missed, halved = 0.2, 0.5

// counted is a stack as the chip reader counts it: mostly right and sure, roughly now and
// then, and one chip wrong by a reader that is sure, or nearly so.
func (p *player) counted(tag int, s fact.Stack) fact.Stack {
	n, draws := len(s.Chips), p.of(ofCount, tag)
	vague, kept, by := draws.Float64() < p.dis.Vague, draws.Float64() < steady*p.dis.Sure, 1-2*draws.IntN(2)
	off := draws.Float64() < missed
	right, wrong, rough := among(draws, rightly), among(draws, wrongly), among(draws, roughly)
	once := p.chance((1 - steady) * p.dis.Sure)
	if n < 3 {
		return s // nobody takes one chip for two
	}
	count := func(read int, sure float64) {
		s.Chips, s.Low, s.High, s.P = slices.Repeat(s.Chips[:1], read), read, read, sure
	}
	switch {
	case vague:
		if count(n, rough); off {
			count(n+by, rough)
		}
		if s.Abstain = "unsure"; rough > halved {
			s.Low, s.High = min(n, n+by), max(n, n+by)
			s.Others = []fact.Content{{Chips: slices.Repeat(s.Chips[:1], s.Low+s.High-len(s.Chips)), P: 1 - rough}}
		}
	case kept || once:
		count(n+by, wrong)
	default:
		s.P = right
	}
	return s
}

func among(rng *rand.Rand, list []float64) float64 { return list[rng.IntN(len(list))] }

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

// rake lets the croupier rake a pile that he takes to another that lies in the same zone, where
// both come to rest before the first is gone.
func (p *player) rake(a script.Act, t time.Time) {
	if p.dis.Raked == 0 || a.Who != script.Croupier {
		return
	}
	for _, tag := range a.Lift {
		c, ok := p.piles[tag]
		if !ok || len(p.zone(c.Zone).Reads) > 0 || p.of(ofRake, tag).Float64() >= p.dis.Raked {
			continue // it has a zone of its own
		}
		for _, other := range sorted(p.piles) {
			if to := p.piles[other]; !slices.Contains(a.Lift, other) && p.reader(to.Zone) == p.reader(c.Zone) {
				p.spread[tag] = p.within(to.Zone, fact.Point{p.spread[other][0] + besides, p.spread[other][1]})
				p.hands = []string{fact.Bank}
				p.settle(p.reader(c.Zone), t.Add(-raking))
				p.hands = nil
				return
			}
		}
	}
}

// besides is how far apart chips lie that are raked together, in millimetres, and raking how long
// they lie there.
const (
	besides = 42
	raking  = 700 * time.Millisecond
)

// within is a place held inside a zone.
func (p *player) within(zone string, at fact.Point) fact.Point {
	low, high := p.zone(zone).Bounds()
	return fact.Point{min(max(at[0], low[0]+1), high[0]-1), min(max(at[1], low[1]+1), high[1]-1)}
}

// blank tells that a card is never read as long as it lies.
func (p *player) blank(tag int) bool {
	return p.dis.Blank > 0 && p.of(ofCard, tag).Float64() < p.dis.Blank
}
