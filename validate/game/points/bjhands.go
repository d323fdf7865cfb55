package points

import (
	"fmt"

	"vision/internal/card"
)

// total is the best total of cards: the highest that is not over 21, else the
// lowest; -1 with an unseen or foreign card. low is the total with aces as 1.
func (g *blackjack) total(cards []dealt) (best, low int) {
	aces := false
	for _, d := range cards {
		if !g.readable(d.card) {
			return -1, -1
		}
		low += pips(d.card, 10)
		aces = aces || d.card.Rank() == 'A'
	}
	if aces && low+10 <= 21 {
		return low + 10, low
	}
	return low, low
}

// box is one hand of blackjack while the record runs.
type box struct {
	zone  string
	seat  int // number of the box
	k     int // 1 the first hand, 2.. made by splitting
	cards []dealt

	split, splitAces    bool
	doubled, stood      bool
	doubledAt           int // cards held when it was doubled
	surrendered         bool
	bustAt              int          // event of the card that took it over 21; -1
	value               int          // final total; -1 unknown
	evenMoney           bool         // taken by the box's own player
	secondAt, thirdAt   int          // events of its second and third card, -1
	evenBy, surrenderBy map[int]bool // other players on the box
}

func (b *box) spot(name string) string {
	if b.k == 1 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, b.k)
}

// stakeSpot is the spot of the hand's own stake.
func (b *box) stakeSpot() string {
	if b.k == 1 {
		return "main"
	}
	return fmt.Sprintf("split:%d", b.k)
}

func (b *box) bust() bool      { return b.value > 21 }
func (b *box) blackjack() bool { return b.value == 21 && len(b.cards) == 2 && !b.split }

// sevens tells whether cards are all sevens, and whether of one suit.
func sevens(cards []dealt) (all, suited bool) {
	all, suited = len(cards) > 0, true
	for _, d := range cards {
		all = all && d.card.French() && d.card.Rank() == '7'
		suited = suited && d.card.Suit() == cards[0].card.Suit()
	}
	return all, all && suited
}

func threeSevens(cards []dealt) bool {
	all, _ := sevens(cards)
	return len(cards) == 3 && all
}

// sameValue tells whether two cards may be split: figures and ten are equal.
func sameValue(a, b card.Card) bool { return pips(a, 10) == pips(b, 10) }
