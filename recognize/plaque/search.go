package plaque

import (
	"slices"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/geometry"
)

// search is one reading of the plaques of one zone.
type search struct {
	picture
	hint    Hint
	felt    *felt
	zone    calibration.Zone
	scratch *scratch
	taken   []bool     // pixels of the picture that something covers
	eye     [3]float64 // the camera, millimetres
}

func (s *search) run(r *Reader) ([]Pile, error) {
	s.zone, s.eye = calibration.Zone{Polygon: s.hint.Zone}, s.hint.View.Eye()
	s.scratch = &r.scratch
	s.scratch.fit(s.w * s.h)
	s.taken = s.scratch.taken
	common := s.commonest()
	s.felt = newFelt(common)
	dyes, err := r.dyesFor(s.hint.Palette, common)
	if err != nil {
		return nil, err
	}
	p := &plaques{search: s, dyes: dyes, palette: s.hint.Palette}
	p.lattice = p.latticeOf()
	for _, f := range p.allFaces() {
		doubt := pileDoubt
		if p.bears(&f) {
			f, doubt = p.anew(f), pileDoubtUnder
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
	slices.SortFunc(out, func(a, b Pile) int { return slices.Compare(a.At[:], b.At[:]) })
	return out, nil
}

// allFaces are the faces beside the stacks. One that was counted too high hides the plaque on which it stands: they are
// looked for once more beside what is chips for certain.
func (s *plaques) allFaces() []slab {
	s.coverFound()
	faces := s.faces()
	if len(s.hint.Stacks) > 0 {
		clear(s.taken)
		for i := range s.hint.Stacks {
			s.cover(s.hint.Stacks[i].Top)
		}
		for _, f := range s.faces() {
			if !slices.ContainsFunc(faces, func(o slab) bool { return s.overlap(o, f) > plaqueSameFace }) {
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

// anew refits a face once the stacks on it are known.
func (s *plaques) anew(f slab) slab {
	x, y := s.away(f.at)
	best := s.refine(f)
	for _, shift := range [...]float64{-pileAnew, pileAnew} {
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
	clear(s.taken)
	for i := range s.hint.Stacks {
		s.cover(s.hint.Stacks[i].Outline)
	}
	for i := range s.found {
		s.cover(s.pileContour(&s.found[i], s.palette))
	}
}

// cover marks the pixels in an outline of the picture as taken.
func (s *search) cover(outline []fact.Point) {
	for _, r := range geometry.Spans(outline, s.w, s.h) {
		for i := r.Y*s.w + r.From; i < r.Y*s.w+r.To; i++ {
			s.taken[i] = true
		}
	}
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
	d := plaqueLens
	l, r, u, o := at(-d, 0), at(d, 0), at(0, -d), at(0, d)
	return affine{mm: mm, px: at(0, 0),
		ex: fact.Point{(r[0] - l[0]) / (2 * d), (r[1] - l[1]) / (2 * d)},
		ey: fact.Point{(o[0] - u[0]) / (2 * d), (o[1] - u[1]) / (2 * d)}}
}

func (m *affine) at(x, y float64) fact.Point {
	x, y = x-m.mm[0], y-m.mm[1]
	return fact.Point{m.px[0] + x*m.ex[0] + y*m.ey[0], m.px[1] + x*m.ex[1] + y*m.ey[1]}
}
