package housepoker

import (
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game/hands"
	"vision/validate/round"
)

// drawing is a draw of the bank.
type drawing struct {
	event int
	cards []card.Card
}

// bankDraw compares the bank's draw of póquer con descarte with the rule.
func (t *table) bankDraw() {
	if !t.rules.Deal.Draw || t.bankAt == len(t.ev) {
		return
	}
	if !slices.ContainsFunc(t.active(), func(s *seat) bool { return s.inPlay(t) }) {
		return
	}
	first := t.firstCards(bank)
	if t.rank.Value(first) == 0 {
		return
	}
	due := t.bankDue(first)
	var drew []card.Card
	event := t.last
	if len(t.drawings) > 0 {
		event = t.drawings[0].event
	}
	for _, d := range t.drawings {
		drew = append(drew, d.cards...)
	}
	f := round.Finding{Event: event, Zone: bank, Expected: len(due), Observed: len(drew), Rule: t.cite("draw")}
	switch {
	case len(due) == 0 && len(drew) > 0:
		f.Code = finding.DrewMustStand
	case len(due) > 0 && len(drew) == 0:
		f.Code = finding.StoodMustDraw
	case !slices.Equal(ascending(due), ascending(drew)) && !slices.Contains(drew, card.Unseen) || len(due) != len(drew):
		f.Code, f.Severity = finding.OtherProcedure, finding.Major
		f.Expected, f.Observed = ascending(due), ascending(drew)
	default:
		return
	}
	t.Add(f)
}

// top is a card's rank, the ace 14.
func top(c card.Card) int {
	if n := c.Number(); n != 1 {
		return n
	}
	return 14
}

// ascending are cards from the lowest to the highest.
func ascending(cards []card.Card) []card.Card {
	list := slices.Clone(cards)
	slices.SortStableFunc(list, func(a, b card.Card) int {
		if top(a) != top(b) {
			return top(a) - top(b)
		}
		return int(a) - int(b)
	})
	return list
}

// bankDue are the cards that the bank must exchange: the first rule that fits.
func (t *table) bankDue(five []card.Card) []card.Card {
	v := t.rank.Value(five)
	cards := ascending(five)
	without := func(ranks ...int) []card.Card {
		return slices.DeleteFunc(slices.Clone(cards), func(c card.Card) bool { return slices.Contains(ranks, top(c)) })
	}
	switch v.Category() {
	case hands.Trio:
		return without(v.Rank(0))
	case hands.DoblePareja:
		return without(v.Rank(0), v.Rank(1))
	case hands.Pareja:
		return without(v.Rank(0))[:2]
	case hands.CartaAlta:
	default:
		return nil
	}
	for k, c := range cards { // four of one suit
		rest := slices.Delete(slices.Clone(cards), k, k+1)
		if !slices.ContainsFunc(rest, func(x card.Card) bool { return x.Suit() != rest[0].Suit() }) {
			return []card.Card{c}
		}
	}
	for k := range 2 { // four in a row, the ace only on top
		if top(cards[k+3])-top(cards[k]) == 3 {
			return []card.Card{cards[(k+4)%5]}
		}
	}
	return cards[:2]
}
