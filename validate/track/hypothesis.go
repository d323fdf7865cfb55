package track

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vision/internal/card"
	"vision/internal/money"
)

// A narration is a program with choices: what a reading shows, on which side of the
// closing a movement lies, what was done under hands. A hypothesis fixes some of them; at
// every other the likeliest alternative is taken. Which choices there are is known only
// by narrating, and an alternative may lead to choices that the likeliest does not.

// kind of choice, in the order in which a narration comes to them: an alternative may
// open choices of later kinds only.
type kindOfChoice uint8

const (
	cameAbout     kindOfChoice = iota // when something happened; item: of the first that was seen with it
	takenAway                         // when cards were taken; item: the slot of the first
	cardRead                          // what a slot shows; item: the slot
	dealtFirst                        // which of two cards seen at once; item: of the second
	chipsCounted                      // what an item's chips are worth
	supposedBet                       // whether a place whose chips were never counted holds a bet
	unseenBet                         // whether a pot grew by a bet that was swept under the hands that laid it; item: of the pot
	diceRead                          // the faces of an item's throw
	spokenOf                          // whether a call speaks of what lay there or of what came next; item: of the call
	sideOfClosing                     // whether a movement was made in time; item: of the movement
	underHands                        // what was done with the chips of a place while hands lay over it
	pushedFor                         // for which bets two payments of the same amount are; item: of the pair
	paidFor                           // for which bet a payment is that fits none
)

// choice names one choice of a narration.
type choice struct {
	kind  kindOfChoice
	item  int
	place place
}

func (c choice) compare(o choice) int {
	return cmp.Or(cmp.Compare(c.kind, o.kind), cmp.Compare(c.item, o.item),
		cmp.Compare(c.place.Seat, o.place.Seat), strings.Compare(c.place.Spot, o.place.Spot))
}

// alternative is something else than the likeliest at a choice, with its odds against it.
type alternative struct {
	odds  float64
	card  card.Card   // of cardRead; card.Unseen: nobody knows
	total money.Cents // of chipsCounted and supposedBet
	faces []int       // of diceRead
	spot  string      // of paidFor
	at    time.Time   // of cameAbout and takenAway
}

// hypothesis fixes choices. The likeliest fixes none.
type hypothesis struct {
	chosen map[choice]alternative
	odds   float64
}

var likeliest = hypothesis{odds: 1}

// with is the hypothesis that fixes one choice more.
func (h hypothesis) with(c choice, a alternative) hypothesis {
	chosen := maps.Clone(h.chosen)
	if chosen == nil {
		chosen = map[choice]alternative{}
	}
	chosen[c] = a
	return hypothesis{chosen, h.odds * a.odds}
}

// supposes reports whether a hypothesis has a bet of which nobody knows the amount: findings
// are weighed by it, and it is not told.
func (h hypothesis) supposes() bool {
	for c := range h.chosen {
		if c.kind == supposedBet {
			return true
		}
	}
	return false
}

// key tells hypotheses apart.
func (h hypothesis) key() string {
	var b strings.Builder
	for _, c := range slices.SortedFunc(maps.Keys(h.chosen), choice.compare) {
		fmt.Fprintln(&b, c, h.chosen[c])
	}
	return b.String()
}
