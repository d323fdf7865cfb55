package scene

import (
	"maps"
	"slices"
	"sort"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
)

// tally turns the stacks of a zone into money per place. A stack that could
// not be counted hides its place; was gives the amount last known there.
func (a *Layout) tally(z *Zone, stacks []fact.Stack, was map[Place]Count) map[Place]Count {
	now := map[Place]Count{}
	for _, s := range stacks {
		p, ok := a.locate(z, s.At)
		if !ok {
			continue
		}
		for _, part := range a.worth(s, p) {
			if c := now[part.place]; !c.Hidden && !part.chips.Hidden {
				now[part.place] = sum(c, part.chips)
				continue
			}
			hide(now, was, part.place)
		}
	}
	return now
}

// hide keeps what was known of a place whose chips cannot be counted now; on a
// shared place nobody knows whose chips they are, so all seats' are kept.
func hide(now, was map[Place]Count, p Place) {
	now[p] = Count{Total: was[p].Total, Hidden: true}
	for q, c := range was {
		if p.Seat == 0 && q.Spot == p.Spot {
			now[q] = Count{Total: c.Total, Hidden: true}
		}
	}
}

type part struct {
	place Place
	chips Count
}

// worth values one stack. Chips that are not seen one by one are taken for
// chips like the last one seen. On a shared place the colour gives the seat.
func (a *Layout) worth(s fact.Stack, p Place) []part {
	n := len(s.Chips)
	if n == 0 || s.Abstain != "" && s.Low < 1 {
		if n > 0 && p.Seat == 0 {
			p.Seat = a.chips[s.Chips[n-1]].seat
		}
		return []part{{p, Count{Hidden: true}}}
	}
	ids := s.Chips
	for n < s.Low && n < 100 {
		ids = append(ids[:n:n], ids[n-1])
		n++
	}
	last := a.chips[ids[n-1]].value
	bySeat := map[int]money.Cents{}
	for _, id := range ids {
		c := a.chips[id]
		seat := p.Seat
		if seat == 0 {
			seat = c.seat
		}
		bySeat[seat] += c.value
	}
	seats := make([]int, 0, 2)
	for seat := range bySeat {
		seats = append(seats, seat)
	}
	sort.Ints(seats)
	parts := make([]part, 0, len(seats))
	for _, seat := range seats {
		c := Count{Total: bySeat[seat]}
		if len(seats) == 1 {
			c.Alts = miscounts(s, n, last, c.Total)
			if s.Abstain != "" {
				c.May = between(c.Total, n, s.Low, s.High, last)
				if len(c.May) == 2 && s.P > 0 && s.P < 0.5 { // it is rather the other
					c.Total = c.May[0] + c.May[1] - c.Total
				}
			}
		}
		parts = append(parts, part{Place{seat, p.Spot}, c})
	}
	return parts
}

// miscounts are the other totals that a stack read as n chips may have: the
// probability that is left is shared by the counts between Low and High, or by
// one chip more and one less where they say nothing.
func miscounts(s fact.Stack, n int, value, total money.Cents) []altCount {
	p := s.P
	if p <= 0 || p > 1 {
		p = 0.5
	}
	if p > 1-1e-6 {
		return nil
	}
	var others []int
	for k := max(s.Low, 1); k <= s.High && len(others) < maxAlts; k++ {
		if k != n {
			others = append(others, k)
		}
	}
	if len(others) == 0 {
		others = []int{n + 1}
		if n > 1 {
			others = append(others, n-1)
		}
	}
	alts := make([]altCount, 0, len(others))
	for _, k := range others {
		alts = append(alts, altCount{Total: total + money.Cents(k-n)*value, Odds: (1 - p) / p / float64(len(others))})
	}
	return alts
}

// readChips compares the chips of a zone with those that lay there before.
func (f *Felt) readChips(z *Zone, o *fact.Observation, r rest) {
	was := f.Chips[z.name]
	now, moved, beside := map[Place]Count{}, restacked{}, map[Place]time.Time{}
	if o.Note != "" {
		for p, c := range was {
			c.Hidden, c.Occluded, c.May = true, true, nil
			now[p] = c
		}
	} else {
		before := f.unnamed[z.name]
		f.unnamed[z.name] = whatIsUnnamed(before, o.Chips, r)
		beside = f.layout.seenBeside(z, before, o.Chips)
		chips := f.layout.supposed(z, f.stacks[z.name], o.Chips)
		now = f.layout.tally(z, chips, was)
		f.stacks[z.name], moved = f.layout.matchStacks(z, f.stacks[z.name], chips)
	}
	keys := map[Place]bool{}
	for p := range was {
		keys[p] = true
	}
	for p := range now {
		keys[p] = true
	}
	places := slices.Collect(maps.Keys(keys))
	slices.SortFunc(places, Place.Compare)
	f.Chips[z.name] = now
	if slices.EqualFunc(places, places, func(p, _ Place) bool { return was[p].Like(now[p]) }) {
		f.gapOver(z.Own.Seat, r)
		f.noteOcclusion(z, now, o.Hands, r)
		f.gapAtEnd(z.Own.Seat, r)
	}
	for _, p := range places {
		a, b := was[p], now[p]
		switch {
		case r.first:
			f.Scene.Opening[p] = f.On(p)
			if !b.Like(Count{}) {
				f.Scene.found, f.Scene.Joined = true, true
			}
		case a.Like(b):
			f.Scene.refine(p, f.On(p), r.again)
		case moved.stand(p) && !a.Hidden && !b.Hidden && !a.Rough() && slices.Contains(b.May, a.Total):
			now[p] = a // the same chips, counted only roughly this time
		case r.again && f.Scene.recount(p, r.at, f.On(p), moved.otherwise[p]):
			// the same chips, counted better
		default:
			c := f.On(p)
			if s, ok := moved.miscounts[p]; ok {
				f.Scene.doubtBefore(p, s)
				c = c.doubted(-s.by, slipped)
			}
			if n, ok := moved.came[p]; ok && !c.Hidden && (a.Rough() || c.Rough()) {
				c = c.beside(n)
			}
			f.gapAtEnd(p.Seat, r)
			f.noteAcrossEnd(p, r)
			from := r.from
			if since, ok := beside[p]; ok && a.Like(Count{}) {
				from = Earliest(from, since)
			}
			f.put(Event{Kind: ChipsSeen, From: from, At: r.at, Zone: z.name, Place: p, Chips: c, Hands: o.Hands})
		}
	}
}

// maxOcclusions bounds the touches that are kept of a round.
const maxOcclusions = 400

// noteOcclusion remembers that hands were over the chips of a zone, which lie as before; of hands
// that came before a round had ended, that round does.
func (f *Felt) noteOcclusion(z *Zone, lie map[Place]Count, hands []string, r rest) {
	if r.again || r.first || !r.from.Before(r.at) {
		return
	}
	places := []Place{z.Own}
	if z.Own.Spot == "" {
		places = slices.SortedFunc(maps.Keys(lie), Place.Compare)
	}
	for _, sc := range append(slices.Clone(f.Ended), f.Scene) {
		if !sc.Begun() || len(sc.Occlusions) >= maxOcclusions || !sc.Ended.IsZero() && !r.from.Before(sc.Ended) {
			continue
		}
		for _, p := range places {
			sc.Occlusions = append(sc.Occlusions, Occlusion{p, r.from, r.at, hands})
		}
	}
}

// noteAcrossEnd remembers of rounds that have ended that chips changed under hands that
// came before their end: nobody knows on which side of it.
func (f *Felt) noteAcrossEnd(p Place, r rest) {
	for _, sc := range f.Ended {
		if !r.from.Before(sc.Ended) {
			continue
		}
		if sc.AcrossEnd == nil {
			sc.AcrossEnd = map[Place]bool{}
		}
		sc.AcrossEnd[p] = true
	}
}

// recount corrects the count of chips that lie as they lay; false when the
// round knows nothing of them to correct. otherwise: a stack which was
// counted before now has another height.
func (sc *Scene) recount(p Place, at time.Time, c Count, otherwise bool) bool {
	i := sc.Last(func(h *Event) bool { return h.Kind == ChipsSeen && h.Place == p })
	if i >= 0 && !sc.Events[i].At.Before(at) {
		if c.Hidden && !sc.Events[i].Chips.Hidden {
			return true // they lie there as they lay when they were counted
		}
		if otherwise {
			c = c.against(sc.Events[i].Chips)
		} else if !c.Hidden {
			c = c.keeping(sc.Events[i].Chips)
		}
		sc.Events[i].Chips = c
		return true
	}
	if i < 0 && (sc.Opening[p].Total > 0 || !sc.Begun()) {
		sc.Opening[p] = c
		return true
	}
	return false
}

// refine takes over the certainty of a later reading of the same chips. One
// that was made after something had moved beside them is a second opinion.
func (sc *Scene) refine(p Place, c Count, again bool) {
	i := sc.Last(func(h *Event) bool { return h.Kind == ChipsSeen && h.Place == p })
	if i < 0 {
		return
	}
	known := &sc.Events[i].Chips
	if known.Rough() && !c.Rough() && slices.Contains(known.May, c.Total) {
		*known = c.keeping(*known) // counted so twice
		return
	}
	if known.Total != c.Total {
		return
	}
	if !again {
		*known = known.confirmed(c)
	} else if doubt(c) < doubt(*known) {
		*known = c.keeping(*known)
	}
}
