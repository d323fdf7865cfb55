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
// of which something was called.
func (t *Tracker) handsAt(r *infer.Ruling, f round.Finding) bool {
	s := r.Narration
	hands, p := finding.Of(f.Code).Round.Running.Hands, narrate.Physical(f.Seat, f.Spot)
	switch hands {
	case finding.AtCardsOrBank:
		return t.hands(func(_ string, z *scene.Zone, _ time.Time) bool {
			return z.Cards || z.Chips && slices.Contains(s.Game.Bank, z.Own.Spot)
		})
	case finding.AtHand:
		zone := cmp.Or(f.Zone, scene.SeatZone(f.Seat))
		return t.hands(func(name string, _ *scene.Zone, _ time.Time) bool {
			return name == zone || strings.HasPrefix(name, zone+"/") // the cards of a part of it
		})
	case finding.AtEarlierCards: // a card that was dealt before may lie under the dealing arm
		return t.hands(func(_ string, z *scene.Zone, since time.Time) bool { return z.Cards && since.Before(r.AtEvent(f)) })
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
	return t.hands(func(_ string, z *scene.Zone, since time.Time) bool {
		if !z.Chips || !r.Scene.Ended.IsZero() && since.After(r.Scene.Ended) {
			return false // who comes after the end lays for the next round
		}
		pot := z.Own == scene.Place{Spot: scene.PotSpot}
		return z.Own == p && !empty || z.Own == scene.PayPlace(seat) ||
			pot && (r.MaySweep(seat, since.Add(-scene.Act)) || r.PushedRoughly(seat))
	})
}

// hands reports whether hands are at a zone that fits.
func (t *Tracker) hands(at func(name string, z *scene.Zone, since time.Time) bool) bool {
	for name, m := range t.now.Zones {
		if !m.MovingSince.IsZero() && at(name, t.layout.Zones[name], m.MovingSince) {
			return true
		}
	}
	return false
}

// reached reports whether hands are where a place is: late chips are pushed back there.
func (t *Tracker) reached(p scene.Place) bool {
	return t.hands(func(_ string, z *scene.Zone, _ time.Time) bool {
		return z.Chips && (z.Own == p || z.Own.Spot == "")
	})
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
