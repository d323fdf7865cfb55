package plaque

import (
	"math"

	"vision/internal/fact"
)

// lattice is the points of a zone, and about it, at which the colour of a plaque's
// face is looked for: the pixels that show them.
type lattice struct {
	origin fact.Point
	tall   float64 // of the points
	w, h   int
	px     []int32 // -1 outside the picture
}

// latticeOf makes the points for the plaques of the palette.
func (s *plaques) latticeOf() *lattice {
	long, tall := 0.0, s.kinds[0].Thickness
	for _, d := range s.kinds {
		long = max(long, math.Hypot(d.Length, d.Width))
	}
	low, high := s.zone.Bounds()
	half := long/2 + plaqueLattice
	l := &lattice{tall: tall, origin: fact.Point{low[0] - half, low[1] - half}}
	l.w, l.h = int((high[0]-low[0]+2*half)/plaqueLattice)+1, int((high[1]-low[1]+2*half)/plaqueLattice)+1
	l.px = make([]int32, l.w*l.h)
	for k := range l.px {
		l.px[k] = -1
		if i, ok := s.index(s.hint.View.ToImageAt(l.at(k%l.w, k/l.w), tall)); ok {
			l.px[k] = int32(i)
		}
	}
	return l
}

func (l *lattice) at(x, y int) fact.Point {
	return fact.Point{l.origin[0] + plaqueLattice*float64(x), l.origin[1] + plaqueLattice*float64(y)}
}

// sums of a lattice's marks from its corner: how many of each sort lie within any box of
// it.
type sums struct {
	w int
	n [][]int32 // by sort
}

func newSums(w, h, sorts int) *sums {
	c := &sums{w: w + 1, n: make([][]int32, sorts)}
	for j := range c.n {
		c.n[j] = make([]int32, (w+1)*(h+1)) // its first row and column stay 0
	}
	return c
}

// put adds row y, a bit for each sort at each place; row by row, none left out.
func (c *sums) put(y int, row []uint64) {
	for j, n := range c.n {
		above, out := n[y*c.w+1:(y+1)*c.w], n[(y+1)*c.w+1:(y+2)*c.w]
		sum := int32(0)
		for x, bits := range row {
			sum += int32(bits >> j & 1)
			out[x] = above[x] + sum
		}
	}
}

// within counts the marks of a sort up to half a box's side from x, y.
func (c *sums) within(sort, x, y, half int) int {
	n := c.n[sort]
	a, b := (y-half)*c.w+x-half, (y+half+1)*c.w+x-half
	return int(n[b+2*half+1] - n[b] - n[a+2*half+1] + n[a])
}

// masks marks where the lattice can be seen, sort 0, and where it shows the colour of
// each kind's face, one sort each after it.
func (s *plaques) masks(l *lattice) *sums {
	c := newSums(l.w, l.h, len(s.kinds)+1)
	row := make([]uint64, l.w) // sorts of a row's points, bit by bit
	for y := range l.h {
		for x := range row {
			at := y*l.w + x
			if i := int(l.px[at]); i >= 0 && !s.taken[i] {
				row[x] = s.likes(i)<<1 | 1
			} else {
				row[x] = 0
			}
		}
		c.put(y, row)
	}
	return c
}

// mostDyes are the kinds that a word has bits for, one of them being for what shows.
const mostDyes = 63

// likes has a bit for each kind of plaque whose face is of the colour that pixel i shows.
func (s *plaques) likes(i int) (bits uint64) {
	fits := s.of(&s.picture, i)
	for k := range s.kinds {
		if v := fits[parts*k+int(field)]; v > plaqueFaceFrom && float64(v) > s.background(i) {
			bits |= 1 << k
		}
	}
	return bits
}
