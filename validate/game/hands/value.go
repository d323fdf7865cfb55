package hands

import (
	"fmt"
	"math/bits"
	"slices"

	"vision/internal/card"
)

// face is what a card adds to a tally: the bit of its rank (2 to 14), in each of
// four lanes of sixteen bits, and the bits of the suits that it is not of; of no
// suit at all where it is not of the pack of 52.
type face struct {
	lanes uint64
	not   uint8
}

// inLanes is the bit of a rank in every lane.
func inLanes(rank int) uint64 { return 0x0001_0001_0001_0001 << rank }

// strange marks a tally with a card that is not of the pack of 52.
const strange = 1 << 7

var faces = func() (f [256]face) {
	for c := range f {
		f[c].not = strange
	}
	for c := card.Card(1); c <= 52; c++ {
		f[c] = face{inLanes(high(c)), 15 &^ (1 << ((c - 1) / 13))}
	}
	return f
}()

// tally is what a hand looks like: in its lanes the ranks that are there, those
// there twice or more, three times, four times; and the suits that not all of
// its cards have.
type tally struct {
	lanes uint64
	not   uint8
}

func (t tally) with(f face) tally {
	return tally{t.lanes | t.lanes<<16&f.lanes | f.lanes&0xffff, t.not | f.not}
}

func (t tally) once() uint16   { return uint16(t.lanes) }
func (t tally) twice() uint16  { return uint16(t.lanes >> 16) }
func (t tally) thrice() uint16 { return uint16(t.lanes >> 32) }
func (t tally) four() uint16   { return uint16(t.lanes >> 48) }

// suited reports whether all cards are of one suit.
func (t tally) suited() bool { return t.not&15 != 15 }

// down lists the ranks of a set downwards, four bits each, the first at bit 16.
var down = func() (list [1 << 13]uint32) {
	for set := range list {
		shift := 16
		for m := uint(set); m != 0 && shift >= 0; shift -= 4 {
			top := bits.Len(m) - 1
			list[set] |= uint32(top+2) << shift
			m &^= 1 << top
		}
	}
	return list
}()

// shape is a sort of hand; what a game calls it is the matter of its Ranking.
type shape uint8

const (
	apart shape = iota
	inRow
	suited
	suitedRow
	royal
	onePair
	twoPairs
	courtPair  // one pair, and no card below the jack
	courtPairs // two of them
	triple
	fullHouse
	fourAlike
	fiveAlike
	shapes
)

// names are the combinations that a shape makes.
var names = [shapes][]Category{
	inRow: {Escalera}, suited: {Color}, suitedRow: {Escalera, Color, EscaleraColor},
	royal: {Escalera, Color, EscaleraColor, EscaleraReal}, onePair: {Pareja}, twoPairs: {Pareja, DoblePareja},
	courtPair: {Pareja, Figuras}, courtPairs: {Pareja, DoblePareja, Figuras}, triple: {Pareja, Trio},
	fullHouse: {Pareja, Trio, Full}, fourAlike: {Pareja, Trio, Poquer}, fiveAlike: {Pareja, Trio, Poquer, CincoAses},
}

// title is the strongest combination that a shape makes in a game, as the head
// of a value.
func (r *Ranking) title(s shape) Value {
	best := r.nothing
	for _, c := range names[s] {
		if r.strength[c] > r.strength[best] {
			best = c
		}
	}
	return Value(r.strength[best])<<28 | Value(best)<<24
}

// worth is the value of a tally of Size cards.
func (r *Ranking) worth(t tally) Value {
	if t.twice() == 0 {
		return r.worthApart(t)
	}
	if pair := t.twice(); pair&(pair-1) == 0 && t.thrice() == 0 {
		return r.pairTitle(t) | Value(down[pair>>2]|down[(t.once()&^pair)>>2]>>4)
	}
	return r.worthGrouped(t)
}

// low are the ranks below the jack.
const low = 1<<11 - 1

// pairTitle is the head of a pair's value; with no card below the jack it may have a name of its own.
func (r *Ranking) pairTitle(t tally) Value {
	if r.size == 5 && t.once()&low == 0 {
		return r.titles[courtPair]
	}
	return r.titles[onePair]
}

// worthGrouped is the worth of two pairs and of everything with three alike or more.
func (r *Ranking) worthGrouped(t tally) Value {
	s := twoPairs
	second := t.twice()&(t.twice()-1) != 0
	switch {
	case t.four() != 0:
		s = fourAlike
	case t.thrice() != 0 && second:
		s = fullHouse
	case t.thrice() != 0:
		s = triple
	case r.size == 5 && t.once()&low == 0:
		if v := r.titles[courtPairs]; v.Category() == Figuras {
			return v | courts(t)
		}
	}
	return r.titles[s] | grouped(t)
}

// courts compares two pairs of figuras: the higher pair, then every other card downwards.
func courts(t tally) Value {
	first := bits.Len16(t.twice()) - 1
	second := bits.Len16(t.twice()&^(1<<first)) - 1
	odd := bits.Len16(t.once()&^t.twice()) - 1
	if odd > second {
		return Value(first<<16 | odd<<12 | second<<8 | second<<4)
	}
	return Value(first<<16 | second<<12 | second<<8 | odd<<4)
}

// grouped lists each rank once: by how often it is there, then downwards.
func grouped(t tally) Value {
	one, two, three, four := t.once(), t.twice(), t.thrice(), t.four()
	v, shift := down[four>>2], 4*bits.OnesCount16(four)
	v |= down[(three&^four)>>2] >> shift
	shift = 4 * bits.OnesCount16(three)
	v |= down[(two&^three)>>2] >> shift
	shift = 4 * bits.OnesCount16(two)
	return Value(v | down[(one&^two)>>2]>>shift)
}

// worthApart is the worth of cards of different ranks.
func (r *Ranking) worthApart(t tally) Value {
	top := r.straight(t.once())
	s := apart
	switch {
	case top > 0 && t.suited() && t.once() == r.highest:
		s = royal
	case top > 0 && t.suited():
		s = suitedRow
	case top > 0:
		s = inRow
	case t.suited():
		s = suited
	}
	v := r.titles[s]
	switch v.Category() {
	case Escalera, EscaleraColor, EscaleraReal:
		return v | Value(top)<<16
	}
	return v | Value(down[t.once()>>2])
}

// straight is the head of the straight that Size different ranks make; 0: none.
func (r *Ranking) straight(once uint16) uint8 {
	low := once & -once
	top := uint8(bits.Len16(once) - 1)
	switch {
	case once == low<<r.size-low:
		if r.second && top == 14 {
			return 15
		}
		return top
	case r.aceLow && once == r.wheel:
		if r.second {
			return 14
		}
		return uint8(r.lowest + r.size - 2)
	}
	return 0
}

// wild is the worth of a hand with the joker: an ace, or the card that
// completes a straight or a flush; whatever is best.
func (r *Ranking) wild(cards []card.Card) Value {
	var t tally
	for _, c := range cards {
		if c != card.Joker {
			t = t.with(faces[c])
		}
	}
	if t.four()>>14&1 == 1 {
		return r.titles[fiveAlike] | grouped(t)
	}
	best := r.worth(t.with(face{inLanes(14), 15}))
	if t.twice() != 0 {
		return best
	}
	for rank := r.lowest; rank <= 14; rank++ {
		if t.once()>>rank&1 == 1 {
			continue // that would be a pair
		}
		switch v := r.worth(t.with(face{inLanes(rank), t.not})); v.Category() {
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

// Category is a named combination of cards.
type Category uint8

// The combinations. Their order in strength is the matter of a Spec.
const (
	None Category = iota
	CartaAlta
	CartaMayor // the same under the circle games' name
	Pareja
	DoblePareja
	Figuras // five of A K Q J that make a pair or two
	Trio
	Escalera
	Color
	Full
	Poquer
	EscaleraColor
	EscaleraReal
	CincoAses // four aces and the joker
	categories
)

var categoryNames = [categories]string{"", "carta_alta", "carta_mayor", "pareja", "doble_pareja", "figuras", "trio",
	"escalera", "color", "full", "poquer", "escalera_color", "escalera_real", "cinco_ases"}

// String is the code of the round record, "doble_pareja"; "" for None.
func (c Category) String() string { return categoryNames[c] }

// Names are the codes of all combinations, the weakest first.
func Names() []string { return slices.Clone(categoryNames[CartaAlta:]) }

// ParseCategory reads what String writes.
func ParseCategory(s string) (Category, error) {
	if k := slices.Index(categoryNames[CartaAlta:], s); k >= 0 {
		return CartaAlta + Category(k), nil
	}
	return None, fmt.Errorf("combination %q: want one like pareja, escalera_color", s)
}

// MarshalText writes the code.
func (c Category) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the code.
func (c *Category) UnmarshalText(b []byte) error {
	v, err := ParseCategory(string(b))
	*c = v
	return err
}

// Value is the worth of a hand: of two values of one Ranking (or of the two
// hands of pai gow) the greater is the better hand, equal ones tie. The zero
// value is no hand. From the highest bits down: strength of the category, the
// category, then the ranks that decide, four bits each (ace 14, or 15 at the
// head of a straight that has the ace-low one next to it).
type Value uint32

// Category is the hand's combination.
func (v Value) Category() Category { return Category(v >> 24 & 15) }

// Rank is the k-th rank that decides (0 the first); 0 where there is none.
func (v Value) Rank(k int) int {
	if k < 0 || k > 4 {
		return 0
	}
	return int(v >> (16 - 4*k) & 15)
}

// Make is the value of a category with the ranks that decide, for thresholds:
// Make(CartaAlta, 14, 13) is the least hand with ace and king.
func (r *Ranking) Make(c Category, ranks ...int) Value {
	v := Value(r.strength[c])<<28 | Value(c)<<24
	for k, n := range ranks[:min(len(ranks), 5)] {
		v |= Value(n&15) << (16 - 4*k)
	}
	return v
}
