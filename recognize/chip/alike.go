package chip

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// alike is the reading of a stack as chips of one kind: how many layers the side
// under a face has. Every height is a hypothesis that says where the side ends;
// what the pixels say of its layers, chip or not, adds up. The face itself may
// lie a few millimetres nearer or farther than where it fits best: what is a
// chip's side and what its face is not always plain, so all these places are
// weighed.
func (s *search) alike(t top, places [len(shifts)]place) counted {
	from, to := s.heights()
	known := s.unlike() | 1<<t.kind
	var all []hypothesis
	for k, p := range places {
		top := math.Inf(-1)
		lowest := s.foundation(t.kind, p.px, from)
		for n := from; n <= to; n++ {
			h := hypothesis{n: n, side: k, seen: lowest.visible}
			below := s.foundation(t.kind, p.px, n+1)
			h.own = s.column(t.kind, n, &lowest) - max(below.evidence, 0) + p.fit + s.hides(known, p.px, n)
			lowest = below
			if h.own+s.bestBorders(n) >= top-s.beaten() { // otherwise it is beaten, wherever its outlines are
				h.own += s.borders(t.kind, p.px, n)
			}
			all = append(all, h)
			if top = max(top, h.own); h.own < top-s.beaten() {
				all = append(all, s.assumed(h, to)...)
				break
			}
		}
	}
	best := s.fused(all)
	all = s.withoutClashing(all, best, func(h hypothesis) fact.Point { return s.foot(t, places[h.side].px, h.n) }, t.kind)
	heights, low, high := s.spread(all, best)
	px, kinds := places[best.side].px, slices.Repeat([]int{t.kind}, best.n)
	p := t.p * tempered(heights[best.n], s.alikePower(t.kind))
	return counted{kinds: kinds, low: low, high: high, p: p, kindsP: t.p, others: beside(kinds, heights, t.p-p), px: px,
		foot: s.foot(t, px, best.n), hidden: best.seen < par.side.hidden}
}

// foundation is the lowest layer of a stack.
type foundation struct {
	arc               [angles]fact.Point
	evidence, visible float64
}

// foundation looks at the lowest of n chips under a face.
func (s *search) foundation(kind int, px fact.Point, n int) (f foundation) {
	s.deepest = max(s.deepest, n)
	f.arc = s.arc(kind, s.hint.View.ToTableAt(px, float64(n)*s.hint.Palette[kind].Thickness))
	f.evidence, f.visible = s.layer(kind, &f.arc, 0)
	return f
}

// column is the evidence that n chips of a kind stand on one another. Layers that
// look like chips are what was expected and add nothing, or higher stacks would
// always be the likelier; those that do not count against, as does a layer of chip
// below the foot.
func (s *search) column(kind, n int, lowest *foundation) float64 {
	score := min(lowest.evidence, 0)
	for layer := 1; layer < n; layer++ { // counted from the felt
		e, _ := s.layer(kind, &lowest.arc, layer)
		score += min(e, 0)
	}
	return score
}

// angles at which a side is looked at, over a third of the way round.
const angles = 21

// arc is the part of a chip's rim about foot that is turned to the camera.
func (s *search) arc(kind int, foot fact.Point) (out [angles]fact.Point) {
	r := s.hint.Palette[kind].Diameter / 2
	toward := math.Atan2(s.eye[1]-foot[1], s.eye[0]-foot[0])
	for k := range out {
		sin, cos := math.Sincos(toward + (float64(k)-(angles-1)/2)*(2*math.Pi/3)/(angles-1))
		out[k] = fact.Point{foot[0] + r*cos, foot[1] + r*sin}
	}
	return out
}

// layer sums the evidence of one layer's visible side: positive for chip,
// negative for felt or anything else.
func (s *search) layer(kind int, arc *[angles]fact.Point, layer int) (evidence, visible float64) {
	t := &s.tones.kinds[kind]
	s.sum.reset()
	for _, part := range par.side.at {
		tall := (float64(layer) + part) * s.hint.Palette[kind].Thickness
		for _, p := range arc {
			i, c, ok := s.at(s.hint.View.ToImageAt(p, tall))
			if !ok || s.taken[i] {
				continue
			}
			s.sum.add(t, s.brightened(i, c), s.bare(i, c))
		}
	}
	visible = float64(len(s.sum.lean)) / (2 * angles)
	middle, half := s.tones.halfway(kind)
	e := min(max(fitted.Layers.Weight*(s.sum.mean(par.side.mostInserts)-middle)/half, -par.side.enough), par.side.enough)
	return visible * e, visible
}
