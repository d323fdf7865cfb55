package hands

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/card"
)

var (
	five  = []Category{CartaAlta, Pareja, DoblePareja, Trio, Escalera, Color, Full, Poquer, EscaleraColor, EscaleraReal}
	three = []Category{CartaAlta, Pareja, Color, Escalera, Trio, EscaleraColor, EscaleraReal}
	four  = []Category{CartaAlta, Pareja, DoblePareja, Escalera, Color, Trio, EscaleraColor, Poquer}
	goes  = append(append([]Category(nil), five...), CincoAses)
	short = []Category{CartaMayor, Pareja, DoblePareja, Figuras, Trio, Escalera, Full, Color, Poquer, EscaleraColor,
		EscaleraReal}
)

func mustNew(t testing.TB, s Spec) *Ranking {
	t.Helper()
	r, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t testing.TB, s string) []card.Card {
	t.Helper()
	var out []card.Card
	for _, f := range strings.Fields(s) {
		c, err := card.Parse(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// count values every hand of the pack.
func count(r *Ranking) map[Category]int {
	var pack []card.Card
	for c := card.Card(1); c <= card.Joker; c++ {
		if r.Has(c) {
			pack = append(pack, c)
		}
	}
	var n [categories]int
	var pick [5]card.Card
	var deal func(k, next int)
	deal = func(k, next int) {
		if k == r.size {
			n[r.Value(pick[:k]).Category()]++
			return
		}
		for i := next; i < len(pack); i++ {
			pick[k] = pack[i]
			deal(k+1, i+1)
		}
	}
	deal(0, 0)
	out := map[Category]int{}
	for c, k := range n {
		if k > 0 {
			out[Category(c)] = k
		}
	}
	return out
}

// TestCounts compares the number of hands of each combination, over all hands
// of a pack, with the figures that combinatorics gives.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		spec Spec
		want map[Category]int
	}{
		{"five of 52", Spec{Size: 5, Order: five, AceLow: true}, map[Category]int{EscaleraReal: 4, EscaleraColor: 36, Poquer: 624,
			Full: 3744, Color: 5108, Escalera: 10200, Trio: 54912, DoblePareja: 123552, Pareja: 1098240, CartaAlta: 1302540}},
		{"five of 52, ace high only", Spec{Size: 5, Order: five}, map[Category]int{EscaleraReal: 4, EscaleraColor: 32, Poquer: 624,
			Full: 3744, Color: 5112, Escalera: 9180, Trio: 54912, DoblePareja: 123552, Pareja: 1098240, CartaAlta: 1303560}},
		// straight flushes: 9·4 natural, and of the four cards that the joker completes 36 in each suit
		{"five of 53", Spec{Size: 5, Order: goes, AceLow: true, Second: true, Joker: true},
			map[Category]int{CincoAses: 1, EscaleraReal: 24,
				EscaleraColor: 180, Poquer: 828, Full: 4368, Color: 7804, Escalera: 20532, Trio: 63360, DoblePareja: 138600,
				Pareja: 1215024, CartaAlta: 1418964}},
		{"five of 32", Spec{Size: 5, Order: five, AceLow: true, Lowest: 7},
			map[Category]int{EscaleraReal: 4, EscaleraColor: 16, Poquer: 224,
				Full: 1344, Color: 204, Escalera: 5100, Trio: 10752, DoblePareja: 24192, Pareja: 107520, CartaAlta: 52020}},
		{"five of 28", Spec{Size: 5, Order: five, AceLow: true, Lowest: 8},
			map[Category]int{EscaleraReal: 4, EscaleraColor: 12, Poquer: 168,
				Full: 1008, Color: 68, Escalera: 4080, Trio: 6720, DoblePareja: 15120, Pareja: 53760, CartaAlta: 17340}},
		// all five cards A K Q J: two pairs 6·36·8, one pair 4·6·64
		{"figuras of 32", Spec{Size: 5, Order: short, AceLow: true, Lowest: 7},
			map[Category]int{EscaleraReal: 4, EscaleraColor: 16, Poquer: 224,
				Full: 1344, Color: 204, Escalera: 5100, Trio: 10752, Figuras: 3264, DoblePareja: 24192 - 1728,
				Pareja: 107520 - 1536, CartaMayor: 52020}},
		{"three of 52", Spec{Size: 3, Order: three, AceLow: true}, map[Category]int{EscaleraReal: 4, EscaleraColor: 44, Trio: 52,
			Escalera: 720, Color: 1096, Pareja: 3744, CartaAlta: 16440}},
		{"three of 52 without royal", Spec{Size: 3, Order: three[:6]}, map[Category]int{EscaleraColor: 44, Trio: 52,
			Escalera: 660, Color: 1100, Pareja: 3744, CartaAlta: 16500}},
		{"four of 52", Spec{Size: 4, Order: four, AceLow: true}, map[Category]int{Poquer: 13, EscaleraColor: 44, Trio: 2496,
			Color: 2816, Escalera: 2772, DoblePareja: 2808, Pareja: 82368, CartaAlta: 177408}},
		{"two of 53", Spec{Size: 2, Order: five[:2], Joker: true}, map[Category]int{Pareja: 13*6 + 4, CartaAlta: 1296}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := count(mustNew(t, c.spec)); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}

// TestOrder: hands from the highest down; "=" ties with the one before.
func TestOrder(t *testing.T) {
	usual := Spec{Size: 5, Order: five, AceLow: true}
	for _, c := range []struct {
		name  string
		spec  Spec
		hands []string
	}{
		{"five", usual, []string{"As Ks Qs Js Ts", "9d 8d 7d 6d 5d", "5h 4h 3h 2h Ah", "8s 8h 8d 8c 2s", "7s 7h 7d 7c As", "3s 3h 3d 2c 2s",
			"2c 2s 2h Ac As", "Kd 9d 7d 5d 2d", "Kh 9h 7h 4h 3h", "As Kd Qs Js Ts", "6s 5d 4s 3s 2s", "5s 4d 3s 2s As", "=5d 4c 3h 2h Ad",
			"9s 9d 9c Ks 2s", "9s 9d 9c Qs Js", "As Ad 3s 3d 2c", "As Ad 2s 2d Kc", "Ks Kd Qs Qd Ac", "Js Jd As 5d 3c", "Js Jd As 5d 2c",
			"=Jh Jc Ad 5s 2h", "As Kd 4s 3d 2c", "As Qd Js Td 9c"}},
		{"ace-low straight is the second of pai gow", Spec{Size: 5, Order: goes, AceLow: true, Second: true, Joker: true},
			[]string{"As Ah Ad Ac Jk", "As Ks Jk Js Ts", "Ah 2h 3h Jk 5h", "Ks Qs Js Ts 9s", "9s 9d 9h 9c Jk", "9s 9d 9h 9c Ks", "Ks Kd Ac As Jk", "Ks Kd Kh Ac Jk",
				"As Kd Qs Jd Jk", "2s 3d 4s 5d Jk", "=As 2d 3c Jk 5h", "Ks Qd Jc Td 9h", "=Jk Qd Jc Td 9h", "Qs Qd 2s 3d 4h", "As 9d 8c 4s 2h"}},
		{"joker", Spec{Size: 5, Order: goes, AceLow: true, Second: true, Joker: true},
			[]string{"As Ad Qs Qd Jk", "Ad Kd 7d 2d Jk", "Ad Kd 7d 3d 2d", "Ks Qs 7s 2s 3s", "Ks Kd Qs Qd Jk", "Jk As Kd 7s 3c", "=As Ad Kd 7s 3c", "Jk Kd 7d 4s 3s"}},
		{"three", Spec{Size: 3, Order: three, AceLow: true}, []string{"Ah Kh Qh", "Kh Qh Jh", "3h 2h Ah", "2h 2s 2d", "As Ks Qd", "3s 2d Ah", "Ah Jh 9h", "2s 2d Ah", "2s 2d Kh", "Ah Kd 9s"}},
		{"four", Spec{Size: 4, Order: four, AceLow: true}, []string{"2s 2h 2d 2c", "As Ks Qs Js", "4s 3s 2s As", "5s 5h 5d Ac", "Ks 9s 4s 2s", "As Kd Qs Js", "4s 3d 2s As", "3s 3d 2s 2d", "As Ad Ks Qd", "As Kd Qs Td"}},
		{"28 cards", Spec{Size: 5, Order: short, AceLow: true, Lowest: 8}, []string{"As Ks Qs Js Ts", "Js Ts 9s 8s As", "Ts Td Th Tc As", "As Js 9s 8s Ks", "9s 9d 9h Ad Ac", "Qs Js Td 9d 8c", "Js Ts 9d 8d Ac",
			"Ts Td Th 9s 8s", "Ks Kd As Ad Qc", "As Ac Kd Qd Jh", "Ks Kd Qs Qd Ac", "Ks Kd As Qd Jc", "Ks Kd Qs Qd Jc", "Js Jd As Kd Qc", "As Ad Ts Td 9c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustNew(t, c.spec)
			var before Value
			for i, h := range c.hands {
				text, tie := strings.CutPrefix(h, "=")
				v := r.Value(read(t, text))
				switch {
				case v == 0:
					t.Errorf("%s: no value", text)
				case tie && v != before:
					t.Errorf("%s: %x, want a tie with %x", text, v, before)
				case i > 0 && !tie && v >= before:
					t.Errorf("%s (%v %x) is not below %s (%x)", text, v.Category(), v, c.hands[i-1], before)
				}
				before = v
			}
		})
	}
}

// TestPaiGowLow: the hand of two compares with the hand of five as it stands.
func TestPaiGowLow(t *testing.T) {
	front := mustNew(t, Spec{Size: 2, Order: goes[:2], Joker: true})
	back := mustNew(t, Spec{Size: 5, Order: goes, AceLow: true, Second: true, Joker: true})
	for _, c := range []struct {
		low, high string
		badly     bool
	}{
		{"Ks Kd", "Qs Qd As 3d 2c", true},
		{"Ks Kd", "As Jk 8s 3d 2c", false},
		{"Qs Qd", "Qh Qc 2s 3d 4c", false},
		{"As Kd", "Ah Qd 9s 3d 2c", true},
		{"As Kd", "Ah Kc 9s 3d 2c", false},
		{"Jk 2s", "Ks Qd Js 9d 2c", true},
		{"Jk As", "Ks Kd Js Jd 2c", false},
		{"Jk As", "Ks Kd Js 9d 2c", true},
	} {
		if got := front.Value(read(t, c.low)) > back.Value(read(t, c.high)); got != c.badly {
			t.Errorf("%s over %s: %v", c.low, c.high, got)
		}
	}
}

func TestBest(t *testing.T) {
	r := mustNew(t, Spec{Size: 5, Order: five, AceLow: true})
	for _, c := range []struct {
		own, common string
		from        int
		want        string
	}{
		{"Ad 9s", "As 8c 5h Kd 2c", -1, "Ad 9s As 8c Kd"},
		{"2s 7h", "As Ks Qs Js Ts", -1, "As Ks Qs Js Ts"},
		{"2s 7h", "As Ks Qs Js Ts", 2, "2s 7h As Ks Qs"}, // two own at least: no flush with the 7
		{"As Ah Kd Qc", "Ad Ac 7s 6s 2h", 2, "As Ah Ad Ac 7s"},
		{"As Ks 2s 3s 4s 5s", "", -1, "As 2s 3s 4s 5s"},
		{"As Ks", "2s", -1, ""},
		{"As ?? 2s 3s 4s", "", -1, ""},
	} {
		h := r.BestOf(read(t, c.own), read(t, c.common), c.from)
		if got := strings.Trim(fmt.Sprint(h.Cards), "[]"); got != c.want {
			t.Errorf("%s | %s: got %s, want %s", c.own, c.common, got, c.want)
		}
	}
}

func TestLow(t *testing.T) {
	for _, c := range []struct {
		cards string
		want  uint32
	}{{"8s 5d 3c 2h As", 0x85321}, {"5s 4s 3s 2s As", 0x54321}, {"9s 4s 3s 2s As", 0}, {"4d 4s 3s 2s As", 0}, {"4s 3s 2s As", 0}} {
		if got := Low(read(t, c.cards)); got != c.want {
			t.Errorf("%s: %x, want %x", c.cards, got, c.want)
		}
	}
}

// TestRefuses: a value is never made of what is no hand.
func TestRefuses(t *testing.T) {
	r := mustNew(t, Spec{Size: 5, Order: five, AceLow: true, Lowest: 7})
	for _, s := range []string{"As Ks Qs Js", "As Ks Qs Js ??", "As Ks Qs Js Jk", "As Ks Qs Js 6s", "As Ks Qs Js 1O", "As Ks Qs Js Ts 9s"} {
		if v := r.Value(read(t, s)); v != 0 {
			t.Errorf("%s: %x", s, v)
		}
	}
	for _, s := range []Spec{{Size: 6, Order: five}, {Size: 1, Order: five}, {Size: 5},
		{Size: 5, Order: []Category{Pareja, Pareja}}, {Size: 5, Order: []Category{None}},
		{Size: 5, Order: five, Lowest: 12}} {
		if _, err := New(s); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
	var c Category
	if err := c.UnmarshalText([]byte("repóquer")); err == nil {
		t.Error("unknown combination read")
	}
	if v := r.Make(CartaAlta, 14, 13); v.Category() != CartaAlta || v.Rank(1) != 13 || v.Rank(7) != 0 {
		t.Errorf("made %x", v)
	}
}

// TestOrderOfCardsAndSuits: neither the order of the cards nor an exchange of suits changes a value.
func TestOrderOfCardsAndSuits(t *testing.T) {
	r := mustNew(t, Spec{Size: 5, Order: goes, AceLow: true, Second: true, Joker: true})
	pack := make([]card.Card, 53)
	for i := range pack {
		pack[i] = card.Card(i + 1)
	}
	rapid.Check(t, func(t *rapid.T) {
		cards := rapid.Permutation(pack).Draw(t, "pack")[:5]
		turn := rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "suits")
		other := rapid.Permutation(cards).Draw(t, "order")
		for i, c := range other {
			if c.French() {
				other[i] = card.Of(c.Number(), turn[(c-1)/13])
			}
		}
		if a, b := r.Value(cards), r.Value(other); a != b || a == 0 {
			t.Fatalf("%v %x, %v %x", cards, a, other, b)
		}
	})
}

func BenchmarkBestOfSeven(b *testing.B) {
	r := mustNew(b, Spec{Size: 5, Order: five, AceLow: true})
	cards := read(b, "Ad 9s As 8c 5h Kd 2c")
	for b.Loop() {
		if r.Best(cards).Value == 0 {
			b.Fatal("no hand")
		}
	}
}
