package narrate

import (
	"maps"
	"slices"
	"strings"
	"time"

	"vision/internal/card"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// arrange puts the first deal into its order. Where whole hands are dealt the dice decide
// which is first. Where it cannot have come so, it is the one that was seen first, or
// if that cannot be either, for arms lay over the other, the one that was whole first.
func (b *housePokerRound) arrange() {
	if !b.rules.Deal.Hands {
		b.arrangeDeal(b.order())
		return
	}
	for _, order := range [][]string{b.ring(), b.wholeHands(1), b.wholeHands(-1)} {
		var zones []string // as often as they got cards
		for _, z := range order {
			zones = append(zones, slices.Repeat([]string{z}, b.cardsIn(z))...)
		}
		if len(zones) > 0 && b.arrangeDeal(zones) {
			return
		}
	}
}

// setHands records pai gow's two hands of each player and of the croupier, and
// takes the cards that were moved there out of the hand.
func (b *housePokerRound) setHands() {
	if !b.rules.Deal.Hands {
		return
	}
	set := map[string][]dealtCard{}
	var players time.Time // turned the first of their cards
	for _, c := range b.takeOut(func(zone string) bool { return strings.Contains(zone, "/") }) {
		zone, _, _ := strings.Cut(c.zone, "/")
		if set[zone] = append(set[zone], c); zone != "bank" {
			players = scene.Earliest(players, c.turned)
		}
	}
	for _, zone := range slices.Sorted(maps.Keys(set)) {
		b.dealtToo(zone, len(set[zone]))
		b.setHand(zone, b.withOther(zone, set[zone]), players)
	}
}

// dealtToo takes in that as many cards as are set were dealt: those that nobody saw came under
// the hands that took up the others.
func (b *housePokerRound) dealtToo(zone string, set int) {
	n := b.cardsIn(zone)
	if set != setCards || n >= set {
		return
	}
	if _, gone, up := b.left(zone); up {
		b.dealUnseen(zone, set-n, true, gone, gone)
	}
}

// withOther are the cards of a zone that were set and, where one of the two hands was
// never seen in its place, that one too: the others of the seven that were turned before.
func (b *housePokerRound) withOther(zone string, set []dealtCard) []dealtCard {
	if slices.ContainsFunc(set, func(c dealtCard) bool { return c.zone != set[0].zone || c.card == card.Unseen }) {
		return set
	}
	var turned, others []dealtCard
	for _, c := range b.Hand {
		if c.zone != zone || c.card == card.Unseen {
			continue
		}
		turned = append(turned, c)
		if !slices.ContainsFunc(set, func(o dealtCard) bool { return o.card == c.card }) {
			c.zone, c.down = zone+map[bool]string{true: "/low", false: "/high"}[strings.HasSuffix(set[0].zone, "/high")], false
			others = append(others, c)
		}
	}
	if len(turned) != setCards || len(set)+len(others) != setCards {
		return set
	}
	return append(others, set...)
}

// setHand records the two hands of a zone. Where the arm that turned the players'
// cards lay over the bank's, these were laid before.
func (b *housePokerRound) setHand(zone string, cs []dealtCard, players time.Time) {
	var laid, turned, from time.Time
	var high, low []card.Card
	down := false
	for _, c := range cs {
		if strings.HasSuffix(c.zone, "/high") {
			high = append(high, c.card)
		} else {
			low = append(low, c.card)
		}
		if c.at.After(laid) {
			laid, from = c.at, c.from
		}
		down = down || c.down
		turned = scene.Latest(turned, c.turned)
	}
	nameTheLast(high, low, b.turnedIn(zone))
	seat := scene.SeatOf(zone)
	if seat > 0 && down && b.acted(seat, "set").IsZero() {
		b.record(round.Event{Type: round.Action, Seat: seat, Action: "set"}, from, laid, 2)
	}
	if down && turned.IsZero() {
		return
	}
	if down {
		b.record(round.Event{Type: round.Reveal, Zone: zone, Cards: slices.Concat(high, low)}, from, turned, 2)
		laid = turned
	}
	if zone == "bank" {
		laid = justBefore(from, laid, players)
		if !down {
			b.turnedUnder(zone, cs, from, laid)
		}
	}
	b.record(round.Event{Type: round.Arrange, Zone: zone, High: high, Low: low}, from, laid, 3)
}

// turnedUnder takes in that the cards of a zone which were dealt face down, and which nobody saw
// turned, were turned under the hands that set them face up.
func (b *housePokerRound) turnedUnder(zone string, set []dealtCard, from, at time.Time) {
	var dealt []int
	for i, c := range b.Hand {
		if c.zone != zone {
			continue
		}
		if !c.down || !c.turned.IsZero() {
			return
		}
		dealt = append(dealt, i)
	}
	if len(dealt) != len(set) {
		return
	}
	for k, i := range dealt {
		c := &b.Hand[i]
		c.card, c.conf, c.since, c.turned = set[k].card, set[k].conf, from, at
	}
}

// turnedIn are the cards of a zone that were turned before they were set.
func (b *housePokerRound) turnedIn(zone string) (cards []card.Card) {
	for _, c := range b.handIn(zone) {
		if c.card != card.Unseen {
			cards = append(cards, c.card)
		}
	}
	return cards
}

// nameTheLast names the one card of two hands that nobody read after it was set: of the seven
// that were turned before it is the one that is set nowhere else.
func nameTheLast(high, low, turned []card.Card) {
	unread := func(c card.Card) bool { return c == card.Unseen }
	hand := high
	if !slices.ContainsFunc(high, unread) {
		hand = low
	}
	others := slices.DeleteFunc(slices.Clone(turned), func(c card.Card) bool {
		return slices.Contains(high, c) || slices.Contains(low, c)
	})
	if i := slices.IndexFunc(hand, unread); i >= 0 && len(turned) == setCards && len(others) == 1 {
		hand[i] = others[0]
	}
}

// handsLeft is when both hands of a seat of pai gow were taken; zero while one lies there.
func (b *housePokerRound) handsLeft(seat int) (at time.Time) {
	for i := range b.Scene.Tracks {
		sl := &b.Scene.Tracks[i]
		if n := scene.SeatOf(sl.Zone); n != seat || !strings.Contains(sl.Zone, "/") || sl.Earlier {
			continue
		}
		if sl.OnTable {
			return time.Time{}
		}
		at = scene.Latest(at, sl.Left)
	}
	return at
}
