package blackjack

import (
	"fmt"

	"vision/internal/card"
	"vision/validate/game/table"
)

// total is the best total of cards: the highest that is not over 21, else the
// lowest; -1 with an unseen or foreign card. low is the total with aces as 1.
func (g *blackjack) total(cards []table.Dealt) (best, low int) {
	aces := false
	for _, d := range cards {
		if !g.Readable(d.Card) {
			return -1, -1
		}
		low += table.Pips(d.Card, 10)
		aces = aces || d.Card.Rank() == 'A'
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
	cards []table.Dealt

	split, splitAces    bool
	doubled, stood      bool
	doubledAt           int // cards held when it was doubled
	surrendered         bool
	bustAt              int          // event of the card that took it over 21; -1
	value               int          // final total; -1 unknown
	evenMoney           bool         // taken by the box's own player
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

// over reports whether the hand has ended for a player: he surrendered or was paid even money.
func (b *box) over(seat int) bool {
	if seat == b.seat {
		return b.surrendered || b.evenMoney
	}
	return b.surrendered || b.surrenderBy[seat] || b.evenBy[seat]
}

func (b *box) bust() bool      { return b.value > 21 }
func (b *box) blackjack() bool { return b.value == 21 && len(b.cards) == 2 && !b.split }

// sevens reports whether cards are all sevens, and whether of one suit.
func sevens(cards []table.Dealt) (all, suited bool) {
	all, suited = len(cards) > 0, true
	for _, d := range cards {
		all = all && d.Card.French() && d.Card.Rank() == '7'
		suited = suited && d.Card.Suit() == cards[0].Card.Suit()
	}
	return all, all && suited
}

func threeSevens(cards []table.Dealt) bool {
	all, _ := sevens(cards)
	return len(cards) == 3 && all
}

// sameValue reports whether two cards may be split: figures and ten are equal.
func sameValue(a, b card.Card) bool { return table.Pips(a, 10) == table.Pips(b, 10) }
