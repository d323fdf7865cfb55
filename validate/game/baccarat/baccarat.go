// Package baccarat judges the games of baccarat: punto y banca against the house,
// and the two circle games in which a player holds the bank, chemin de fer and
// baccará a dos paños. The tables of drawing are data of the rulebook (rules.go);
// what the circle games share is in circle.go.
package baccarat

import (
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// winners are who may be said to have won.
var winners = game.CallWords{"winner": {"punto", "banca", "empate"}}

// twoHands are the zones of a hand of the punto and one of the banca.
func twoHands(zone string) bool { return zone == "punto" || zone == "banca" }

// cards are the table of the baccarat games.
type cards struct{ *table.Table }

// baccarat is one hand of the baccarat games.
type baccarat struct {
	zone  string
	cards []table.Dealt
	two   int  // total of the first two cards; -1 when unknown or not there
	value int  // points that count; -1 when unknown
	fixed bool // the norm fixes the value: no cards are needed
	abate bool // shown as a natural before any third card
}

func (h *baccarat) drew() bool    { return len(h.cards) > 2 }
func (h *baccarat) natural() bool { return h.two >= 8 }
func (h *baccarat) known() bool   { return h.value >= 0 }

// dealtTo is the hand in a zone.
func (t cards) dealtTo(zone string) *baccarat {
	h := &baccarat{zone: zone, cards: t.Zones[zone], two: -1, value: -1}
	if len(h.cards) >= 2 {
		h.two = t.points(h.cards[:2])
	}
	if len(h.cards) > 0 { // too few cards count as they lie
		h.value = t.points(h.cards)
	}
	return h
}

// third is the value of the third card, stood without one, and whether it is known.
func (t cards) third(h *baccarat) (int, bool) {
	if !h.drew() {
		return stood, true
	}
	v := t.points(h.cards[2:3])
	return v, v >= 0
}

// points is the sum of the cards modulo ten, -1 with an unseen or foreign card.
func (t cards) points(cards []table.Dealt) int {
	sum := 0
	for _, d := range cards {
		if !t.Readable(d.Card) {
			return -1
		}
		sum += table.Pips(d.Card, 0)
	}
	return sum % 10
}

// pointsAt is the total of a zone's cards that lie there at an event.
func (t cards) pointsAt(zone string, event int) int { return t.points(t.CardsAt(zone, event)) }

// bankerSeat is the one seat with the spot banca.
func (t cards) bankerSeat() (int, error) {
	seat := 0
	for i, e := range game.Each(t.Events, round.Bet) {
		if e.Spot != "banca" || e.Seat == seat {
			continue
		}
		if seat != 0 {
			return 0, round.Malformed(round.At(i, "seat"), "one seat holds the bank", "seats %d and %d both stake on banca", seat, e.Seat)
		}
		seat = e.Seat
	}
	if seat == 0 {
		return 0, round.Malformed("events", "add the bet of the banker on the spot banca", "no banker")
	}
	return seat, nil
}

// firstThird is the first card beyond a hand's first two.
func (t cards) firstThird(zones ...string) int {
	first := len(t.Events)
	for _, z := range zones {
		if c := t.Zones[z]; len(c) > 2 {
			first = min(first, c[2].Event)
		}
	}
	return first
}

// reveals is the index of a zone's first reveal; len(Events) without one.
func (t cards) reveals(zone string) int {
	return t.FirstFit(func(e *round.Event) bool { return e.Type == round.Reveal && e.Zone == zone })
}

// checkDraw compares what a hand must do with what it did.
func (t cards) checkDraw(h *baccarat, letter byte) {
	switch {
	case letter == 'T' && !h.drew():
		t.ZoneAt(t.Last, finding.StoodMustDraw, h.zone)
	case letter == 'P' && h.drew():
		t.ZoneAt(h.cards[2].Event, finding.DrewMustStand, h.zone)
	}
}
