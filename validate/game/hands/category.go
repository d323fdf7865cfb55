package hands

import (
	"fmt"
	"slices"
)

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
