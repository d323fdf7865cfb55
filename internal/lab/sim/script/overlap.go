package script

import (
	"math"
	"math/rand/v2"
	"slices"

	"vision/validate/round"
)

// People at a table do not wait for one another: two bet at once, the croupier pays
// here while a player takes up his winnings there. That is drawn closer together in a
// finished round. Its order stays, so that its record is the same but for the times.

// bed is where a pile lies.
type bed struct{ zone string }

// dwell is how long a thing lies at least before it is taken up again, seconds: the
// hand that laid it has to be gone.
const dwell = 1.2

// ownTime is what a person takes at least from one act to the next, seconds, where
// acts are drawn together.
const ownTime = 0.8

// doing is one act, as far as it matters to those who act at the same time.
type doing struct {
	who    Who
	chips  bool // it moves chips and nothing else
	lays   bool
	zones  []string
	events []round.Event
}

// overlap gives things time to be seen, and draws acts of different people together
// as often as the table's pace says.
func (g *Game) overlap(r *Round) {
	if g.tempo == nil && g.cfg.Pace.Overlap <= 0 {
		return
	}
	a := &accident{g, r, rand.New(rand.NewPCG(g.cfg.Seed^0x0e1a9, uint64(g.count)))}
	a.linger()
	open, last := false, doing{}
	for i := range a.Acts {
		now := a.doing(i)
		if i > 0 && last.lets(now, open) && a.clear(i) && a.rng.Float64() < g.cfg.Pace.Overlap {
			a.pull(i, 0.05+0.4*a.rng.Float64())
		}
		open = a.Acts[i].opens(open)
		last = now
	}
}

// opens reports whether bets are open after an act, having been so before it or not:
// from the call that asks for them to the closing call, or the first card, dice or ball.
func (a *Act) opens(was bool) bool {
	if len(a.Cards)+len(a.Dice) > 0 {
		return false
	}
	for _, s := range a.Sensed {
		switch {
		case s.Args["call"] == "hagan_juego":
			was = true
		case s.Args["call"] == "no_va_mas", s.Kind == string(round.Ball):
			was = false
		}
	}
	return was
}

// Open is the time during which bets are open, seconds from the start of the round;
// both are 0 where nobody asks for bets.
func (r *Round) Open() (from, to float64) {
	open := false
	for i := range r.Acts {
		switch is := r.Acts[i].opens(open); {
		case is && !open:
			open, from, to = true, r.Acts[i].At, r.Length
		case open && !is:
			return from, r.Acts[i].At
		}
	}
	return from, to
}

// linger puts off the taking up of what has not lain for long enough.
func (a *accident) linger() {
	laid := map[int]float64{}
	for i := range a.Acts {
		act := &a.Acts[i]
		for _, tag := range act.Lift {
			if at, ok := laid[tag]; ok && act.At-at < dwell {
				a.later(act.At, math.Ceil((dwell-(act.At-at))*1000)/1000)
			}
		}
		for _, tag := range act.laid() {
			laid[tag] = act.At
		}
	}
}

// laid are the tags of what an act lays down.
func (a *Act) laid() (tags []int) {
	for _, c := range a.Cards {
		tags = append(tags, c.Tag)
	}
	for _, p := range a.Piles {
		tags = append(tags, p.Tag)
	}
	for k := range a.Dice {
		tags = append(tags, a.Tag+k)
	}
	return tags
}

// doing looks at an act and keeps account of where chips lie.
func (a *accident) doing(i int) doing {
	act := &a.Acts[i]
	d := doing{who: act.Who, lays: len(act.Piles) > 0}
	d.chips = len(act.Sensed)+len(act.Cards)+len(act.Dice) == 0 && len(act.Lift)+len(act.Piles) > 0
	for _, tag := range act.Lift {
		b, ok := a.beds[tag]
		d.chips = d.chips && ok
		d.zones = append(d.zones, b.zone)
		delete(a.beds, tag)
	}
	for _, p := range act.Piles {
		a.beds[p.Tag] = bed{p.Zone}
		d.zones = append(d.zones, p.Zone)
	}
	for _, e := range a.Truth.Record.Events {
		if e.T > act.At-2*tick && e.T <= act.At {
			d.events = append(d.events, e)
		}
	}
	return d
}

// lets reports whether another may act without waiting for d: elsewhere, and where it is
// all one to the rules which of them came first. Bets are, while they are open.
func (d doing) lets(next doing, open bool) bool {
	if d.who == next.who || !d.chips || !next.chips || next.who > 0 && next.lays && !open {
		return false
	}
	for _, z := range next.zones {
		if slices.Contains(d.zones, z) {
			return false
		}
	}
	for _, e := range slices.Concat(d.events, next.events) {
		loose := e.Type == round.Bet || e.Type == round.Collect || e.Type == round.Pay
		if !loose || len(d.events) > 0 && len(next.events) > 0 && e.Type != d.events[0].Type {
			return false
		}
	}
	return true
}

// clear reports whether the record has nothing between an act and the one before it.
func (a *accident) clear(i int) bool {
	from, to := a.Acts[i-1].At, a.Acts[i].At
	return !slices.ContainsFunc(a.Truth.Record.Events, func(e round.Event) bool { return e.T > from && e.T <= to-2*tick })
}

// pull has the act i, and all that follows, come sooner: gap seconds after the act
// before it, or as near to that as hands allow.
func (a *accident) pull(i int, gap float64) {
	by := a.Acts[i].At - a.Acts[i-1].At - gap
	last, laid := map[Who]float64{}, map[int]float64{}
	for k := range a.Acts {
		act := &a.Acts[k]
		if k < i {
			last[act.Who] = act.At
			for _, tag := range act.laid() {
				laid[tag] = act.At
			}
			continue
		}
		if at, ok := last[act.Who]; ok {
			by = min(by, act.At-at-ownTime)
			delete(last, act.Who) // only the first of each who follows
		}
		for _, tag := range act.Lift {
			if at, ok := laid[tag]; ok {
				by = min(by, act.At-at-dwell)
			}
		}
	}
	if by = math.Floor(by*1000) / 1000; by > 0.1 {
		a.later(a.Acts[i].At, -by)
	}
}
