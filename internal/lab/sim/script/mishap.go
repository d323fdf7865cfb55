package script

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"vision/internal/money"
	"vision/validate/round"
)

// Mishap is what happens at real tables and is no mistake that counts: a round with
// one must raise nothing that stands.
type Mishap string

// The mishaps, each where the round gives occasion.
const (
	PutRight  Mishap = "put_right"  // a payment one chip off, noticed, taken back and laid anew
	SaidTwice Mishap = "said_twice" // the closing call, said once more
	Touched   Mishap = "touched"    // a player's hand takes hold of a stake after the close, and leaves it
	Together  Mishap = "together"   // a player puts one of two stacks onto the other before the close
	Abandoned Mishap = "abandoned"  // the bets are given back after the close: no round
)

// mishaps play them: each reports whether the round gave occasion.
var mishaps = map[Mishap]func(*accident) bool{
	PutRight: putRight, SaidTwice: saidTwice, Touched: touched, Together: together, Abandoned: abandoned,
}

// Mishaps lists them.
func Mishaps() []Mishap { return []Mishap{PutRight, SaidTwice, Touched, Together, Abandoned} }

// accident is a clean round to which a mishap comes.
type accident struct {
	*Game
	*Round
	rng *rand.Rand // of its own, so that the play is the same with and without
}

// mishap lets one of the mishaps come to a clean round, as often as the config says.
func (g *Game) mishap(r *Round) {
	if g.cfg.Mishaps <= 0 || r.Truth.Fault != "" {
		return
	}
	a := &accident{g, r, rand.New(rand.NewPCG(g.cfg.Seed, uint64(g.count)))}
	if a.rng.Float64() >= g.cfg.Mishaps {
		return
	}
	kinds := slices.Clone(g.cfg.Mishap)
	a.rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for _, m := range kinds {
		if mishaps[m](a) {
			r.Truth.Mishap = m
			return
		}
	}
}

// later puts off what happens from a time on.
func (a *accident) later(from, by float64) {
	for i := range a.Acts {
		if a.Acts[i].At >= from {
			a.Acts[i].At += by
		}
	}
	for i := range a.Truth.Record.Events {
		if e := &a.Truth.Record.Events[i]; e.T >= from-tick {
			e.T = math.Floor((e.T+by)*1000+1e-6) / 1000
		}
	}
	a.Length += by
}

// tick is the accuracy of a record's times, seconds.
const tick = 0.001

// insert puts acts in at their times.
func (a *accident) insert(acts ...Act) {
	a.Acts = append(a.Acts, acts...)
	slices.SortStableFunc(a.Acts, func(x, y Act) int { return cmp.Compare(x.At, y.At) })
}

// worth is what piles are worth; false where a chip has no value of its own.
func (a *accident) worth(piles []Pile) (sum money.Cents, ok bool) {
	for _, p := range piles {
		for _, id := range p.Chips {
			i := slices.IndexFunc(a.cfg.Palette, func(c chip) bool { return c.ID == id && c.Value > 0 && c.Seat == 0 })
			if i < 0 {
				return 0, false
			}
			sum += money.Cents(a.cfg.Palette[i].Value)
		}
	}
	return sum, true
}

// putRight has a winner paid a chip too much or too little, which is taken back
// within three seconds; then he is paid.
func putRight(a *accident) bool {
	var paid []int // acts
	for i, act := range a.Acts {
		sum, ok := a.worth(act.Piles)
		if ok && act.Who == Croupier && len(act.Piles) > 0 && len(act.Lift) == 0 &&
			slices.ContainsFunc(a.Truth.Record.Events, func(e round.Event) bool {
				return e.Type == round.Pay && e.Amount == sum && e.T > act.At-2*tick && e.T <= act.At
			}) {
			paid = append(paid, i)
		}
	}
	if len(paid) == 0 {
		return false
	}
	right := a.Acts[paid[a.rng.IntN(len(paid))]]
	wrong := Act{At: right.At, Who: Croupier, Piles: slices.Clone(right.Piles)}
	last := &wrong.Piles[len(wrong.Piles)-1]
	if n := len(last.Chips); n == maxHigh || n > 1 && a.rng.IntN(2) == 0 {
		last.Chips = last.Chips[:n-1]
	} else {
		last.Chips = append(slices.Clone(last.Chips), last.Chips[n-1])
	}
	for i := range wrong.Piles {
		a.tag++
		wrong.Piles[i].Tag = a.tag
	}
	noticed := 1 + 2*a.rng.Float64()
	a.later(right.At, noticed+1.8)
	a.insert(wrong, Act{At: wrong.At + noticed, Who: Croupier, Lift: tags(wrong.Piles)})
	return true
}

// closing is the act of the closing call; -1 for none.
func (a *accident) closing() int {
	return slices.IndexFunc(a.Acts, func(act Act) bool {
		return len(act.Sensed) == 1 && act.Sensed[0].Kind == string(round.Announce) && act.Sensed[0].Args["call"] == "no_va_mas"
	})
}

// saidTwice has the croupier close the bets once more.
func saidTwice(a *accident) bool {
	i := a.closing()
	k := slices.IndexFunc(a.Truth.Record.Events, func(e round.Event) bool { return e.Is("no_va_mas") })
	if i < 0 || k < 0 {
		return false
	}
	act, e := a.Acts[i], a.Truth.Record.Events[k]
	again := Act{At: act.At + 1.2, Sensed: slices.Clone(act.Sensed)}
	again.Sensed[0].ID += "-again"
	a.later(act.At+tick, 1.8)
	a.insert(again)
	e.T += 1.2
	a.Truth.Record.Events = slices.Insert(a.Truth.Record.Events, k+1, e)
	return true
}

// stakes are the piles that players have laid in this round before the closing call,
// which is the act i, and that are lifted in it after; none where nobody closes.
func (a *accident) stakes() (i int, out []Pile) {
	if i = a.closing(); i < 0 {
		return i, nil
	}
	for _, act := range a.Acts[:i] {
		if act.Who > 0 {
			out = append(out, act.Piles...)
		}
	}
	return i, slices.DeleteFunc(out, func(p Pile) bool {
		up := slices.IndexFunc(a.Acts, func(act Act) bool { return slices.Contains(act.Lift, p.Tag) })
		return p.Plaques || up < i
	})
}

// owner is who laid a pile.
func (a *accident) owner(tag int) Who {
	for _, act := range a.Acts {
		if slices.ContainsFunc(act.Piles, func(p Pile) bool { return p.Tag == tag }) {
			return act.Who
		}
	}
	return Nobody
}

// touched has a player take hold of his stake after the close; it stands as before.
func touched(a *accident) bool {
	i, lie := a.stakes()
	if len(lie) == 0 {
		return false
	}
	p, at := lie[a.rng.IntN(len(lie))], a.Acts[i].At
	a.later(at+tick, 2.6)
	a.insert(Act{At: at + 1.4, Who: a.owner(p.Tag), Lift: []int{p.Tag}, Piles: []Pile{p}})
	return true
}

// together has a player make one stack of two that lie on one spot, the more
// valuable chips below.
func together(a *accident) bool {
	i, lie := a.stakes()
	for _, p := range lie {
		for _, q := range lie {
			if p.Tag == q.Tag || p.Zone != q.Zone || a.owner(p.Tag) != a.owner(q.Tag) || len(p.Chips)+len(q.Chips) > maxHigh {
				continue
			}
			one, ok1 := a.worth([]Pile{{Chips: p.Chips[:1]}})
			other, ok2 := a.worth([]Pile{{Chips: q.Chips[:1]}})
			lifted := slices.IndexFunc(
				a.Acts,
				func(act Act) bool { return slices.Contains(act.Lift, p.Tag) && slices.Contains(act.Lift, q.Tag) },
			)
			if !ok1 || !ok2 || one < other || lifted < 0 {
				continue
			}
			at := a.Acts[i].At
			a.later(at, 2.6)
			a.Acts[lifted].Lift = slices.DeleteFunc(
				slices.Clone(a.Acts[lifted].Lift),
				func(tag int) bool { return tag == q.Tag },
			)
			who, slot := a.owner(p.Tag), min(p.Slot, q.Slot)
			a.insert(Act{At: at + 1.2, Who: who, Lift: []int{p.Tag, q.Tag},
				Piles: []Pile{{Tag: p.Tag, Zone: p.Zone, Slot: slot, Chips: slices.Concat(p.Chips, q.Chips)}}})
			return true
		}
	}
	return false
}

// abandonable are the games of which a round leaves nothing behind.
var abandonable = []string{"blackjack", "punto_banco"}

// abandoned ends the round after the close: whoever has bet takes up his stakes. It
// is none, so that its record ends there and is not to be told.
func abandoned(a *accident) bool {
	i, stakes := a.stakes()
	if len(stakes) == 0 || !slices.Contains(abandonable, a.cfg.Game) {
		return false
	}
	laid := map[int]bool{}
	for _, act := range a.Acts {
		for _, p := range act.Piles {
			laid[p.Tag] = true
		}
		for _, c := range act.Cards {
			laid[c.Tag] = true
		}
		for _, tag := range act.Lift {
			if !laid[tag] {
				return false // it has lain there before
			}
			delete(laid, tag)
		}
	}
	if len(laid) > 0 {
		return false // it stays for the next round
	}
	at, events := a.Acts[i].At, a.Truth.Record.Events
	a.Acts = a.Acts[:i+1]
	a.Truth.Record.Events = slices.DeleteFunc(slices.Clone(events), func(e round.Event) bool { return e.T > at })
	for seat := Who(1); int(seat) <= a.cfg.Seats; seat++ {
		var own []int
		for _, p := range stakes {
			if a.owner(p.Tag) == seat {
				own = append(own, p.Tag)
			}
		}
		if len(own) > 0 {
			at += 2.2
			a.Acts = append(a.Acts, Act{At: at, Who: seat, Lift: own})
		}
	}
	a.Length = at + 3
	return true
}

// knownMishaps refuses names that nobody knows.
func knownMishaps(names []Mishap) error {
	for _, m := range names {
		if mishaps[m] == nil {
			return fmt.Errorf("mishap %q: want one of %q", m, Mishaps())
		}
	}
	return nil
}
