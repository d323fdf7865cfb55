package dice

import (
	"cmp"
	"image"
	"math"
	"slices"

	"vision/internal/cv"
	"vision/internal/fact"
)

// Felt remembers how the empty felt of a zone looks in its rectified picture, print
// and all, where nothing was found in earlier readings: print beside a die is then
// nothing that it leans on, and a chip of the felt's own colour under it shows. It
// belongs to one zone of one camera; one goroutine uses it.
type Felt struct {
	w, h int
	pix  []byte  // BGR, every other row: print is wider
	seen []uint8 // readings in which the pixel looked like this
	left []int32 // of learning, kept between readings
}

// LearnBackground takes over a zone's rectified picture, BGR, of the felt with nothing on it:
// all of it is known then.
func (f *Felt) LearnBackground(pix []byte, w, h int) {
	f.forget()
	for range feltLearned {
		f.learn(pix, w, h, nil)
	}
}

// learn takes over what shows outside the boxes in which something lies. A picture of
// another size is another felt.
func (f *Felt) learn(pix []byte, w, h int, taken []image.Rectangle) {
	if f.w != w || f.h != h {
		rows := (h + 1) / 2
		*f = Felt{w: w, h: h, pix: make([]byte, 3*w*rows), seen: make([]uint8, w*rows)}
	}
	taken = slices.SortedFunc(slices.Values(taken), func(a, b image.Rectangle) int {
		return cmp.Compare(a.Min.X, b.Min.X)
	})
	for y := 0; y < h; y += 2 {
		x, row, line := 0, y/2*w, pix[3*y*w:3*(y+1)*w]
		for _, b := range taken {
			if y >= b.Min.Y && y < b.Max.Y && b.Max.X > x {
				f.see(line[3*x:3*min(max(x, b.Min.X), w)], row+x)
				x = b.Max.X
			}
		}
		f.see(line[3*min(x, w):], row+x)
	}
}

// see takes over a run of pixels that begins at from.
func (f *Felt) see(run []byte, from int) {
	n := len(run) / 3
	if n == 0 {
		return
	}
	near, full := uint8((feltAnother-1)/3), 2*feltLearned
	f.left = cv.Blend(f.pix[3*from:3*(from+n)], run, f.seen[from:from+n], near, full, f.left)
	for _, k := range f.left {
		first := cv.BlendPiece * int(k)
		for i := first; i < min(first+cv.BlendPiece, n); i++ {
			f.one(from+i, run[3*i:3*i+3])
		}
	}
}

// one takes over a pixel.
func (f *Felt) one(i int, c []byte) {
	old, d := f.pix[3*i:3*i+3], 0
	for k := range old {
		d += max(int(old[k])-int(c[k]), int(c[k])-int(old[k]))
	}
	switch {
	case f.seen[i] == 0:
		copy(old, c)
		f.seen[i] = 1
	case d >= feltAnother:
		f.seen[i] /= 2
	default:
		for k := range old {
			old[k] = uint8((3*uint(old[k]) + uint(c[k]) + 2) / 4)
		}
		f.seen[i] = min(f.seen[i]+1, 2*feltLearned)
	}
}

// at is the empty felt's colour at a pixel, BGR; false where it is not known.
func (f *Felt) at(x, y int) (c [3]float64, ok bool) {
	if f == nil || x < 0 || y < 0 || x >= f.w || y >= f.h || f.seen[y/2*f.w+x] < feltLearned {
		return c, false
	}
	p := f.pix[3*(y/2*f.w+x):]
	return [3]float64{float64(p[0]), float64(p[1]), float64(p[2])}, true
}

// forget has nothing known.
func (f *Felt) forget() { *f = Felt{} }

// holds reports whether the known felt about a box still shows there, so many
// pixels about it, but for what lies in any box.
func (f *Felt) holds(pix []byte, w, h int, box image.Rectangle, about int, boxes []image.Rectangle) bool {
	switch {
	case f == nil:
		return true
	case f.w != w || f.h != h:
		return false
	}
	n, other := 0.0, 0.0
	r := box.Inset(-about)
	for y := r.Min.Y; y < r.Max.Y; y += feltAboutStep {
		for x := r.Min.X; x < r.Max.X; x += feltAboutStep {
			known, ok := f.at(x, y)
			if !ok || slices.ContainsFunc(boxes, image.Pt(x, y).In) {
				continue
			}
			at := 3 * (y*f.w + x)
			if n++; far(pix[at:at+3], known, feltOtherwise) {
				other++
			}
		}
	}
	return other <= feltAboutOther*n
}

// knownFelt is the empty felt's colour at a point; false where it is not known.
func (s *search) knownFelt(p fact.Point) ([3]float64, bool) {
	return s.hint.Felt.at(int(p[0]+0.5)+s.corner.X, int(p[1]+0.5)+s.corner.Y)
}

// known reports whether the empty felt is known at all these points.
func (s *search) known(points []fact.Point) bool {
	return !slices.ContainsFunc(points, func(p fact.Point) bool {
		_, ok := s.knownFelt(p)
		return !ok
	})
}

// occupied reports whether something lies at a point that is not the felt: where that is
// known it is what shows otherwise than the felt, in whatever light. So print is none,
// and a chip of the felt's colour is something.
func (s *search) occupied(p fact.Point) bool {
	x, y := int(p[0]+0.5), int(p[1]+0.5)
	known, ok := s.knownFelt(p)
	if !ok || !s.inside(p) || x >= s.w || y >= s.h {
		return s.isFore(p[0], p[1])
	}
	at := 3 * (y*s.w + x)
	light := math.Sqrt(sq(known[0]) + sq(known[1]) + sq(known[2]))
	return far(s.pix[at:at+3], known, max(feltOtherwise, feltShaded*light))
}
