package chip

import (
	"math"

	"gocv.io/x/gocv"
)

// People hold cameras askew, and chips slide: how a stack leans in the picture is not
// known, and its chips are told apart only about as it leans. So its side is looked at in
// several ways, and what they say is added, each weighed by how likely it makes the side to
// be chips.
const (
	leanStep = 2 * math.Pi / 180 // radians
	leans    = 3                 // steps either way
	// far are the steps by which the lean is sought first, upright ones before others.
	farStep = 8 * math.Pi / 180
	farMost = 5
	// shareOfEvidence is what is taken of the log odds of a way to look against another:
	// they show the same pixels, and neighbouring rows err alike.
	shareOfEvidence = 0.25
)

// side looks at the side of the stack in a box about as it leans most likely. nil where the
// box is too flat.
func (r *Reader) side(img gocv.Mat, b bounds) (*sideView, error) {
	known := map[int]float64{} // log odds of chips by steps of the lean
	some := func(k int) (float64, error) {
		if _, ok := known[k]; !ok {
			_, t, err := r.look(img, b, float64(k)*farStep)
			if err != nil {
				return 0, err
			}
			known[k] = t.some
		}
		return known[k], nil
	}
	best := 0
	for climbs := true; climbs; {
		climbs = false
		from := best
		for k := max(-farMost, from-1); k <= min(farMost, from+1); k++ {
			v, err := some(k)
			if err != nil {
				return nil, err
			}
			if v > known[best] {
				best, climbs = k, true
			}
		}
	}
	f, err := r.about(img, b, float64(best)*farStep)
	if err != nil || f == nil || f.counts || b.p < par.stack.sure {
		return f, err
	}
	for k := -farMost; k <= farMost; k++ { // a box that surely is a stack, and nothing to climb from
		v, err := some(k)
		if err != nil {
			return nil, err
		}
		if v > known[best] {
			best = k
		}
	}
	leaning, err := r.about(img, b, float64(best)*farStep)
	if err != nil || leaning == nil || !leaning.counts {
		return f, err
	}
	return leaning, nil
}

// about looks at the side of the stack in a box as if it leaned by about an angle. nil where
// the box is too flat for that.
func (r *Reader) about(img gocv.Mat, b bounds, turn float64) (*sideView, error) {
	var strips []*strip
	var tallies []tally
	best := 0
	for k := -leans; k <= leans; k++ {
		s, t, err := r.look(img, b, turn+float64(k)*leanStep)
		if err != nil {
			return nil, err
		}
		if s == nil {
			continue
		}
		strips, tallies = append(strips, s), append(tallies, t)
		if t.some > tallies[best].some {
			best = len(tallies) - 1
		}
	}
	if len(strips) == 0 {
		return nil, nil
	}
	f := &sideView{bounds: b, strip: strips[best], tally: tally{p: make([]float64, par.stack.countMost+1),
		edges: tallies[best].edges, some: tallies[best].some}}
	sum := 0.0
	for i, t := range tallies {
		w := math.Exp(shareOfEvidence * (t.some - f.tally.some))
		sum += w
		f.layers += w * strips[i].layers()
		for n, p := range t.p {
			f.tally.p[n] += w * p
		}
	}
	f.layers /= sum
	for n := range f.tally.p {
		f.tally.p[n] /= sum
	}
	n, _ := f.tally.likeliest()
	f.counts = n > 1 && f.layers >= par.stack.layers && f.odds() >= par.stack.odds
	return f, nil
}

// look looks at the side of the stack in a box as if it leaned by an angle. nil where the
// box is too flat for that.
func (r *Reader) look(img gocv.Mat, b bounds, turn float64) (*strip, tally, error) {
	at, ok := b, true
	if turn != 0 {
		at, ok = b.turned(turn)
	}
	if !ok {
		return nil, tally{}, nil
	}
	s, err := r.counter.look(img, at, turn)
	if err != nil || s == nil {
		return nil, tally{}, err
	}
	t := s.count(par.stack.countMost)
	t.with(s.layers())
	return s, t, nil
}
