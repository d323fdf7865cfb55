package hands

import "vision/internal/card"

// High is a card's rank with the ace on top: 2 to 14; 0 for joker and Unseen.
func High(c card.Card) int {
	if !c.French() {
		return 0
	}
	return high(c)
}

// Open is the worth of one to five cards that lie open in stud: poker, trío,
// two pairs, pair, high cards, then every rank; straights and flushes do not
// count. The greater is the better; equal ones tie.
func Open(cards []card.Card) uint32 {
	if len(cards) == 0 || len(cards) > 5 {
		return 0
	}
	var t tally
	for _, c := range cards {
		t = t.with(faces[c])
	}
	v := uint32(1) // how often the most frequent rank is there
	switch {
	case t.four() != 0:
		v = 4
	case t.thrice() != 0:
		v = 3
	case t.twice() != 0:
		v = 2
	}
	v <<= 2
	if pairs := t.twice(); pairs&(pairs-1) != 0 {
		v |= 2
	}
	return v<<20 | uint32(grouped(t))
}

// BestLow is the best low hand with exactly two of the own cards and three of
// the common ones, and its cards; 0 where there is none.
func BestLow(own, common []card.Card) (uint32, []card.Card) {
	var best uint32
	var cards []card.Card
	pick := make([]card.Card, 5)
	for a := range own {
		for b := a + 1; b < len(own); b++ {
			for i := range common {
				for j := i + 1; j < len(common); j++ {
					for k := j + 1; k < len(common); k++ {
						pick[0], pick[1], pick[2], pick[3], pick[4] = own[a], own[b], common[i], common[j], common[k]
						if v := Low(pick); v > 0 && (best == 0 || v < best) {
							best, cards = v, append([]card.Card(nil), pick...)
						}
					}
				}
			}
		}
	}
	return best, cards
}
