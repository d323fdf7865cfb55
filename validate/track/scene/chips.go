package scene

import (
	"maps"
	"slices"
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
			hide(now, was, part)
		}
	}
	return now
}

// hide keeps what was known of a place whose chips cannot be counted now; on a
// shared place nobody knows whose chips they are, so all seats' are kept.
func hide(now, was map[Place]Count, more part) {
	p, n := more.place, 0
	if more.chips.Hidden {
		n = 1
	}
	c := now[p]
	now[p] = Count{Total: was[p].Total, Hidden: true, Unread: c.Unread + n, Beside: c.Counted() + more.chips.Total}
	for q, c := range was {
		if p.Seat == 0 && q.Spot == p.Spot && q != p {
			now[q] = Count{Total: c.Total, Hidden: true, Unread: now[q].Unread + n, Beside: now[q].Counted()}
		}
	}
}

type part struct {
	place Place
	chips Count
}

// worth values one stack. On a shared place the colour gives the seat.
func (a *Layout) worth(s fact.Stack, p Place) (parts []part) {
	if len(s.Chips) == 0 || s.Abstain != "" && s.Low < 1 {
		if n := len(s.Chips); n > 0 {
			p.Seat = a.seatOf(s.Chips[n-1], p)
		}
		return []part{{p, Count{Hidden: true}}}
	}
	for _, seat := range a.seatsOf(s.Chips, p) {
		first := a.valueFor(seat, s.Chips, p)
		weights := map[money.Cents]float64{first: s.P}
		for _, o := range s.Others {
			weights[a.valueFor(seat, o.Chips, p)] += o.P
		}
		parts = append(parts, part{Place{seat, p.Spot}, countOf(weights, first)})
	}
	return parts
}

// seatOf is the seat of a chip on a place: on a shared one the chip identifies it.
func (a *Layout) seatOf(id string, p Place) int {
	if p.Seat == 0 {
		return a.chips[id].seat
	}
	return p.Seat
}

// seatsOf are the seats of a stack's chips, in order.
func (a *Layout) seatsOf(chips []string, p Place) (seats []int) {
	for _, id := range chips {
		seats = append(seats, a.seatOf(id, p))
	}
	slices.Sort(seats)
	return slices.Compact(seats)
}

// valueFor is what a seat's chips of a stack are worth.
func (a *Layout) valueFor(seat int, chips []string, p Place) (sum money.Cents) {
	for _, id := range chips {
		if a.seatOf(id, p) == seat {
			sum += a.chips[id].value
		}
	}
	return sum
}

// readChips compares the chips of a zone with those that lay there before.
func (f *Felt) readChips(z *Zone, o *fact.Observation, r rest) {
	was := f.Chips[z.name]
	now, moved, beside := map[Place]Count{}, restacked{}, map[Place]time.Time{}
	if o.Note != "" {
		for p, c := range was {
			now[p] = Count{Total: c.Total, Hidden: true, Occluded: true, Came: c.Came}
		}
	} else {
		before := f.unnamed[z.name]
		f.unnamed[z.name] = f.layout.whatIsUnnamed(before, o.Chips, r)
		beside = f.layout.seenBeside(z, before, o.Chips)
		var fused []fact.Stack
		fused, f.stacks[z.name], moved = f.layout.matchStacks(
			z, f.stacks[z.name], f.layout.supposed(z, f.stacks[z.name], o.Chips), o.Hands, r.again,
		)
		now = f.layout.tally(z, fused, was)
	}
	places := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(now))
	slices.SortFunc(places, Place.Compare)
	places = slices.Compact(places)
	fewer := func(p Place) bool { return now[p].Total < was[p].Total }
	if len(o.Hands) > 1 {
		laid := slices.DeleteFunc(slices.Clone(places), fewer)
		places = append(slices.DeleteFunc(places, func(p Place) bool { return !fewer(p) }), laid...)
	}
	f.Chips[z.name] = now
	if slices.EqualFunc(places, places, func(p, _ Place) bool { return was[p].Like(now[p]) }) {
		f.gapOver(z.Own.Seat, r)
		f.noteOcclusion(z, now, o.Hands, r, moved)
		f.gapAtEnd(z.Own.Seat, r)
	}
	for _, p := range places {
		a, b := was[p], now[p]
		stand := moved.stand(p) && !a.Hidden && !b.Hidden
		switch {
		case r.first:
			f.Scene.Opening[p] = f.On(p)
			if !b.Like(Count{}) {
				f.Scene.found, f.Scene.Joined = true, true
			}
		case a.Like(b):
			if stand && !r.again {
				f.Scene.confirm(p)
			}
			if r.again || stand {
				f.Scene.recount(p, r, f.On(p), stand)
			}
		case (r.again || stand) && f.Scene.recount(p, r, f.On(p), stand):
			// the same chips, counted better
		default:
			c := f.On(p)
			if s, ok := moved.changed[p]; ok {
				f.Scene.doubtBefore(p, s)
				c = c.ifUnchanged(-s.by, s.now)
			}
			if s, ok := moved.misread[p]; ok {
				f.Scene.doubtBefore(p, s)
			}
			if n, ok := moved.came[p]; ok && a.Total > 0 && !a.Hidden && !c.Hidden {
				c = c.beside(n)
			}
			f.gapAtEnd(p.Seat, r)
			f.noteAcrossEnd(p, r)
			from := r.from
			if since, ok := beside[p]; ok && a.Like(Count{}) {
				from = Earliest(from, since)
			}
			f.put(Event{
				Kind: ChipsSeen, From: from, At: r.at, Zone: z.name, Place: p, Chips: c, Fewer: fewer(p), Hands: o.Hands,
			})
		}
	}
}

// maxOcclusions bounds the touches that are kept of a round.
const maxOcclusions = 400

// noteOcclusion remembers that hands were over the chips of a zone, which lie as before; of hands
// that came before a round had ended, that round does.
func (f *Felt) noteOcclusion(z *Zone, lie map[Place]Count, hands []string, r rest, moved restacked) {
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
			other := moved.other[p] || moved.other[Place{Spot: p.Spot}]
			sc.Occlusions = append(sc.Occlusions, Occlusion{p, r.from, r.at, hands, other && lie[p].Total > 0})
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

// confirm takes in that stacks which seemed to have changed are read once more as they are now:
// the errors of readings are correlated, so they were hardly read wrong before. Unless they had been
// read so before that, too: then the one reading between is the wrong one.
func (sc *Scene) confirm(p Place) {
	i := sc.lastCount(p)
	if i < 0 || !slices.ContainsFunc(sc.Events[i].Chips.Others, func(w Worth) bool { return w.Unchanged }) {
		return
	}
	now := sc.Events[i].Chips.Total
	counted := func(h *Event) bool { return h.Kind == ChipsSeen && h.Place == p && h != &sc.Events[i] }
	if j := sc.Last(counted); j >= 0 && !sc.readBefore(p, j, now) {
		before := &sc.Events[j].Chips
		same := func(w Worth) bool { return w.Unchanged && w.Total == now }
		before.Others = slices.DeleteFunc(slices.Clone(before.Others), same)
	}
}

// readBefore reports whether a place was counted as so much last before an event.
func (sc *Scene) readBefore(p Place, event int, total money.Cents) bool {
	counted := func(h *Event) bool { return h.Kind == ChipsSeen && h.Place == p && !h.Chips.Hidden }
	i := lastIndex(sc.Events[:event], counted)
	if i < 0 {
		return sc.Opening[p].Total == total
	}
	return sc.Events[i].Chips.Total == total
}

// lastCount is the last count of a place, -1 for none.
func (sc *Scene) lastCount(p Place) int {
	return sc.Last(func(h *Event) bool { return h.Kind == ChipsSeen && h.Place == p })
}

// recount corrects the count of chips that lie as they lay; false when the
// round knows nothing of them to correct. stand: they are the same stacks.
func (sc *Scene) recount(p Place, r rest, c Count, stand bool) bool {
	i := sc.lastCount(p)
	if i >= 0 && (stand || !sc.Events[i].At.Before(r.at)) {
		if old := sc.Events[i].Chips; !c.Hidden || old.Hidden {
			c = c.keeping(old)
			if r.again && c.Total == old.Total { // no later look at them
				c = c.keepingUnchanged(old)
			}
			sc.Events[i].Chips = c
		} // else they lie there as they lay when they were counted
		return true
	}
	if i < 0 && (sc.Opening[p].Total > 0 || !sc.Begun()) {
		sc.Opening[p] = c
		return true
	}
	return false
}
