package plaque

import (
	"cmp"
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
)

// search is one reading of the plaques of one zone.
type search struct {
	picture
	hint    Hint
	opts    Options
	felt    *felt
	zone    calibration.Zone
	ground  *ground
	scratch *scratch
	taken   []bool     // pixels of the picture that something covers
	covers  []box      // the parts of it that hold them
	eye     [3]float64 // the camera, millimetres
}

func (s *search) run(r *Reader) ([]Pile, error) {
	s.zone, s.eye = calibration.Zone{Polygon: s.hint.Zone}, s.hint.View.Eye()
	s.ground, s.scratch = r.groundOf(s), &r.scratch
	s.scratch.fit(s.w * s.h)
	s.taken = s.scratch.taken
	defer s.uncover()
	common := s.ground.commonest(s.pix)
	s.felt = r.feltOf(common)
	dyes, err := r.dyesFor(s.hint.Palette, common)
	if err != nil {
		return nil, err
	}
	p := &plaques{search: s, dyes: dyes, palette: s.hint.Palette}
	for _, f := range p.allFaces() {
		doubt := par.pile.doubt
		if p.bears(&f) {
			f, doubt = p.anew(f), par.pile.doubtUnder
		}
		if c, ok := p.under(f, doubt); ok {
			p.found = append(p.found, c)
		}
		p.coverFound()
	}
	var out []Pile
	for i := range p.found {
		if at := s.footOf(&p.found[i], s.hint.Palette); s.zone.Contains(at) {
			out = append(out, p.pile(&p.found[i]))
		}
	}
	slices.SortFunc(out, func(a, b Pile) int {
		return cmp.Or(cmp.Compare(a.At[0], b.At[0]), cmp.Compare(a.At[1], b.At[1]))
	})
	return out, nil
}

// allFaces are the faces beside the stacks. One that was counted too high hides the plaque on which it stands: they are
// looked for once more beside what is chips for certain.
func (s *plaques) allFaces() []slab {
	s.coverFound()
	faces := s.faces()
	if len(s.hint.Stacks) > 0 {
		s.uncover()
		for i := range s.hint.Stacks {
			s.cover(s.hint.Stacks[i].Top)
		}
		for _, f := range s.faces() {
			if !slices.ContainsFunc(faces, func(o slab) bool { return s.overlap(o, f) > par.plaque.sameFace }) {
				faces = append(faces, f)
			}
		}
		s.coverFound()
	}
	return faces
}

// bears reports whether a stack stands on a face.
func (s *plaques) bears(f *slab) bool {
	return slices.ContainsFunc(s.hint.Stacks, func(st Standing) bool {
		return f.holds(&s.kinds[f.kind], s.hint.View.ToTableAt(st.Foot, f.tall))
	})
}

// anew places a face once more when it is known what stands on it.
func (s *plaques) anew(f slab) slab {
	x, y := s.away(f.at)
	best := s.refine(f)
	for _, shift := range [...]float64{-par.pile.anew, par.pile.anew} {
		c := f
		c.at = fact.Point{f.at[0] + shift*x, f.at[1] + shift*y}
		if c = s.refine(c); c.score > best.score {
			best = c
		}
	}
	best.p = f.p
	return best
}

// coverFound marks as taken what may hide plaques and the piles found so far, and nothing else.
func (s *plaques) coverFound() {
	s.uncover()
	for i := range s.hint.Stacks {
		s.cover(s.hint.Stacks[i].Outline)
	}
	for i := range s.found {
		s.cover(s.pileContour(&s.found[i], s.palette))
	}
}

// box is the pixels between two corners, both in it.
type box struct{ x0, y0, x1, y1 int }

// cover marks the pixels in an outline of the picture as taken.
func (s *search) cover(outline []fact.Point) {
	spans := spansOf(outline, s.w, s.h)
	if len(spans) == 0 {
		return
	}
	for _, r := range spans {
		for i := r.y*s.w + r.from; i < r.y*s.w+r.to; i++ {
			s.taken[i] = true
		}
	}
	s.covers = append(s.covers, boxOf(spans))
}

// uncover forgets what stacks take.
func (s *search) uncover() {
	for _, b := range s.covers {
		for y := b.y0; y <= b.y1; y++ {
			clear(s.scratch.taken[y*s.w+b.x0 : y*s.w+b.x1+1])
		}
	}
	s.covers = s.covers[:0]
}

// boxOf is the box about spans.
func boxOf(spans []span) box {
	b := box{math.MaxInt, 0, -1, -1}
	for i, r := range spans {
		if i == 0 {
			b.y0 = r.y
		}
		b.x0, b.x1, b.y1 = min(b.x0, r.from), max(b.x1, r.to-1), r.y
	}
	return b
}

// affine is the camera near a point of a plane above the felt.
type affine struct {
	mm, px fact.Point
	ex, ey fact.Point // pixels per millimetre along x and y
}

func (s *search) lens(mm fact.Point, tall float64) affine {
	at := func(dx, dy float64) fact.Point {
		return s.hint.View.ToImageAt(fact.Point{mm[0] + dx, mm[1] + dy}, tall)
	}
	d := par.plaque.lens
	l, r, u, o := at(-d, 0), at(d, 0), at(0, -d), at(0, d)
	return affine{mm: mm, px: at(0, 0),
		ex: fact.Point{(r[0] - l[0]) / (2 * d), (r[1] - l[1]) / (2 * d)},
		ey: fact.Point{(o[0] - u[0]) / (2 * d), (o[1] - u[1]) / (2 * d)}}
}

func (m *affine) at(x, y float64) fact.Point {
	x, y = x-m.mm[0], y-m.mm[1]
	return fact.Point{m.px[0] + x*m.ex[0] + y*m.ey[0], m.px[1] + x*m.ex[1] + y*m.ey[1]}
}

// upright is the box between two corners.
func upright(low, high fact.Point) fact.Quad {
	return fact.Quad{low, {high[0], low[1]}, high, {low[0], high[1]}}
}
