package ringpoker

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/money"
)

func drawShares(t *rapid.T) []share {
	n := rapid.IntRange(2, 10).Draw(t, "seats")
	var out []share
	for k := range n {
		out = append(out, share{k + 1, money.Cents(rapid.IntRange(0, 12).Draw(t, "total")) * 50,
			money.Cents(rapid.IntRange(0, 2).Draw(t, "ante")) * 25, k == 0 || rapid.Bool().Draw(t, "live")})
	}
	return out
}

// TestPotsConserve: no chip is lost or made between what was put and what the
// pots hold, what the rake takes and what the winners get.
func TestPotsConserve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := drawShares(t)
		carried := money.Cents(rapid.IntRange(0, 500).Draw(t, "carried"))
		put := carried
		for _, s := range shares {
			put += s.total + s.dead
		}
		chip := money.Cents(rapid.IntRange(1, 30).Draw(t, "chip"))
		list := pots(shares, carried)
		rakePots(list, rapid.Int64Range(0, 10000).Draw(t, "rate"), money.Cents(rapid.IntRange(1, 60).Draw(t, "unit")),
			money.Cents(rapid.IntRange(-1, 90).Draw(t, "limit")))
		var held, out money.Cents
		for _, p := range list {
			held += p.Amount
			if p.Rake < 0 || p.Rake > p.Amount {
				t.Fatalf("rake %d of %d", p.Rake, p.Amount)
			}
			out += p.Rake
			high, low := halves(p.Amount-p.Rake, chip)
			for _, part := range []money.Cents{high, low} {
				for _, got := range split(part, chip, p.Seats, nil) {
					out += got
				}
			}
		}
		if held != put || out != put {
			t.Fatalf("put %d, the pots hold %d, %d came out", put, held, out)
		}
	})
}

// TestPotsByTheChip: dividing the chips one by one, each to the live seats that
// put as many, gives the same pots.
func TestPotsByTheChip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := drawShares(t)
		top := money.Cents(0)
		for _, s := range shares {
			if s.live {
				top = max(top, s.total)
			}
		}
		want := map[string]money.Cents{}
		for _, s := range shares {
			want[seatsAt(shares, 0)] += s.dead
			for c := money.Cents(1); c <= s.total; c++ {
				want[seatsAt(shares, min(c, top))]++
			}
		}
		got := map[string]money.Cents{}
		for _, p := range pots(shares, 0) {
			key := ""
			for _, s := range p.Seats {
				key += string(rune('a' + s))
			}
			got[key] += p.Amount
		}
		for k, v := range want {
			if v > 0 && got[k] != v {
				t.Fatalf("pot of %q: %d, by the chip %d (%v)", k, got[k], v, shares)
			}
		}
	})
}

// seatsAt names the live seats that put at least level.
func seatsAt(shares []share, level money.Cents) string {
	key := ""
	for _, s := range shares {
		if s.live && s.total >= level {
			key += string(rune('a' + s.seat))
		}
	}
	return key
}

func TestUncalled(t *testing.T) {
	for _, c := range []struct {
		totals []money.Cents
		seat   int
		amount money.Cents
	}{{[]money.Cents{500, 300, 300}, 1, 200}, {[]money.Cents{300, 500, 500}, 0, 0}, {[]money.Cents{0, 0}, 0, 0},
		{[]money.Cents{0, 40}, 2, 40}} {
		var shares []share
		for k, v := range c.totals {
			shares = append(shares, share{seat: k + 1, total: v})
		}
		if seat, amount := uncalled(shares); seat != c.seat || amount != c.amount {
			t.Errorf("%v: %d of seat %d, want %d of %d", c.totals, amount, seat, c.amount, c.seat)
		}
	}
}

func TestRake(t *testing.T) {
	list := []pot{{Amount: 15750}, {Amount: 999}, {Amount: 1000}}
	for _, c := range []struct {
		rate        int64
		unit, limit money.Cents
		want        []money.Cents
	}{
		{500, 1, -1, []money.Cents{788, 50, 50}}, // half up
		{500, 25, -1, []money.Cents{775, 50, 50}},
		{500, 1, 800, []money.Cents{788, 12, 0}},
		{500, 1, 0, []money.Cents{0, 0, 0}},
	} {
		got := slices.Clone(list)
		rakePots(got, c.rate, c.unit, c.limit)
		for k := range got {
			if got[k].Rake != c.want[k] {
				t.Errorf("%+v: pot %d pays %d, want %d", c, k, got[k].Rake, c.want[k])
			}
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		amount, chip money.Cents
		weights      map[int]money.Cents
		want         map[int]money.Cents
	}{
		{1000, 1, nil, map[int]money.Cents{4: 334, 2: 333, 7: 333}},
		{1001, 1, nil, map[int]money.Cents{4: 334, 2: 334, 7: 333}},
		{1000, 25, nil, map[int]money.Cents{4: 350, 2: 325, 7: 325}},
		{1010, 25, nil, map[int]money.Cents{4: 360, 2: 325, 7: 325}},
		{900, 1, map[int]money.Cents{4: 100, 2: 300, 7: 500}, map[int]money.Cents{4: 100, 2: 300, 7: 500}},
	} {
		got := split(c.amount, c.chip, []int{4, 2, 7}, c.weights)
		for seat, v := range c.want {
			if got[seat] != v {
				t.Errorf("%d by %d: seat %d gets %d, want %d", c.amount, c.chip, seat, got[seat], v)
			}
		}
	}
}

func TestPercent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, r := rapid.Int64Range(0, 1e15).Draw(t, "amount"), rapid.Int64Range(0, 10000).Draw(t, "rate")
		exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(a), big.NewInt(r)), big.NewInt(10000))
		diff := new(big.Rat).Sub(new(big.Rat).SetInt64(int64(percent(money.Cents(a), r))), exact)
		if diff.Cmp(big.NewRat(1, 2)) > 0 || diff.Cmp(big.NewRat(-1, 2)) <= 0 {
			t.Fatalf("%d bp of %d is off by %v", r, a, diff)
		}
	})
}

func TestRing(t *testing.T) {
	r := ring{[]int{2, 5, 9}, 1}
	for _, c := range []struct {
		seat, dir int
		want      []int
	}{{5, 1, []int{5, 9, 2}}, {5, -1, []int{5, 2, 9}}, {6, 1, []int{9, 2, 5}}, {6, -1, []int{5, 2, 9}},
		{1, -1, []int{9, 5, 2}}, {10, 1, []int{2, 5, 9}}} {
		if got := r.from(c.seat, c.dir); !slices.Equal(got, c.want) {
			t.Errorf("from %d by %d: %v, want %v", c.seat, c.dir, got, c.want)
		}
	}
}
