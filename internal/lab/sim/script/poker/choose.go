package poker

import (
	"slices"

	"vision/internal/card"
)

// Best is the best hand of n among the cards.
func (r Ranking) Best(n int, cards []card.Card) Hand {
	var best Hand
	for _, some := range choices(n, cards) {
		if h := r.Of(some); Compare(h, best) > 0 {
			best = h
		}
	}
	return best
}

// TwoAndThree is the best hand of exactly two own cards and three common ones.
func (r Ranking) TwoAndThree(own, board []card.Card) Hand {
	var best Hand
	for _, two := range choices(2, own) {
		for _, three := range choices(3, board) {
			if h := r.Of(slices.Concat(two, three)); Compare(h, best) > 0 {
				best = h
			}
		}
	}
	return best
}

// Low is the lowest hand of exactly two own cards and three common ones: five
// different ranks up to eight, the ace counting one, the highest card deciding
// first; straights and suits do not matter. It is false where there is none; as
// against Compare, the smaller of two wins.
//
// andalucia-2010 I.1.10.B.5 II.2, L6547-6552.
func Low(own, board []card.Card) (best []int, ok bool) {
	for _, two := range choices(2, own) {
		for _, three := range choices(3, board) {
			low := lowRanks(slices.Concat(two, three))
			if low != nil && (best == nil || slices.Compare(low, best) < 0) {
				best = low
			}
		}
	}
	return best, best != nil
}

// lowRanks are the ranks of five cards, the highest first and the ace 1; nil if
// they are no low hand.
func lowRanks(cards []card.Card) []int {
	var list []int
	for _, c := range cards {
		if n := c.Number(); n > 8 || slices.Contains(list, n) {
			return nil
		} else {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// choices are all ways to take n of the cards, each in the cards' order.
func choices(n int, cards []card.Card) (all [][]card.Card) {
	if n == 0 {
		return [][]card.Card{nil}
	}
	for i := range len(cards) - n + 1 {
		for _, rest := range choices(n-1, cards[i+1:]) {
			all = append(all, append([]card.Card{cards[i]}, rest...))
		}
	}
	return all
}
