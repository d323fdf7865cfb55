package card

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Backs are alike in another light and turned, others are not; what is hidden does not count.
func TestUnlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var a, other cells
	for i := range a {
		for ch := range a[i] {
			a[i][ch], other[i][ch] = 40+160*rng.Float64(), 40+160*rng.Float64()
		}
	}
	var darker, around, half cells
	free := make([]bool, len(a))
	for i := range a {
		for ch := range a[i] {
			darker[i][ch], around[len(a)-1-i][ch] = 0.8*a[i][ch], a[i][ch]
		}
		half[i] = a[i]
		if free[i] = i < len(a)/2; !free[i] {
			half[i] = other[i]
		}
	}
	all := make([]bool, len(a))
	for i := range all {
		all[i] = true
	}
	for name, c := range map[string]struct {
		o     cells
		free  []bool
		alike bool
	}{
		"itself": {a, all, true}, "darker": {darker, all, true}, "turned": {around, all, true},
		"another":    {other, all, false},
		"half of it": {half, all, false}, "half of it, the rest hidden": {half, free, true},
	} {
		if got := a.unlike(&c.o, c.free); (got <= heapedUnlike) != c.alike {
			t.Errorf("%s: unlike by %.2f", name, got)
		}
	}
	if got := a.unlike(&a, make([]bool, len(a))); !math.IsInf(got, 1) {
		t.Errorf("nothing shows: unlike by %v", got)
	}
}
