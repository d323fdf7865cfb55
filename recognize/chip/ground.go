package chip

import (
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
)

// ground is what stays the same of a zone as long as its camera stands: which
// pixels show it, and where the camera sees the planes above it.
type ground struct {
	view    *calibration.View
	size    [2]int
	outline []fact.Point
	tall    float64
	felt    []int32 // pixels that the felt's colour is taken from
	under   []int32 // the tile of each
	spans   []span  // what lies in the outline on the felt
	tiles   []affine
	wide    int // of them in a row
	mesh    mesh
	lattice *lattice // for plaques; nil where the palette holds none
}

// span is a run of pixels of one row.
type span struct{ y, from, to int }

// groundOf finds or makes the ground of a zone.
func (r *Reader) groundOf(s *search) *ground {
	size, tall := [2]int{s.w, s.h}, par.face.tall*s.hint.Palette[0].Thickness
	for _, g := range r.grounds {
		if g.view == s.hint.View && g.size == size && g.tall == tall && slices.Equal(g.outline, s.hint.Zone) {
			return g
		}
	}
	if len(r.grounds) >= par.reader.grounds {
		r.grounds = nil
	}
	g := &ground{view: s.hint.View, size: size, outline: slices.Clone(s.hint.Zone), tall: tall}
	low, high := s.zone.Bounds()
	from, to := s.searched(low, high)
	var shape []fact.Point
	for _, p := range g.outline {
		shape = append(shape, g.view.ToImage(p))
	}
	g.spans = spansOf(shape, s.w, s.h)
	for y := from[1]; y <= to[1]; y += par.face.tile {
		g.wide = 0
		for x := from[0]; x <= to[0]; x += par.face.tile {
			g.tiles = append(g.tiles, s.lens(fact.Point{x + par.face.tile/2, y + par.face.tile/2}, tall))
			g.wide++
		}
	}
	tile := func(v, from float64) int { return int((v - from) / par.face.tile) }
	for y := low[1]; y <= high[1]; y += par.reader.feltStep {
		for x := low[0]; x <= high[0]; x += par.reader.feltStep {
			if i, ok := s.index(g.view.ToImage(fact.Point{x, y})); ok {
				g.felt = append(g.felt, int32(i))
				g.under = append(g.under, int32(tile(y, from[1])*g.wide+tile(x, from[0])))
			}
		}
	}
	g.mesh = s.newMesh(g.tiles, g.wide)
	r.grounds = append(r.grounds, g)
	return g
}

// searched are the corners of the part of the plane above the felt in which faces are looked for,
// of a zone between two corners. Before a flat camera the face of a high stack shows far behind
// its foot.
func (s *search) searched(low, high fact.Point) (from, to fact.Point) {
	from = fact.Point{low[0] - par.reader.margin, low[1] - 2*par.reader.margin}
	to = fact.Point{high[0] + par.reader.margin, high[1] + par.reader.margin}
	thick := s.hint.Palette[0].Thickness
	highest := float64(s.opts.Most) * thick
	for _, p := range s.hint.Zone {
		at := s.hint.View.ToTableAt(s.hint.View.ToImageAt(p, highest), par.face.tall*thick)
		for k := range at {
			from[k] = min(from[k], max(at[k], low[k]-par.reader.flattest*highest))
			to[k] = max(to[k], min(at[k], high[k]+par.reader.flattest*highest))
		}
	}
	return from, to
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
	taken []bool
	bare  []bareFit
	now   uint32
}

// bareFit is how well the bare felt fits a pixel, how far off it is, and in which reading
// that was.
type bareFit struct {
	fit  float32
	off  float32 // grey levels
	when uint32
}

// fit makes room for pictures of n pixels and forgets the last one.
func (c *scratch) fit(n int) {
	if len(c.bare) != n {
		*c = scratch{taken: make([]bool, n), bare: make([]bareFit, n)}
	}
	c.forget()
}

// forget drops what is known of the bare felt.
func (c *scratch) forget() {
	if c.now++; c.now == 0 { // after four thousand million readings
		clear(c.bare)
		c.now = 1
	}
}

// about does something with a tile and those about it, as far as a chip reaches.
func (g *ground) about(i int, do func(int)) {
	for y := i/g.wide - 1; y <= i/g.wide+1; y++ {
		for x := i%g.wide - 1; x <= i%g.wide+1; x++ {
			if j := y*g.wide + x; x >= 0 && x < g.wide && y >= 0 && j < len(g.tiles) {
				do(j)
			}
		}
	}
}
