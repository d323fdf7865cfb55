package cv

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

func random(n int, rnd *rand.Rand) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(rnd.Uint32())
	}
	return out
}

// Many pixels at a time come to the same as one after the other.
func TestBlend(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	const near, full = 13, 6
	var left []int32
	for n := range 120 {
		old, count := random(3*n, rnd), make([]byte, n)
		now := slices.Clone(old)
		for i := range now {
			now[i] = byte(max(0, min(255, int(old[i])+rnd.IntN(2*near+1)-near)))
		}
		for i := range count {
			count[i] = full
		}
		var wrong []int // pixels that a piece must be left for
		for k := 0; k < n/20; k++ {
			i := rnd.IntN(n)
			wrong = append(wrong, i)
			if k%2 == 0 {
				count[i] = full - 1
			} else {
				now[3*i+rnd.IntN(3)] ^= 0x80
			}
		}
		want := slices.Clone(old)
		var others []int32
		for k := 0; BlendPiece*k < n; k++ {
			to := BlendPiece * (k + 1)
			if to > n || slices.ContainsFunc(wrong, func(i int) bool { return i/BlendPiece == k }) {
				others = append(others, int32(k))
				continue
			}
			for i := 3 * BlendPiece * k; i < 3*to; i++ {
				want[i] = byte((3*int(old[i]) + int(now[i]) + 2) / 4)
			}
		}
		left = Blend(old, now, count, near, full, left)
		if !bytes.Equal(old, want) || !slices.Equal(left, others) {
			t.Errorf("%d pixels: left %v, want %v; the same bytes: %v", n, left, others, bytes.Equal(old, want))
		}
	}
	if left := Blend(make([]byte, 5), make([]byte, 6), make([]byte, 2), near, full, nil); len(left) != 0 {
		t.Errorf("of a line that is too short %v is left", left)
	}
}
