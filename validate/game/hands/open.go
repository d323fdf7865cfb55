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
	var count [16]uint8
	for _, c := range cards {
		count[High(c)]++
	}
	s := shape{n: min(len(cards), 5)}
	if len(cards) == 0 || len(cards) > 5 {
		return 0
	}
	s.group(&count)
	v := uint32(s.groups[0]) << 2
	if s.groups[1] > 1 {
		v |= 2
	}
	for _, rank := range s.ranks[:5] {
		v = v<<4 | uint32(rank)
	}
	return v
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
