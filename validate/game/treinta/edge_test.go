package treinta_test

import (
	"fmt"
	"sync"
	"testing"

	"vision/internal/testkit/edges"
)

// rowsOf31 is the probability that both rows of treinta y cuarenta come to 31
// out of so many packs, exactly: every multiset of the two rows by its orders.
func rowsOf31(packs int) float64 {
	const target = 31
	type state struct{ sumA, sumB, cardsA, cardsB int }
	falling := func(n, k int) float64 {
		f := 1.0
		for i := range k {
			f *= float64(n - i)
		}
		return f
	}
	factorial := func(n int) float64 { return falling(n, n) }
	now := map[state]float64{{}: 1}
	for v := 1; v <= 10; v++ {
		n := 4 * packs
		if v == 10 {
			n = 16 * packs
		}
		next := map[state]float64{}
		for s, w := range now {
			for a := 0; s.sumA+a*v <= target; a++ {
				for b := 0; s.sumB+b*v <= target && a+b <= n; b++ {
					to := state{s.sumA + a*v, s.sumB + b*v, s.cardsA + a, s.cardsB + b}
					next[to] += w * falling(n, a+b) / factorial(a) / factorial(b)
				}
			}
		}
		now = next
	}
	p := 0.0
	for s, w := range now {
		if s.sumA == target && s.sumB == target {
			p += w * factorial(s.cardsA) * factorial(s.cardsB) / falling(52*packs, s.cardsA+s.cardsB)
		}
	}
	return p
}

var both31 = sync.OnceValue(func() float64 { return rowsOf31(6) })

// figures: rows win alike often and the first card is red as often as black, so
// that only the tie at 31 takes something.
func figures(p edges.Player) map[string]float64 {
	const rows = " card negro %s; card negro Ks; card negro Kh; card negro %s; card rojo Ks; card rojo Kh; card rojo Kd; card rojo %s"
	const ties = 0.0878 // of other totals; they move nothing, and their number matters only where the odds are not even
	round := func(spot, first, negro, rojo, more string) float64 {
		return p.Wins("bet "+spot+";"+more+fmt.Sprintf(rows, first, negro, rojo), spot)
	}
	mean := func(spot, more string) float64 {
		apart := 0.0
		for _, first := range []string{"Kc", "Kd"} {
			apart += round(spot, first, "2s", "3s", more) + round(spot, first, "3s", "2s", more)
		}
		return both31()*round(spot, "Kc", "As", "Ah", more) + ties*round(spot, "Kc", "2s", "2h", more) + (1-both31()-ties)*apart/4
	}
	out := map[string]float64{}
	for _, spot := range []string{"negro", "rojo", "color", "inverso"} {
		out[spot] = mean(spot, "")
		insured := fmt.Sprintf("bet seguro:%s %d;", spot, 110)
		out["insured "+spot] = mean(spot, insured) - 0.01
	}
	// The premium itself: what lies on its spot is lost, and nothing else is taken for it.
	out["premium"] = p.Wins("bet negro; bet seguro:negro 110;"+fmt.Sprintf(rows, "Kc", "2s", "3s"), "seguro:negro")
	return out
}

// known are the figures of the game's mathematics.
func known(string) map[string]float64 {
	k := map[string]float64{}
	for _, c := range []string{"negro", "rojo", "color", "inverso"} {
		k[c], k["insured "+c] = -0.0109457, -0.01
	}
	k["premium"] = -0.01
	return k
}

var game = edges.Game{Code: "treinta_cuarenta", Figures: figures, Known: known}

func TestHouseEdges(t *testing.T) { game.Compare(t) }

// TestHouseEdgesSeeEveryOdd mistypes each odd of the shipped rulebooks in turn.
func TestHouseEdgesSeeEveryOdd(t *testing.T) {
	game.Mistyped(t)
}
