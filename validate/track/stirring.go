package track

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

// stirring tells that hands are at the chips a finding speaks of, or at the cards
// of which something was said.
func (t *Tracker) stirring(r *ruling, f round.Finding) bool {
	s := r.story
	hands, p := finding.Of(f.Code).Round.Running.Hands, physical(f.Seat, f.Spot)
	switch hands {
	case finding.AtCardsOrBank:
		return t.handling() || slices.ContainsFunc(s.g.bank, t.handledSpot)
	case finding.AtHand:
		return t.handlingOf(cmp.Or(f.Zone, seatZone(f.Seat)))
	case finding.AtEarlierCards: // a card that was dealt before may lie under the dealing arm
		return t.handlingSince(r.atEvent(f))
	case finding.AtPlace:
		return t.reached(p)
	case finding.AtLateChips:
		return s.running && (t.reached(p) || !t.game.pushed && t.thrownBefore(s, r.atEvent(f)))
	case finding.AtLosers: // they may be collecting
		return slices.ContainsFunc(s.lying, t.reached)
	case finding.AtLoser, finding.AtChips:
		return hands == finding.AtLoser && !s.final && t.reached(p) || t.atChips(s, f.Seat, p)
	}
	return false
}

// atChips tells that hands are at the chips of a bet, at those of its seat's payments, or
// where a sweep may take them.
func (t *Tracker) atChips(s *story, seat int, p place) bool {
	empty := s.g.held && s.early && t.now.on(p).like(count{}) // nobody bets there any more: arms only pass over it
	for name, m := range t.now.zones {
		if m.stirred.IsZero() || !s.sc.ended.IsZero() && m.stirred.After(s.sc.ended) {
			continue // who comes after the end lays for the next round
		}
		z := t.atlas.zones[name]
		if z.chips && (z.own == p && !empty || z.own == place{seat, paySpot} || z.own == place{0, potSpot} && (s.maySweep(seat, m.stirred.Add(-swept)) || s.pushedRoughly(seat))) {
			return true
		}
	}
	return false
}

// reached tells that hands are where a place is: late chips are pushed back there.
func (t *Tracker) reached(p place) bool {
	for name, m := range t.now.zones {
		z := t.atlas.zones[name]
		if z.chips && (z.own == p || z.own.Spot == "") && !m.stirred.IsZero() {
			return true
		}
	}
	return false
}

// handledSpot tells that hands are at a spot of any seat.
func (t *Tracker) handledSpot(spot string) bool {
	for name, m := range t.now.zones {
		if z := t.atlas.zones[name]; z.chips && z.own.Spot == spot && !m.stirred.IsZero() {
			return true
		}
	}
	return false
}

// thrownBefore tells that the dice may have come to rest before chips were laid:
// then these may be a payment.
func (t *Tracker) thrownBefore(s *story, laid time.Time) bool {
	for name, m := range t.now.zones {
		if t.atlas.zones[name].dice && (m.rest.After(s.close) || !m.stirred.IsZero() && m.stirred.Before(laid)) {
			return true
		}
	}
	return false
}

// handling tells that hands are at cards: what lies there may be seen otherwise
// when they go.
func (t *Tracker) handling() bool {
	for name, m := range t.now.zones {
		if !m.stirred.IsZero() && t.atlas.zones[name].cards {
			return true
		}
	}
	return false
}

// handlingOf tells that hands are at the cards of a zone or of a part of it.
func (t *Tracker) handlingOf(zone string) bool {
	for name, m := range t.now.zones {
		if !m.stirred.IsZero() && (name == zone || strings.HasPrefix(name, zone+"/")) {
			return true
		}
	}
	return false
}

// handlingSince tells that hands came to some cards before a time and have not left.
func (t *Tracker) handlingSince(at time.Time) bool {
	for name, m := range t.now.zones {
		if !m.stirred.IsZero() && m.stirred.Before(at) && t.atlas.zones[name].cards {
			return true
		}
	}
	return false
}
