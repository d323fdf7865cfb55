package chip

import (
	"math"
	"testing"
)

// Of narrow inserts a picture shows little but their edges: those of chips in use are known,
// whatever the share of either colour, and no other chip's rim is taken for theirs.
func TestNarrowInsertsMixWithTheField(t *testing.T) {
	red, white, green := rgb{185, 43, 50}, rgb{237, 234, 225}, rgb{41, 135, 80}
	mix := func(share float64) (m rgb) {
		for k := range m {
			m[k] = 0.9 * ((1-share)*red[k] + share*white[k])
		}
		return m
	}
	for share := 0.1; share < 0.95; share += 0.1 {
		if got := inUse.between(mix(share), red, white); math.Abs(float64(got)-inUse.mixed) > 0.3 {
			t.Errorf("%.1f of white in red: %.2f, want about %.1f", share, got, inUse.mixed)
		}
		if got := asNew.between(mix(share), red, white); float64(got) > par.colour.outlier {
			t.Errorf("as new: %.2f, want none", got)
		}
	}
	for name, c := range map[string]rgb{"green": green, "dark": {60, 14, 16}, "purple": {107, 68, 153}} {
		if got := inUse.between(c, red, white); got > -3 {
			t.Errorf("%s between red and white: %.2f", name, got)
		}
	}
}
