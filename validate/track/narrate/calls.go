package narrate

import (
	"slices"
	"time"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// acted is when a sensor or the terminal first reported that a seat, 0 for any, did one of some
// things; zero when none did.
func (s *Narration) acted(seat int, what ...string) time.Time {
	return s.Scene.First(func(h *scene.Event) bool {
		return h.IsEvent(round.Action) && slices.Contains(what, h.Line.Action) && (seat == 0 || h.Line.Seat == seat)
	})
}

// actedBy reports whether that was reported by a time.
func (s *Narration) actedBy(t time.Time, seat int, what ...string) bool {
	at := s.acted(seat, what...)
	return !at.IsZero() && !at.After(t)
}

// callAfter is when a call was made first after t.
func (s *Narration) callAfter(call string, t time.Time) time.Time {
	return s.Scene.First(func(h *scene.Event) bool { return h.IsCall(call) && h.At.After(t) })
}

// addLines passes on what was heard; results that are called while the card or
// the ball is still on its way count as called after it.
func (s *Narration) addLines() {
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		if h.Kind != scene.Heard || h.Line.Type == round.CardDealt || h.Line.Type == round.Dice {
			continue // a second reading of what the camera sees
		}
		e, at, order := h.Line, h.At, 1
		if e.Is("hay_banca") && e.Amount == 0 && len(s.Game.Bank) > 0 { // called, and nobody wrote down how much
			e.Amount = s.lying(s.Game.Bank[0], func(m Move) bool { return !m.At.After(h.At) })
		}
		if len(s.Game.spoken) > 0 && e.Type == round.Announce && e.Seat > 0 {
			e.Zone = "" // the terminal names the seat as a zone too
		}
		if e.Type == round.Announce {
			if after := s.calledFor(&e, h.At); after.After(at) {
				if !s.pickAt(hypothesis.Choice{Kind: hypothesis.SpokenOf, Item: h.Number}, 0.5) {
					at, order = after, 3
				}
			}
		}
		s.record(e, h.At, at, order)
	}
}

// lying is what lies on the places of a spot after the movements that fit.
func (s *Narration) lying(spot string, after func(Move) bool) (sum money.Cents) {
	for p, total := range s.opening {
		if p.Spot == spot {
			sum += total
		}
	}
	for _, m := range s.Moves {
		if m.Place.Spot == spot && after(m) {
			sum += m.Delta
		}
	}
	return sum
}

// nameBets takes a player's word for what his chips are.
func (s *Narration) nameBets() {
	s.alias = map[scene.Place]string{}
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		if where := s.Game.spoken[h.Line.Call]; h.Kind == scene.Heard && where != "" && h.Line.Seat > 0 {
			s.alias[scene.Place{Seat: h.Line.Seat, Spot: where}] = h.Line.Call
		}
	}
}

// ahead is how much earlier than the camera's or the sensor's moment of rest a person may name a
// result: while his hand is still there.
const ahead = scene.Act

// calledFor is the moment of what a result call speaks of, when that came to
// rest just after the call.
func (s *Narration) calledFor(e *round.Event, spoken time.Time) (at time.Time) {
	within := func(from, t time.Time) bool {
		return t.After(spoken) && (t.Sub(spoken) <= ahead || !from.After(spoken) && s.Scene.HasGap(from, t))
	}
	switch e.Call {
	case "puntos_banca", "puntos_mano", "puntos":
		zone := e.Zone
		if e.Call == "puntos_banca" {
			zone = "bank"
		}
		for _, c := range s.Hand {
			from, shown := c.from, c.at
			if c.down && !c.turned.IsZero() {
				from, shown = c.since, c.turned
			}
			if c.zone == zone && within(from, shown) {
				at = shown
			}
		}
	case "number", "total", "combination", "chance":
		for i := range s.Scene.Events {
			h := &s.Scene.Events[i]
			if (h.Kind == scene.DiceSeen || h.IsEvent(round.Ball)) && within(h.From, h.At) {
				at = h.At
			}
		}
	}
	return at
}

// FirstCall is when one of the calls was made first; zero when none was.
func (s *Narration) FirstCall(calls ...string) time.Time {
	return s.Scene.First(func(h *scene.Event) bool { return h.IsCall(calls...) })
}
