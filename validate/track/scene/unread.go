package scene

import (
	"slices"
	"time"

	"vision/internal/fact"
)

// A reader may fail on chips that it has counted before, though nobody touched them. What
// it cannot name then is most likely what stood there; had other chips taken the place of
// all of these, they would hardly stand in the same millimetres and show as large.

// How far from its place a thing may show that no reader names, in the table's chips: half of one;
// and a chip that lies beside it, one and a half.
const (
	about  = 1. / 2
	beside = 3. / 2
)

// sameSize is by how much wider or higher than the stack was a thing unread may show.
const sameSize = 1.3

// supposed takes the things that no reader names, be their height known or not, where a stack
// was counted for those chips. Not those of a pot, which is heaped up anew.
func (a *Layout) supposed(z *Zone, was []stack, read []fact.Stack) []fact.Stack {
	out := slices.Clone(read)
	for k, s := range out {
		if p, ok := a.locate(z, s.At); len(s.Chips) > 0 || ok && p.Spot == PotSpot {
			continue
		}
		i := slices.IndexFunc(was, func(w stack) bool { return distance(w.At, s.At) <= unmoved && w.covers(s.Quad) })
		if i < 0 || slices.ContainsFunc(read, func(o fact.Stack) bool {
			return len(o.Chips) > 0 && distance(o.At, was[i].At) <= unmoved
		}) {
			continue
		}
		s.At, s.Low, s.Abstain = was[i].At, max(s.Low, 1), fact.Unread // no look of its own at them
		s.Chips, s.P, s.Others = was[i].Chips, was[i].P, was[i].Others
		out[k] = s
	}
	return out
}

// covers reports whether something shows hardly larger than the stack did.
func (w stack) covers(q fact.Quad) bool {
	a, b := w.Quad.Box(), q.Box()
	return b[2] <= sameSize*a[2] && b[3] <= sameSize*a[3]
}

// under is the stack nearest to where something shows that is not chips or cannot be named;
// -1 where none stood so near.
func (a *Layout) under(was []stack, s fact.Stack) int {
	best := -1
	for i, w := range was {
		if a.within(about, w.At, s.At) && (best < 0 || distance(w.At, s.At) < distance(was[best].At, s.At)) {
			best = i
		}
	}
	return best
}

// unnamed is something that lies there and no reader names, with the time after which it
// came.
type unnamed struct {
	at    fact.Point
	since time.Time
}

// whatIsUnnamed is what a reading of a zone does not name, some of which may have been there
// before.
func (a *Layout) whatIsUnnamed(before []unnamed, read []fact.Stack, r rest) (out []unnamed) {
	for _, s := range read {
		if len(s.Chips) > 0 {
			continue
		}
		u := unnamed{s.At, r.from}
		for _, b := range before {
			if a.within(about, b.at, s.At) {
				u.since = Earliest(u.since, b.since)
			}
		}
		out = append(out, u)
	}
	return out
}

// seenBeside are the places of chips beside which, when the zone was read before, something
// lay that nobody could name: they may have lain there since it did, as a part of it or
// behind it.
func (a *Layout) seenBeside(z *Zone, before []unnamed, read []fact.Stack) map[Place]time.Time {
	out := map[Place]time.Time{}
	for _, s := range read {
		p, ok := a.locate(z, s.At)
		if !ok || len(s.Chips) == 0 {
			continue
		}
		for _, part := range a.worth(s, p) {
			for _, b := range before {
				if a.within(beside, b.at, s.At) {
					out[part.place] = Earliest(out[part.place], b.since)
				}
			}
		}
	}
	return out
}

// chipsUnknown reports whether one of some dice is read as lying on chips where, as far as zones are
// read for chips, nothing lies that may be some.
func (f *Felt) chipsUnknown(dice []fact.Die) bool {
	var lie []fact.Point
	for _, list := range f.stacks {
		for _, s := range list {
			lie = append(lie, s.At)
		}
	}
	for _, list := range f.unnamed {
		for _, u := range list {
			lie = append(lie, u.at)
		}
	}
	return slices.ContainsFunc(dice, func(d fact.Die) bool {
		near := func(p fact.Point) bool { return f.layout.within(beside, p, d.At) }
		return d.Irregular == OnChips && !slices.ContainsFunc(lie, near)
	})
}
