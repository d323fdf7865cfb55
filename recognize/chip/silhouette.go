package chip

import (
	"math"
	"math/bits"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
)

// Where the bare felt is known, a stack is first of all what hides it: the hull of a
// cylinder whose middle and height are to be found. However worn its chips are, and
// whatever is printed on them, that says how many they are.

// silhouette is how much better chips of some kinds fit than the bare felt does, summed
// along the rows of a part of the picture. Rows are looked at when they are asked for: most
// stacks are low, and the highest that may stand there reaches far down.
type silhouette struct {
	box
	w     int
	kinds uint64
	rows  [][]float32 // w+1 each; nil: not looked at yet
}

// newSilhouette is of a part of the picture. What nearer stacks cover says nothing, nor what
// others show behind.
func (s *search) newSilhouette(b box, kinds uint64) *silhouette {
	b = box{max(0, b.x0), max(0, b.y0), min(s.w-1, b.x1), min(s.h-1, b.y1)}
	return &silhouette{box: b, w: max(0, b.x1-b.x0+1), kinds: kinds, rows: make([][]float32, max(0, b.y1-b.y0+1))}
}

// row are the sums from the left along a row of the picture.
func (o *silhouette) row(s *search, y int) []float32 {
	row := o.rows[y-o.y0]
	if row != nil {
		return row
	}
	row = make([]float32, o.w+1)
	others := s.shapes.others[y]
	for x := o.x0; x <= o.x1; x++ {
		i, v := y*s.w+x, float32(0)
		if (s.taken == nil || !s.taken[i]) && !among(others, x) {
			c := s.cell(i)
			fits := float32(par.colour.anything)
			for m := o.kinds; m != 0; m &= m - 1 {
				fits = max(fits, s.tones.anywhere(bits.TrailingZeros64(m), c))
			}
			v = min(max(fits-float32(s.bare(i, c)), -par.outline.mostEvidence), par.outline.mostEvidence)
		}
		row[x-o.x0+1] = row[x-o.x0] + v
	}
	o.rows[y-o.y0] = row
	return row
}

// anywhere is how well a colour fits a chip's side or the rim of its face.
func (t *tones) anywhere(kind, c int) float32 {
	p := &t.kinds[kind]
	return max(p.sideBody[c], p.sideEdge[c], t.face(c, rim)[kind])
}

// within is the sum over spans moved by some pixels.
func (o *silhouette) within(s *search, spans []span, dx, dy int) (sum float32) {
	for _, r := range spans {
		y := r.y + dy
		if y < o.y0 || y > o.y1 {
			continue
		}
		from, to := max(r.from+dx, o.x0), min(r.to+dx, o.x1+1)
		if from < to {
			row := o.row(s, y)
			sum += row[to-o.x0] - row[from-o.x0]
		}
	}
	return sum
}

// shapes are the outlines in the picture of stacks of every height under one face, and
// what hides the felt there. A few millimetres aside the outlines are the same.
type shapes struct {
	from   fact.Point // the face's middle in the picture
	kind   int
	spans  [][]span // by the number of chips less one; made where they are asked for
	reach  box
	hidden map[uint64]*silhouette // by the kinds that are known to be there
	edged  map[edged]float64      // what borders says
	others map[int][]span         // by row of the picture, what shows of the faces behind
}

// farther is a face behind the one under which is counted: what shows of it is not hidden by
// what is counted, nor does that hide the felt there.
type farther struct {
	cover
	spans []span
}

// showing are faces as they show to others before them, with the side of a chip under each.
func (s *search) showing(tops []top) []farther {
	out := make([]farther, len(tops))
	for i, t := range tops {
		outline := s.outlineUnder(t.kind, t.px, 1)
		spans := spansOf(outline, s.w, s.h)
		out[i] = farther{coverOf(spans, outline), spans}
	}
	return out
}

// othersBeside is by row what farther faces show beside an outline.
func (s *search) othersBeside(before []fact.Point) map[int][]span {
	if len(s.farther) == 0 {
		return nil
	}
	own, out := map[int]span{}, map[int][]span{}
	for _, r := range spansOf(before, s.w, s.h) {
		own[r.y] = r
	}
	for _, f := range s.farther {
		for _, r := range f.spans {
			o, ok := own[r.y]
			if !ok {
				out[r.y] = append(out[r.y], r)
				continue
			}
			if left := (span{r.y, r.from, min(r.to, o.from)}); left.from < left.to {
				out[r.y] = append(out[r.y], left)
			}
			if right := (span{r.y, max(r.from, o.to), r.to}); right.from < right.to {
				out[r.y] = append(out[r.y], right)
			}
		}
	}
	return out
}

// among reports whether a pixel lies in one of some spans of its row.
func among(row []span, x int) bool {
	return slices.ContainsFunc(row, func(r span) bool { return r.from <= x && x < r.to })
}

// edged is a stack whose outlines were looked for.
type edged struct {
	kind int
	px   fact.Point
	n    int
}

// outline begins with a face.
func (s *search) outline(t top) {
	s.shapes = shapes{from: t.px, kind: t.kind, hidden: map[uint64]*silhouette{}, edged: map[edged]float64{}}
	s.shapes.others = s.othersBeside(s.outlineOf(1))
	for _, n := range [2]int{1, s.opts.Most} {
		low, high := calibration.Zone{Polygon: s.outlineOf(n)}.Bounds()
		b := box{int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1}
		if n > 1 {
			b = b.with(s.shapes.reach)
		}
		s.shapes.reach = b
	}
	m := s.lens(t.disc.at, t.disc.tall)
	far := (par.outline.sunken + par.outline.nudge) * math.Max(math.Hypot(m.ex[0], m.ey[0]), math.Hypot(m.ex[1], m.ey[1]))
	b, d := &s.shapes.reach, int(far)+1
	*b = box{b.x0 - d, b.y0 - d, b.x1 + d, b.y1 + d}
}

// outlineOf is the hull of n chips.
func (s *search) outlineOf(n int) []fact.Point {
	return s.outlineUnder(s.shapes.kind, s.shapes.from, n)
}

// outlineUnder is the hull of n chips of a kind under a face at px.
func (s *search) outlineUnder(kind int, px fact.Point, n int) []fact.Point {
	return s.contour(counted{kinds: slices.Repeat([]int{kind}, n), foot: s.foot(top{kind: kind}, px, n)})
}

// hides is the log odds that n chips, some of which are of the given kinds, hide the
// felt under a face at px, against nothing being there. 0 where the felt is not known.
func (s *search) hides(kinds uint64, px fact.Point, n int) float64 {
	weight := s.tones.wear.hiding
	if weight == 0 {
		return 0
	}
	s.deepest = max(s.deepest, n)
	o := &s.shapes
	for len(o.spans) < n {
		o.spans = append(o.spans, spansOf(s.outlineOf(len(o.spans)+1), s.w, s.h))
	}
	hidden := o.hidden[kinds]
	if hidden == nil {
		hidden = s.newSilhouette(o.reach, kinds)
		o.hidden[kinds] = hidden
	}
	dx, dy := int(math.Round(px[0]-o.from[0])), int(math.Round(px[1]-o.from[1]))
	return weight * float64(hidden.within(s, o.spans[n-1], dx, dy))
}

// centred is a face moved to where the stack under it fits best what hides the felt.
func (s *search) centred(t top) top {
	x, y := s.away(t.disc.at)
	kinds := s.unlike() | 1<<t.kind
	best, out := math.Inf(-1), t
	for shift := -par.outline.astray; shift <= par.outline.sunken; shift++ {
		sides := par.outline.astray / 2
		if shift > par.outline.astray {
			sides = 0
		}
		for aside := -sides; aside <= sides; aside++ {
			at := fact.Point{t.disc.at[0] + shift*x - aside*y, t.disc.at[1] + shift*y + aside*x}
			px := s.hint.View.ToImageAt(at, t.disc.tall)
			fit := max(par.outline.straying*(shift*shift+aside*aside), par.outline.farthest)
			v := fit + s.highest(kinds, px)
			if v > best && (shift <= par.outline.astray || s.mayShow(t, at)) {
				best, out.disc.at, out.px = v, at, px
			}
		}
	}
	return out
}

// highest is what the likeliest height of a stack under a face at px is worth.
func (s *search) highest(kinds uint64, px fact.Point) float64 {
	most := math.Inf(-1)
	for n := 1; n <= s.opts.Most; n++ {
		v := s.hides(kinds, px, n)
		if most = max(most, v); v < most-par.count.beaten {
			break
		}
	}
	return most
}

// mayShow reports whether at a place, as high as a face, one of its kind may show.
func (s *search) mayShow(t top, at fact.Point) bool {
	d := disc{at: at, tall: t.disc.tall}
	m := s.lens(at, d.tall)
	s.rateKind(&m, &d, t.kind, s.tones.wear.found)
	return d.score > s.tones.wear.found
}

// unlike are the kinds whose colours are plainly not the felt's.
func (s *search) unlike() (mask uint64) {
	for k := range s.tones.kinds {
		if s.tones.in[k]-s.tones.out[k] >= par.colour.feltLike {
			mask |= 1 << k
		}
	}
	return mask
}

// maskOf are kinds as bits.
func maskOf(kinds []int) (mask uint64) {
	for _, k := range kinds {
		mask |= 1 << k
	}
	return mask
}
