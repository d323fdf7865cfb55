package poker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vision/internal/card"
)

func cards(t *testing.T, s string) (list []card.Card) {
	t.Helper()
	for _, name := range strings.Fields(s) {
		c, err := card.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// count is how many hands of n cards of a ranking's pack are of each category.
func count(r Ranking, n int) map[Category]int {
	var pack []card.Card
	for c := card.Card(1); c <= 52; c++ {
		if Rank(c) >= r.Lowest {
			pack = append(pack, c)
		}
	}
	all := map[Category]int{}
	hand := make([]card.Card, n)
	var deal func(from, k int)
	deal = func(from, k int) {
		if k == n {
			all[r.Of(hand).Category]++
			return
		}
		for i := from; i < len(pack); i++ {
			hand[k] = pack[i]
			deal(i+1, k+1)
		}
	}
	deal(0, 0)
	return all
}

// Every hand of a pack is counted; the numbers are those of the theory.
func TestHowManyHandsThereAre(t *testing.T) {
	for _, c := range []struct {
		name string
		r    Ranking
		n    int
		want map[Category]int
	}{
		{"five cards", Banked, 5, map[Category]int{EscaleraReal: 4, EscaleraColor: 36, Poquer: 624, Full: 3744,
			Color: 5108, Escalera: 10200,
			Trio: 54912, DoblePareja: 123552, Pareja: 1098240, CartaAlta: 1302540}},
		{"three cards", Three, 3, map[Category]int{EscaleraReal: 4, EscaleraColor: 44, Trio: 52, Escalera: 720,
			Color: 1096, Pareja: 3744, CartaAlta: 16440}},
		{"four cards", Four, 4, map[Category]int{Poquer: 13, EscaleraColor: 44, Trio: 2496, Color: 2816,
			Escalera: 2772, DoblePareja: 2808, Pareja: 82368, CartaAlta: 177408}},
		// 28 cards: 4 straights of seven ranks and that of the low ace.
		{"28 cards", Short, 5, map[Category]int{EscaleraReal: 4, EscaleraColor: 12, Poquer: 168, Full: 1008, Color: 68, Escalera: 4080,
			Trio: 6720, DoblePareja: 15120, Pareja: 53760, CartaMayor: 17340}},
	} {
		if c.n == 5 && c.r.Lowest == 2 && testing.Short() {
			continue
		}
		got := count(c.r, c.n)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Of two hands of a game the first wins, or both are equal.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name string
		r    Ranking
		a, b string
		want int
	}{
		{"A.14.1 V.1: higher poker", Banked, "Ks Kh Kd Kc 2s", "Qs Qh Qd Qc As", 1},
		{"A.14.1 V.1: full by its three cards", Banked, "3s 3h 3d 2c 2s", "2h 2d 2s Ac As", 1},
		{"A.14.1 V.1: straight by its highest card", Banked, "6s 5h 4d 3c 2s", "As 2h 3d 4c 5s", 1},
		{"A.14.1 V.1: color by its highest cards", Banked, "As 9s 7s 4s 3s", "Ah 9h 7h 4h 2h", 1},
		{"A.14.1 V.1: second pair", Banked, "As Ah 3d 3c 2s", "Ad Ac 2h 2d Ks", 1},
		{"A.14.1 V.1: the remaining card of a pair", Banked, "As Ah Kd 3c 2s", "Ad Ac Kh 3s 2d", 0},
		{"A.14.2: no low ace is printed", Trijoker, "As 2h 3d 4c 5s", "As Kh 9d 4c 5s", -1},
		{"A.14.4 V.1: trío above escalera", Three, "2s 2h 2d", "As Kh Qd", 1},
		{"A.14.4 V.1: escalera above color", Three, "As 2h 3d", "As Qs 9s", 1},
		{"A.14.4 V.1: the three highest of a suit are a hand of their own", Three, "As Ks Qs", "Ks Qs Js", 1},
		{"art. 43.4: trío above color", Four, "2s 2h 2d 3c", "As Ks 9s 4s", 1},
		{"art. 43.4: color above escalera", Four, "2s 4s 6s 8s", "As Kh Qd Jc", 1},
		{"A.14.3 V.1: five aces above the royal straight", PaiGow, "As Ah Ad Ac Jk", "Ks Qs Js Ts As", 1},
		{"A.14.3 V.1: the joker completes the royal straight", PaiGow, "As Jk Qs Js Ts", "Kh Qh Jh Th 9h", 1},
		{"A.14.3 V.1: A-2-3-4-5 is the second highest straight", PaiGow, "As 2h 3d 4c 5s", "Ks Qh Jd Tc 9s", 1},
		{"A.14.3 V.1: A-2-3-4-5 below A-K-Q-J-10", PaiGow, "As 2h 3d 4c 5s", "As Kh Qd Jc Ts", -1},
		{"A.14.3 II.1: the joker is an ace, not a third king", PaiGow, "Ks Kh Jk 7c 2s", "Kd Kc As 7h 2d", 0},
		{"A.14.3 II.1: it completes a color with the highest card that is missing", PaiGow, "As Jk 9s 7s 2s", "Ah Qh 9h 7h 2h", 1},
		{"A.14.3 I: a pair of aces is the highest low hand", Two, "Jk As", "Ks Kh", 1},
		{"A.14.3 I: no colors of two cards", Two, "As 3s", "Ah Kd", -1},
		{"I.1.10 VI.2.a: the fifth card of equal pokers", Circle, "Ks Kh Kd Kc 3s", "Ks Kh Kd Kc 2s", 1},
		{"I.1.10 VI.1.h: figuras above two pairs", Covered, "Js Jh Qd Kc As", "Ts Th 9d 9c As", 1},
		{"I.1.10 VI.1.h: figuras below trío", Covered, "Js Jh Qd Kc As", "2s 2h 2d 9c As", -1},
		{"I.1.10 VI.2.f: the highest pair of figuras", Covered, "Qs Qh Jd Kc As", "Js Jh Qd Kc As", 1},
		{"I.1.10 VI.2.f: then the highest card", Covered, "Ks Kh Qd Qc As", "Kd Kc Qs Qh Js", 1},
		{"I.1.10 VI.1.h: ten is no figure", Covered, "Js Jh Qd Kc Ts", "2s 2h 3d 3c 4s", -1},
		{"B.8 IV: color above full", Short, "8s 9s Js Qs Ks", "As Ah Ad Kc Kh", 1},
		{"B.8 II.1: the ace also before the eight", Short, "As 8h 9d Tc Js", "As Ah Ad Kc Qh", 1},
		{"B.8 II.1: and is the lowest straight", Short, "As 8h 9d Tc Js", "8s 9h Td Jc Qs", -1},
	} {
		a, b := c.r.Of(cards(t, c.a)), c.r.Of(cards(t, c.b))
		if got := Compare(a, b); got != c.want || Compare(b, a) != -c.want {
			t.Errorf("%s: %v %v against %v %v: %d, want %d", c.name, c.a, a.Category, c.b, b.Category, got, c.want)
		}
	}
}

// The hands that are chosen from more cards.
func TestChosenHands(t *testing.T) {
	for _, c := range []struct {
		name, own, board string
		exactly          bool
		want             Category
	}{
		{"hold'em may play the board", "2s 3h", "Ad Kd Qd Jd Td", false, EscaleraReal},
		{"omaha may not", "2s 3h 4c 4s", "Ad Kd Qd Jd Td", true, Pareja},
		{"omaha plays two of four kings", "Ks Kh Kd Kc", "2s 3h 7d 9c Js", true, Pareja},
		{"omaha needs two of the suit", "As 2h 3d 4c", "Ks Qs 9s 6s 7d", true, CartaMayor},
	} {
		own, board := cards(t, c.own), cards(t, c.board)
		h := Circle.Best(5, slices.Concat(own, board))
		if c.exactly {
			h = Circle.TwoAndThree(own, board)
		}
		if h.Category != c.want {
			t.Errorf("%s: %v, want %v", c.name, h, c.want)
		}
	}
}

func TestLow(t *testing.T) {
	for _, c := range []struct {
		own, board string
		want       []int
	}{
		{"As 2h Kd Kc", "3s 4h 5d Kh Qs", []int{5, 4, 3, 2, 1}},
		{"As 2h 8d Kc", "3s 4h 8h Kh Qs", []int{8, 4, 3, 2, 1}},
		{"7s 8h Kd Kc", "As 2h 3d 7h 8s", []int{8, 7, 3, 2, 1}},
		{"As 2h 3d 4c", "5s 6h Kd Kh Qs", nil}, // only two common cards up to eight
		{"As 2h 9d Kc", "As 2d 3d Kh Qs", nil}, // pairs are no low hand
	} {
		if got, ok := Low(cards(t, c.own), cards(t, c.board)); !slices.Equal(got, c.want) || ok != (c.want != nil) {
			t.Errorf("%s with %s: %v, want %v", c.own, c.board, got, c.want)
		}
	}
}
