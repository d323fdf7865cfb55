package chip

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// Chips are lit from above: whatever they look like, a stack's face is brighter than its
// side, where the printed felt goes on as it is. That tells faces that are little like the
// palette's from print (printed), and keeps counts from faces found within a side (doubted).

// steps are medians of how much brighter a face of n chips on a foot is than what lies
// just behind it, and than the side under it, as logarithms.
func (s *search) steps(foot fact.Point, n int) (far, front float64, seen int) {
	thick, r := s.hint.Palette[0].Thickness, s.hint.Palette[0].Diameter/2
	tall := float64(n) * thick
	m := s.lens(foot, tall)
	toward := math.Atan2(s.eye[1]-foot[1], s.eye[0]-foot[0])
	var back, fore []float64
	for k := range angles {
		turn := (float64(k) - (angles-1)/2) * (2 * math.Pi / 3) / (angles - 1)
		sin, cos := math.Sincos(toward + math.Pi + turn)
		at := func(f float64) fact.Point { return m.at(foot[0]+f*r*cos, foot[1]+f*r*sin) }
		in, ok := s.lumAt(at(par.rim.inside))
		out, ok2 := s.lumAt(at(par.rim.behind))
		if ok && ok2 {
			back = append(back, math.Log(in/out))
		}
		sin, cos = math.Sincos(toward + turn)
		in, ok = s.lumAt(at(par.rim.inside))
		out, ok2 = s.lumAt(s.hint.View.ToImageAt(fact.Point{foot[0] + r*cos, foot[1] + r*sin}, tall-thick*par.rim.under))
		if ok && ok2 {
			fore = append(fore, math.Log(in/out))
		}
	}
	seen = min(len(back), len(fore))
	if seen == 0 {
		return 0, 0, 0
	}
	slices.Sort(back)
	slices.Sort(fore)
	return back[len(back)/2], fore[len(fore)/2], seen
}

// lumAt is the brightness of a pixel; false where nearer stacks cover it.
func (s *search) lumAt(p fact.Point) (float64, bool) {
	i, ok := s.index(p)
	if !ok || s.taken[i] {
		return 0, false
	}
	return luminance(s.color(i)) + par.rim.floor, true
}

// solid reports whether a counted stack has a face that the light tells from its side, as
// print on the felt has not, and where nothing nearer hides that, from what is behind it.
func (s *search) solid(c *counted) bool {
	far, front, seen := s.steps(c.foot, len(c.kinds))
	if seen < par.rim.seen {
		return true
	}
	t := &s.tones.kinds[c.kinds[0]]
	pale := min(luminance(t.field), luminance(t.insert)) > par.rim.paler*luminance(s.felt)
	return front >= par.rim.front && (!pale || far >= par.rim.far)
}

// litAlike reports whether one kind's field in less light looks like the other's: which of
// the two lies in a side's half light cannot be told.
func (s *search) litAlike(a, b int) bool {
	f, g := s.tones.kinds[a].field, s.tones.kinds[b].field
	for light := par.rim.darkest; light <= 1/par.rim.darkest; light *= par.rim.lightStep {
		if apart(f.times(light), g) < par.rim.alike {
			return true
		}
	}
	return false
}

// doubted takes its certainty from a stack that shows no face by the light on it, from one of
// several kinds that may be others in another light, and from one whose face is not much like
// a chip's where the felt is not known.
func (s *search) doubted(c counted) counted {
	if s.tones.wear == asNew {
		return c
	}
	shaded := s.looks == nil && c.mixed() && slices.ContainsFunc(c.kinds[1:], s.hasTwin)
	if shaded {
		c.kindsP = min(c.kindsP, s.opts.Accept/par.count.halved)
	}
	c.flat = !c.hidden && !s.solid(&c)
	if shaded || c.flat || s.tones.wear == foreign && c.top.score < asNew.accepted {
		c.p = min(c.p, s.opts.Accept/par.count.halved)
	}
	return c
}

// hasTwin reports whether another kind's field in another light looks like a kind's.
func (s *search) hasTwin(kind int) bool {
	for k := range s.tones.kinds {
		if k != kind && s.litAlike(kind, k) {
			return true
		}
	}
	return false
}
