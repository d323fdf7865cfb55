package track

import (
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/round"
)

// saidFold is when the terminal reported a seat's giving up; zero when it did not.
func (s *story) saidFold(seat int) time.Time {
	for _, e := range s.told {
		if e.event.Type == round.Action && e.event.Seat == seat && (e.event.Action == "fold" || e.event.Action == "surrender") {
			return e.at
		}
	}
	return time.Time{}
}

func (s *story) heardAction(what string) bool {
	return slices.ContainsFunc(s.sc.items, func(h happening) bool { return h.isEvent(round.Action) && h.event.Action == what })
}

func (s *story) heardFrom(what string, seat int) bool {
	return slices.ContainsFunc(s.sc.items, func(h happening) bool {
		return h.isEvent(round.Action) && h.event.Action == what && h.event.Seat == seat
	})
}

// callAfter is when a call was made first after t.
func (s *story) callAfter(call string, t time.Time) time.Time {
	for i := range s.sc.items {
		if h := &s.sc.items[i]; h.isCall(call) && h.at.After(t) {
			return h.at
		}
	}
	return time.Time{}
}

// relay passes on what was heard; results that are called while the card or
// the ball is still on its way count as called after it.
func (s *story) relay() {
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if h.kind != heard || h.event.Type == round.CardDealt || h.event.Type == round.Dice {
			continue // a second reading of what the camera sees
		}
		e, at, order := h.event, h.at, 1
		if e.Is("hay_banca") && e.Amount == 0 {
			e.Amount = s.bankAt(h.at) // said, and nobody wrote down how much
		}
		if len(s.g.spoken) > 0 && e.Type == round.Announce && e.Seat > 0 {
			e.Zone = "" // the terminal names the seat as a zone too
		}
		if e.Type == round.Announce {
			if after := s.calledFor(&e, h.at); after.After(at) {
				if !s.either(choice{kind: spokenOf, item: h.n}, 0.5) {
					at, order = after, 3
				}
			}
		}
		s.tell(e, h.at, at, order)
	}
}

// bankAt is what lies on the bank's first spot at a time.
func (s *story) bankAt(t time.Time) (sum money.Cents) {
	for p, c := range s.sc.opening {
		if len(s.g.bank) > 0 && p.Spot == s.g.bank[0] {
			sum += c.total
		}
	}
	for _, m := range s.moves {
		if len(s.g.bank) > 0 && m.place.Spot == s.g.bank[0] && !m.at.After(t) {
			sum += m.delta
		}
	}
	return sum
}

// heed takes a player's word for what his chips are.
func (s *story) heed() {
	s.alias = map[place]string{}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if where := s.g.spoken[h.event.Call]; h.kind == heard && where != "" && h.event.Seat > 0 {
			s.alias[place{h.event.Seat, where}] = h.event.Call
		}
	}
}

// ahead is how much earlier than the camera's or the sensor's moment of rest a
// person may name a result.
const ahead = 1200 * time.Millisecond

// calledFor is the moment of what a result call speaks of, when that came to
// rest just after the call.
func (s *story) calledFor(e *round.Event, said time.Time) (at time.Time) {
	within := func(from, t time.Time) bool {
		return t.After(said) && (t.Sub(said) <= ahead || !from.After(said) && s.sc.blinked(from, t))
	}
	switch e.Call {
	case "puntos_banca", "puntos_mano", "puntos":
		zone := e.Zone
		if e.Call == "puntos_banca" {
			zone = "bank"
		}
		for _, c := range s.hand {
			from, shown := c.from, c.at
			if c.down && !c.turned.IsZero() {
				from, shown = c.since, c.turned
			}
			if c.zone == zone && within(from, shown) && !c.from.After(said.Add(ahead/2)) {
				at = shown
			}
		}
	case "number", "total", "combination", "chance":
		for i := range s.sc.items {
			h := &s.sc.items[i]
			if (h.kind == diceSeen || h.isEvent(round.Ball)) && within(h.from, h.at) {
				at = h.at
			}
		}
	}
	return at
}

// firstCall is when one of the calls was made first; zero when none was.
func (s *story) firstCall(calls ...string) time.Time {
	for i := range s.sc.items {
		if s.sc.items[i].isCall(calls...) {
			return s.sc.items[i].at
		}
	}
	return time.Time{}
}
