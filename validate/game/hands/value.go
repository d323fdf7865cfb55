package hands

import "vision/internal/card"

// shape is what a hand's ranks and suits look like.
type shape struct {
	n      int
	ranks  [5]uint8 // grouped: by how often a rank is there, then by rank, downwards
	sorted [5]uint8 // every card's rank downwards
	groups [2]uint8 // how often the two most frequent ranks are there
	top    uint8    // head of the straight; 0: none
	suited bool
}

// value is the worth of cards of the pack without joker.
func (r *Ranking) value(cards []card.Card) Value {
	var count [16]uint8
	suited := true
	for _, c := range cards {
		count[high(c)]++
		suited = suited && (c-1)/13 == (cards[0]-1)/13
	}
	return r.worth(&count, len(cards), suited)
}

// worth is the value of a hand given by how often each rank is in it.
func (r *Ranking) worth(count *[16]uint8, n int, suited bool) Value {
	s := shape{n: n, suited: suited}
	s.group(count)
	if s.groups[0] == 1 {
		s.top = r.straight(&s.sorted, n)
	}
	c := r.best(&s)
	v := Value(r.strength[c])<<28 | Value(c)<<24
	switch c {
	case Escalera, EscaleraColor, EscaleraReal:
		return v | Value(s.top)<<16
	case Figuras:
		s.figuras()
	}
	for k, rank := range s.ranks[:n] { // each rank once; zeros follow
		v |= Value(rank) << (16 - 4*k)
	}
	return v
}

// group fills ranks, sorted and groups.
func (s *shape) group(count *[16]uint8) {
	k, j := 0, 0
	for rank := 14; rank >= 2; rank-- {
		for range count[rank] {
			s.sorted[k] = uint8(rank)
			k++
		}
	}
	g := 0
	for times := uint8(5); times >= 1; times-- {
		for i := 0; i < s.n; i += int(count[s.sorted[i]]) {
			if count[s.sorted[i]] != times {
				continue
			}
			if g < 2 {
				s.groups[g] = times
				g++
			}
			s.ranks[j] = s.sorted[i]
			j++
		}
	}
}

// figuras writes the higher pair and then every other card downwards.
func (s *shape) figuras() {
	pair, k := s.ranks[0], 1
	left := 2
	for _, rank := range s.sorted[:s.n] {
		if rank == pair && left > 0 {
			left--
			continue
		}
		s.ranks[k] = rank
		k++
	}
}

// straight is the head of the straight that n different ranks make; 0: none.
func (r *Ranking) straight(sorted *[5]uint8, n int) uint8 {
	first, last := sorted[0], sorted[n-1]
	if int(first-last) == n-1 {
		if r.second && first == 14 {
			return 15
		}
		return first
	}
	if r.aceLow && first == 14 && int(last) == r.lowest && int(sorted[1]) == r.lowest+n-2 {
		if r.second {
			return 14
		}
		return sorted[1]
	}
	return 0
}

// best is the strongest combination of the game that a shape makes.
func (r *Ranking) best(s *shape) Category {
	best := r.nothing
	take := func(c Category, is bool) {
		if is && r.strength[c] > r.strength[best] {
			best = c
		}
	}
	if s.groups[0] > 1 {
		two := s.groups[0] == 2 && s.groups[1] == 2
		take(Pareja, true)
		take(DoblePareja, two)
		take(Figuras, s.groups[0] == 2 && s.n == 5 && s.sorted[4] >= 11)
		take(Trio, s.groups[0] >= 3)
		take(Full, s.groups[0] == 3 && s.groups[1] == 2)
		take(Poquer, s.groups[0] >= 4)
		take(CincoAses, s.groups[0] == 5)
		return best
	}
	take(Escalera, s.top > 0)
	take(Color, s.suited)
	take(EscaleraColor, s.suited && s.top > 0)
	take(EscaleraReal, s.suited && s.top >= 14 && int(s.sorted[s.n-1]) == 15-s.n)
	return best
}

// wild is the worth of a hand with the joker: an ace, or the card that
// completes a straight or a flush; whatever is best.
func (r *Ranking) wild(cards []card.Card) Value {
	var count [16]uint8
	suit, suited, distinct := -1, true, true
	for _, c := range cards {
		if c == card.Joker {
			continue
		}
		if suit < 0 {
			suit = int(c-1) / 13
		}
		suited = suited && int(c-1)/13 == suit
		distinct = distinct && count[high(c)] == 0
		count[high(c)]++
	}
	count[14]++
	best := r.worth(&count, len(cards), false)
	count[14]--
	if !distinct {
		return best
	}
	for rank := r.lowest; rank <= 14; rank++ {
		if count[rank] > 0 {
			continue // that would be a pair
		}
		count[rank]++
		v := r.worth(&count, len(cards), suited)
		count[rank]--
		switch v.Category() {
		case Escalera, Color, EscaleraColor, EscaleraReal:
			best = max(best, v)
		}
	}
	return best
}

// Low is the worth of five cards as a low hand, eight or better: five
// different ranks of at most eight, the ace 1, straights and flushes ignored.
// The smaller is the better; 0 is no low hand. Its nibbles are the ranks from
// the highest down: 0x85321 is 8-5-3-2-A.
func Low(cards []card.Card) uint32 {
	var has uint16
	for _, c := range cards {
		n := c.Number()
		if !c.French() || n > 8 || has>>n&1 == 1 {
			return 0
		}
		has |= 1 << n
	}
	if len(cards) != 5 {
		return 0
	}
	var v uint32
	for n := 8; n >= 1; n-- {
		if has>>n&1 == 1 {
			v = v<<4 | uint32(n)
		}
	}
	return v
}
