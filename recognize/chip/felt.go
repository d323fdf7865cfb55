package chip

import (
	"vision/calibration"
	"vision/internal/fact"
)

// Felt remembers how the bare felt looks, print and all, where nothing was found
// in earlier readings: printed discs are then no chips, and print under a
// stack's foot is no layer. It belongs to one camera; one goroutine uses it.
type Felt struct {
	w, h int
	pix  []byte  // BGR
	seen []uint8 // readings in which the pixel looked like this
}

// NewFelt knows nothing yet of a camera's frames of w×h pixels.
func NewFelt(w, h int) *Felt {
	return &Felt{w: w, h: h, pix: make([]byte, 3*w*h), seen: make([]uint8, w*h)}
}

// sure is how often a pixel that is not of the cloth's colour must have looked
// the same before it counts as print.
const sure = 3

// known is the bare felt's colour at a pixel.
func (f *Felt) known(i int) (c rgb, ok bool) {
	if f == nil || f.seen[i] < sure {
		return c, false
	}
	return rgb{float64(f.pix[3*i+2]), float64(f.pix[3*i+1]), float64(f.pix[3*i])}, true
}

// learn takes over what shows between the stacks of a reading.
func (s *search) learn() {
	f := s.hint.Felt
	if f == nil || f.w != s.w || f.h != s.h {
		return
	}
	outline := make([]fact.Point, 0, len(s.hint.Zone))
	for _, p := range s.hint.Zone {
		outline = append(outline, s.hint.View.ToImage(p))
	}
	shape := calibration.Zone{Polygon: outline}
	low, high := shape.Bounds()
	for y := max(0, int(low[1])); y <= min(s.h-1, int(high[1])); y++ {
		for x := max(0, int(low[0])); x <= min(s.w-1, int(high[0])); x++ {
			if i := y*s.w + x; !s.shadowed(x, y) && shape.Contains(fact.Point{float64(x), float64(y)}) {
				f.see(i, s.pix[3*i:3*i+3], s.tones.cloth[cell(s.pix[3*i], s.pix[3*i+1], s.pix[3*i+2])] > -1)
			}
		}
	}
}

func (f *Felt) see(i int, c []byte, cloth bool) {
	old := f.pix[3*i : 3*i+3]
	if d := diff(old[0], c[0]) + diff(old[1], c[1]) + diff(old[2], c[2]); d < 40 && f.seen[i] > 0 {
		f.seen[i] = min(f.seen[i]+1, 2*sure)
		for k := range old {
			old[k] = uint8((3*int(old[k]) + int(c[k]) + 2) / 4)
		}
		return
	}
	if f.seen[i] > 0 && !cloth {
		f.seen[i]--
		if f.seen[i] > 0 {
			return
		}
	}
	copy(old, c)
	f.seen[i] = 1
	if cloth {
		f.seen[i] = sure
	}
}

func diff(a, b uint8) int { return abs(int(a) - int(b)) }

// shadowed tells whether a pixel lies in or right beside a stack.
func (s *search) shadowed(x, y int) bool {
	const near = 10
	for _, d := range [9][2]int{{0, 0}, {near, 0}, {-near, 0}, {0, near}, {0, -near}, {near, near}, {-near, -near}, {near, -near}, {-near, near}} {
		u, v := x+d[0], y+d[1]
		if u >= 0 && v >= 0 && u < s.w && v < s.h && s.taken[v*s.w+u] {
			return true
		}
	}
	return false
}

// bare is the log likelihood of a pixel's colour under "nothing lies here".
func (s *search) bare(i, c int) float64 {
	cloth := float64(s.tones.cloth[c])
	if felt, ok := s.hint.Felt.known(i); ok {
		seen := rgb{float64(s.pix[3*i+2]), float64(s.pix[3*i+1]), float64(s.pix[3*i])}
		return max(cloth, float64(fit(seen, felt, 0.4, 1.12)))
	}
	return cloth
}
