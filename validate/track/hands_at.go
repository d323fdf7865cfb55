package track

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// handsAt reports whether hands are at the chips a finding speaks of, or at the cards
// of which something was said.
func (t *Tracker) handsAt(r *infer.Ruling, f round.Finding) bool {
	s := r.Narration
	hands, p := finding.Of(f.Code).Round.Running.Hands, narrate.Physical(f.Seat, f.Spot)
	switch hands {
	case finding.AtCardsOrBank:
		return t.handling() || slices.ContainsFunc(s.Game.Bank, t.handledSpot)
	case finding.AtHand:
		return t.handlingOf(cmp.Or(f.Zone, scene.SeatZone(f.Seat)))
	case finding.AtEarlierCards: // a card that was dealt before may lie under the dealing arm
		return t.handlingSince(r.AtEvent(f))
	case finding.AtPlace:
		return t.reached(p)
	case finding.AtLateChips:
		return s.Running && (t.reached(p) || !t.game.Pushed && t.thrownBefore(s, r.AtEvent(f)))
	case finding.AtLosers: // they may be collecting
		return slices.ContainsFunc(r.Uncollected, t.reached)
	case finding.AtLoser, finding.AtChips:
		return hands == finding.AtLoser && !s.Final && t.reached(p) || t.atChips(r, f.Seat, p)
	}
	return false
}

// atChips reports whether hands are at the chips of a bet, at those of its seat's payments, or
// where a sweep may take them.
func (t *Tracker) atChips(r *infer.Ruling, seat int, p scene.Place) bool {
	empty := r.Game.Held && r.Decided &&
		t.now.On(p).Like(scene.Count{}) // nobody bets there any more: arms only pass over it
	for name, m := range t.now.Zones {
		if m.MovingSince.IsZero() || !r.Scene.Ended.IsZero() && m.MovingSince.After(r.Scene.Ended) {
			continue // who comes after the end lays for the next round
		}
		z := t.layout.Zones[name]
		pot := z.Own == scene.Place{Spot: scene.PotSpot}
		if z.Chips && (z.Own == p && !empty || z.Own == scene.Place{Seat: seat, Spot: scene.PaySpot} ||
			pot && (r.MaySweep(seat, m.MovingSince.Add(-narrate.SweepLead)) || r.PushedRoughly(seat))) {
			return true
		}
	}
	return false
}

// reached reports whether hands are where a place is: late chips are pushed back there.
func (t *Tracker) reached(p scene.Place) bool {
	for name, m := range t.now.Zones {
		z := t.layout.Zones[name]
		if z.Chips && (z.Own == p || z.Own.Spot == "") && !m.MovingSince.IsZero() {
			return true
		}
	}
	return false
}

// handledSpot reports whether hands are at a spot of any seat.
func (t *Tracker) handledSpot(spot string) bool {
	for name, m := range t.now.Zones {
		if z := t.layout.Zones[name]; z.Chips && z.Own.Spot == spot && !m.MovingSince.IsZero() {
			return true
		}
	}
	return false
}

// thrownBefore reports whether the dice may have come to rest before chips were laid:
// then these may be a payment.
func (t *Tracker) thrownBefore(s *narrate.Narration, laid time.Time) bool {
	for name, m := range t.now.Zones {
		if t.layout.Zones[name].Dice &&
			(m.Rest.After(s.Close) || !m.MovingSince.IsZero() && m.MovingSince.Before(laid)) {
			return true
		}
	}
	return false
}

// handling reports whether hands are at cards: what lies there may be seen otherwise
// when they go.
func (t *Tracker) handling() bool {
	for name, m := range t.now.Zones {
		if !m.MovingSince.IsZero() && t.layout.Zones[name].Cards {
			return true
		}
	}
	return false
}

// handlingOf reports whether hands are at the cards of a zone or of a part of it.
func (t *Tracker) handlingOf(zone string) bool {
	for name, m := range t.now.Zones {
		if !m.MovingSince.IsZero() && (name == zone || strings.HasPrefix(name, zone+"/")) {
			return true
		}
	}
	return false
}

// handlingSince reports whether hands came to some cards before a time and have not left.
func (t *Tracker) handlingSince(at time.Time) bool {
	for name, m := range t.now.Zones {
		if !m.MovingSince.IsZero() && m.MovingSince.Before(at) && t.layout.Zones[name].Cards {
			return true
		}
	}
	return false
}
