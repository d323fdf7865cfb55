package plaque

import (
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
)

// ground is what stays the same of a zone as long as its camera stands: which pixels show it.
type ground struct {
	view    *calibration.View
	size    [2]int
	outline []fact.Point
	felt    []int32 // pixels that the felt's colour is taken from
	lattice *lattice
}

// span is a run of pixels of one row.
type span struct{ y, from, to int }

// groundOf finds or makes the ground of a zone.
func (r *Reader) groundOf(s *search) *ground {
	size := [2]int{s.w, s.h}
	for _, g := range r.grounds {
		if g.view == s.hint.View && g.size == size && slices.Equal(g.outline, s.hint.Zone) {
			return g
		}
	}
	if len(r.grounds) >= par.reader.grounds {
		r.grounds = nil
	}
	g := &ground{view: s.hint.View, size: size, outline: slices.Clone(s.hint.Zone)}
	low, high := s.zone.Bounds()
	for y := low[1]; y <= high[1]; y += par.reader.feltStep {
		for x := low[0]; x <= high[0]; x += par.reader.feltStep {
			if i, ok := s.index(g.view.ToImage(fact.Point{x, y})); ok {
				g.felt = append(g.felt, int32(i))
			}
		}
	}
	r.grounds = append(r.grounds, g)
	return g
}

// commonest is the commonest colour of the zone in a picture, BGR, of the camera's size.
func (g *ground) commonest(pix []byte) rgb {
	h := new(histogram)
	for _, i := range g.felt {
		h.add(pix[3*i], pix[3*i+1], pix[3*i+2])
	}
	return h.mode()
}

// spansOf are the pixels of a w×h picture that lie in a shape.
func spansOf(shape []fact.Point, w, h int) (out []span) {
	low, high := calibration.Zone{Polygon: shape}.Bounds()
	if len(shape) == 0 {
		return nil
	}
	var cuts []float64
	for y := max(0, int(low[1])); y <= min(h-1, int(high[1])+1); y++ {
		cuts = cuts[:0]
		for i, a := range shape {
			b := shape[(i+1)%len(shape)]
			if v := float64(y); (a[1] > v) != (b[1] > v) {
				cuts = append(cuts, (b[0]-a[0])*(v-a[1])/(b[1]-a[1])+a[0])
			}
		}
		slices.Sort(cuts)
		for k := 0; k+1 < len(cuts); k += 2 {
			from, to := max(0, int(math.Ceil(cuts[k]))), min(w, int(math.Ceil(cuts[k+1])))
			if from < to {
				out = append(out, span{y, from, to})
			}
		}
	}
	return out
}

// scratch is memory that is used again from one reading to the next, an entry
// per pixel.
type scratch struct {
	taken      []bool
	background []backgroundFit
	now        uint32
}

// backgroundFit is how well the empty felt fits a pixel, and in which reading that was.
type backgroundFit struct {
	fit  float32
	when uint32
}

// fit makes room for pictures of n pixels and forgets the last one.
func (c *scratch) fit(n int) {
	if len(c.background) != n {
		*c = scratch{taken: make([]bool, n), background: make([]backgroundFit, n)}
	}
	c.forget()
}

// forget drops what is known of the empty felt.
func (c *scratch) forget() {
	if c.now++; c.now == 0 { // after four thousand million readings
		clear(c.background)
		c.now = 1
	}
}
