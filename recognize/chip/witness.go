package chip

import (
	"fmt"
	"io/fs"
	"math"

	"vision/models"
	"vision/recognize/network"
)

// A network looks at the unrolled side of a stack (flank.go) and says how many chips there may
// be. It sees what the geometry has no words for: seams, spots that do not go on, stacks that
// lean, other stacks in front. Both have seen the same pixels: their log odds are weighed
// together, each with less than its own word.

func newSides(set fs.FS) (*network.Net, error) {
	return network.Load(set, "side", "the counts 0 to 20 of a flank", func(e *models.Entry) bool {
		return e.Size() == flankMost+1 && e.Input[1] == FlankHigh && e.Input[2] == FlankWide
	})
}

// told is what the network says of a side: log probabilities of so many chips. nil: it was
// not asked.
type told []float64

// ask shows the network the side under a face at one or two places. It is not asked of chips on
// plaques, nor where chips are read as new ones are drawn: it never saw the former, and there is
// no need for the latter. The last of the flanks is given too.
func (s *search) ask(tops ...top) (said told, flank []byte) {
	if s.sides == nil || s.onPlaque || s.tones.wear == asNew {
		return nil, nil
	}
	s.deepest = max(s.deepest, flankMost+flankBelow)
	var pix []byte
	for _, t := range tops {
		flank = s.flank(t.kind, t.px)
		pix = append(pix, flank...)
	}
	out, shape, err := s.sides.Pictures(pix, len(tops), FlankHigh, FlankWide)
	if err == nil && len(out) != len(tops)*(flankMost+1) {
		err = fmt.Errorf("%w side: gives %v for %d flanks", models.ErrModel, shape, len(tops))
	}
	if err != nil {
		s.err = err
		return nil, nil
	}
	for i := range tops {
		each := make(told, flankMost+1)
		for n := range each {
			each[n] = float64(out[i*(flankMost+1)+n])
		}
		if each = each.whole(); i == 0 {
			said = each
		} else {
			said = said.and(each)
		}
	}
	return said, flank
}

// whole makes probabilities sum to 1.
func (w told) whole() told {
	sum := logSum(w)
	for n := range w {
		w[n] -= sum
	}
	return w
}

// and is what is said of two places of one face.
func (w told) and(o told) told {
	if w == nil || o == nil {
		return w
	}
	both := make(told, len(w))
	for n := range w {
		both[n] = (w[n] + o[n]) / 2
	}
	return both.whole()
}

// heights are the least and the greatest that are not out of the question.
func (s *search) heights() (low, high int) {
	if s.said == nil {
		return 1, s.opts.Most
	}
	low, high = flankMost, 1
	most := math.Inf(-1)
	for _, v := range s.said[1:] {
		most = max(most, v)
	}
	for n, v := range s.said[1:] {
		if fitted.Sides.Network*(v-most) > -par.count.beyond {
			low, high = min(low, n+1), max(high, n+1)
		}
	}
	return min(low, s.opts.Most), min(high, s.opts.Most)
}

// beaten is the evidence by which a height must be behind for the geometry to go no deeper.
func (s *search) beaten() float64 {
	if s.said == nil {
		return par.count.beaten
	}
	return par.count.beaten / fitted.Sides.Geometry
}

// assumed are the heights below one that is beaten, as far as the network finds them possible:
// the geometry finds them no better, and need not look.
func (s *search) assumed(beaten hypothesis, to int) (all []hypothesis) {
	if s.said == nil {
		return nil
	}
	for n := beaten.n + 1; n <= to; n++ {
		all = append(all, hypothesis{n: n, side: beaten.side, own: beaten.own, seen: 1})
	}
	return all
}

// fused gives hypotheses their scores, the log odds of geometry and network together, and is
// the best of them. The geometry has a share of cases in which it looks at something else and
// says nothing: so it cannot outvote the network by far, however plain it finds a wrong outline.
func (s *search) fused(all []hypothesis) (best hypothesis) {
	own := make([]float64, s.opts.Most+1)
	for n := range own {
		own[n] = math.Inf(-1)
	}
	for i := range all {
		h := &all[i]
		if h.score = h.own; s.said != nil {
			h.score *= fitted.Sides.Geometry
		}
		own[h.n] = logSum([]float64{own[h.n], h.score})
	}
	f := &fitted.Sides
	sum, even := logSum(own), f.Astray/float64(s.opts.Most)
	best.score = math.Inf(-1)
	for i := range all {
		h := &all[i]
		if s.said != nil {
			h.score += math.Log((1-f.Astray)*math.Exp(own[h.n]-sum)+even) - own[h.n] + f.Network*s.said[h.n]
		}
		if h.score > best.score {
			best = *h
		}
	}
	return best
}

// power is what odds are raised to that are no temperature's any more.
func (s *search) power(p float64) float64 {
	if s.said != nil {
		return 1
	}
	return p
}
