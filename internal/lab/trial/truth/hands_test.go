package truth

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"vision/internal/card"
	"vision/internal/lab/sim/script"
	"vision/internal/lab/sim/script/poker"
	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/validate/game/hands"
	"vision/validate/game/housepoker"
	"vision/validate/round"
)

// spec is how the rules rank the hands of a game against the house.
func spec(t *testing.T, norm, game string) hands.Spec {
	t.Helper()
	norms := books.Shipped(t)
	_, g, err := norms.Game(norm, game)
	if err != nil {
		t.Fatal(err)
	}
	return g.Rules.(*housepoker.Rules).Hand
}

// circle is how the rules rank the hands of a game among the players: the lowest
// category first.
func circle(t *testing.T, lowest int, names ...string) hands.Spec {
	t.Helper()
	s := hands.Spec{Size: 5, Lowest: lowest, AceLow: true}
	for _, name := range names {
		c, err := hands.ParseCategory(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Order = append(s.Order, c)
	}
	return s
}

// Both rank the same hands alike, the rare ones among them: what the category is,
// which of two wins and whether they are equal.
func TestHandsRankAlike(t *testing.T) {
	low := spec(t, "cantabria-2010", "pai_gow_poker")
	low.Size, low.Order, low.AceLow, low.Second = 2, low.Order[:2], false, false
	for _, c := range []struct {
		name  string
		rules hands.Spec
		own   poker.Ranking
		least int // rank of the pack
	}{
		{"sin descarte", spec(t, "cantabria-2010", "poker_sin_descarte"), poker.Banked, 2},
		{"trijoker", spec(t, "cantabria-2010", "poker_trijoker"), poker.Trijoker, 2},
		{"tripoker", spec(t, "cantabria-2010", "tripoker"), poker.Three, 2},
		{"pai gow, high", spec(t, "cantabria-2010", "pai_gow_poker"), poker.PaiGow, 2},
		{"pai gow, low", low, poker.Two, 2},
		{"hold'em bonus", spec(t, "cantabria-2010", "poker_holdem_bonus"), poker.Banked, 2},
		{"hold'em", spec(t, "cantabria-2010", "poker_holdem_banca"), poker.Banked, 2},
		{"cuatro cartas", spec(t, "castilla-y-leon-2013", "poker_cuatro_cartas"), poker.Four, 2},
		{"con descarte", spec(t, "castilla-y-leon-2013", "poker_con_descarte"), poker.Banked, 2},
		{"texas", spec(t, "castilla-y-leon-2013", "texas_poker"), poker.Banked, 2},
		{"circle", circle(t, 2, "carta_mayor", "pareja", "doble_pareja", "trio", "escalera", "color", "full", "poquer", "escalera_color", "escalera_real"), poker.Circle, 2},
		{"cubierto", circle(t, 2, "carta_mayor", "pareja", "doble_pareja", "figuras", "trio", "escalera", "color", "full", "poquer", "escalera_color", "escalera_real"), poker.Covered, 2},
		{"sintético", circle(t, 8, "carta_mayor", "pareja", "doble_pareja", "trio", "escalera", "full", "color", "poquer", "escalera_color", "escalera_real"), poker.Short, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := hands.New(c.rules)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			for range many(20000) {
				pack := few(rng, c.least, c.rules.Joker)
				a, b := pack[:r.Size()], pack[len(pack)-r.Size():]
				x, y := c.own.Of(a), c.own.Of(b)
				v, w := r.Value(a), r.Value(b)
				if string(x.Category) != v.Category().String() {
					t.Fatalf("%v: %s, the rules have %s", a, x.Category, v.Category())
				}
				if poker.Compare(x, y) != cmp.Compare(v, w) {
					t.Fatalf("%v against %v: %d, the rules have %d", a, b, poker.Compare(x, y), cmp.Compare(v, w))
				}
			}
		})
	}
}

// few is a shuffled part of a pack, of few ranks or few suits so that what is rare in
// a whole one is common in it; two hands of five may share cards.
func few(rng *rand.Rand, least int, joker bool) []card.Card {
	var pack []card.Card
	ranks, suits := 2+rng.IntN(6), 1+rng.IntN(4)
	from := rng.IntN(13)
	for k := range ranks {
		for s := range suits {
			if c := card.Of(1+(from+k)%13, s); poker.Rank(c) >= least {
				pack = append(pack, c)
			}
		}
	}
	if joker && rng.IntN(2) == 0 {
		pack = append(pack, card.Joker)
	}
	for c := card.Card(1); len(pack) < 7; c++ {
		if other := card.Card(1 + rng.IntN(52)); poker.Rank(other) >= least && !has(pack, other) {
			pack = append(pack, other)
		}
	}
	rng.Shuffle(len(pack), func(i, j int) { pack[i], pack[j] = pack[j], pack[i] })
	return pack
}

func has(pack []card.Card, c card.Card) bool {
	for _, x := range pack {
		if x == c {
			return true
		}
	}
	return false
}

// The low hands of Omaha high low rank alike.
func TestLowHandsRankAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	both := 0
	for range many(6000) {
		pack := few(rng, 2, false)
		for len(pack) < 13 {
			if c := card.Card(1 + rng.IntN(52)); !has(pack, c) {
				pack = append(pack, c)
			}
		}
		board, a, b := pack[:5], pack[5:9], pack[9:13]
		x, okX := poker.Low(a, board)
		y, okY := poker.Low(b, board)
		v, _ := hands.BestLow(a, board)
		w, _ := hands.BestLow(b, board)
		if okX != (v != 0) || okY != (w != 0) {
			t.Fatalf("%v, %v with %v: %v %v, the rules have %d %d", a, b, board, x, y, v, w)
		}
		if okX && okY {
			both++
			if lower(x, y) != (v < w) || lower(y, x) != (w < v) {
				t.Fatalf("%v, %v with %v: %v %v, the rules have %d %d", a, b, board, x, y, v, w)
			}
		}
	}
	if both < 50 {
		t.Errorf("only %d pairs of low hands", both)
	}
}

func lower(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// Among many rounds those are judged in which somebody wins much for his stake: the
// hands that are rare.
func TestRareHandsArePaidAlike(t *testing.T) {
	for _, game := range []string{"poker_sin_descarte", "poker_trijoker", "tripoker", "poker_holdem_bonus", "poker_cuatro_cartas",
		"poker_con_descarte", "texas_poker"} {
		t.Run(game, func(t *testing.T) {
			g := newGame(t, script.Config{Game: game, Seed: 77, Seats: 6})
			rare := 0
			for range many(800) {
				r := g.Next()
				if odds(r.Truth.Record) >= 7 {
					rare++
					agree(t, r.Truth)
				}
			}
			if rare < 3 {
				t.Errorf("%d rounds", rare)
			}
		})
	}
}

// odds are the highest at which anything was paid in a round.
func odds(rec round.Record) (most money.Cents) {
	stake := map[string]money.Cents{}
	for _, e := range rec.Events {
		key := string(rune(e.Seat)) + e.Spot
		switch {
		case e.Type == round.Bet:
			stake[key] += e.Amount
		case e.Type == round.Pay && stake[key] > 0:
			most = max(most, e.Amount/stake[key])
		}
	}
	return most
}
