package card

import (
	"cmp"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// heap is a contour that may be several cards, with its free corners.
type heap struct {
	corners  []free
	sizes    []size
	straight float64 // share of the contour that is straight
}

// edged lists the cards that may lie at the free corners of all heaps. known
// are the cards already found; they give the size, and their own corners are left out.
func (s *scene) edged(img gocv.Mat, known []view, hint Hint) []mark {
	var heaps []heap
	for i := range s.heaps {
		if h, ok := s.heap(i, known, hint); ok {
			heaps = append(heaps, h)
		}
	}
	slices.SortStableFunc(heaps, func(a, b heap) int { return cmp.Compare(b.straight, a.straight) })
	var out []mark
	var seen []free
	for _, h := range heaps {
		for _, c := range h.corners {
			if len(out) >= heapGuesses || slices.ContainsFunc(seen, c.same) {
				continue
			}
			seen = append(seen, c)
			for _, sz := range h.sizes {
				for _, across := range []bool{false, true} {
					if m, ok := c.mark(sz, across); ok && m.hasEdges(img) {
						out = append(out, m)
					}
				}
			}
		}
	}
	return out
}

// hasEdges reports whether the corner is one of a thing, not of a printed line.
func (m mark) hasEdges(img gocv.Mat) bool {
	if m.left() {
		return cornerHasEdges(img, m.quad(), 0)
	}
	return cornerHasEdges(img, m.quad(), 1)
}

// heap measures a contour, by its place in heaps; ok is false for what is too
// small, too large or too crooked for cards.
func (s *scene) heap(i int, known []view, hint Hint) (heap, bool) {
	contour := s.heaps[i]
	sz, ok := sizeNear(s.full(middle(contour)), known, hint)
	short := sz.short * s.k
	if !ok {
		short = roughSize(contour)
	}
	if a := contourArea(contour); a < heapSmallest*short*short || a > heapLargest*short*short {
		return heap{}, false
	}
	corners, straight := s.corners(i, short)
	if straight < heapStraight || len(corners) < 2 {
		return heap{}, false
	}
	h := heap{corners: corners, sizes: []size{sz}, straight: straight}
	if !ok {
		h.sizes = heapSizes(corners)
	}
	return h, true
}

// measured holds what freeCorners gave for a contour and a size.
type measured struct {
	size, straight float64
	corners        []free
}

// corners are the free corners of contour i, in pixels of the whole picture; it is
// asked for them twice, mostly for one size.
func (s *scene) corners(i int, size float64) ([]free, float64) {
	if s.known == nil {
		s.known = make([]measured, len(s.heaps))
	}
	c := &s.known[i]
	if c.size != size {
		c.size = size
		c.corners, c.straight = freeCorners(s.heaps[i], size)
		for k := range c.corners {
			s.enlarge(&c.corners[k])
		}
	}
	return c.corners, c.straight
}

func contourArea(pts []image.Point) float64 {
	n, p := 0, pts[len(pts)-1]
	for _, q := range pts {
		n += p.X*q.Y - p.Y*q.X
		p = q
	}
	return math.Abs(float64(n)) / 2
}

func middle(pts []image.Point) fact.Point {
	var x, y int
	for _, p := range pts {
		x, y = x+p.X, y+p.Y
	}
	return scale(fact.Point{float64(x), float64(y)}, 1/float64(len(pts)))
}

// roughSize guesses the shorter side of the cards of a heap: enough to distinguish a
// side from a rounded corner.
func roughSize(h []image.Point) float64 {
	x0, y0, x1, y1 := h[0].X, h[0].Y, h[0].X, h[0].Y
	for _, p := range h {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	return float64(min(x1-x0, y1-y0)) / heapRough
}

// enlarge takes a corner of the searched picture to the whole one.
func (s *scene) enlarge(c *free) {
	c.at = s.full(c.at)
	c.prevLen /= s.k
	c.nextLen /= s.k
}

// same reports whether two masks gave one corner.
func (c free) same(d free) bool {
	tol := heapSame * max(c.prevLen, c.nextLen, heapSameLeast)
	return norm(sub(c.at, d.at)) < tol && dot(c.prev, d.prev) > heapSameTurn &&
		dot(c.next, d.next) > heapSameTurn
}

// heapSizes are the card sizes that whole sides of a heap support.
func heapSizes(corners []free) []size {
	var out []size
	put := func(s size) {
		if !slices.ContainsFunc(out, func(o size) bool {
			return o.short > heapSameSize[0]*s.short && o.short < heapSameSize[1]*s.short
		}) {
			out = append(out, s)
		}
	}
	for _, c := range corners {
		s, l := min(c.prevLen, c.nextLen), max(c.prevLen, c.nextLen)
		if c.prevWhole && c.nextWhole && l > heapAspect[0]*s && l < heapAspect[1]*s {
			put(size{s, l})
		}
	}
	if len(out) > 0 {
		return out[:min(heapSizesTried, len(out))]
	}
	for _, c := range corners {
		if c.nextWhole {
			put(size{c.nextLen, cardRatio * c.nextLen})
			put(size{c.nextLen / cardRatio, c.nextLen})
		}
	}
	return out[:min(heapGuessed, len(out))]
}
