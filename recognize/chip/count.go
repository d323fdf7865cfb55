package chip

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// counted is a stack whose height and chips were judged.
type counted struct {
	top       top
	kinds     []int // from the top downwards
	low, high int
	p         float64 // of all the chips
	kindsP    float64 // of their kinds if there are n
	others    []other
	foot      fact.Point
	px        fact.Point // of its face's middle
	hidden    bool       // its lower part lies behind something
	flat      bool       // no side shows under its face
	none      bool       // the network sees no stack under the face
	kept      bool       // from an earlier reading
}

// other is something else that may stand there: the kinds from the top downwards.
type other struct {
	kinds []int
	p     float64
}

// hypothesis is a height with its evidence.
type hypothesis struct {
	n     int
	side  int     // which place of the face
	own   float64 // evidence of the geometry
	score float64 // with what the network says
	seen  float64 // share of the lowest layer that is not hidden
}

// spread are the probabilities of the heights and between which of them the truth lies.
func (s *search) spread(all []hypothesis, best hypothesis) (weights []float64, low, high int) {
	weights = make([]float64, s.opts.Most+1)
	var sum float64
	for _, h := range all {
		w := math.Exp(h.score - best.score)
		weights[h.n] += w
		sum += w
	}
	low, high = best.n, best.n
	for n := range weights {
		if weights[n] /= sum; weights[n] > par.count.interval {
			low, high = min(low, n), max(high, n)
		}
	}
	return weights, low, high
}

// beside are the likeliest of the heights besides that of some kinds, which share a
// probability: of fewer chips the lowest are not there, of more they are like the lowest.
func beside(kinds []int, heights []float64, share float64) (out []other) {
	sum := 0.0
	for n, w := range heights {
		if n == 0 || n == len(kinds) || w == 0 {
			continue
		}
		o := other{kinds: slices.Clone(kinds[:min(n, len(kinds))]), p: w}
		for len(o.kinds) < n {
			o.kinds = append(o.kinds, kinds[len(kinds)-1])
		}
		out, sum = append(out, o), sum+w
	}
	slices.SortStableFunc(out, func(a, b other) int { return cmp.Compare(b.p, a.p) })
	out = out[:min(len(out), par.count.others)]
	for i := range out {
		out[i].p *= max(0, share) / sum
	}
	return out
}

// foot is where n chips under a face stand.
func (s *search) foot(t top, px fact.Point, n int) fact.Point {
	return s.hint.View.ToTableAt(px, float64(n)*s.hint.Palette[t.kind].Thickness)
}

// counted is what stands under a face, before those behind it, as it was counted in an
// earlier reading where nothing changed.
func (s *search) counted(t top, behind []farther) (c counted) {
	s.farther = behind
	defer func() { s.farther = nil }()
	if s.memory == nil {
		c = s.count(t)
	} else {
		c, c.kept = recalled(s, &s.memory.counts, t, func() (counted, box) {
			s.deepest = 1
			return s.count(t), s.depth(t, s.deepest)
		})
	}
	c.top = t
	return c
}

// depth is the part of the picture that is looked at under a face, as far down as so many chips.
func (s *search) depth(t top, chips int) box {
	m := s.lens(t.disc.at, t.disc.tall)
	doubt := shifts[len(shifts)-1] + 1
	if s.tones.wear.hiding > 0 {
		doubt += par.outline.sunken + par.outline.nudge
	}
	face := s.faceBox(&m, fact.Point{t.disc.at[0] - doubt, t.disc.at[1] - doubt},
		fact.Point{t.disc.at[0] + doubt, t.disc.at[1] + doubt})
	foot := s.foot(t, t.px, chips)
	low := s.lens(foot, 0)
	return face.with(s.faceBox(&low, fact.Point{foot[0] - doubt, foot[1] - doubt},
		fact.Point{foot[0] + doubt, foot[1] + doubt}))
}

// count hears the two witnesses of what stands under a face. alike knows only
// stacks of one kind and reads those well, on any felt; chained reads stacks of
// several kinds too, and has to exclude that it is one kind, since a layer of the
// felt's or its print's colours could pass for a chip of another kind. It is
// heard where alike is not sure, and where it differs at first sight: by the network's word on
// kinds where that is asked (withKinds), else by the geometry's.
func (s *search) count(t top) counted {
	s.watch(t, false)
	found := []top{t}
	if s.tones.wear.hiding > 0 {
		s.outline(t)
		t = s.bordered(s.centred(t))
		s.watch(t, true)
		found = append(found, t)
	}
	said, flank := s.ask(found...)
	s.said = said
	if s.tones.wear == foreign && said.seesNone(par.count.none) {
		return counted{top: t, none: true}
	}
	places := s.places(t)
	s.gain = s.gainOf(t)
	a := s.alike(t, places)
	s.unrolled = flank
	if s.looks = s.compared(len(a.kinds)); s.looks != nil {
		a = s.withKinds(t, places, a)
		a.top = t
		return s.doubted(s.outlined(a))
	}
	if a.hidden || a.p >= s.opts.Accept && !s.differs(t, a) {
		a.top = t
		return s.doubted(s.outlined(a))
	}
	c, doubt := s.chained(t, places, a.kinds)
	c = arbitrate(a, c, doubt, s.opts.Accept)
	c.top = t
	return s.doubted(s.outlined(c))
}

// arbitrate decides between the witnesses: what alike is sure of stands, unless the
// chain shows chips of other kinds there. doubt is how much likelier the chain
// finds its own reading than that of alike. Where it excludes that and is not
// sure itself, the stack is read roughly and its chips have no names; a chain
// that goes on behind something has to exclude more.
func arbitrate(alike, chain counted, doubt, accept float64) counted {
	least := fitted.Layers.Excluded
	if chain.hidden {
		least *= par.count.behind
	}
	mixed := chain.mixed() && doubt >= least
	switch {
	case !chain.hidden && mixed && chain.p >= accept:
		return chain
	case !chain.hidden && !chain.mixed() && chain.p >= strictly(accept) && alike.p < accept &&
		len(chain.kinds) == len(alike.kinds):
		return chain
	case !mixed:
		return alike
	}
	chain.low, chain.high = min(alike.low, chain.low), max(alike.high, chain.high)
	chain.p, chain.kindsP = min(chain.p, accept/par.count.halved), 0
	return chain
}

// strictly is the least probability of what the chain says of one kind.
func strictly(accept float64) float64 { return 1 - (1-accept)/par.count.strict }

// mixed reports whether chips of several kinds stand on one another.
func (c *counted) mixed() bool {
	return slices.ContainsFunc(c.kinds, func(k int) bool { return k != c.kinds[0] })
}

// tempered is how often a witness is right that weighs its reading at p. The layers are
// weighed as if neighbours said nearly the same, and they say more: of drawn stacks
// that weigh themselves at 0.75 to 0.9 each witness reads 98 of a hundred rightly
// (VISION_DESK=6 go test -run StillStacks ./recognize). The powers leave them a little
// less sure than that.
func tempered(p, power float64) float64 {
	yes, no := math.Pow(p, power), math.Pow(1-p, power)
	return yes / (yes + no)
}

// chainPower is that of a chain of several kinds: layers of other colours say the most,
// but for plaques' sides below, which may pass for a chip's.
func (s *search) chainPower() float64 {
	if s.onPlaque {
		return 1
	}
	if power := s.tones.wear.power; power > 0 {
		return s.power(power)
	}
	return s.power(fitted.Temperatures.Chain)
}

// alikePower is that of chips of one kind; where they have the felt's colour their foot
// says no more than it is weighed at.
func (s *search) alikePower(kind int) float64 {
	if s.onPlaque || s.tones.in[kind]-s.tones.out[kind] < par.colour.feltLike {
		return 1
	}
	if power := s.tones.wear.power; power > 0 {
		return s.power(power)
	}
	return s.power(fitted.Temperatures.Alike)
}

// shifts of a face along the camera's view, millimetres.
var shifts = [...]float64{-3, -2, -1, 0, 1, 2, 3}

// place is where a face may be.
type place struct {
	px  fact.Point // its middle
	fit float64    // how much better or worse than where it was found, in log odds
}

// places are where a face would show that lies some millimetres nearer to the
// camera or farther from it, and how well the picture fits it there.
func (s *search) places(t top) (out [len(shifts)]place) {
	taken := s.taken
	s.taken = nil // as when the face was found
	defer func() { s.taken = taken }()
	for k, shift := range shifts {
		if out[k].px = t.px; shift == 0 {
			continue
		}
		d := t.disc
		x, y := s.away(d.at)
		d.at = fact.Point{d.at[0] + shift*x, d.at[1] + shift*y}
		m := s.lens(d.at, d.tall)
		s.rateKind(&m, &d, t.kind, anyScore)
		out[k] = place{s.hint.View.ToImageAt(d.at, d.tall), fitted.Layers.FaceWeight * (d.score - t.score)}
	}
	return out
}
