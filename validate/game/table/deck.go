package table

import (
	"cmp"
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// deck raises cards that the packs in play do not hold.
func (t *Table) deck() {
	packs := cmp.Or(t.Rec.Table.Decks, t.rules.Decks)
	var copies [256]uint8
	for _, d := range t.sightings() {
		switch {
		case d.Card == card.Unseen:
		case t.foreign(d.Card):
			t.Add(round.Finding{Code: finding.ForeignCard, Observed: d.Card.String(), Event: d.seen})
		default:
			if copies[d.Card] < 255 {
				copies[d.Card]++
			}
			if int(copies[d.Card]) == packs+1 {
				t.Add(round.Finding{Code: finding.DuplicateCard, Observed: d.Card.String(), Event: d.seen})
			}
		}
	}
}

// sightings are the copies of cards that were seen, in the order in which they were, and
// at last those that only a reveal of the discard showed. A card that is put aside from
// where it was laid is no further copy.
func (t *Table) sightings() []Dealt {
	var all []Dealt
	for zone, cards := range t.Zones {
		if zone != Discard {
			all = append(all, cards...)
		}
	}
	laid := map[card.Card]int{} // where cards may be put aside from
	discarded := t.Zones[Discard]
	moved := func(c card.Card) bool {
		if laid[c] == 0 {
			return false
		}
		laid[c]--
		return true
	}
	for i := range t.Events {
		e := &t.Events[i]
		switch {
		case e.Type == round.CardDealt && t.kind.Laid != nil && t.kind.Laid(e.Zone):
			laid[e.Card]++
		case e.Type == round.CardDealt && e.Zone == Discard:
			if d := discarded[0]; !moved(d.Card) {
				all = append(all, d)
			}
			discarded = discarded[1:]
		case e.Type == round.Burn && game.Read(e.Card, e) != card.Unseen && !moved(e.Card):
			all = append(all, Dealt{Card: e.Card, Event: i, seen: i})
		}
	}
	slices.SortFunc(all, func(a, b Dealt) int {
		return cmp.Or(cmp.Compare(a.seen, b.seen), cmp.Compare(a.Event, b.Event), cmp.Compare(a.Card, b.Card))
	})
	return append(all, discarded...)
}
