package hands

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/card"
)

// naive is the worth of five cards by counting alone, written from the norms' words
// and not from this package: how strong the combination is, then the ranks that decide.
func naive(order []Category, lowest int, cards []card.Card) []int {
	var ranks []int
	times := map[int]int{}
	flush := true
	for _, c := range cards {
		n := c.Number()
		if n == 1 {
			n = 14
		}
		ranks = append(ranks, n)
		times[n]++
		flush = flush && c.Suit() == cards[0].Suit()
	}
	slices.SortFunc(ranks, func(a, b int) int { return cmp.Or(times[b]-times[a], b-a) })
	top := 0
	switch low := []int{14, lowest + 3, lowest + 2, lowest + 1, lowest}; {
	case len(times) == 5 && ranks[0]-ranks[4] == 4:
		top = ranks[0]
	case slices.Equal(ranks, low):
		top = lowest + 3
	}
	pairs, most := 0, times[ranks[0]]
	for _, n := range times {
		if n == 2 {
			pairs++
		}
	}
	is := order[0]
	switch courts := slices.Min(ranks) > 10 && slices.Contains(order, Figuras); {
	case flush && top == 14:
		is = EscaleraReal
	case flush && top > 0:
		is = EscaleraColor
	case most == 4:
		is = Poquer
	case most == 3 && pairs == 1:
		is = Full
	case flush:
		is = Color
	case top > 0:
		is = Escalera
	case most == 3:
		is = Trio
	case pairs > 0 && courts:
		is = Figuras
		slices.SortFunc(ranks[2:], func(a, b int) int { return b - a })
	case pairs == 2:
		is = DoblePareja
	case pairs == 1:
		is = Pareja
	}
	if top > 0 {
		ranks = []int{top}
	}
	return append([]int{slices.Index(order, is)}, ranks...)
}

// naiveBest is the best of all fives, with exactly from own cards unless that is -1.
func naiveBest(order []Category, lowest, from int, own, common []card.Card) (best []int) {
	all := slices.Concat(own, common)
	for mask := range 1 << len(all) {
		var five []card.Card
		mine := 0
		for k, c := range all {
			if mask>>k&1 == 1 {
				five = append(five, c)
				if k < len(own) {
					mine++
				}
			}
		}
		if len(five) == 5 && (from < 0 || mine == from) {
			if v := naive(order, lowest, five); slices.Compare(v, best) > 0 {
				best = v
			}
		}
	}
	return best
}

// naiveLow is the lowest hand of eight or better out of two own and three common cards,
// from its highest rank down; nil where there is none.
func naiveLow(own, common []card.Card) (best []int) {
	for mask := range 1 << (len(own) + len(common)) {
		ranks := map[int]bool{}
		mine, theirs := 0, 0
		for k, c := range slices.Concat(own, common) {
			if mask>>k&1 == 0 {
				continue
			}
			ranks[c.Number()] = c.Number() <= 8
			if k < len(own) {
				mine++
			} else {
				theirs++
			}
		}
		var low []int
		for n := 8; n > 0; n-- {
			if ranks[n] {
				low = append(low, n)
			}
		}
		if mine == 2 && theirs == 3 && len(ranks) == 5 && len(low) == 5 && (best == nil || slices.Compare(low, best) < 0) {
			best = low
		}
	}
	return best
}

// TestAgainstCounting: whoever has the better hand has it by counting, too, in every
// way in which the games put hands together: any five of seven, exactly two own cards,
// packs of 52, 32 and 28, flushes above full houses, figuras, and low hands.
func TestAgainstCounting(t *testing.T) {
	long := append([]Category{CartaMayor}, five[1:]...)
	figs := slices.Insert(slices.Clone(long), slices.Index(long, Trio), Figuras)
	for _, g := range []struct {
		name                string
		order               []Category
		lowest, own, common int
		from                int
	}{
		{"hold'em", long, 2, 2, 5, -1}, {"Omaha", long, 2, 4, 5, 2}, {"Omaha of five", long, 2, 5, 5, 2}, {"seven stud", long, 2, 7, 0, -1},
		{"draw, 52", figs, 2, 5, 0, -1}, {"draw, 32", short, 7, 5, 0, -1}, {"sintético", short, 8, 2, 5, 2}, {"sintètic", short, 8, 2, 5, -1},
	} {
		r := mustNew(t, Spec{Size: 5, Order: g.order, Lowest: g.lowest, AceLow: true})
		var pack []card.Card
		for c := card.Card(1); c <= 52; c++ {
			if r.Has(c) {
				pack = append(pack, c)
			}
		}
		t.Run(g.name, rapid.MakeCheck(func(t *rapid.T) {
			// six ranks in a row before all others: straights, the lowest too, and equal hands
			from := rapid.IntRange(g.lowest-1, 10).Draw(t, "ranks from")
			inRow := func(c card.Card) int {
				if n := High(c); n >= from && n < from+6 || n == 14 && from < g.lowest {
					return 0
				}
				return 1
			}
			cards := rapid.Permutation(pack).Draw(t, "cards")
			if rapid.IntRange(0, 3).Draw(t, "any") > 0 {
				slices.SortStableFunc(cards, func(a, b card.Card) int { return inRow(a) - inRow(b) })
			}
			common, a, b := cards[:g.common], cards[g.common:g.common+g.own], cards[g.common+g.own:g.common+2*g.own]
			x, y := r.BestOf(a, common, g.from), r.BestOf(b, common, g.from)
			nx, ny := naiveBest(g.order, g.lowest, g.from, a, common), naiveBest(g.order, g.lowest, g.from, b, common)
			if cmp.Compare(x.Value, y.Value) != slices.Compare(nx, ny) || g.order[nx[0]] != x.Value.Category() {
				t.Fatalf("%v | %v: %v %v\n%v | %v: %v %v", a, common, x, nx, b, common, y, ny)
			}
			if g.own != 4 {
				return
			}
			low, _ := BestLow(a, common)
			want := uint32(0)
			for _, n := range naiveLow(a, common) {
				want = want<<4 | uint32(n)
			}
			if low != want {
				t.Fatalf("%v | %v: low %x, want %x", a, common, low, want)
			}
		}))
	}
}
