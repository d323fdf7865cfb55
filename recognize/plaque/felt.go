package plaque

import "vision/internal/fact"

// felt is how well the colours of a picture, by cells, fit a felt's commonest colour.
type felt [1 << 15]float32

func newFelt(common rgb) *felt {
	f := new(felt)
	for i := range f {
		f[i] = fit(shade(i), common, colourFelt)
	}
	return f
}

// commonest is the commonest colour of the zone.
func (s *search) commonest() rgb {
	h := new(histogram)
	low, high := s.zone.Bounds()
	for y := low[1]; y <= high[1]; y += readerFeltStep {
		for x := low[0]; x <= high[0]; x += readerFeltStep {
			if i, ok := s.index(s.hint.View.ToImage(fact.Point{x, y})); ok {
				h.add(s.pix[3*i], s.pix[3*i+1], s.pix[3*i+2])
			}
		}
	}
	return h.mode()
}

// background is the log likelihood of a pixel's colour under "nothing lies here".
func (s *search) background(i int) float64 {
	known := &s.scratch.background[i]
	if *known == 0 {
		*known = s.felt[cell(s.pix[3*i], s.pix[3*i+1], s.pix[3*i+2])]
		if s.hint.Background != nil {
			t := newTint(colorAt(s.hint.Background, i))
			*known = max(*known, likelihood(squaredOff(s.color(i), &t, colourFelt)))
		}
	}
	return float64(*known)
}

// scratch is memory that is used again from one reading to the next, an entry
// per pixel.
type scratch struct {
	taken      []bool
	background []float32 // how well the empty felt fits it; 0: not known yet
}

// fit makes room for pictures of n pixels and forgets the last one.
func (c *scratch) fit(n int) {
	if len(c.background) != n {
		*c = scratch{taken: make([]bool, n), background: make([]float32, n)}
	}
	clear(c.background)
}
