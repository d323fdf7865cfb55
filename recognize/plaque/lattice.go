package plaque

import "vision/internal/fact"

// lattice is the points of a zone, and about it, at which the colour of a plaque's
// face is looked for: the pixels that show them.
type lattice struct {
	long, tall float64 // of the plaques that it was made for
	origin     fact.Point
	w, h       int
	px         []int32 // -1 outside the picture
	marks      sums    // of the reading
}

// latticeOf finds or makes the points for plaques that are so long and lie so high.
func (s *search) latticeOf(long, tall float64) *lattice {
	if l := s.ground.lattice; l != nil && l.long == long && l.tall == tall {
		return l
	}
	low, high := s.zone.Bounds()
	half := long/2 + par.plaque.lattice
	l := &lattice{long: long, tall: tall, origin: fact.Point{low[0] - half, low[1] - half}}
	l.w, l.h = int((high[0]-low[0]+2*half)/par.plaque.lattice)+1, int((high[1]-low[1]+2*half)/par.plaque.lattice)+1
	l.px = make([]int32, l.w*l.h)
	for k := range l.px {
		l.px[k] = -1
		if i, ok := s.index(s.hint.View.ToImageAt(l.at(k%l.w, k/l.w), tall)); ok {
			l.px[k] = int32(i)
		}
	}
	s.ground.lattice = l
	return l
}

func (l *lattice) at(x, y int) fact.Point {
	return fact.Point{l.origin[0] + par.plaque.lattice*float64(x), l.origin[1] + par.plaque.lattice*float64(y)}
}

// sums of a lattice's marks from its corner: how many of each sort lie within any box of
// it. Four sorts share a word, 16 bits each: what runs over into the next one's bits
// goes out again with the difference that a box is, which must hold fewer marks than that.
type sums struct {
	w int
	n [][]uint64 // by word
}

// sorted puts four bits into a word's sixteens.
var sorted = func() (out [16]uint64) {
	for b := range out {
		for k := range 4 {
			out[b] |= uint64(b>>k&1) << (16 * k)
		}
	}
	return out
}()

func newSums(w, h, sorts int) sums {
	c := sums{w: w + 1, n: make([][]uint64, (sorts+3)/4)}
	for j := range c.n {
		c.n[j] = make([]uint64, (w+1)*(h+1)) // its first row and column stay 0
	}
	return c
}

// put adds row y, a bit for each sort at each place; row by row, none left out.
func (c *sums) put(y int, row []uint64) {
	for j, n := range c.n {
		above, out := n[y*c.w+1:(y+1)*c.w], n[(y+1)*c.w+1:(y+2)*c.w]
		sum := uint64(0)
		for x, bits := range row {
			sum += sorted[bits>>(4*j)&15]
			out[x] = above[x] + sum
		}
	}
}

// within counts the marks of a sort up to half a box's side from x, y.
func (c *sums) within(sort, x, y, half int) int {
	n := c.n[sort/4]
	a, b := (y-half)*c.w+x-half, (y+half+1)*c.w+x-half
	return int((n[b+2*half+1] - n[b] - n[a+2*half+1] + n[a]) >> (16 * (sort % 4)) & 0xffff)
}

// masks marks where the lattice can be seen, sort 0, and where it shows the colour of
// each kind's face, one sort each after it.
func (s *plaques) masks(l *lattice) *sums {
	c, sorts := &l.marks, len(s.kinds)+1
	if len(c.n) != (sorts+3)/4 {
		*c = newSums(l.w, l.h, sorts)
	}
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
		if v := fits[shades*k+onFace]; v > par.plaque.faceFrom && float64(v) > s.background(i, s.cell(i)) {
			bits |= 1 << k
		}
	}
	return bits
}
