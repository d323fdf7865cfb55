// Package poker ranks hands of poker for the simulator, as the norms list and
// compare them. It is written from their texts alone and shares nothing with the
// rules engine, so that each can be checked against the other. Line numbers are
// those of the norms' texts.
package poker

import (
	"cmp"
	"slices"

	"vision/internal/card"
)

// Category is what a hand is, in the words of the round record.
type Category string

// The categories.
const (
	CincoAses     Category = "cinco_ases"
	EscaleraReal  Category = "escalera_real"
	EscaleraColor Category = "escalera_color"
	Poquer        Category = "poquer"
	Full          Category = "full"
	Color         Category = "color"
	Escalera      Category = "escalera"
	Trio          Category = "trio"
	Figuras       Category = "figuras"
	DoblePareja   Category = "doble_pareja"
	Pareja        Category = "pareja"
	CartaAlta     Category = "carta_alta"
	CartaMayor    Category = "carta_mayor" // carta_alta in the norms of the circle
)

// Ace is the rank of an ace: above the king's 13.
const Ace = 14

// Ranking is how one game ranks its hands.
type Ranking struct {
	// Order is the game's list, the highest first; what it does not name is nothing.
	Order []Category
	// Lowest is the lowest rank in the pack: 2, or 8 where the pack has 28 cards.
	Lowest int
	// LowAce is set if the ace may also stand below the lowest card of a straight.
	LowAce bool
	// WheelSecond is set if the straight with a low ace is the second highest.
	WheelSecond bool
}

// Hand is the cards that play and what they are.
type Hand struct {
	Cards    []card.Card
	Category Category
	strength []int
}

// Compare tells which hand wins: above 0 for a, below 0 for b, 0 for a tie.
func Compare(a, b Hand) int { return slices.Compare(a.strength, b.strength) }

// Of ranks cards that all play, two to five of them. A joker stands for what
// makes the best hand of them.
func (r Ranking) Of(cards []card.Card) Hand {
	if slices.Contains(cards, card.Joker) {
		return r.withJoker(cards)
	}
	s := shapeOf(r, cards)
	for i, c := range r.Order {
		if detail, ok := s.is(c); ok {
			return Hand{Cards: slices.Clone(cards), Category: c, strength: append([]int{len(r.Order) - i}, detail...)}
		}
	}
	return Hand{Cards: slices.Clone(cards)} // no game's list lets it come to that
}

// AtLeast reports whether a hand is of a category or of a higher one.
func (r Ranking) AtLeast(h Hand, c Category) bool {
	return slices.Index(r.Order, h.Category) <= slices.Index(r.Order, c)
}

// Rank is a card's rank with the ace above the king; 0 for what has none.
func Rank(c card.Card) int {
	if n := c.Number(); n != 1 {
		return n
	}
	return Ace
}

// Ranks are the ranks of cards, the highest first.
func Ranks(cards []card.Card) []int {
	var list []int
	for _, c := range cards {
		list = append(list, Rank(c))
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(b, a) })
	return list
}

// PairOf is the rank of the highest pair (trio, poker) in cards; 0 for none.
func PairOf(cards []card.Card) int {
	ranks := Ranks(cards)
	for i := 1; i < len(ranks); i++ {
		if ranks[i] == ranks[i-1] {
			return ranks[i]
		}
	}
	return 0
}
