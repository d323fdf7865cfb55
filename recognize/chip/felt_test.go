package chip

import (
	"slices"
	"testing"
)

// What is known of the felt stays known when the light on it changes, also of print so bright
// that it looks quite another; what looks otherwise in any light is learned.
func TestPrintStaysKnownInAnotherLight(t *testing.T) {
	const w, h = 64, 8
	fill := func(bgr ...byte) []byte { return slices.Repeat(bgr, w*h) }
	cream := fill(205, 225, 228)
	for name, c := range map[string]struct {
		now   []byte
		known bool // after one reading more than it takes to forget
		as    rgb  // at last
	}{
		"darker and bluer": {fill(193, 198, 190), true, rgb{228, 225, 205}},
		"a shadow":         {fill(110, 120, 122), true, rgb{228, 225, 205}},
		"cleaned off":      {fill(90, 60, 20), false, rgb{20, 60, 90}},
	} {
		t.Run(name, func(t *testing.T) {
			f := NewFelt(w, h)
			f.Bare(cream)
			s := &search{hint: Hint{Felt: f}, tones: &tones{}}
			s.w, s.h, s.pix = w, h, c.now
			for i := range s.tones.felt {
				s.tones.felt[i] = -4 // nothing has the cloth's own colour
			}
			read := func(n int) {
				for range n {
					s.see(f, 0, w*h)
				}
			}
			read(int(par.felt.sure) + 1)
			if _, ok := f.known(0); ok != c.known {
				t.Errorf("known: %v, want %v", ok, c.known)
			}
			read(10)
			if got, ok := f.known(0); !ok || got != c.as {
				t.Errorf("known as %v (%v), want %v", got, ok, c.as)
			}
		})
	}
}
