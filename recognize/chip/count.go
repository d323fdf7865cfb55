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
// chip or not, adds up. The face itself may lie a few millimetres nearer or
// farther than where it fits best: what is a chip's side and what its face is
// not always plain, so all these places are weighed.
func (s *search) count(t top) counted {
	best := hypothesis{n: 1, score: math.Inf(-1)}
	var all []hypothesis
	for _, shift := range shifts {
		px, fit := s.shifted(t, shift)
		top := math.Inf(-1)
		for n := 1; n <= s.opts.Most; n++ {
			h := hypothesis{n: n, px: px}
			e, seen := s.column(t.kind, px, n)
			h.score, h.seen = e+faceWeight*(fit-t.score), seen
			all = append(all, h)
			if top = max(top, h.score); h.score < top-12 {
				break
			}
			if h.score > best.score {
				best = h
			}
		}
	}
	return s.judge(t, all, best)
}

// hypothesis is a height with its evidence.
type hypothesis struct {
	n     int
	px    fact.Point // of the face's middle
	score float64
	seen  float64 // share of the lowest layer that is not hidden
}

// shifts of a face along the camera's view, millimetres.
var shifts = [...]float64{-3, -2, -1, 0, 1, 2, 3}

// faceWeight turns a face's mean log likelihood into that of its samples, which
// are not independent: a dozen or so count.
const faceWeight = 12.0

// shifted is where a face would show that lies shift millimetres farther from
// the camera, and how well the picture fits it there.
func (s *search) shifted(t top, shift float64) (px fact.Point, fit float64) {
	d := t.disc
	if shift == 0 {
		return t.px, t.score
	}
	x, y := d.at[0]-s.eye[0], d.at[1]-s.eye[1]
	if l := math.Hypot(x, y); l > 0 {
		d.at = fact.Point{d.at[0] + shift*x/l, d.at[1] + shift*y/l}
	}
	taken := s.taken
	s.taken = nil // as when the face was found
	s.rateKind(s.lens(d.at, d.tall), &d, t.kind)
	s.taken = taken
	return s.hint.View.ToImageAt(d.at, d.tall), d.score
}

// judge adds the evidence up by height.
func (s *search) judge(t top, all []hypothesis, best hypothesis) counted {
	weights := make([]float64, s.opts.Most+1)
	var sum float64
	for _, h := range all {
		w := math.Exp(h.score - best.score)
		weights[h.n] += w
		sum += w
	}
	c := counted{kind: t.kind, n: best.n, kindP: t.p, low: best.n, high: best.n}
	for n, w := range weights {
		if w/sum > 0.02 {
			c.low, c.high = min(c.low, n), max(c.high, n)
		}
	}
	c.p = t.p * weights[best.n] / sum
	c.hidden = best.seen < 0.5
	c.foot = s.hint.View.ToTableAt(best.px, float64(best.n)*s.hint.Palette[t.kind].Thickness)
	return c
}

// column is the evidence that exactly n chips of a kind stand under a face, and
// the share of the lowest layer that is not hidden. Layers that look like chips
// are what was expected and add nothing, or higher stacks would always be the
// likelier; those that do not, and a layer of chip below the foot, count against.
func (s *search) column(kind int, px fact.Point, n int) (score, seen float64) {
	thick := s.hint.Palette[kind].Thickness
	foot := s.hint.View.ToTableAt(px, float64(n)*thick)
	for layer := range n { // counted from the felt
		e, visible := s.layer(kind, foot, layer)
		score += min(e, 0)
		if layer == 0 {
			seen = visible
		}
	}
	below, _ := s.layer(kind, s.hint.View.ToTableAt(px, float64(n+1)*thick), 0)
	return score - max(below, 0), seen
}

// weight turns where a layer's mean evidence lies between those expected with
// and without a chip into log odds. Neighbouring samples are not independent:
// the figure was chosen on rendered stacks.
const weight = 6.0

// enough is the most that one layer may say: clear layers must not outvote the
// doubtful one at the foot.
const enough = 8.0

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
	e := min(max(weight*(s.sum.mean()-middle)/half, -enough), enough)
	return visible * e, visible
}
