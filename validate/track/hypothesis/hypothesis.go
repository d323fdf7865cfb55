// Package hypothesis owns the choices to which the narration of a scene comes, their
// alternatives, the hypotheses that fix some of them, and the priors.
package hypothesis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/track/scene"
)

// A narration is a program with choices: what a reading shows, on which side of the
// closing a movement lies, what was done under hands. A hypothesis fixes some of them; at
// every other the likeliest alternative is taken. Which choices there are is known only
// by narrating, and an alternative may lead to choices that the likeliest does not.

// Kind of choice, in the order in which a narration comes to them: an alternative may
// open choices of later kinds only.
type Kind uint8

// The kinds of choice.
const (
	CameAbout     Kind = iota // when something happened; item: of the first that was seen with it
	TakenAway                 // when cards were taken; item: the track of the first
	CardRead                  // what a card shows; item: its track
	DealtFirst                // which of two cards seen at once; item: of the second
	DealtUnder                // whether hands dealt what they took up; item: the track of the last card seen there
	TurnedUnder               // whether hands turned a card that they dealt; item: its track
	KnockedOver               // whether a pile fell that is lower; item: of the first count of it
	ChipsCounted              // what an item's chips are worth
	SupposedBet               // whether a place whose chips were never counted holds a bet
	UnseenBet                 // whether a pot grew by a bet that was swept under the hands that laid it; item: of the pot
	DiceRead                  // the faces of an item's throw
	DieLies                   // whether a die of an item's throw lies on chips that nobody knows of
	SpokenOf                  // whether a call speaks of what lay there or of what came next; item: of the call
	SideOfClosing             // whether a movement was made in time; item: of the movement
	UnderHands                // what was done with the chips of a place while hands lay over it
	PushedFor                 // for which bets two payments of the same amount are; item: of the pair
	PaidFor                   // for which bet a payment is that fits none
)

// Choice names one choice of a narration.
type Choice struct {
	Kind  Kind
	Item  int
	Place scene.Place
}

// Compare orders choices as a narration comes to them.
func (c Choice) Compare(o Choice) int {
	return cmp.Or(cmp.Compare(c.Kind, o.Kind), cmp.Compare(c.Item, o.Item), c.Place.Compare(o.Place))
}

// Alternative is something else than the likeliest at a choice, with its odds against it.
type Alternative struct {
	Odds  float64
	By    Prior       // by which it has its odds, or a share of them; "" by its reading
	Card  card.Card   // of CardRead; card.Unseen: nobody knows
	Total money.Cents // of ChipsCounted and SupposedBet
	Faces []int       // of DiceRead
	Spot  string      // of PaidFor
	At    time.Time   // of CameAbout and TakenAway
}

// Hypothesis fixes choices. The likeliest fixes none.
type Hypothesis struct {
	Chosen map[Choice]Alternative
	Odds   float64
}

// Likeliest is the hypothesis that fixes nothing.
var Likeliest = Hypothesis{Odds: 1}

// With is the hypothesis that fixes one choice more.
func (h Hypothesis) With(c Choice, a Alternative) Hypothesis {
	chosen := maps.Clone(h.Chosen)
	if chosen == nil {
		chosen = map[Choice]Alternative{}
	}
	chosen[c] = a
	return Hypothesis{chosen, h.Odds * a.Odds}
}

// Beyond is the choice that a hypothesis fixes more than another.
func (h Hypothesis) Beyond(other Hypothesis) (c Choice) {
	for c = range h.Chosen {
		if _, both := other.Chosen[c]; !both {
			break
		}
	}
	return c
}

// Supposes reports whether a hypothesis has a bet of which nobody knows the amount: findings
// are weighed by it, and it is not recorded.
func (h Hypothesis) Supposes() bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(h.Chosen)), func(c Choice) bool { return c.Kind == SupposedBet })
}

// Key names a hypothesis: those that fix the same have the same.
func (h Hypothesis) Key() string {
	var b strings.Builder
	for _, c := range slices.SortedFunc(maps.Keys(h.Chosen), Choice.Compare) {
		a := h.Chosen[c]
		fmt.Fprintln(&b, c, a.Odds, uint64(a.Card), int64(a.Total), a.Faces, a.Spot, a.At.Unix(), a.At.Nanosecond())
	}
	return b.String()
}
