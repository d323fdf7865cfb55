package track

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"

	"vision/internal/fact"
	"vision/internal/money"
)

// tally turns the stacks of a zone into money per place. A stack that could
// not be counted hides its place; was gives the amount last known there.
func (a *atlas) tally(z *zone, stacks []fact.Stack, was map[place]count) map[place]count {
	now := map[place]count{}
	for _, s := range stacks {
		p, ok := a.locate(z, s.At)
		if !ok {
			continue
		}
		for _, part := range a.worth(s, p) {
			if c := now[part.place]; !c.hidden && !part.chips.hidden {
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
func hide(now, was map[place]count, p place) {
	now[p] = count{total: was[p].total, hidden: true}
	for q, c := range was {
		if p.Seat == 0 && q.Spot == p.Spot {
			now[q] = count{total: c.total, hidden: true}
		}
	}
}

type part struct {
	place place
	chips count
}

// worth values one stack. Chips that are not seen one by one are taken for
// chips like the last one seen. On a shared place the colour tells the seat.
func (a *atlas) worth(s fact.Stack, p place) []part {
	n := len(s.Chips)
	if n == 0 || s.Abstain != "" && s.Low < 1 {
		if n > 0 && p.Seat == 0 {
			p.Seat = a.chips[s.Chips[n-1]].seat
		}
		return []part{{p, count{hidden: true}}}
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
		c := count{total: bySeat[seat]}
		if len(seats) == 1 {
			c.alts = miscounts(s, n, last, c.total)
			if s.Abstain != "" {
				c.may = between(c.total, n, s.Low, s.High, last)
				if len(c.may) == 2 && s.P > 0 && s.P < 0.5 { // it is rather the other
					c.total = c.may[0] + c.may[1] - c.total
				}
			}
		}
		parts = append(parts, part{place{seat, p.Spot}, c})
	}
	return parts
}

// miscounts are the other totals that a stack read as n chips may have: the
// probability that is left is shared by the counts between Low and High, or by
// one chip more and one less where they tell nothing.
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
		alts = append(alts, altCount{total + money.Cents(k-n)*value, (1 - p) / p / float64(len(others))})
	}
	return alts
}

// readChips compares the chips of a zone with those that lay there before.
func (f *felt) readChips(z *zone, o *fact.Observation, r rest) {
	was := f.chips[z.name]
	now, moved := map[place]count{}, restacked{}
	if o.Note != "" {
		for p, c := range was {
			c.hidden, c.under, c.may = true, true, nil
			now[p] = c
		}
	} else {
		now = f.atlas.tally(z, o.Chips, was)
		f.standing[z.name], moved = f.atlas.stand(z, f.standing[z.name], o.Chips)
	}
	keys := map[place]bool{}
	for p := range was {
		keys[p] = true
	}
	for p := range now {
		keys[p] = true
	}
	places := slices.Collect(maps.Keys(keys))
	sort.Slice(places, func(i, j int) bool { return places[i].less(places[j]) })
	f.chips[z.name] = now
	if slices.EqualFunc(places, places, func(p, _ place) bool { return was[p].like(now[p]) }) {
		f.cloud(z.own.Seat, r)
		f.touch(z, now, o.Hands, r)
		f.overdue(z.own.Seat, r)
	}
	for _, p := range places {
		a, b := was[p], now[p]
		switch {
		case r.first:
			f.scene.opening[p] = f.on(p)
			if !b.like(count{}) {
				f.scene.found, f.scene.joined = true, true
			}
		case a.like(b):
			f.scene.refine(p, f.on(p), r.again)
		case r.again && f.scene.recount(p, r.at, f.on(p), moved.otherwise[p]):
			// the same chips, counted better
		default:
			c := f.on(p)
			if s, ok := moved.slips[p]; ok {
				f.scene.doubtBefore(p, s)
				c = c.doubted(-s.by, slipped)
			}
			if n, ok := moved.came[p]; ok && !c.hidden && (a.vague() || c.vague()) {
				c = c.beside(n)
			}
			f.overdue(p.Seat, r)
			f.straddle(p, r)
			f.put(happening{kind: chipsSeen, from: r.from, at: r.at, zone: z.name, place: p, chips: c, hands: o.Hands})
		}
	}
}

// maxTouches bounds the touches that are kept of a round.
const maxTouches = 400

// touch remembers that hands were over the chips of a zone, which lie as before; of hands
// that came before a round had ended, that round does.
func (f *felt) touch(z *zone, lie map[place]count, hands []string, r rest) {
	if r.again || r.first || !r.from.Before(r.at) {
		return
	}
	places := []place{z.own}
	if z.own.Spot == "" {
		places = slices.SortedFunc(maps.Keys(lie), func(a, b place) int { return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot)) })
	}
	for _, sc := range append(slices.Clone(f.past), f.scene) {
		if !sc.begun() || len(sc.touches) >= maxTouches || !sc.ended.IsZero() && !r.from.Before(sc.ended) {
			continue
		}
		for _, p := range places {
			sc.touches = append(sc.touches, touch{p, r.from, r.at, hands})
		}
	}
}

// straddle remembers of rounds that have ended that chips changed under hands that
// came before their end: nobody knows on which side of it.
func (f *felt) straddle(p place, r rest) {
	for _, sc := range f.past {
		if !r.from.Before(sc.ended) {
			continue
		}
		if sc.straddled == nil {
			sc.straddled = map[place]bool{}
		}
		sc.straddled[p] = true
	}
}

// recount corrects the count of chips that lie as they lay; false when the
// round knows nothing of them to correct. otherwise tells that a stack which was
// counted before now has another height.
func (sc *scene) recount(p place, at time.Time, c count, otherwise bool) bool {
	i := sc.last(func(h *happening) bool { return h.kind == chipsSeen && h.place == p })
	if i >= 0 && !sc.items[i].at.Before(at) {
		if c.hidden && !sc.items[i].chips.hidden {
			return true // they lie there as they lay when they were counted
		}
		if otherwise {
			c = c.against(sc.items[i].chips)
		} else if !c.hidden {
			c = c.keeping(sc.items[i].chips)
		}
		sc.items[i].chips = c
		return true
	}
	if i < 0 && (sc.opening[p].total > 0 || !sc.begun()) {
		sc.opening[p] = c
		return true
	}
	return false
}

// refine takes over the certainty of a later reading of the same chips. One
// that was made after something had moved beside them is a second opinion.
func (sc *scene) refine(p place, c count, again bool) {
	i := sc.last(func(h *happening) bool { return h.kind == chipsSeen && h.place == p })
	if i < 0 {
		return
	}
	known := &sc.items[i].chips
	if known.vague() && !c.vague() && slices.Contains(known.may, c.total) {
		*known = c.keeping(*known) // counted so twice
		return
	}
	if known.total != c.total {
		return
	}
	if !again {
		*known = known.confirmed(c)
	} else if doubt(c) < doubt(*known) {
		*known = c.keeping(*known)
	}
}
