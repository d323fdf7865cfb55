package plaque

import (
	"cmp"
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/geometry"
)

// pile is plaques that lie on one another.
type pile struct {
	face      slab       // of the uppermost
	kinds     []int      // from the top downwards
	low, high int        // how many there may be; 0: it may be print
	p         float64    // of the kinds and their number
	kindsP    float64    // of the kinds if their number is right
	px        fact.Point // middle of the face in the picture
	hidden    bool       // too little of the sides can be seen
	others    []other
}

// other is what a pile may be besides, from the top downwards.
type other struct {
	kinds []int
	p     float64
}

// named is the same with the kinds of a palette, from the felt upwards.
func (o other) named(palette []calibration.Chip) fact.Content {
	c := fact.Content{P: o.p}
	for _, k := range slices.Backward(o.kinds) {
		c.Chips = append(c.Chips, palette[k].ID)
	}
	return c
}

// beside are the other heights of a pile, with their share of a probability: the kinds as they are, or
// more of the lowest.
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
	out = out[:min(len(out), pileOthers)]
	for i := range out {
		out[i].p *= max(0, share) / sum
	}
	return out
}

// Pile is plaques that lie on one another, the lowest first, with the face of the uppermost: its corners on the
// table as seen at its height, millimetres.
type Pile struct {
	fact.Stack
	Face [4]fact.Point
	Tall float64
}

// corners of a plaque, in halves of its sides.
var corners = [4]fact.Point{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}

// footOf is the middle of the lowest plaque.
func (s *search) footOf(p *pile, palette []calibration.Chip) fact.Point {
	return s.hint.View.ToTableAt(p.px, float64(len(p.kinds))*palette[p.face.kind].Thickness)
}

// pileContour is the hull in the picture of the plaques' upper and lower outline.
func (s *search) pileContour(p *pile, palette []calibration.Chip) []fact.Point {
	chip := palette[p.face.kind]
	c := slab{at: s.footOf(p, palette), turn: p.face.turn}
	var pts []fact.Point
	for _, h := range [2]float64{0, float64(len(p.kinds)) * chip.Thickness} {
		for _, k := range corners {
			at := c.toTable(k[0]*(chip.Length/2+pileRim), k[1]*(chip.Width/2+pileRim))
			pts = append(pts, s.hint.View.ToImageAt(at, h))
		}
	}
	return geometry.Hull(pts)
}

// pile makes a pile a fact.
func (s *plaques) pile(p *pile) Pile {
	out := Pile{Stack: fact.Stack{Low: p.low, High: p.high, P: p.p, At: s.footOf(p, s.palette),
		Quad: geometry.Upright(geometry.Bounds(s.pileContour(p, s.palette)))}}
	if p.kindsP >= readerAccept {
		out.Chips = other{kinds: p.kinds}.named(s.palette).Chips
		for _, o := range p.others {
			out.Others = append(out.Others, o.named(s.palette))
		}
	}
	if p.p < readerAccept {
		out.Abstain = "unsure"
		if p.hidden {
			out.Abstain = "occluded"
		}
	}
	chip := s.palette[p.face.kind]
	out.Tall = float64(len(p.kinds)) * chip.Thickness
	c := slab{at: out.At, turn: p.face.turn}
	for i, k := range corners {
		out.Face[i] = c.toTable(k[0]*chip.Length/2, k[1]*chip.Width/2)
	}
	return out
}

// deep is a number of plaques under a face, with its evidence.
type deep struct {
	kinds []int // from the top downwards
	sure  float64
	px    fact.Point
	score float64
	seen  float64 // share that is not hidden, of the layer of which least can be seen
}

// under judges how many plaques lie under a face: where their sides end. As with
// chips, the face may lie a little nearer or farther than where it fits best, by up to
// twice doubt millimetres, and layers that look like plaques are what was expected. A
// face without any side is print on the felt, or a card.
func (s *plaques) under(f slab, doubt float64) (pile, bool) {
	var all []deep
	x, y := s.away(f.at)
	for _, shift := range [...]float64{-2 * doubt, -doubt, 0, doubt, 2 * doubt} {
		c := f
		c.at = fact.Point{f.at[0] + shift*x, f.at[1] + shift*y}
		s.rate(&c, s.kinds[f.kind].fine, anyScore)
		all = s.depths(f, s.hint.View.ToImageAt(c.at, c.tall), min(0, pileFaceSamples*(c.score-f.score)), all)
	}
	if s.unlikeFelt(f) { // where the felt is known it is no print
		for i := range all {
			if len(all[i].kinds) == 0 {
				all[i].score -= pileEnough
			}
		}
	}
	best := slices.MaxFunc(all, func(a, b deep) int { return cmp.Compare(a.score, b.score) })
	out := pile{face: f, kinds: best.kinds, low: len(best.kinds), high: len(best.kinds), px: best.px,
		hidden: best.seen < pileHidden}
	weights := make([]float64, pileMost+1)
	var sum float64
	for _, d := range all {
		w := math.Exp(d.score - best.score)
		weights[len(d.kinds)] += w
		sum += w
	}
	for n := range weights {
		if weights[n] /= sum; weights[n] > pileInterval {
			out.low, out.high = min(out.low, n), max(out.high, n)
		}
	}
	out.kindsP = f.p * best.sure
	out.p = out.kindsP * weights[len(best.kinds)]
	if len(best.kinds) == 0 {
		return out, false
	}
	out.others = beside(best.kinds, weights, out.kindsP-out.p)
	return out, true
}

// depths adds every number of plaques under a face that shows at px.
func (s *plaques) depths(f slab, px fact.Point, score float64, all []deep) []deep {
	d := deep{px: px, score: score, sure: 1, seen: 1}
	var light [4]float64
	for n := range pileMost + 1 {
		l := s.layerAt(f, px, n, &light)
		end := d
		end.score -= max(0, slices.Max(l.evidence))
		end.kinds = slices.Clone(d.kinds)
		all = append(all, end)
		k, sure := s.likeliest(f, l, d.kinds)
		if n > 0 && k != d.kinds[n-1] {
			d.score += fitted.Layers.OtherPlaque
		}
		d.kinds, d.sure, d.seen = append(d.kinds, k), d.sure*sure, min(d.seen, l.seen)
		d.score += min(0, l.evidence[k])
	}
	return all
}

// band is what the sides of a pile show at one layer: of each kind the mean evidence
// and the log odds of a plaque against the felt.
type band struct {
	mean, evidence []float64
	seen           float64 // share that is not hidden
}

// likeliest is the kind of a layer and how sure that is: the face gives the
// uppermost's, and mostly a plaque lies on its like.
func (s *plaques) likeliest(f slab, l band, above []int) (kind int, sure float64) {
	if len(above) == 0 {
		return f.kind, 1
	}
	last := above[len(above)-1]
	logs := make([]float64, len(s.kinds))
	kind = last
	for k := range logs {
		if logs[k] = fitted.Layers.Likeness * l.seen * (l.mean[k] - l.mean[last]); k != last {
			logs[k] += fitted.Layers.OtherPlaque
		}
		if logs[k] > logs[kind] {
			kind = k
		}
	}
	var sum float64
	for _, v := range logs {
		sum += math.Exp(v - logs[kind])
	}
	return kind, 1 / sum
}

// layerAt looks at the sides of the layer that lies down plaques under a face, as if
// it lay on the felt: in the picture those above change its place by next to nothing.
// The first layer's kind is known: from it the light on each side is had, which the
// kinds of those below are distinguished in.
func (s *plaques) layerAt(f slab, px fact.Point, down int, light *[4]float64) band {
	own := &s.kinds[f.kind]
	c := slab{kind: f.kind, at: s.hint.View.ToTableAt(px, float64(down+1)*own.Thickness), turn: f.turn}
	b := band{mean: make([]float64, len(s.kinds)), evidence: make([]float64, len(s.kinds))}
	points := s.sidePoints(c)
	n := 0.0
	var lit, full [4]float64
	for _, part := range pileAt {
		for _, p := range points {
			i, ok := s.index(s.hint.View.ToImageAt(p.at, part*own.Thickness))
			if !ok || s.taken[i] {
				continue
			}
			n++
			col, plain := s.color(i), max(s.background(i), colourAnything)
			for k := range s.kinds {
				v := float64(fit(col, s.kinds[k].edge, colourPlaqueSide)) - plain
				b.evidence[k] += v
				if l := light[p.side]; l > 0 {
					v = float64(fit(col, s.kinds[k].edge, lightRange{l - pileSway, l + pileSway})) - plain
				}
				b.mean[k] += v
			}
			if e := own.edge; fit(col, e, colourPlaqueSide) > pileOfSide {
				lit[p.side] += col[0]*e[0] + col[1]*e[1] + col[2]*e[2]
				full[p.side] += e[0]*e[0] + e[1]*e[1] + e[2]*e[2]
			}
		}
	}
	for side, of := range full {
		if down == 0 && of > 0 {
			light[side] = lit[side] / of
		}
	}
	b.seen = n / float64(max(1, 3*len(points)))
	for k := range s.kinds {
		d := &s.kinds[k]
		middle, half := (d.in+d.out)/2, min(max((d.in-d.out)/2, pileHalfLeast), colourHalfMost)
		plain := min(1, max(0, (d.in-d.out)/pilePlainFrom)) // sides of nearly the felt's colour say little
		odds := fitted.Layers.Weight * (b.evidence[k]/max(n, 1) - middle) / half
		b.evidence[k] = plain * b.seen * min(max(odds, -pileEnough), pileEnough)
		if b.mean[k] /= max(n, 1); !d.sameSize(own) {
			b.mean[k], b.evidence[k] = 2*colourOutlier, -pileEnough
		}
	}
	return b
}

// sameSize reports whether plaques of two kinds make one upright pile.
func (d *dye) sameSize(o *dye) bool {
	return math.Abs(d.Length-o.Length) < pileSameSize && math.Abs(d.Width-o.Width) < pileSameSize &&
		math.Abs(d.Thickness-o.Thickness) < pileSameThickness
}

// sidePoint is a place of the lower rim and which side it belongs to.
type sidePoint struct {
	at   fact.Point
	side int
}

// sidePoints are places along the lower rim of a plaque that lies on the felt, on the
// sides that the camera sees; none where it sees them too narrow.
func (s *plaques) sidePoints(c slab) (out []sidePoint) {
	d := &s.kinds[c.kind]
	low, high := s.hint.View.ToImageAt(c.at, 0), s.hint.View.ToImageAt(c.at, d.Thickness)
	if math.Hypot(high[0]-low[0], high[1]-low[1]) < pileThin {
		return nil
	}
	x, y := s.away(c.at)
	sin, cos := math.Sincos(c.turn)
	for k, side := range [...]fact.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if (side[0]*cos-side[1]*sin)*x+(side[0]*sin+side[1]*cos)*y > -pileTurned {
			continue
		}
		half := (d.Length*math.Abs(side[1])+d.Width*math.Abs(side[0]))/2 - d.corner() - 1
		n := max(3, int(2*half/pileStep))
		for i := range n {
			t := half * (2*float64(i)/float64(n-1) - 1)
			out = append(out, sidePoint{c.toTable(side[0]*d.Length/2-side[1]*t, side[1]*d.Width/2+side[0]*t), k})
		}
	}
	return out
}

// unlikeFelt reports whether a face shows where the empty felt is known and looks otherwise.
func (s *plaques) unlikeFelt(f slab) bool {
	n, other := 0, 0
	for _, q := range s.kinds[f.kind].rough {
		i, ok := s.index(s.hint.View.ToImageAt(f.toTable(q.u, q.v), f.tall))
		if !ok || q.what == beyond || s.taken[i] {
			continue
		}
		n++
		if s.hint.Background != nil && s.background(i) < pileUnlikeFelt {
			other++
		}
	}
	return n > 0 && float64(other)/float64(n) > pileUnlikeShare
}
