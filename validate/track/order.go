package track

import (
	"slices"
	"time"

	"vision/validate/round"
)

// rankOf is 0 for an event on one of the spots and 1 for another.
func rankOf(e round.Event, spots ...string) int {
	if slices.Contains(spots, e.Spot) {
		return 0
	}
	return 1
}

// collectFirst is the order in which a roulette settles.
func collectFirst(a, b round.Event) bool { return a.Type == round.Collect && b.Type == round.Pay }

// settleAll settles place by place what late tells to be settlement.
func (s *story) settleAll(settling func(move) bool) {
	by := map[place][]move{}
	var order []place
	for _, m := range s.moves {
		if !bettable(m.place) || !settling(m) {
			continue
		}
		if by[m.place] == nil {
			order = append(order, m.place)
		}
		by[m.place] = append(by[m.place], m)
	}
	for _, p := range order {
		s.settle(p, by[p])
	}
	s.settleUnseen(by)
}

// settleUnseen tells of stakes of which no chip was seen to move since the decision what
// is due there, where the hypothesis has it that it was done under hands that left them as
// they lay: a winner paid whose owner took his winnings at once, a loser collected and the
// same laid again.
func (s *story) settleUnseen(seen map[place][]move) {
	for _, e := range s.due {
		p := physical(e.Seat, e.Spot)
		if len(seen[p]) > 0 || s.g.pushed && e.Outcome == round.Win {
			continue
		}
		t, ok := s.touched(p)
		if !ok || e.Outcome != round.Win && e.Outcome != round.Lose || !s.either(choice{kind: underHands, place: place{e.Seat, e.Spot}}, s.prior().Untouched) {
			continue
		}
		if e.Outcome == round.Lose {
			s.tell(round.Event{Type: round.Collect, Seat: e.Seat, Spot: e.Spot, Amount: e.Stake - e.Returns}, t.from, t.at, 2)
			continue
		}
		s.tell(round.Event{Type: round.Pay, Seat: e.Seat, Spot: e.Spot, Amount: e.Pays}, t.from, t.at, 2)
		if e.Commission > 0 {
			s.tell(round.Event{Type: round.Commission, Seat: e.Seat, Spot: e.Spot, Amount: e.Commission}, t.from, t.at, 2)
		}
	}
}

// touched is the last time since the bets were closed that hands were over the chips of a
// place and left them as they lay.
func (s *story) touched(p place) (t touch, ok bool) {
	if s.sc == nil {
		return t, false
	}
	for _, o := range s.sc.touches {
		if o.place == p && (s.close.IsZero() || o.at.After(s.close)) {
			t, ok = o, true
		}
	}
	return t, ok
}

// together brings settlement movements of which nobody can tell which was first into the
// order in which they should have been made: those that came to rest at nearly the same
// time, and those of which one was done while hands lay over the other's place, for there
// it may have been done at any time since they came.
func (s *story) together(first func(a, b round.Event) bool) {
	if first == nil {
		return
	}
	const blur = 350 * time.Millisecond
	var idx []int
	slices.SortStableFunc(s.told, func(a, b told) int { return a.at.Compare(b.at) })
	for i := range s.told {
		if s.told[i].event.Movement() {
			idx = append(idx, i)
		}
	}
	for n := 1; n < len(idx); n++ { // insertion sort by neighbours within the blur
		for k := n; k > 0; k-- {
			a, b := &s.told[idx[k-1]], &s.told[idx[k]]
			if b.at.Sub(a.at) > blur && !b.from.Before(a.at) || !first(b.event, a.event) {
				break
			}
			a.event, b.event = b.event, a.event
		}
	}
}
