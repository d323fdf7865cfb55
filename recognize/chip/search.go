package chip

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/geometry"
	"vision/recognize/network"
)

// search is one reading of one zone.
type search struct {
	picture
	hint     Hint
	opts     Options
	tones    *tones
	zone     calibration.Zone
	ground   *ground
	scratch  *scratch
	taken    []bool         // pixels of the picture that nearer stacks cover; nil: none yet
	covers   []cover        // the stacks that do
	farther  []farther      // faces behind the one under which is counted
	beside   [][]fact.Point // outlines of stacks that may stand beside the zone and were not counted
	sum      layerSum
	eye      [3]float64 // the camera, millimetres
	sight    sight
	odd      [][]disc         // candidates by tile that are not bare felt
	bares    []uint8          // by place of the mesh: what bareMesh says; 0: not asked yet
	lately   int              // kind of the candidate before: the next one is mostly of the same
	stations map[station]bool // of climbs to faces
	only     []bool           // by tile, where faces are looked for; nil: everywhere
	stood    []counted        // that were found in another light
	felt     rgb              // the felt's commonest colour
	deepest  int              // chips under a face that were looked for
	memory   *memory          // nil: everything is looked at
	onPlaque bool             // what is counted stands on a plaque
	whole    bool             // what stands beside the zone is counted too
	shapes   shapes           // of the stack that is counted
	gain     float64          // by which its side is brightened to be compared; 0: by nothing
	said     told             // of it by the network
	sides    *network.Net     // reads sides of stacks
	naming   *network.Net     // compares chips on them with kinds
	unrolled []byte           // flank of the stack that is counted; nil: no network looks at it
	looks    []layer          // its chips by that network; nil: it was not asked
	err      error            // of that, the last
}

func (s *search) run(r *Reader) ([]fact.Stack, error) {
	round, flat := split(s.hint.Palette)
	if s.hint.Palette = round; len(round) == 0 {
		s.hint.Palette = flat // of which the felt's colour and the height of things are had
	}
	s.whole = s.whole || len(flat) > 0 // what stands beside the zone may stand on plaques
	wear, err := asNew, error(nil)
	switch {
	case len(flat) > 0:
	case s.hint.Felt.shown():
		wear = inUse
	case s.hint.Felt != nil && s.hint.Felt.single:
		wear = foreign
	}
	if wear != asNew {
		if err := r.loadSides(); err != nil {
			return nil, err
		}
		s.sides, s.naming = r.sides, r.naming
	}
	s.zone, s.eye = calibration.Zone{Polygon: s.hint.Zone}, s.hint.View.Eye()
	s.ground, s.scratch = r.groundOf(s), &r.scratch
	s.scratch.fit(s.w * s.h)
	s.taken = s.scratch.taken
	defer s.uncover()
	s.felt = s.feltColor()
	if s.tones, err = r.tonesFor(s.hint.Palette, wear, s.light(wear), s.felt); err != nil {
		return nil, err
	}
	var all []counted
	if len(round) > 0 && !s.hint.OnlyPlaques {
		s.memory = s.hint.Felt.memoryOf(s)
		if all, err = s.inShade(r, wear, s.findStacks()); err != nil {
			return nil, err
		}
	}
	var piles []pile
	if len(flat) > 0 {
		dyes, err := r.dyesFor(flat, s.felt)
		if err != nil {
			return nil, err
		}
		piles = s.piles(flat, dyes, &all)
	}
	var out []fact.Stack
	for _, c := range all {
		if s.zone.Contains(c.foot) {
			out = append(out, s.stack(c))
		}
	}
	for _, p := range piles {
		if at := s.footOf(&p, flat); s.zone.Contains(at) {
			out = append(out, s.pile(p, flat))
		}
	}
	if s.err != nil {
		return nil, fmt.Errorf("read chips: %w", s.err)
	}
	for _, outline := range s.beside {
		s.cover(outline)
	}
	s.learn()
	slices.SortFunc(out, func(a, b fact.Stack) int {
		return cmp.Or(cmp.Compare(a.At[0], b.At[0]), cmp.Compare(a.At[1], b.At[1]))
	})
	return out, nil
}

// split divides a palette into chips and plaques.
func split(palette []calibration.Chip) (round, flat []calibration.Chip) {
	if !slices.ContainsFunc(palette, calibration.Chip.Plaque) {
		return palette, nil
	}
	for _, c := range palette {
		if c.Plaque() {
			flat = append(flat, c)
		} else {
			round = append(round, c)
		}
	}
	return round, flat
}

// findStacks finds and counts the stacks of chips in and about the zone.
func (s *search) findStacks() []counted {
	s.taken = nil
	s.stations = map[station]bool{}
	s.odd, s.bares = make([][]disc, len(s.ground.tiles)), make([]uint8, len(s.ground.mesh.px))
	tops := s.withoutStood(s.tops(nil))
	all := s.stacks(s.concerning(tops))
	if len(all) > 0 {
		// Once more where nearer stacks hide a part of what stands behind them.
		if more := s.withoutStood(s.tops(all)); len(more) > 0 {
			all = s.stacks(s.concerning(append(tops, more...)))
		}
	}
	return all
}

// stacks counts what stands under the faces. Two stacks cannot stand in one
// another: the worse face of such a pair was seen in the other's side.
func (s *search) stacks(tops []top) []counted {
	tops = slices.Clone(tops)
	// Nearest first: a stack may hide the foot of the one behind it.
	slices.SortFunc(tops, func(a, b top) int { return cmp.Compare(b.px[1], a.px[1]) })
	for {
		s.uncover()
		s.taken = s.scratch.taken
		var out []counted
		stood, kept, faces := 0, tops[:0], s.showing(tops)
		for i, t := range tops {
			stood = s.coverNearer(stood, t.px)
			if c := s.counted(t, faces[i+1:]); !c.none {
				s.coverBy(c)
				kept, out = append(kept, t), append(out, c)
			}
		}
		tops = kept
		worse := s.printed(tops, out)
		if worse < 0 {
			worse = s.clash(tops, out)
		}
		if worse < 0 {
			return out
		}
		tops = slices.Delete(tops, worse, worse+1)
	}
}

// printed names a face that fits no chip well as it is new and shows no side: print, where
// the felt is not known. -1 when there is none.
func (s *search) printed(tops []top, cs []counted) int {
	if s.tones.wear != foreign {
		return -1
	}
	for i := range cs {
		if tops[i].score < asNew.accepted && cs[i].flat {
			return i
		}
	}
	return -1
}

// coverAll marks what stacks take, but for one of them, and nothing else.
func (s *search) coverAll(cs []counted, but int) {
	s.uncover()
	for k, c := range cs {
		if k != but {
			s.coverBy(c)
		}
	}
}

// feltColor is the commonest colour in the zone.
func (s *search) feltColor() rgb {
	return s.ground.commonest(s.pix)
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
	s.covers = append(s.covers, coverOf(spans, outline))
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

// contour of the whole stack in pixels: the hull of its upper and lower rim.
func (s *search) contour(c counted) []fact.Point {
	chip := s.hint.Palette[c.kinds[0]]
	var pts []fact.Point
	for _, h := range [2]float64{0, float64(len(c.kinds)) * chip.Thickness} {
		for k := range 24 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 12)
			r := chip.Diameter/2 + par.place.rim
			pts = append(pts, s.hint.View.ToImageAt(fact.Point{c.foot[0] + r*cos, c.foot[1] + r*sin}, h))
		}
	}
	return geometry.Hull(pts)
}

// stack makes a counted stack a fact.
func (s *search) stack(c counted) fact.Stack {
	low, high := calibration.Zone{Polygon: s.contour(c)}.Bounds()
	out := fact.Stack{Low: c.low, High: c.high, P: c.p, At: c.foot, Kept: c.kept, Quad: upright(low, high)}
	for _, k := range slices.Backward(c.kinds) {
		out.Weighed.Chips = append(out.Weighed.Chips, s.hint.Palette[k].ID)
	}
	if c.p < s.opts.Accept {
		out.Abstain = "unsure"
		if c.hidden {
			out.Abstain = "occluded"
		}
		if c.kindsP < s.opts.Accept {
			return out
		}
	}
	out.Chips = slices.Clone(out.Weighed.Chips)
	for _, o := range c.others {
		out.Others = append(out.Others, o.named(s.hint.Palette))
	}
	return out
}

// named is the same with the kinds of a palette, from the felt upwards.
func (o other) named(palette []calibration.Chip) fact.Content {
	c := fact.Content{P: o.p}
	for _, k := range slices.Backward(o.kinds) {
		c.Chips = append(c.Chips, palette[k].ID)
	}
	return c
}

// upright is the box between two corners.
func upright(low, high fact.Point) fact.Quad {
	return fact.Quad{low, {high[0], low[1]}, high, {low[0], high[1]}}
}

// thousandths rounds a probability as it is reported.
func thousandths(v float64) float64 { return math.Round(1000*v) / 1000 }
