package housepoker

import (
	"slices"

	"vision/internal/card"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/game/settle"
)

// sight says whether the cards that a bet needs are known; the greater hides the lesser.
type sight int

// entry is what is due on one spot.
type entry struct {
	settle.Due
	cause sight // why the outcome is unknown
}

func (e *entry) unknown(why sight) {
	e.Unknown()
	e.cause = why
}

// entryOf is the index of a place's entry; -1 without one.
func (t *table) entryOf(p game.Place) int {
	return slices.IndexFunc(t.entries, func(e *entry) bool { return e.Place() == p })
}

// view reports whether a zone's cards are all there and known.
func (t *table) view(zone string) sight {
	z := t.zone(zone)
	if t.due(zone) == 0 {
		return silent // nothing is dealt here: there is no hand to know
	}
	s := known
	if len(z.slots) != t.due(zone) {
		s = unseen
	}
	for _, c := range z.slots {
		switch {
		case c.card == card.Unseen:
			s = max(s, unseen)
		case t.foreign(c.card):
			return silent
		}
	}
	return s
}

func (t *table) cards(zone string) []card.Card { return t.appendCards(nil, zone) }

func (t *table) appendCards(list []card.Card, zone string) []card.Card {
	for _, s := range t.zone(zone).slots {
		list = append(list, s.card)
	}
	return list
}

var boardOnly = []string{board}

// common are the zones whose cards belong to every hand.
func (t *table) common() []string {
	if t.rules.Deal.Board == 5 {
		return boardOnly
	}
	return t.rules.Deal.Commons
}

// reading is what is known of a zone's hand.
type reading struct {
	hand  hands.Hand
	sight sight
}

// hand is the best hand of a zone's cards with the common ones. It is asked for
// once all cards lie, and read once.
func (t *table) hand(zone string) (hands.Hand, sight) {
	r, ok := t.hands[zone]
	if !ok {
		r.hand, r.sight = t.readHand(zone)
		t.hands[zone] = r
	}
	return r.hand, r.sight
}

func (t *table) readHand(zone string) (hands.Hand, sight) {
	s := t.view(zone)
	for _, z := range t.common() {
		s = max(s, t.view(z))
	}
	if s != known {
		return hands.Hand{}, s
	}
	var room [16]card.Card
	cards := t.appendCards(room[:0], zone)
	for _, z := range t.common() {
		cards = t.appendCards(cards, z)
	}
	h := t.rank.Best(cards)
	if h.Value == 0 {
		return h, silent // the same card twice in pai gow's pack and the like
	}
	return h, known
}
