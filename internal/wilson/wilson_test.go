package wilson

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{{0, 0, 0, 1}, {10, 10, 0.7225, 1}, {50, 100, 0.4038, 0.5962}, {0, 20, 0, 0.1611}} {
		lo, hi := Interval(c.k, c.n)
		if math.Abs(lo-c.lo) > 1e-4 || math.Abs(hi-c.hi) > 1e-4 {
			t.Errorf("Interval(%d, %d) = %.4f, %.4f; want %.4f, %.4f", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
}

func TestIntervalHoldsTheShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		lo, hi := Interval(k, n)
		p := float64(k) / float64(n)
		if lo < 0 || hi > 1 || lo > p+1e-12 || hi < p-1e-12 {
			t.Fatalf("%d of %d: %v to %v", k, n, lo, hi)
		}
	})
}

func TestShares(t *testing.T) {
	if got := PerMille(1, 20); got != "1 of 20, 50.0 ‰ (8.9–236.1)" {
		t.Error(got)
	}
	if got := Percent(0, 0); got != "0 of 0, 0.0 % (0.0–100.0)" {
		t.Error(got)
	}
}
