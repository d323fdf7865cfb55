package chip

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// side is what shows under one place of a face, layer by layer downwards.
type side struct {
	place
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

// look rates the visible side of the chip that lies down layers under a
// face, as if it stood on the felt: in the picture the layers above change its
// place by less than a tenth of its thickness.
func (s *search) look(c *chain, px fact.Point, down int) layer {
	s.deepest = max(s.deepest, down+1)
	thick := s.hint.Palette[c.top.kind].Thickness
	arc := s.arc(c.top.kind, s.hint.View.ToTableAt(px, float64(down+1)*thick))
	l := layer{looks: make([]sample, 0, 2*angles)}
	for _, part := range par.side.at {
		for k, p := range arc {
			i, cell, ok := s.at(s.hint.View.ToImageAt(p, part*thick))
			if !ok || s.taken[i] {
				continue
			}
			l.looks = append(l.looks, sample{cell: s.brightened(i, cell), angle: k, bare: s.bare(i, cell), color: s.color(i)})
		}
	}
	l.seen = float64(len(l.looks)) / (2 * angles)
	s.rateLayer(c, &l)
	if c.light != nil {
		s.relit(c, &l)
	}
	return l
}

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
				sides[k].fit += fitted.Layers.Aligned * l.seen * (l.mean - most)
			}
		}
	}
}

// sample is a pixel of a side.
type sample struct {
	color rgb
	cell  int     // of the colour as it would be in the usual light
	angle int     // its ordinal
	bare  float64 // how well the bare felt fits it
}

// rateLayer is what the samples round a layer say of each kind.
func (s *search) rateLayer(c *chain, l *layer) {
	l.kinds, l.chip = make([]float64, len(s.tones.kinds)), make([]float64, len(s.tones.kinds))
	s.compare(c, l, func(t *paint, q sample) { s.sum.add(t, q.cell, q.bare) })
	for k := range l.chip {
		middle, half := s.tones.halfway(k)
		l.chip[k] = l.seen * min(max(fitted.Layers.Weight*(l.kinds[k]-middle)/half, -par.side.enough), par.side.enough)
	}
	l.against()
}

// compare puts each kind's mean evidence into l.kinds; add adds that of a sample.
func (s *search) compare(c *chain, l *layer, add func(*paint, sample)) {
	for k := range s.tones.kinds {
		if !c.may(k) {
			l.kinds[k] = par.colour.outlier
			continue
		}
		s.sum.reset()
		for _, q := range l.looks {
			add(&s.tones.kinds[k], q)
		}
		l.kinds[k] = s.sum.mean(par.side.mostMixed)
	}
}

// against turns mean evidence into log odds against the kind that fits best.
func (l *layer) against() {
	most := slices.Max(l.kinds)
	l.mean = most
	for k := range l.kinds {
		l.kinds[k] = fitted.Layers.Likeness * l.seen * (l.kinds[k] - most)
	}
}
