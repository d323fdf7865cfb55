package chip

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// counted is a stack whose height and chips were judged.
type counted struct {
	kind      int // of the top chip
	kinds     []int
	n         int
	low, high int
	p         float64 // of all the chips
	kindsP    float64 // of their kinds if there are n
	foot      fact.Point
	hidden    bool // its lower part lies behind something
}

// count judges how many layers the side under a face has and what each is.
// Every height is a hypothesis that says where the side ends; what the pixels
// say of its layers, chip or not, adds up. The face itself may lie a few
// millimetres nearer or farther than where it fits best: what is a chip's side
// and what its face is not always plain, so all these places are weighed.
func (s *search) count(t top) counted {
	chain := s.chain(t)
	var sides []side
	for _, shift := range shifts {
		px, fit := s.shifted(t, shift)
		sides = append(sides, side{px: px, fit: faceWeight * (fit - t.score)})
	}
	rough, first := chain.weigh(s, sides)
	// Once more in the light in which the chips then are.
	chain.light = s.lightOn(&sides[first.side], chain.path(&sides[first.side], first.n))
	for i := range sides {
		for k := range sides[i].layers {
			s.relit(chain, &sides[i].layers[k])
		}
	}
	level(sides, lowest(rough, first))
	all, best := chain.weigh(s, sides)
	c := s.judge(t, chain, sides, all, best)
	if p := shareOf(rough, c.n); p < plainly { // what decided is how well layers match one another
		c.p = min(c.p, p)
	}
	return c
}

// hypothesis is a height with its evidence.
type hypothesis struct {
	n     int
	side  int // the place of the face
	score float64
}

// side is what shows under one place of a face, layer by layer downwards.
type side struct {
	px     fact.Point // of the face's middle
	fit    float64    // of the face there, against where it fits best
	layers []layer
}

// layer is what one layer says: of each kind the log likelihood against the
// kind that fits best and against the bare felt, which is at most 0.
type layer struct {
	kinds []float64
	chip  []float64 // the log odds of a chip of that kind against the felt
	seen  float64   // share that is not hidden
	looks []sample
	mean  float64 // evidence of the kind that fits best
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

// judge adds the evidence up by height, and that of the chips as they are seen
// at the best one.
func (s *search) judge(t top, chain *chain, sides []side, all []hypothesis, best hypothesis) counted {
	kinds := chain.path(&sides[best.side], best.n)
	weights := make([]float64, s.opts.Most+1)
	var sum, same float64
	for _, h := range all {
		w := math.Exp(h.score - best.score)
		weights[h.n] += w
		sum += w
		if h.n == best.n {
			same += math.Exp(chain.along(&sides[h.side], kinds) - best.score)
		}
	}
	c := counted{kind: kinds[0], kinds: kinds, n: best.n, low: best.n, high: best.n}
	for n, w := range weights {
		if w/sum > 0.02 {
			c.low, c.high = min(c.low, n), max(c.high, n)
		}
	}
	c.p, c.kindsP = min(same/sum, t.p), min(same/weights[best.n], t.p)
	c.hidden = sides[best.side].layers[best.n-1].seen < 0.5
	c.foot = s.hint.View.ToTableAt(sides[best.side].px, float64(best.n)*s.hint.Palette[t.kind].Thickness)
	return c
}

// weight turns where a layer's mean evidence lies between those expected with
// and without a chip into log odds. Neighbouring samples are not independent:
// the figure was chosen on rendered stacks.
const weight = 6.0

// enough is the most that one layer may say: clear layers must not outvote the
// doubtful one at the foot.
const enough = 8.0

// likeness turns the difference of two kinds' mean evidence into log odds.
const likeness = 8.0

// layer looks at the visible side of the chip that lies down layers under a
// face, as if it stood on the felt: in the picture the layers above change its
// place by less than a tenth of its thickness.
func (s *search) layer(c *chain, px fact.Point, down int) layer {
	chip := s.hint.Palette[c.top.kind]
	foot := s.hint.View.ToTableAt(px, float64(down+1)*chip.Thickness)
	toward := math.Atan2(s.eye[1]-foot[1], s.eye[0]-foot[0])
	var l layer
	for _, part := range [2]float64{0.35, 0.65} {
		for k := range angles {
			a := toward + (float64(k)-(angles-1)/2)*(2*math.Pi/3)/(angles-1)
			sin, cos := math.Sincos(a)
			p := fact.Point{foot[0] + chip.Diameter/2*cos, foot[1] + chip.Diameter/2*sin}
			i, cell, ok := s.at(s.hint.View.ToImageAt(p, part*chip.Thickness))
			if !ok || s.taken[i] {
				continue
			}
			l.looks = append(l.looks, sample{cell: cell, angle: k, bare: s.bare(i, cell),
				color: rgb{float64(s.pix[3*i+2]), float64(s.pix[3*i+1]), float64(s.pix[3*i])}})
		}
	}
	l.seen = float64(len(l.looks)) / (2 * angles)
	s.rateLayer(c, &l)
	if c.light != nil {
		s.relit(c, &l)
	}
	return l
}

// plainly is the least probability that a height must have before the layers
// are compared with one another: print of a chip's colours matches them too.
const plainly = 0.85

// shareOf is the probability of n chips.
func shareOf(all []hypothesis, n int) float64 {
	sum, same := 0.0, 0.0
	most := slices.MaxFunc(all, func(a, b hypothesis) int { return cmp.Compare(a.score, b.score) })
	for _, h := range all {
		w := math.Exp(h.score - most.score)
		if sum += w; h.n == n {
			same += w
		}
	}
	return same / sum
}

// lowest is the least height that is not far from the best one.
func lowest(all []hypothesis, best hypothesis) int {
	n := best.n
	for _, h := range all {
		if h.score > best.score-unlikely {
			n = min(n, h.n)
		}
	}
	return n
}

// unlikely is the log odds by which a height is out of the question.
const unlikely = 4.0

// level compares the sides with one another, on the first n layers: on the
// right one every layer shows one chip, and not parts of two.
func level(sides []side, n int) {
	for i := range n {
		most := math.Inf(-1)
		for _, sd := range sides {
			if i < len(sd.layers) {
				most = max(most, sd.layers[i].mean)
			}
		}
		for k := range sides {
			if i < len(sides[k].layers) {
				l := &sides[k].layers[i]
				sides[k].fit += aligned * l.seen * (l.mean - most)
			}
		}
	}
}

// aligned turns the difference of two sides' mean evidence into log odds.
const aligned = 5.0

// angles at which a side is looked at, over a third of the way round.
const angles = 21

// sample is a pixel of a side.
type sample struct {
	color rgb
	cell  int     // of the colour
	angle int     // its ordinal
	bare  float64 // how well the bare felt fits it
}

// rateLayer says what the samples round a layer tell of each kind.
func (s *search) rateLayer(c *chain, l *layer) {
	l.kinds, l.chip = make([]float64, len(s.tones.kinds)), make([]float64, len(s.tones.kinds))
	s.compare(c, l, func(t *kindTones, q sample) { s.sum.add(t, q.cell, q.bare) })
	for k := range l.chip {
		t := &s.tones.kinds[k]
		middle, half := (t.in+t.out)/2, min((t.in-t.out)/2, 1.2)
		l.chip[k] = l.seen * min(max(weight*(l.kinds[k]-middle)/half, -enough), enough)
	}
	l.against()
}

// compare puts each kind's mean evidence into l.kinds; add adds that of a sample.
func (s *search) compare(c *chain, l *layer, add func(*kindTones, sample)) {
	for k := range s.tones.kinds {
		if !c.may(k) {
			l.kinds[k] = outlier
			continue
		}
		s.sum.reset()
		for _, q := range l.looks {
			add(&s.tones.kinds[k], q)
		}
		l.kinds[k] = s.sum.mean()
	}
}

// against turns mean evidence into log odds against the kind that fits best.
func (l *layer) against() {
	most := slices.Max(l.kinds)
	l.mean = most
	for k := range l.kinds {
		l.kinds[k] = likeness * l.seen * (l.kinds[k] - most)
	}
}
