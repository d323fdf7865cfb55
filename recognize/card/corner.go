package card

import (
	"image"
	"math"
	"slices"

	"vision/internal/cv"
	"vision/internal/fact"
)

// A free corner of a card that is otherwise covered: a convex, nearly right
// angle in the outline of a heap. Going clockwise round the card, prev leads
// back along the side that ends here and next along the one that begins.
type free struct {
	at         fact.Point
	prev, next fact.Point // unit vectors away from the corner
	prevLen    float64    // visible length of the two sides in pixels
	nextLen    float64
	prevWhole  bool // the side ends in another free corner
	nextWhole  bool
}

// segment is a straight stretch of a contour, with the line fitted to it.
type segment struct {
	a, b fact.Point // ends, in the contour's clockwise order
	line [2]fact.Point
}

// freeCorners finds the free corners of a contour and the share of it that is
// straight. size is the shorter side of a card in pixels.
func freeCorners(contour []image.Point, size float64) (out []free, straight float64) {
	pts := clockwise(contour)
	segs := segments(pts, size)
	n := len(segs)
	for _, s := range segs {
		straight += max(math.Abs(s.b[0]-s.a[0]), math.Abs(s.b[1]-s.a[1]))
	}
	straight /= float64(len(pts))
	whole := make([]bool, n) // corner between i and i+1 is free
	at := make([]fact.Point, n)
	for i := range n {
		at[i], whole[i] = meet(segs[i], segs[(i+1)%n], size)
	}
	for i := range n {
		if !whole[i] || n < 2 {
			continue
		}
		j := (i + 1) % n
		p := unit(sub(segs[i].a, at[i]))
		q := unit(sub(segs[j].b, at[i]))
		c := free{at: at[i], prev: p, next: q, prevLen: norm(sub(segs[i].a, at[i])), nextLen: norm(sub(segs[j].b, at[i]))}
		if k := (i + n - 1) % n; whole[k] && k != i {
			c.prevWhole, c.prevLen = true, norm(sub(at[k], at[i]))
		}
		if whole[j] && j != i {
			c.nextWhole, c.nextLen = true, norm(sub(at[j], at[i]))
		}
		out = append(out, c)
	}
	return out, straight
}

// meet returns where two following segments meet in a free corner.
func meet(s, t segment, size float64) (fact.Point, bool) {
	u, v := sub(s.b, s.a), sub(t.b, t.a)
	turn := cross(u, v) / (norm(u) * norm(v))
	if turn < heapRight || norm(sub(t.a, s.b)) > heapGap*size { // 37 to 143 degrees, to the right
		return fact.Point{}, false
	}
	x, ok := intersect(s.line[0], s.line[1], t.line[0], t.line[1])
	if !ok || norm(sub(x, s.b)) > heapApex*size || norm(sub(x, t.a)) > heapApex*size {
		return fact.Point{}, false
	}
	return x, true
}

// segments cuts a contour into its straight stretches of at least a sixth of a
// card's short side.
func segments(pts []image.Point, size float64) []segment {
	corners := cv.Simplify(pts, max(heapLeastBend, heapBend*size))
	var out []segment
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		a, b := toPoint(p), toPoint(q)
		if norm(sub(b, a)) < size/heapStretch {
			continue
		}
		from, to := slices.Index(pts, p), slices.Index(pts, q)
		if to <= from {
			to += len(pts)
		}
		trim := (to - from) / heapTrim
		var mid []fact.Point
		for k := from + trim; k <= to-trim; k++ {
			mid = append(mid, toPoint(pts[k%len(pts)]))
		}
		if len(mid) < 4 {
			continue
		}
		out = append(out, segment{a, b, leastSquares(mid, sub(b, a))})
	}
	return out
}

func clockwise(pts []image.Point) []image.Point {
	s := 0
	for i, p := range pts {
		q := pts[(i+1)%len(pts)]
		s += p.X*q.Y - p.Y*q.X
	}
	if s >= 0 {
		return pts
	}
	pts = slices.Clone(pts)
	slices.Reverse(pts)
	return pts
}

// size of a card in pixels, as known from other cards of the picture or a hint.
type size struct{ short, long float64 }

// mark puts a card of the given size at a free corner: the corner as top
// left, then with across as top right, where an index stands too in decks with
// four of them. ok is false where a visible side contradicts the size.
func (c free) mark(s size, across bool) (mark, bool) {
	short, long := c.next, c.prev
	shortLen, longLen, shortWhole, longWhole := c.nextLen, c.prevLen, c.nextWhole, c.prevWhole
	if across {
		short, long = long, short
		shortLen, longLen, shortWhole, longWhole = longLen, shortLen, longWhole, shortWhole
	}
	if shortLen > heapLonger*s.short || longLen > heapLonger*s.long {
		return mark{}, false
	}
	w, h := s.short, s.long
	if shortWhole && shortLen > heapWhole*s.short {
		w = shortLen
	}
	if longWhole && longLen > heapWhole*s.long {
		h = longLen
	}
	return mark{apex: c.at, short: scale(short, w), long: scale(long, h), edged: true}, true
}

// sizeNear is the size of the cards already found, as seen near p: that of the
// nearest. Without any it comes from the hint; ok is false where nothing is known.
func sizeNear(p fact.Point, known []view, hint Hint) (size, bool) {
	best, at := math.Inf(1), size{}
	for _, v := range known {
		if d := norm(sub(centre(v.quad), p)); d < best {
			a, b := sides(v.quad)
			best, at = d, size{min(a, b), max(a, b)}
		}
	}
	if !math.IsInf(best, 1) {
		return at, true
	}
	if hint.Short > 0 {
		return size{hint.Short, cardRatio * hint.Short}, true
	}
	return size{}, false
}
