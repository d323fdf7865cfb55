package money

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestString(t *testing.T) {
	for c, want := range map[Cents]string{0: "0,00 €", 5: "0,05 €", 100_000: "1.000,00 €", 123_456_789: "1.234.567,89 €", -1250: "-12,50 €"} {
		if got := c.String(); got != want {
			t.Errorf("%d: %q, want %q", int64(c), got, want)
		}
	}
}

func TestParseOdds(t *testing.T) {
	for _, bad := range []string{"", "3", "3:", ":2", "3:0", "-3:2", "3:-2", "3/2", "3:2:1", "1.5:1", "99999999999:1"} {
		if o, err := ParseOdds(bad); err == nil {
			t.Errorf("%q reads as %v", bad, o)
		}
	}
	for _, good := range []string{"35:1", "3:2", "0:1", "5:11"} {
		var o Odds
		if err := o.UnmarshalText([]byte(good)); err != nil || o.String() != good {
			t.Errorf("%q reads as %v (%v)", good, o, err)
		}
	}
}

// TestMulDiv: half a cent rounds up, and nothing else is rounded than the last cent.
func TestMulDiv(t *testing.T) {
	if got := (Odds{3, 2}).Of(5); got != 8 {
		t.Errorf("3:2 of 5 is %d, want 8", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, num, den := rapid.Int64Range(0, 1e12).
			Draw(t, "a"),
			rapid.Int64Range(0, 1000).
				Draw(t, "num"),
			rapid.Int64Range(1, 1000).
				Draw(t, "den")
		exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(a), big.NewInt(num)), big.NewInt(den))
		diff := new(big.Rat).Sub(new(big.Rat).SetInt64(int64(MulDiv(Cents(a), num, den))), exact)
		if diff.Cmp(big.NewRat(1, 2)) > 0 || diff.Cmp(big.NewRat(-1, 2)) <= 0 {
			t.Fatalf("%d*%d/%d is off by %v", a, num, den, diff)
		}
	})
}
