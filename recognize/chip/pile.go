package chip

import (
	"cmp"
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/geometry"
)

// pile is plaques that lie on one another, and what stands on them.
type pile struct {
	face      slab       // of the uppermost
	kinds     []int      // from the top downwards
	low, high int        // how many there may be; 0: it may be print
	p         float64    // of the kinds and their number
	kindsP    float64    // of the kinds if their number is right
	px        fact.Point // middle of the face in the picture
	hidden    bool       // too little of the sides can be seen
	others    []other
	upon      []counted // chips that stand on it
}

// piles reads the plaques of a zone, about the stacks of chips that were found there;
// those that stand on plaques are taken from them.
func (s *search) piles(palette []calibration.Chip, dyes *dyes, stacks *[]counted) []pile {
	p := &plaques{search: s, dyes: dyes, palette: palette}
	faces := p.faces()
	if len(*stacks) > 0 {
		// A stack that was counted too high hides the plaque on which it stands: once
		// more, beside what is chips for certain.
		s.uncover()
		for _, t := range *stacks {
			t.kinds = t.kinds[:1]
			t.foot = s.foot(t.top, t.px, 1)
			s.coverBy(t)
		}
		for _, f := range p.faces() {
			if !slices.ContainsFunc(faces, func(o slab) bool { return p.overlap(o, f) > par.plaque.sameFace }) {
				faces = append(faces, f)
			}
		}
		p.coverAll(*stacks)
	}
	for _, f := range faces {
		beside, upon := p.upon(f, *stacks)
		doubt := par.pile.doubt
		if len(upon) > 0 {
			f, doubt = p.anew(f), par.pile.doubtUnder
		}
		if c, ok := p.under(f, doubt); ok {
			*stacks, c.upon = beside, upon
			p.found = append(p.found, c)
		}
		p.coverAll(*stacks)
	}
	return p.found
}

// coverAll marks as taken what stacks and the piles found so far take, and nothing else.
func (s *plaques) coverAll(stacks []counted) {
	s.uncover()
	for _, t := range stacks {
		s.coverBy(t)
	}
	for i := range s.found {
		s.cover(s.pileContour(&s.found[i], s.palette))
		for _, t := range s.found[i].upon {
			s.coverBy(t)
		}
	}
}

// upon divides stacks into those beside a plaque and those on it. These are counted
// anew: what shows round their foot is the plaque's face and not the felt.
func (s *plaques) upon(f slab, stacks []counted) (beside, upon []counted) {
	on := func(px fact.Point) bool { return f.holds(&s.kinds[f.kind], s.hint.View.ToTableAt(px, f.tall)) }
	base := func(t counted, n int) fact.Point { return s.hint.View.ToImageAt(s.foot(t.top, t.px, n), 0) }
	var may []counted
	for _, t := range stacks {
		if on(base(t, 1)) || on(base(t, t.high)) {
			may = append(may, t)
		} else {
			beside = append(beside, t)
		}
	}
	if len(may) == 0 {
		return stacks, nil
	}
	s.coverAll(beside)
	s.lay(f)
	s.onPlaque = true
	defer func() { s.onPlaque = false }()
	for _, t := range may {
		c := s.count(t.top)
		c.top = t.top
		s.coverBy(c)
		if on(base(c, len(c.kinds))) {
			upon = append(upon, c)
		} else {
			beside = append(beside, c)
		}
	}
	s.scratch.forget() // beside those stacks the felt is bare
	return beside, upon
}

// anew places a face once more when it is known what stands on it.
func (s *plaques) anew(f slab) slab {
	x, y := s.away(f.at)
	best := s.refine(f)
	for _, shift := range [...]float64{-par.pile.anew, par.pile.anew} {
		c := f
		c.at = fact.Point{f.at[0] + shift*x, f.at[1] + shift*y}
		if c = s.refine(c); c.score > best.score {
			best = c
		}
	}
	best.p = f.p
	return best
}

// lay makes a plaque what is bare where it shows: its face, and its side and those of
// plaques that may lie under it.
func (s *plaques) lay(f slab) {
	d := &s.kinds[f.kind]
	var outline []fact.Point
	for _, tall := range [2]float64{f.tall, f.tall - par.pile.maxUnder*d.Thickness} {
		for _, k := range [4]fact.Point{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}} {
			outline = append(outline, s.hint.View.ToImageAt(f.toTable(k[0]*d.Length/2, k[1]*d.Width/2), tall))
		}
	}
	for _, r := range spansOf(geometry.Hull(outline), s.w, s.h) {
		for x := r.from; x < r.to; x++ {
			i := r.y*s.w + x
			fits := float64(fit(s.color(i), d.edge, par.colour.plaqueSide))
			u, v := f.within(s.hint.View.ToTableAt(fact.Point{float64(x), float64(r.y)}, f.tall))
			if math.Abs(u) < d.Length/2 && math.Abs(v) < d.Width/2 {
				fits = s.expected(f.kind, d.partAt(u, v), i)
			}
			s.scratch.bare[i] = bareFit{fit: float32(max(s.bare(i, s.cell(i)), fits)), when: s.scratch.now}
		}
	}
}

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
		for _, k := range [4]fact.Point{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}} {
			at := c.toTable(k[0]*(chip.Length/2+par.place.rim), k[1]*(chip.Width/2+par.place.rim))
			pts = append(pts, s.hint.View.ToImageAt(at, h))
		}
	}
	return geometry.Hull(pts)
}

// pile makes a pile and what stands on it a fact: one
// stack, the plaques below.
func (s *search) pile(p pile, palette []calibration.Chip) fact.Stack {
	outline := s.pileContour(&p, palette)
	out := fact.Stack{Low: p.low, High: p.high, P: p.p, At: s.footOf(&p, palette)}
	if p.kindsP >= s.opts.Accept {
		out.Chips = other{kinds: p.kinds}.named(palette).Chips
		for _, o := range p.others {
			out.Others = append(out.Others, o.named(palette))
		}
	}
	if p.p < s.opts.Accept {
		out.Abstain = "unsure"
		if p.hidden {
			out.Abstain = "occluded"
		}
	}
	for _, t := range p.upon {
		c := s.stack(t)
		outline = append(outline, c.Quad[:]...)
		if out.Abstain != "" || len(c.Chips) == 0 {
			out.Chips, out.Others = nil, nil // which of them are in doubt is not known
		} else {
			out.Others = upon(out, c)
			out.Chips = append(out.Chips, c.Chips...)
		}
		out.Low, out.High, out.P = out.Low+c.Low, out.High+c.High, out.P*c.P
		if out.Abstain == "" {
			out.Abstain = c.Abstain
		}
	}
	low, high := calibration.Zone{Polygon: outline}.Bounds()
	out.Quad = upright(low, high)
	return out
}

// upon is what may stand on what lies below, if one of the two is not as it is read.
func upon(below, above fact.Stack) (out []fact.Content) {
	for _, o := range below.Others {
		out = append(out, fact.Content{Chips: slices.Concat(o.Chips, above.Chips), P: o.P * above.P})
	}
	for _, o := range above.Others {
		out = append(out, fact.Content{Chips: slices.Concat(below.Chips, o.Chips), P: o.P * below.P})
	}
	slices.SortStableFunc(out, func(a, b fact.Content) int { return cmp.Compare(b.P, a.P) })
	return out[:min(len(out), par.count.others)]
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
		all = s.depths(f, s.hint.View.ToImageAt(c.at, c.tall), min(0, par.pile.faceSamples*(c.score-f.score)), all)
	}
	if s.unlikeFelt(f) { // where the felt is known it is no print
		for i := range all {
			if len(all[i].kinds) == 0 {
				all[i].score -= par.side.enough
			}
		}
	}
	best := slices.MaxFunc(all, func(a, b deep) int { return cmp.Compare(a.score, b.score) })
	out := pile{face: f, kinds: best.kinds, low: len(best.kinds), high: len(best.kinds), px: best.px,
		hidden: best.seen < par.pile.hidden}
	weights := make([]float64, par.pile.most+1)
	var sum float64
	for _, d := range all {
		w := math.Exp(d.score - best.score)
		weights[len(d.kinds)] += w
		sum += w
	}
	for n := range weights {
		if weights[n] /= sum; weights[n] > par.count.interval {
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
	for n := range par.pile.most + 1 {
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
	for _, part := range par.pile.at {
		for _, p := range points {
			i, ok := s.index(s.hint.View.ToImageAt(p.at, part*own.Thickness))
			if !ok || s.taken[i] {
				continue
			}
			n++
			col, plain := s.color(i), max(s.bare(i, s.cell(i)), par.colour.anything)
			for k := range s.kinds {
				v := float64(fit(col, s.kinds[k].edge, par.colour.plaqueSide)) - plain
				b.evidence[k] += v
				if l := light[p.side]; l > 0 {
					v = float64(fit(col, s.kinds[k].edge, lightRange{l - par.side.sway, l + par.side.sway})) - plain
				}
				b.mean[k] += v
			}
			if e := own.edge; fit(col, e, par.colour.plaqueSide) > par.pile.ofSide {
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
		middle, half := (d.in+d.out)/2, min(max((d.in-d.out)/2, par.pile.halfLeast), par.colour.halfMost)
		plain := min(1, max(0, (d.in-d.out)/par.pile.plainFrom)) // sides of nearly the felt's colour say little
		odds := fitted.Layers.Weight * (b.evidence[k]/max(n, 1) - middle) / half
		b.evidence[k] = plain * b.seen * min(max(odds, -par.side.enough), par.side.enough)
		if b.mean[k] /= max(n, 1); !d.sameSize(own) {
			b.mean[k], b.evidence[k] = 2*par.colour.outlier, -par.side.enough
		}
	}
	return b
}

// sameSize reports whether plaques of two kinds make one upright pile.
func (d *dye) sameSize(o *dye) bool {
	return math.Abs(d.Length-o.Length) < par.pile.sameSize && math.Abs(d.Width-o.Width) < par.pile.sameSize &&
		math.Abs(d.Thickness-o.Thickness) < par.pile.sameThickness
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
	if math.Hypot(high[0]-low[0], high[1]-low[1]) < par.pile.thin {
		return nil
	}
	x, y := s.away(c.at)
	sin, cos := math.Sincos(c.turn)
	for k, side := range [...]fact.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if (side[0]*cos-side[1]*sin)*x+(side[0]*sin+side[1]*cos)*y > -par.pile.turned {
			continue
		}
		half := (d.Length*math.Abs(side[1])+d.Width*math.Abs(side[0]))/2 - d.corner() - 1
		n := max(3, int(2*half/par.pile.step))
		for i := range n {
			t := half * (2*float64(i)/float64(n-1) - 1)
			out = append(out, sidePoint{c.toTable(side[0]*d.Length/2-side[1]*t, side[1]*d.Width/2+side[0]*t), k})
		}
	}
	return out
}

// unlikeFelt reports whether a face shows where the bare felt is known and looks otherwise.
func (s *plaques) unlikeFelt(f slab) bool {
	n, other := 0, 0
	for _, q := range s.kinds[f.kind].rough {
		i, ok := s.index(s.hint.View.ToImageAt(f.toTable(q.u, q.v), f.tall))
		if !ok || q.what == beyond || s.taken[i] {
			continue
		}
		n++
		if _, known := s.hint.Felt.known(i); known && s.bare(i, s.cell(i)) < par.pile.unlikeFelt {
			other++
		}
	}
	return n > 0 && float64(other)/float64(n) > par.pile.unlikeShare
}
