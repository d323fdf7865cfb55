// Package hands values poker hands: of two to five cards, of packs of 52, 32
// and 28, with or without joker. How combinations rank is data (Spec), so that
// each game and norm brings its own order. Suits never break a tie.
package hands

import (
	"cmp"
	"errors"
	"fmt"

	"vision/internal/card"
)

// Spec says what combinations a game knows and how they rank.
type Spec struct {
	Size int `yaml:"size" json:"size"` // cards of a hand, 2 to 5
	// Combinations from the lowest to the highest; a hand without any other is the first
	Order  []Category `yaml:"order" json:"order"`
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

	titles  [shapes]Value // head of the value of each shape
	pack    uint16        // ranks of the pack
	highest uint16        // the highest Size ranks
	wheel   uint16        // the ace with the lowest ranks
}

// New makes the ranking of a Spec.
func New(s Spec) (*Ranking, error) {
	r := &Ranking{size: s.Size, lowest: s.Lowest, aceLow: s.AceLow, second: s.Second, joker: s.Joker}
	r.lowest = cmp.Or(r.lowest, 2)
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
	for k := range r.titles {
		r.titles[k] = r.title(shape(k))
	}
	r.pack = 1<<15 - 1<<r.lowest
	r.highest = 1<<15 - 1<<(15-r.size)
	r.wheel = 1<<14 | (1<<(r.size-1)-1)<<r.lowest
	return r, nil
}

// Size is the number of cards of a hand.
func (r *Ranking) Size() int { return r.size }

// Has reports whether the pack holds a card.
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
	var t tally
	for _, c := range cards {
		t = t.with(faces[c])
	}
	if t.not&strange != 0 || t.once()&^r.pack != 0 {
		return r.odd(cards)
	}
	return r.worth(t)
}

// odd is the worth of cards of which one is not an ordinary card of the pack:
// with one joker where the game has it, else nothing.
func (r *Ranking) odd(cards []card.Card) Value {
	jokers := 0
	for _, c := range cards {
		if !r.Has(c) {
			return 0
		}
		if c == card.Joker {
			jokers++
		}
	}
	if jokers != 1 {
		return 0
	}
	return r.wild(cards)
}

// Hand is a hand chosen from more cards.
type Hand struct {
	Value Value
	Cards []card.Card // in the order in which they were given
}

// Best is the best hand of Size cards out of cards. Where several are equal it
// is the one that takes the earlier cards; the zero Hand where there is none.
func (r *Ranking) Best(cards []card.Card) Hand { return r.BestOf(cards, nil, -1) }

// BestOf is the best hand with exactly from of the own cards and the rest from
// the common ones; -1 lets it take as many of each as it likes.
func (r *Ranking) BestOf(own, common []card.Card, from int) Hand {
	var room [16]card.Card
	s := search{r: r, all: append(append(room[:0], own...), common...), own: len(own), from: from}
	if s.run() == 0 {
		return Hand{}
	}
	return Hand{s.best, append([]card.Card(nil), s.chosen[:r.size]...)}
}

// search goes through all hands of some cards.
type search struct {
	r      *Ranking
	all    []card.Card
	own    int // the first of them are the player's
	from   int // how many of those a hand takes; -1: any number
	best   Value
	pick   [5]card.Card
	chosen [5]card.Card
}

// run finds the best hand and its worth; 0 where there is none.
func (s *search) run() Value {
	plain := true
	for _, c := range s.all {
		plain = plain && uint16(faces[c].lanes)&s.r.pack != 0
	}
	switch {
	case plain && s.r.size == 5 && s.from < 0:
		s.fives()
	case len(s.all) >= s.r.size:
		s.choose(0, 0, 0, tally{}, plain)
	}
	return s.best
}

// fives goes through all hands of five ordinary cards, which is what most
// searches are for.
func (s *search) fives() {
	n := len(s.all)
	for a := 0; a < n; a++ {
		one := tally{}.with(faces[s.all[a]])
		for b := a + 1; b < n; b++ {
			two := one.with(faces[s.all[b]])
			for c := b + 1; c < n; c++ {
				three := two.with(faces[s.all[c]])
				for d := c + 1; d < n; d++ {
					four := three.with(faces[s.all[d]])
					for e := d + 1; e < n; e++ {
						if v := s.r.worth(four.with(faces[s.all[e]])); v > s.best {
							s.best = v
							s.chosen = [5]card.Card{s.all[a], s.all[b], s.all[c], s.all[d], s.all[e]}
						}
					}
				}
			}
		}
	}
}

// choose adds a card to the first k of a hand; plain ones need no second look.
func (s *search) choose(k, next, mine int, t tally, plain bool) {
	if k == s.r.size {
		if s.from >= 0 && mine != s.from {
			return
		}
		v := Value(0)
		if plain {
			v = s.r.worth(t)
		} else {
			v = s.r.Value(s.pick[:k])
		}
		if v > s.best {
			s.best, s.chosen = v, s.pick
		}
		return
	}
	for i := next; i <= len(s.all)-(s.r.size-k); i++ {
		s.pick[k] = s.all[i]
		m := mine
		if i < s.own {
			m++
		}
		s.choose(k+1, i+1, m, t.with(faces[s.all[i]]), plain)
	}
}

// high is a rank with the ace on top: 2 to 14.
func high(c card.Card) int {
	if n := c.Number(); n != 1 {
		return n
	}
	return 14
}
