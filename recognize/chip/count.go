package chip

import (
	"math"

	"vision/internal/fact"
)

// counted is a stack whose height was judged.
type counted struct {
	kind      int
	n         int
	low, high int
	p, kindP  float64
	foot      fact.Point
	hidden    bool // its lower part lies behind something
}

// count judges how many layers the side under a face has. Every height is a
// hypothesis that says where the side ends; what the pixels say of its layers,
// chip or not, adds up.
func (s *search) count(t top) counted {
	chip := s.hint.Palette[t.kind]
	scores := make([]float64, s.opts.Most+1)
	seen := make([]float64, s.opts.Most+1)
	best := 1
	for n := 1; n <= s.opts.Most; n++ {
		foot := s.hint.View.ToTableAt(t.px, float64(n)*chip.Thickness)
		scores[n], seen[n] = s.column(t.kind, foot, n)
		if scores[n] > scores[best] {
			best = n
		}
	}
	c := counted{kind: t.kind, n: best, kindP: t.p}
	var sum float64
	for n := 1; n <= s.opts.Most; n++ {
		sum += math.Exp(scores[n] - scores[best])
	}
	c.low, c.high = best, best
	for n := 1; n <= s.opts.Most; n++ {
		if math.Exp(scores[n]-scores[best])/sum > 0.02 {
			c.low, c.high = min(c.low, n), max(c.high, n)
		}
	}
	c.p = t.p / sum
	c.hidden = seen[best] < 0.5
	c.foot = s.hint.View.ToTableAt(t.px, float64(best)*chip.Thickness)
	return c
}

// column is the evidence that exactly n chips of a kind stand at foot, and the
// share of the lowest layer that is not hidden.
func (s *search) column(kind int, foot fact.Point, n int) (score, seen float64) {
	for layer := range n { // counted from the felt
		e, visible := s.layer(kind, foot, layer)
		score += e
		if layer == 0 {
			seen = visible
		}
	}
	return score, seen
}

// weight turns where a layer's mean evidence lies between those expected with
// and without a chip into log odds. Neighbouring samples are not independent:
// the figure was chosen on rendered stacks.
const weight = 6.0

// enough is the most that one layer may say: clear layers must not outvote the
// doubtful one at the foot.
const enough = 4.0

// layer sums the evidence of one layer's visible side: positive for chip,
// negative for cloth or anything else.
func (s *search) layer(kind int, foot fact.Point, layer int) (evidence, visible float64) {
	chip := s.hint.Palette[kind]
	toward := math.Atan2(s.eye[1]-foot[1], s.eye[0]-foot[0])
	t := &s.tones.kinds[kind]
	const n = 21
	s.sum.reset()
	for _, part := range [2]float64{0.35, 0.65} {
		for k := range n {
			a := toward + (float64(k)-(n-1)/2)*(2*math.Pi/3)/(n-1)
			sin, cos := math.Sincos(a)
			p := fact.Point{foot[0] + chip.Diameter/2*cos, foot[1] + chip.Diameter/2*sin}
			q := s.hint.View.ToImageAt(p, (float64(layer)+part)*chip.Thickness)
			i, c, ok := s.at(q)
			if !ok || s.taken[i] {
				continue
			}
			s.sum.add(t, c, s.bare(i, c))
		}
	}
	visible = float64(len(s.sum.lean)) / (2 * n)
	middle, half := (t.in+t.out)/2, min((t.in-t.out)/2, 1.2)
	e := min(max(weight*(s.sum.mean()-middle)/half, -2*enough), enough)
	return visible * e, visible
}
