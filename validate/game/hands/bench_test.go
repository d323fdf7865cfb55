package hands

import (
	"math/rand/v2"
	"testing"

	"github.com/chehsunliu/poker"

	"vision/internal/card"
)

// dealings are random hands of n cards, written for us and for the other library.
func dealings(b *testing.B, n int) (ours [][]card.Card, theirs [][]poker.Card) {
	b.Helper()
	r := rand.New(rand.NewPCG(7, uint64(n)))
	for range 1024 {
		var one []card.Card
		var other []poker.Card
		for _, k := range r.Perm(52)[:n] {
			c := card.Card(k + 1)
			one = append(one, c)
			other = append(other, poker.NewCard(c.String()))
		}
		ours, theirs = append(ours, one), append(theirs, other)
	}
	return ours, theirs
}

// BenchmarkHands compares the worth of five and of seven cards with a library
// that does nothing else. Theirs knows one order of combinations; ours is made
// by data of the rulebook, and says which cards it took.
func BenchmarkHands(b *testing.B) {
	r := mustNew(b, Spec{Size: 5, Order: five, AceLow: true})
	for _, n := range []int{5, 7} {
		ours, theirs := dealings(b, n)
		name := map[int]string{5: "five", 7: "seven"}[n]
		worth := func(c []card.Card) Value { return r.Best(c).Value }
		if n == 5 {
			worth = r.Value
		}
		b.Run(name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if worth(ours[i%1024]) == 0 {
					b.Fatal("no hand")
				}
			}
		})
		b.Run(name+"/theirs", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if poker.Evaluate(theirs[i%1024]) == 0 {
					b.Fatal("no hand")
				}
			}
		})
	}
}

// TestSameOrder: ours and theirs rank any two hands of seven alike.
func TestSameOrder(t *testing.T) {
	r := mustNew(t, Spec{Size: 5, Order: five, AceLow: true})
	rnd := rand.New(rand.NewPCG(1, 2))
	deal := func() ([]card.Card, []poker.Card) {
		var one []card.Card
		var other []poker.Card
		for _, k := range rnd.Perm(52)[:7] {
			one = append(one, card.Card(k+1))
			other = append(other, poker.NewCard(card.Card(k+1).String()))
		}
		return one, other
	}
	for range 20000 {
		a, x := deal()
		b, y := deal()
		va, vb := r.Best(a).Value, r.Best(b).Value
		px, py := poker.Evaluate(x), poker.Evaluate(y) // the lower the better
		if (va > vb) != (px < py) || (va == vb) != (px == py) {
			t.Fatalf("%v %x, %v %x; theirs %d, %d", a, va, b, vb, px, py)
		}
		if best := r.Best(a).Value; best != va {
			t.Fatalf("%v: best %x, strongest %x", a, best, va)
		}
	}
}
