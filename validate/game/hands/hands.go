// Package hands values poker hands: of two to five cards, of packs of 52, 32
// and 28, with or without joker. How combinations rank is data (Spec), so that
// each game and norm brings its own order. Suits never break a tie.
package hands

import (
	"errors"
	"fmt"

	"vision/internal/card"
)

// Spec says what combinations a game knows and how they rank.
type Spec struct {
	Size   int        `yaml:"size" json:"size"`                       // cards of a hand, 2 to 5
	Order  []Category `yaml:"order" json:"order"`                     // combinations from the lowest to the highest; a hand without any other is the first
	Lowest int        `yaml:"lowest" json:"lowest,omitempty"`         // lowest rank of the pack: 2 (or 0), 7, 8
	AceLow bool       `yaml:"ace_low" json:"ace_low"`                 // the ace also stands below the lowest rank in a straight
	Second bool       `yaml:"ace_low_second" json:"second,omitempty"` // the ace-low straight is the second highest, not the lowest
	Joker  bool       `yaml:"joker" json:"joker,omitempty"`           // the joker of pai gow is in the pack
}

// Ranking values hands by a Spec. It is never changed after New.
type Ranking struct {
	size     int
	lowest   int
	aceLow   bool
	second   bool
	joker    bool
	nothing  Category
	strength [categories]uint8 // 0: the game does not know it
}

// New makes the ranking of a Spec.
func New(s Spec) (*Ranking, error) {
	r := &Ranking{size: s.Size, lowest: s.Lowest, aceLow: s.AceLow, second: s.Second, joker: s.Joker}
	if r.lowest == 0 {
		r.lowest = 2
	}
	switch {
	case s.Size < 2 || s.Size > 5:
		return nil, fmt.Errorf("size %d: a hand has two to five cards", s.Size)
	case r.lowest < 2 || r.lowest > 9:
		return nil, fmt.Errorf("lowest %d: the lowest rank of a pack is 2 to 9", s.Lowest)
	case len(s.Order) == 0:
		return nil, errors.New("order: list the combinations from the lowest to the highest")
	}
	r.nothing = s.Order[0]
	for i, c := range s.Order {
		if c == None || c >= categories || r.strength[c] != 0 {
			return nil, fmt.Errorf("order: %q stands twice or is no combination", c)
		}
		r.strength[c] = uint8(i + 1)
	}
	return r, nil
}

// Size is the number of cards of a hand.
func (r *Ranking) Size() int { return r.size }

// Has tells whether the pack holds a card.
func (r *Ranking) Has(c card.Card) bool {
	if c == card.Joker {
		return r.joker
	}
	return c.French() && high(c) >= r.lowest
}

// Value is the worth of exactly Size cards of the pack; 0 where they are fewer
// or more, or one of them is unseen or not of the pack.
func (r *Ranking) Value(cards []card.Card) Value {
	if len(cards) != r.size {
		return 0
	}
	jokers := 0
	for _, c := range cards {
		if !r.Has(c) {
			return 0
		}
		if c == card.Joker {
			jokers++
		}
	}
	switch jokers {
	case 0:
		return r.value(cards)
	case 1:
		return r.wild(cards)
	}
	return 0
}

// Hand is a hand chosen from more cards.
type Hand struct {
	Value Value
	Cards []card.Card // in the order in which they were given
}

// Best is the best hand of Size cards out of cards. Where several are equal it
// is the one that takes the earlier cards; the zero Hand where there is none.
func (r *Ranking) Best(cards []card.Card) Hand {
	return r.BestOf(cards, nil, -1)
}

// BestOf is the best hand with exactly from of the own cards and the rest from
// the common ones; -1 lets it take as many of each as it likes.
func (r *Ranking) BestOf(own, common []card.Card, from int) Hand {
	all := make([]card.Card, 0, 16)
	all = append(append(all, own...), common...)
	var pick, chosen [5]card.Card
	var best Value
	var choose func(k, next, mine int)
	choose = func(k, next, mine int) {
		if k == r.size {
			if v := r.Value(pick[:k]); (from < 0 || mine == from) && v > best {
				best, chosen = v, pick
			}
			return
		}
		for i := next; i <= len(all)-(r.size-k); i++ {
			pick[k] = all[i]
			m := mine
			if i < len(own) {
				m++
			}
			choose(k+1, i+1, m)
		}
	}
	choose(0, 0, 0)
	if best == 0 {
		return Hand{}
	}
	return Hand{best, append([]card.Card(nil), chosen[:r.size]...)}
}

// high is a rank with the ace on top: 2 to 14.
func high(c card.Card) int {
	if n := c.Number(); n != 1 {
		return n
	}
	return 14
}
