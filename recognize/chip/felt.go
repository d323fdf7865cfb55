package chip

import (
	"math"
	"slices"

	"vision/internal/cv"
)

// Felt remembers how the bare felt looks, print and all, where nothing was found
// in earlier readings: printed discs are then no chips, and print under a
// stack's foot is no layer. It belongs to one camera; one goroutine uses it.
type Felt struct {
	empty []byte // BGR, the bare table as Bare has shown it; nil: it has not

	single bool // pictures are read each by itself
	w, h   int
	pix    []byte  // BGR
	seen   []uint8 // readings in which the pixel looked like this
	left   []int32 // of learning, kept between readings

	zones     []*memory
	learnings uint32
	wide      int      // blocks in a row
	turned    []uint32 // by block: the learning in which another felt became known
}

// NewFelt knows nothing yet of a camera's frames of w×h pixels.
func NewFelt(w, h int) *Felt {
	wide := (w + blockSide - 1) / blockSide
	return &Felt{w: w, h: h, pix: make([]byte, 3*w*h), seen: make([]uint8, w*h),
		wide: wide, turned: make([]uint32, wide*((h+blockSide-1)/blockSide))}
}

// Anew has the next reading of each zone look at everything, also where nothing
// changed. What the felt looks like stays known.
func (f *Felt) Anew() { f.zones = nil }

// Single says whether pictures are read each by itself: then later ones will not tell print
// from chips, and faces are looked for that are less like new chips'.
func (f *Felt) Single(yes bool) { f.single = yes }

// Bare takes over a picture, BGR, of the felt with nothing on it: all of it is known
// then. A picture of another size teaches nothing.
func (f *Felt) Bare(pix []byte) {
	if len(pix) != len(f.pix) {
		return
	}
	copy(f.pix, pix)
	f.empty = slices.Clone(pix)
	for i := range f.seen {
		f.seen[i] = 2 * par.felt.sure
	}
	f.learnings++
	for i := range f.turned {
		f.turned[i] = f.learnings
	}
}

// turn notes that what is known of the felt at a pixel is another.
func (f *Felt) turn(i int) { f.turned[i/f.w/blockSide*f.wide+i%f.w/blockSide] = f.learnings }

// shown reports whether all of the bare felt is known.
func (f *Felt) shown() bool { return f != nil && f.empty != nil }

// known is the bare felt's colour at a pixel.
func (f *Felt) known(i int) (c rgb, ok bool) {
	if f == nil || f.seen[i] < par.felt.sure {
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
	f.learnings++
	for _, r := range s.ground.spans {
		about := s.about(r.y)
		for x := r.from; x < r.to; {
			near, far := r.to, r.to // columns that a stack's shadow may reach
			for _, b := range about {
				if from, to := b.x0-par.felt.aside, b.x1+par.felt.aside+1; to > x && from < near {
					near, far = max(from, x), min(to, r.to)
				}
			}
			s.see(f, r.y*s.w+x, r.y*s.w+near)
			for x = near; x < far; x++ {
				if i := r.y*s.w + x; !s.shadowed(x, r.y) {
					s.see(f, i, i+1)
				}
			}
		}
	}
}

// about are the boxes of stacks in or right beside a row.
func (s *search) about(y int) (out []box) {
	for _, c := range s.covers {
		if y >= c.y0-par.felt.aside && y <= c.y1+par.felt.aside {
			out = append(out, c.box)
		}
	}
	return out
}

// see takes over a run of pixels. Where the felt is known for certain and looks about
// as before, that is done many pixels at a time.
func (s *search) see(f *Felt, from, to int) {
	if from >= to {
		return
	}
	near, full := uint8((par.felt.another-1)/3), 2*par.felt.sure
	f.left = cv.Blend(f.pix[3*from:3*to], s.pix[3*from:3*to], f.seen[from:to], near, full, f.left)
	for _, k := range f.left {
		first := from + cv.BlendPiece*int(k)
		s.seeEach(f, first, min(first+cv.BlendPiece, to))
	}
}

// seeEach takes over pixels one by one.
func (s *search) seeEach(f *Felt, from, to int) {
	for i := from; i < to; i++ {
		old, c := f.pix[3*i:3*i+3:3*i+3], s.pix[3*i:3*i+3:3*i+3]
		if d := diff(old[0], c[0]) + diff(old[1], c[1]) + diff(old[2], c[2]); d >= par.felt.another || f.seen[i] == 0 {
			if f.seen[i] >= par.felt.sure && relitFelt(old, c) {
				continue
			}
			f.other(i, c, s.tones.felt[s.cell(i)] > par.felt.like)
			continue
		}
		for k := range old {
			old[k] = uint8((3*uint(old[k]) + uint(c[k]) + 2) / 4)
		}
		if f.seen[i] < 2*par.felt.sure {
			if f.seen[i]++; f.seen[i] == par.felt.sure {
				f.turn(i)
			}
		}
	}
}

// relitFelt reports whether a pixel that is known for certain shows what it did in another light:
// nothing is learned from it, and what is known stays. White print changes by more grey levels than
// any felt when a camera's exposure answers an arm.
func relitFelt(old, c []byte) bool {
	known := newTint(rgb{float64(old[2]), float64(old[1]), float64(old[0])})
	off := squaredOff(rgb{float64(c[2]), float64(c[1]), float64(c[0])}, &known, par.colour.felt)
	return 3*off < float64(par.felt.another*par.felt.another) // of three channels that differ alike
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// other takes over a pixel that looks otherwise than before.
func (f *Felt) other(i int, c []byte, felt bool) {
	if f.seen[i] > 0 && !felt {
		if f.seen[i]--; f.seen[i] == par.felt.sure-1 {
			f.turn(i)
		}
		if f.seen[i] > 0 {
			return
		}
	}
	copy(f.pix[3*i:3*i+3], c)
	f.seen[i] = 1
	if felt {
		f.seen[i] = par.felt.sure
		f.turn(i)
	}
}

// shadowed reports whether a pixel lies in or right beside a stack.
func (s *search) shadowed(x, y int) bool {
	r := par.felt.aside
	for _, d := range [9][2]int{{0, 0}, {r, 0}, {-r, 0}, {0, r}, {0, -r}, {r, r}, {-r, -r}, {r, -r}, {-r, r}} {
		u, v := x+d[0], y+d[1]
		if u >= 0 && v >= 0 && u < s.w && v < s.h && s.taken[v*s.w+u] {
			return true
		}
	}
	return false
}

// bare is the log likelihood of a pixel's colour under "nothing lies here".
func (s *search) bare(i, c int) float64 { return float64(s.bareFit(i, c).fit) }

// fromBare is by how many grey levels a pixel's colour is off the bare felt's in any light;
// 0 where that is not known.
func (s *search) fromBare(i int) float64 {
	if known := &s.scratch.bare[i]; known.when == s.scratch.now {
		return float64(known.off)
	}
	return float64(s.bareFit(i, s.cell(i)).off)
}

func (s *search) bareFit(i, c int) *bareFit {
	known := &s.scratch.bare[i]
	if known.when != s.scratch.now {
		*known = bareFit{fit: s.tones.felt[c], when: s.scratch.now}
		if felt, ok := s.hint.Felt.known(i); ok {
			t := newTint(felt)
			off := squaredOff(s.color(i), &t, par.colour.felt)
			known.fit, known.off = max(known.fit, likelihood(off)), float32(math.Sqrt(off))
		}
	}
	return known
}
