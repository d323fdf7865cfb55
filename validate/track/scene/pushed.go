package scene

import (
	"maps"
	"slices"

	"vision/internal/fact"
)

// A player who squeezes his cards pushes them together, so that some lie under others: they are
// missed, and still of his hand.

// ofHand is the card of a hand, missed there, as which one is known that appears: a back where
// players' hands squeezed them, a face that was turned with the others. -1: none.
func (sc *Scene) ofHand(zone string, c fact.Card, r rest) int {
	switch {
	case !backUp(c):
		return sc.shown(zone, c)
	case r.beside(c):
		return -1
	}
	return sc.squeezed(zone, r)
}

// squeezed is a card of a hand that shows its back and was missed when hands of players left
// it: he who squeezes his cards pushes them together, and few of them show where none lay. -1:
// none.
func (sc *Scene) squeezed(zone string, r rest) int {
	if SeatOf(zone) == 0 || !slices.Equal(r.hands, []string{fact.Players}) || sc.Exchanges.open(zone) {
		return -1
	}
	return slices.IndexFunc(sc.Tracks, func(s Track) bool {
		return s.Zone == zone && s.Back && !s.OnTable && !s.Earlier && s.Retired.IsZero() && s.Left.Equal(r.at)
	})
}

// missed is a card of a hand that showed its back and is missed while others of the hand lay
// there. -1: none.
func (sc *Scene) missed(zone string) int {
	if SeatOf(zone) == 0 || sc.Exchanges.open(zone) {
		return -1
	}
	return slices.IndexFunc(sc.Tracks, func(s Track) bool {
		return s.Zone == zone && s.Back && !s.OnTable && !s.Earlier && !s.alone && s.Retired.IsZero() &&
			!s.Spurious()
	})
}

// shown is the card missed of a hand as which a face that appears there was turned: all others
// that showed their backs show their faces, so that it was turned with them and none was dealt. -1: none.
func (sc *Scene) shown(zone string, c fact.Card) int {
	if !showsFace(c) {
		return -1
	}
	turned := false
	for i := range sc.Tracks {
		sl := &sc.Tracks[i]
		if sl.Zone != zone || !sl.OnTable || sl.Earlier {
			continue
		}
		if sl.Back {
			return -1
		}
		turned = turned || sl.turn > 0
	}
	if !turned {
		return -1
	}
	return sc.missed(zone)
}

// spread pairs the cards of a whole hand, turned at once and laid out, with the tracks known there,
// some of which lay under others: where these lay is no evidence of which is which, and hands lie
// from the left as they were dealt. Nil where it is no such hand, or cards of it were exchanged.
func (sc *Scene) spread(zone string, cards []fact.Card) map[int]int {
	if _, exchanged := sc.Exchanges[zone]; exchanged || sc.missed(zone) < 0 {
		return nil
	}
	var hand []int
	for i := range sc.Tracks {
		if sl := &sc.Tracks[i]; sl.Zone == zone && !sl.Earlier {
			if !sl.Back || sl.alone || !sl.Retired.IsZero() || sl.Spurious() {
				return nil
			}
			hand = append(hand, i)
		}
	}
	if len(hand) != len(cards) || slices.ContainsFunc(cards, func(c fact.Card) bool { return !showsFace(c) }) {
		return nil
	}
	matched := map[int]int{}
	for k, i := range leftToRight(cards) {
		matched[i] = hand[k]
	}
	return matched
}

// showsFace reports whether a reading shows a face, be it not surely which.
func showsFace(c fact.Card) bool {
	return c.Abstain == "" && labelOf(c) != "" && !backUp(c) || faceUp(c)
}

// backUp reports whether a reading shows most likely a card's back.
func backUp(c fact.Card) bool { return labelOf(c) == Back }

// labelOf is the likeliest label of a card; "" without one.
func labelOf(c fact.Card) string {
	label, _ := fact.Best(c.Guesses)
	return label
}

// beneath reports whether a card lies under others of its hand since players pushed them together,
// and a back that is read elsewhere is none of it.
func (s *Track) beneath(c fact.Card) bool {
	return s.under && !s.OnTable && backUp(c) && distance(c.At, s.at) > sameSpot
}

// dealtOn reports whether cards were dealt to the hand of a card since it was missed: nobody
// exchanges any of a hand that is not dealt yet, so that it lies under others.
func (sc *Scene) dealtOn(s *Track) bool {
	return s.under && slices.ContainsFunc(sc.Tracks, func(o Track) bool {
		return o.Zone == s.Zone && !o.Earlier && o.Came.After(s.Left)
	})
}

// allAmong reports whether all cards that lie in a zone are among those that were matched.
func (sc *Scene) allAmong(zone string, matched map[int]int) bool {
	seen := slices.Collect(maps.Values(matched))
	for i := range sc.Tracks {
		if sl := &sc.Tracks[i]; sl.Zone == zone && sl.OnTable && !slices.Contains(seen, i) {
			return false
		}
	}
	return true
}

// beside reports whether a back was glimpsed where a card lies while all that lay there before
// were in their places: it was dealt, and is none of those.
func (r rest) beside(c fact.Card) bool {
	return backUp(c) && slices.ContainsFunc(r.laid, func(p fact.Point) bool { return distance(p, c.At) <= sameSpot })
}
