package poker

import (
	"cmp"
	"slices"

	"vision/internal/card"
)

// shape is what a hand's cards have in common.
type shape struct {
	ranks  []int // the highest first
	groups []int // how many cards there are of each rank, the largest group first
	by     []int // the ranks, the largest group first and the higher rank first
	suited bool
	top    int // twice the rank of a straight's highest card; 0 for no straight
	royal  bool
}

func shapeOf(r Ranking, cards []card.Card) shape {
	s := shape{ranks: Ranks(cards), suited: true}
	count := map[int]int{}
	for _, c := range cards {
		count[Rank(c)]++
		s.suited = s.suited && c.Suit() == cards[0].Suit()
	}
	for rank := range count {
		s.by = append(s.by, rank)
	}
	slices.SortFunc(s.by, func(a, b int) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(b, a)) })
	for _, rank := range s.by {
		s.groups = append(s.groups, count[rank])
	}
	s.top = r.straight(s.ranks)
	s.royal = s.top == 2*Ace
	return s
}

// straight is twice the rank of the highest card of a straight; 0 where the ranks,
// the highest first, are none. Where the wheel is the second highest, it stands
// between the ace's and the king's.
func (r Ranking) straight(ranks []int) int {
	if follow(ranks) {
		return 2 * ranks[0]
	}
	rest := ranks[1:]
	if !r.LowAce || ranks[0] != Ace || !follow(rest) || rest[len(rest)-1] != r.Lowest {
		return 0
	}
	if r.WheelSecond {
		return 2*Ace - 1
	}
	return 2 * rest[0]
}

func follow(ranks []int) bool {
	for i, rank := range ranks {
		if rank != ranks[0]-i {
			return false
		}
	}
	return true
}

// is reports whether the cards are of a category, and what decides between two hands
// of it: the ranks of what makes it, then all others (the norms print the first
// steps of this; suits never count).
func (s shape) is(c Category) (detail []int, ok bool) {
	same := func(groups ...int) bool {
		return len(s.groups) >= len(groups) && slices.Equal(s.groups[:len(groups)], groups)
	}
	switch c {
	case CincoAses:
		return nil, same(5) && s.by[0] == Ace
	case EscaleraReal:
		return nil, s.suited && s.royal
	case EscaleraColor:
		return []int{s.top}, s.suited && s.top > 0
	case Poquer:
		return s.by, same(4)
	case Full:
		return s.by, same(3, 2)
	case Color:
		return s.ranks, s.suited
	case Escalera:
		return []int{s.top}, s.top > 0
	case Trio:
		return s.by, same(3)
	case Figuras:
		return s.figures()
	case DoblePareja:
		return s.by, same(2, 2)
	case Pareja:
		return s.by, same(2)
	case CartaAlta, CartaMayor:
		return s.ranks, true
	}
	return nil, false
}

// figures are five court cards with the ace among them: the higher pair decides,
// then the highest of the other cards (andalucia-2010 I.1.10 VI.1.h, 2.f, L5232-5284).
func (s shape) figures() (detail []int, ok bool) {
	if slices.Min(s.ranks) < 11 || s.groups[0] != 2 {
		return nil, false
	}
	rest := slices.DeleteFunc(slices.Clone(s.ranks), func(rank int) bool { return rank == s.by[0] })
	return append([]int{s.by[0]}, rest...), true
}
