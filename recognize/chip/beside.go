package chip

import (
	"math"

	"vision/internal/fact"
)

// Faces are looked for far behind a zone: a high stack that stands in it shows its own there.
// What is found there mostly stands behind the zone or beside it, or is the picture on a card:
// to count that is most of a reading's work, and none of it is said. What matters are the
// stacks that may stand in the zone or hide some of it, and what these are counted by.

// concerning are the faces of stacks on which it depends what is read of the zone. Where the
// others may stand is noted, for their shadows.
func (s *search) concerning(tops []top) (out []top) {
	s.beside = nil
	if s.whole {
		return tops
	}
	may := make([]reach, len(tops))
	concerns := make([]bool, len(tops))
	var next []int // that concern the zone and were not asked what concerns them
	for i, t := range tops {
		if may[i] = s.reach(t); may[i].zone {
			concerns[i], next = true, append(next, i)
		}
	}
	for ; len(next) > 0; next = next[1:] {
		looked := s.depth(tops[next[0]], s.opts.Most+flankBelow)
		for i := range tops {
			if !concerns[i] && may[i].takes.meets(looked) && (may[i].high > 0 || s.unseen(i, tops, may)) {
				concerns[i], next = true, append(next, i)
			}
		}
	}
	for i, t := range tops {
		if concerns[i] {
			out = append(out, t)
		} else {
			s.beside = append(s.beside, s.shadowsOf(t, may[i])...)
		}
	}
	return out
}

// reach is how far the stack under a face may go.
type reach struct {
	high  int  // chips, at most; 0: it is none
	zone  bool // it may stand in the zone, or hide some of it
	takes box  // the part of the picture that it may take
}

// reach is that of the stack under a face: by the network's word on its height, unless a single
// chip under the face would lie in the zone. On a card that was read it is none where the network
// sees no stack: the pips on white paper are like a white chip's inserts.
func (s *search) reach(t top) (r reach) {
	if s.overCard(t.px) && s.glance(t).seesNone(par.count.none) {
		return reach{}
	}
	nearer, farther := s.doubt()
	if s.crosses(t, 1, -nearer, farther) {
		return reach{s.opts.Most, true, s.depth(t, s.opts.Most)}
	}
	r.high = s.glance(t).most(s.opts.Most)
	r.zone = r.high > 0 && s.ahead(t, r.high, -nearer)
	r.takes = s.depth(t, r.high)
	return r
}

// unseen reports whether a nearer stack may hide the side right under a face, so that the network
// sees none there whatever stands under it.
func (s *search) unseen(i int, tops []top, may []reach) bool {
	side := boxOf(s.outlineUnder(tops[i].kind, tops[i].px, 1))
	for j, t := range tops {
		if may[j].high > 0 && t.px[1] > tops[i].px[1] && boxOf(s.outlineUnder(t.kind, t.px, may[j].high)).meets(side) {
			return true
		}
	}
	return false
}

// boxOf is the box about an outline.
func boxOf(outline []fact.Point) box {
	b := box{math.MaxInt, math.MaxInt, math.MinInt, math.MinInt}
	for _, p := range outline {
		x, y := int(math.Floor(p[0])), int(math.Floor(p[1]))
		b = b.with(box{x, y, x, y})
	}
	return b
}

// doubt is by how many millimetres a face may be found beside where it is counted, towards the
// camera and away from it.
func (s *search) doubt() (nearer, farther float64) {
	nearer = shifts[len(shifts)-1]
	farther = nearer
	if s.tones.wear.hiding > 0 {
		nearer, farther = nearer+par.outline.astray+par.outline.nudge, farther+par.outline.sunken+par.outline.nudge
	}
	return nearer, farther
}

// ahead reports whether the zone goes on, as the camera sees it, from so many millimetres behind
// where n chips under a face stand.
func (s *search) ahead(t top, n int, from float64) bool {
	at, far := s.foot(t, t.px, n), 0.0
	for _, p := range s.zone.Polygon {
		far = max(far, math.Hypot(p[0]-at[0], p[1]-at[1]))
	}
	return s.crosses(t, n, from, far)
}

// crosses reports whether a chip's width touches the zone somewhere between so many millimetres
// behind where n chips under a face stand.
func (s *search) crosses(t top, n int, from, to float64) bool {
	at := s.foot(t, t.px, n)
	x, y := s.away(at)
	wide := s.hint.Palette[t.kind].Diameter / 2
	for d := from; d < to+par.place.step; d += par.place.step {
		for side := -wide; side <= wide; side += wide / 2 {
			if s.zone.Contains(fact.Point{at[0] + d*x - side*y, at[1] + d*y + side*x}) {
				return true
			}
		}
	}
	return false
}

// glance is what the network says of the side under a face, whatever hides some of it.
func (s *search) glance(t top) told {
	taken := s.taken
	s.taken = nil
	defer func() { s.taken = taken }()
	look := func() (told, box) {
		s.deepest = 1
		said, _ := s.ask(t)
		return said, s.depth(t, s.deepest)
	}
	if s.memory == nil {
		said, _ := look()
		return said
	}
	said, _ := recalled(s, &s.memory.glances, t, look)
	return said
}

// seesNone reports whether that there is no stack is more probable than least; false where nobody
// was asked.
func (w told) seesNone(least float64) bool { return w != nil && w[0] > math.Log(least) }

// most is the greatest height that is not improbable: 0 where no stack is seen, all where nobody
// was asked.
func (w told) most(all int) int {
	sum := 0.0
	for n := len(w) - 1; n > 0; n-- {
		if sum += math.Exp(w[n]); sum >= par.count.improbable {
			return min(n, all)
		}
	}
	if w == nil {
		return all
	}
	return 0
}

// shadowsOf are the outlines of the lowest and the highest stack that may stand under a face.
func (s *search) shadowsOf(t top, r reach) (out [][]fact.Point) {
	if r.high == 0 {
		return nil
	}
	for _, n := range [2]int{1, r.high} {
		out = append(out, s.outlineUnder(t.kind, t.px, n))
	}
	return out
}
