package narrate

import (
	"slices"
	"strings"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// settleOrder is an order in which a settlement is made: one kind of movement after the other.
// down, up: of one kind the highest seat first, or the lowest. own: it is that of each seat by itself,
// and of all only what is collected before anything is paid.
type settleOrder struct {
	kinds         []movement
	down, up, own bool
}

// movement is a kind of movement: those of a type, or of any (""), on some kinds of spots, or on
// any (nil).
type movement struct {
	of round.Type
	on []string
}

// rank is the place of a movement in the order; below 0 where it has none.
func (o *settleOrder) rank(t round.Type, spot string) int {
	kind, _, _ := strings.Cut(spot, ":")
	return slices.IndexFunc(o.kinds, func(k movement) bool {
		return (k.of == "" || k.of == t) && (k.on == nil || slices.Contains(k.on, kind))
	})
}

// before reports whether of two movements the first is made before the second.
func (o *settleOrder) before(a, b round.Event) bool {
	x, y := o.rank(a.Type, a.Spot), o.rank(b.Type, b.Spot)
	if o.own && a.Seat != b.Seat {
		return a.Type == round.Collect && b.Type == round.Pay
	}
	return x >= 0 && y >= 0 && (x < y || x == y && (o.down && a.Seat > b.Seat || o.up && a.Seat < b.Seat))
}

// settlePushed settles what moved on a layout on which winnings are pushed to the players, or are
// bets that came too late: before the last chips were taken or paid.
func (s *Narration) settlePushed(in func(Move) bool, last time.Time) {
	for _, m := range s.Moves {
		if in(m) && m.At.After(last) && (m.Delta < 0 || m.Place.Spot == scene.PaySpot) {
			last = m.At
		}
	}
	s.settleAll(func(m Move) bool { return in(m) && (m.Delta < 0 || s.pushedBack(m)) })
	s.payouts(in)
	s.during(func(m Move) bool { return in(m) && m.Delta > 0 && !s.pushedBack(m) && m.From.Before(last) })
}

// settleAll settles place by place the movements that are settlement.
func (s *Narration) settleAll(settling func(Move) bool) {
	s.settleUnseen(s.settleEach(settling, s.settle), s.Close)
}

// settleEach settles in some way the places of bets at which there are movements of settlement,
// and gives these.
func (s *Narration) settleEach(settling func(Move) bool, settle func(scene.Place, []Move)) map[scene.Place][]Move {
	by, places := s.byPlace(func(m Move) bool { return scene.Bettable(m.Place) && settling(m) })
	for _, p := range places {
		settle(p, by[p])
	}
	return by
}

// byPlace are the movements that fit, by place, and the places in the order of their first.
func (s *Narration) byPlace(fits func(Move) bool) (by map[scene.Place][]Move, places []scene.Place) {
	by = map[scene.Place][]Move{}
	for _, m := range s.Moves {
		if !fits(m) {
			continue
		}
		if by[m.Place] == nil {
			places = append(places, m.Place)
		}
		by[m.Place] = append(by[m.Place], m)
	}
	return by, places
}

// settleUnseen records of stakes of which no chip was seen to move since the decision what
// is due there, where the hypothesis has it that it was done under hands that were there since a
// time and left them as they lay: a winner paid whose owner took his winnings at once, a loser collected and the
// same laid again.
func (s *Narration) settleUnseen(seen map[scene.Place][]Move, since time.Time) {
	for _, e := range s.Due {
		p := Physical(e.Seat, e.Spot)
		if s.halved(e, seen[p], since) || len(seen[p]) > 0 || s.Game.Pushed && e.Outcome == round.Win {
			continue
		}
		t, ok := s.occluded(p, since, nil)
		if !ok || e.Outcome != round.Win && e.Outcome != round.Lose ||
			!s.underHands(e.Seat, e.Spot, untouched(t.Hands)) {
			continue
		}
		if e.Outcome == round.Lose {
			s.moved(round.Collect, e.Seat, e.Spot, e.Stake-e.Returns, t.From, t.At)
			continue
		}
		s.moved(round.Pay, e.Seat, e.Spot, e.Pays, t.From, t.At)
		if e.Commission > 0 {
			s.moved(round.Commission, e.Seat, e.Spot, e.Commission, t.From, t.At)
		}
	}
}

// halved records of a stake of which a part won as much as the other lost that both were settled, where as much lies
// there as before in other stacks, and reports whether it was so.
func (s *Narration) halved(e round.Settlement, seen []Move, since time.Time) bool {
	lost := e.Stake - e.Returns
	if lost == 0 || e.Pays-e.Commission != lost {
		return false
	}
	t, ok := s.occluded(Physical(e.Seat, e.Spot), since, func(o scene.Occlusion) bool {
		return o.Restacked && slices.Contains(o.Hands, fact.Bank) &&
			!slices.ContainsFunc(seen, func(m Move) bool { return m.At.Before(o.At) })
	})
	if !ok {
		return false
	}
	s.moved(round.Collect, e.Seat, e.Spot, lost, t.From, t.At)
	s.moved(round.Pay, e.Seat, e.Spot, e.Pays, t.From, t.At)
	if e.Commission > 0 {
		s.moved(round.Commission, e.Seat, e.Spot, e.Commission, t.From, t.At)
	}
	return true
}

// Recorded is the first event of a type about the bet of a settlement; -1 without one.
func (s *Narration) Recorded(t round.Type, of round.Settlement) int {
	return slices.IndexFunc(s.Entries, func(e Entry) bool {
		return e.Event.Type == t && e.Event.Seat == of.Seat && e.Event.Spot == of.Spot
	})
}

// takenUp is when hands of both sides took up what lay at a place at last, since another time.
func (s *Narration) takenUp(p scene.Place, since time.Time) (t scene.Occlusion, ok bool) {
	for _, m := range s.Moves {
		if m.Place == p && m.At.After(since) {
			ok = m.Delta < 0 && slices.Contains(m.hands, fact.Bank) && slices.Contains(m.hands, fact.Players)
			t = scene.Occlusion{Place: p, From: m.From, At: m.At, Hands: m.hands}
		}
	}
	return t, ok
}

// untouched names the prior that hands which left chips as they lay had done nothing: what is
// laid and taken up again wants hands of both sides.
func untouched(hands []string) hypothesis.Prior {
	if len(hands) == 1 {
		return hypothesis.UntouchedByOne
	}
	return hypothesis.Untouched
}

// occluded is the last time since another, zero for any, that hands were over the chips of a
// place and left them as they lay: of those that fit, or of all.
func (s *Narration) occluded(
	p scene.Place, since time.Time, fits func(scene.Occlusion) bool,
) (t scene.Occlusion, ok bool) {
	for _, o := range s.Scene.Occlusions {
		if o.Place == p && (since.IsZero() || o.At.After(since)) && (fits == nil || fits(o)) {
			t, ok = o, true
		}
	}
	return t, ok
}

// orderMovements brings settlement movements of which nobody knows which was first into the
// order in which they should have been made: those of which one was done while hands lay over the
// other's place, for there it may have been done at any time since they came.
func (s *Narration) orderMovements(order settleOrder) {
	if order.kinds == nil {
		return
	}
	var idx []int
	slices.SortStableFunc(s.Entries, func(a, b Entry) int { return a.At.Compare(b.At) })
	for i := range s.Entries {
		if s.Entries[i].Event.Movement() {
			idx = append(idx, i)
		}
	}
	for n := 1; n < len(idx); n++ { // insertion sort by neighbours
		for k := n; k > 0; k-- {
			a, b := &s.Entries[idx[k-1]], &s.Entries[idx[k]]
			if !b.From.Before(a.At) || !order.before(b.Event, a.Event) {
				break
			}
			a.Event, b.Event = b.Event, a.Event
		}
	}
}

// withoutHeaps are the movements without what the house raked together on the layout: chips
// that came to a place after the outcome, under its hands alone as they took others, and went
// with what lay there. Under hands of both sides those are as many of the same seat. Until the heap goes nothing of
// it is collected: whoever was there then may have got a part.
func (s *Narration) withoutHeaps(out time.Time) []Move {
	moves := slices.Clone(s.Moves)
	for i := range moves {
		m := &moves[i]
		whole := func(o Move) bool { return o.Delta == -m.Delta && o.Place.Seat == m.Place.Seat }
		taken := slices.IndexFunc(moves, func(o Move) bool {
			house := o.by(fact.Bank) || slices.Contains(o.hands, fact.Bank) && whole(o)
			return o.Delta < 0 && o.At.Equal(m.At) && house
		})
		if m.Delta <= 0 || !slices.Contains(m.hands, fact.Bank) || !m.At.After(out) || !scene.Bettable(m.Place) ||
			s.pushedBack(*m) || taken < 0 {
			continue
		}
		heap := m.Delta
		m.Delta = 0
		for k := i + 1; k < len(moves) && heap > 0; k++ {
			if o := &moves[k]; o.Place == m.Place && o.Delta < 0 {
				with := min(heap, -o.Delta)
				o.Delta, heap = o.Delta+with, heap-with
				if t := &moves[taken]; t.by(fact.Bank) && t.Delta == -with {
					if t.At = o.At; len(o.hands) > 1 {
						t.hands = o.hands
					}
				}
			}
		}
	}
	return slices.DeleteFunc(moves, func(m Move) bool { return m.Delta == 0 && !m.unread })
}
