package chip

import (
	"fmt"
	"math"
	"slices"

	"vision/calibration"
)

// rgb is a colour, 0 to 255 each.
type rgb [3]float64

// paints are log likelihoods of pixel colours, looked up by the upper five bits
// of each channel: how well a colour fits each kind of chip of a palette, lit
// from above or in the half light of a side.
type paints struct {
	wear  wear
	light float64 // in which the palette's colours are seen; 1: that in which they are given
	kinds []paint
	// faces holds for each cell and part of a face how well each kind fits in the
	// light of the upper face, side by side for all kinds; marks has a bit for
	// each kind of which the cell is plainly an insert.
	faces []float32
	marks [1 << 15]uint64
}

// paint is one kind: its colours, and how well cells fit field and insert in the
// half light of the side.
type paint struct {
	field, insert      rgb
	fields, inserts    tints // as they may have faded
	sideBody, sideEdge [1 << 15]float32
}

// face is how well a cell fits each kind in a part of the upper face.
func (t *paints) face(c int, what part) []float32 {
	k := len(t.kinds)
	at := (c*parts + int(what)) * k
	return t.faces[at : at+k : at+k]
}

// tones are paints on a felt, and how well a colour fits that.
type tones struct {
	*paints
	felt [1 << 15]float32
	// A layer's mean evidence is expected about here where there is a chip of a
	// kind, and where there is bare felt.
	in, out []float64
}

// halfway is the evidence of a layer that may as well be a chip of a kind as
// bare felt, and how far from it the two are.
func (t *tones) halfway(k int) (middle, half float64) {
	return (t.in[k] + t.out[k]) / 2, min((t.in[k]-t.out[k])/2, par.colour.halfMost)
}

type paintKey struct {
	palette string
	wear    wear
	light   float64
}

type toneKey struct {
	paintKey
	felt [3]int
}

func cell(b, g, r uint8) int { return int(r>>3)<<10 | int(g>>3)<<5 | int(b>>3) }

// tonesFor makes or finds the tables for a palette in a light on a felt.
func (r *Reader) tonesFor(palette []calibration.Chip, w wear, light float64, felt rgb) (*tones, error) {
	key := toneKey{paintKey: paintKey{wear: w, light: light}}
	for k, v := range felt {
		key.felt[k] = int(v) / par.reader.feltCell
	}
	for _, c := range palette {
		key.palette += c.ID + c.Face + c.Edge
	}
	if t := r.tones[key]; t != nil {
		return t, nil
	}
	p := r.paints[key.paintKey]
	if p == nil {
		if len(r.paints) >= par.reader.lights {
			clear(r.paints)
			clear(r.tones)
		}
		var err error
		if p, err = newPaints(palette, w, light); err != nil {
			return nil, err
		}
		r.paints[key.paintKey] = p
	}
	if len(r.tones) >= par.reader.tones {
		clear(r.tones)
	}
	t := newTones(p, felt)
	r.tones[key] = t
	return t, nil
}

func newPaints(palette []calibration.Chip, w wear, light float64) (*paints, error) {
	if len(palette) > 64 {
		return nil, fmt.Errorf("a palette of %d kinds of chip: at most 64 can be told apart", len(palette))
	}
	t := &paints{wear: w, light: light, kinds: make([]paint, len(palette)), faces: make([]float32, parts*len(palette)<<15)}
	for k, c := range palette {
		face, edge, err := colorsOf(c)
		if err != nil {
			return nil, err
		}
		t.kinds[k].field, t.kinds[k].insert = face.times(light), edge.times(light)
	}
	for k := range t.kinds {
		p := &t.kinds[k]
		p.fields, p.inserts = w.tints(p.field), w.tints(p.insert)
		pale := rgb{}
		for j := range 3 {
			pale[j] = par.colour.inlayPale*p.field[j] + (1-par.colour.inlayPale)*255*light
		}
		inlays := w.tints(pale)
		for i := range t.marks {
			t.fill(i, k, inlays)
		}
	}
	return t, nil
}

// colorsOf are the colours of a piece's face and of its edge.
func colorsOf(c calibration.Chip) (face, edge rgb, err error) {
	f, err := calibration.ParseColor(c.Face)
	if err != nil {
		return face, edge, err
	}
	e, err := calibration.ParseColor(c.Edge)
	for i := range face {
		face[i], edge[i] = float64(f[i]), float64(e[i])
	}
	return face, edge, err
}

// shade is the colour in the middle of a cell.
func shade(i int) rgb {
	return rgb{float64(i>>10)*8 + 4, float64(i>>5&31)*8 + 4, float64(i&31)*8 + 4}
}

// fill makes the entries of one cell for one kind, whose inlay may have some tints.
func (t *paints) fill(i, k int, inlays tints) {
	p, c := &t.kinds[k], shade(i)
	body, edge := p.fields.fit(c, par.colour.face), p.inserts.fit(c, par.colour.face)
	t.face(i, rim)[k] = max(body, edge, t.wear.between(c, p.field, p.insert))
	if edge > par.colour.insertFrom && edge > body {
		t.marks[i] |= 1 << k
	}
	p.sideBody[i], p.sideEdge[i] = p.fields.fit(c, par.colour.sideBody), p.inserts.fit(c, par.colour.sideEdge)
	t.face(i, inlay)[k] = max(inlays.fit(c, par.colour.face), body, t.wear.inlay)
	if t.face(i, field)[k] = body; t.wear.wide < 0 {
		t.face(i, field)[k] = max(body, max(t.face(i, inlay)[k], edge)+t.wear.wide, t.wear.inlay)
	}
}

func newTones(p *paints, felt rgb) *tones {
	t := &tones{paints: p, in: make([]float64, len(p.kinds)), out: make([]float64, len(p.kinds))}
	for i := range t.felt {
		t.felt[i] = fit(shade(i), felt, par.colour.felt)
	}
	for k := range t.kinds {
		t.expect(k, felt)
	}
	return t
}

// expect works out what the evidence of a layer will be with and without a chip
// in half light: a kind of nearly the felt's colour says less than others.
func (t *tones) expect(k int, felt rgb) {
	const steps, samples = 11, 20
	l := layerSum{}
	for i := range steps {
		f := float64(i) / (steps - 1)
		l.reset()
		for range samples { // a stack's foot stands in its own shadow
			c := felt.lit(par.colour.feltExpected.at(f))
			l.add(&t.kinds[k], c, float64(t.felt[c]))
		}
		t.out[k] += l.mean(par.side.mostInserts) / steps
		l.reset()
		for j := range samples {
			c := t.kinds[k].field
			if float64(j) < samples*par.colour.insertsShare {
				c = t.kinds[k].insert
			}
			at := c.lit(par.colour.sideExpected.at(f))
			l.add(&t.kinds[k], at, float64(t.felt[at]))
		}
		t.in[k] += l.mean(par.side.mostInserts) / steps
	}
}

// layerSum adds the evidence of the samples round one layer: chip against felt
// or anything else. A chip shows both field and inserts, so a share of the
// samples has to be taken for each: bare felt that resembles one of them does
// not pass.
type layerSum struct {
	sum   float64
	lean  []float64 // how much better each sample fits an insert than the field
	edges int       // samples taken for inserts
}

func (l *layerSum) reset() { l.sum, l.lean, l.edges = 0, l.lean[:0], 0 }

// add takes a sample of a colour that would fit the bare felt with bare.
func (l *layerSum) add(t *paint, c int, bare float64) {
	l.addFits(float64(t.sideBody[c]), float64(t.sideEdge[c]), bare)
}

// addFits takes a sample that fits the field with b, an insert with e and the
// bare felt with bare.
func (l *layerSum) addFits(b, e, bare float64) {
	l.sum += max(b, e) - max(bare, par.colour.anything)
	l.lean = append(l.lean, e-b)
	if e > b {
		l.edges++
	}
}

// mean is the evidence per sample under the cheapest division of which inserts
// take a share between par.side.leastInserts and mostEdge.
func (l *layerSum) mean(mostEdge float64) float64 {
	n := len(l.lean)
	if n == 0 {
		return 0
	}
	least, most := int(par.side.leastInserts*float64(n)), int(math.Ceil(mostEdge*float64(n)))
	sum := l.sum
	if l.edges >= least && l.edges <= most {
		return sum / float64(n)
	}
	slices.Sort(l.lean)
	for ; l.edges < least; l.edges++ {
		sum += l.lean[n-1-l.edges]
	}
	for ; l.edges > most; l.edges-- {
		sum -= l.lean[n-l.edges]
	}
	return sum / float64(n)
}

func (c rgb) lit(k float64) int {
	b := func(v float64) uint8 { return uint8(min(max(v*k, 0), 255)) }
	return cell(b(c[2]), b(c[1]), b(c[0]))
}

// lightRange is from the darkest to the brightest light that a colour may be seen in, that
// in which a palette's colours are given being 1.
type lightRange struct{ low, high float64 }

// ramp is a light that goes up evenly.
type ramp struct{ from, by float64 }

// at is the light at a share of the way.
func (r ramp) at(share float64) float64 { return r.from + r.by*share }

// fit is the log likelihood of a colour under m in a range of light.
func fit(c, m rgb, in lightRange) float32 {
	t := newTint(m)
	return likelihood(squaredOff(c, &t, in))
}

// likelihood is the log likelihood of a colour by its squared distance from what it should be.
func likelihood(squared float64) float32 {
	return float32(max(-squared/(2*par.colour.spread*par.colour.spread), par.colour.outlier))
}

// squaredOff is the squared distance of a colour from m in a range of light.
func squaredOff(c rgb, m *tint, in lightRange) float64 {
	k := in.low
	if m.squared > 0 {
		k = min(max((c[0]*m.rgb[0]+c[1]*m.rgb[1]+c[2]*m.rgb[2])/m.squared, in.low), in.high)
	}
	r, g, b := c[0]-k*m.rgb[0], c[1]-k*m.rgb[1], c[2]-k*m.rgb[2]
	return r*r + g*g + b*b
}

// histogram counts colours by cells.
type histogram [1 << 12]struct {
	n       int
	r, g, b int
}

func (h *histogram) add(b, g, r uint8) {
	c := &h[int(r>>4)<<8|int(g>>4)<<4|int(b>>4)]
	c.n++
	c.r += int(r)
	c.g += int(g)
	c.b += int(b)
}

// mode is the mean of the fullest cell and its neighbours.
func (h *histogram) mode() rgb {
	best := 0
	for i := range h {
		if h[i].n > h[best].n {
			best = i
		}
	}
	var sum rgb
	n := 0.0
	for i := range h {
		if abs(i>>8-best>>8) <= 1 && abs(i>>4&15-best>>4&15) <= 1 && abs(i&15-best&15) <= 1 {
			sum[0] += float64(h[i].r)
			sum[1] += float64(h[i].g)
			sum[2] += float64(h[i].b)
			n += float64(h[i].n)
		}
	}
	if n == 0 {
		return rgb{}
	}
	return rgb{sum[0] / n, sum[1] / n, sum[2] / n}
}

func abs(v int) int { return int(math.Abs(float64(v))) }
