package chip

import (
	"math"
	"slices"

	"vision/calibration"
)

// rgb is a colour, 0 to 255 each.
type rgb [3]float64

// tones are log likelihoods of pixel colours, looked up by the upper five bits
// of each channel: how well a colour fits each kind of chip, lit from above or
// in the half light of a side, and the bare cloth.
type tones struct {
	kinds []kindTones
	cloth [1 << 15]float32
}

// kindTones are the tables of one kind: field and insert in the light of the
// upper face and in the half light of the side; top is the better of the two.
type kindTones struct {
	body, edge, top, inlay [1 << 15]float32
	sideBody, sideEdge     [1 << 15]float32
	// A layer's mean evidence is expected about here where there is one (in),
	// and where there is bare cloth (out).
	in, out float64
}

type toneKey struct {
	palette string
	cloth   [3]int
}

const (
	spread  = 17.0 // standard deviation of a colour, grey levels
	outlier = -4.5 // log likelihood of a colour that fits nothing
)

func cell(b, g, r uint8) int { return int(r>>3)<<10 | int(g>>3)<<5 | int(b>>3) }

// tonesFor makes or finds the tables for a palette on a cloth.
func (r *Reader) tonesFor(palette []calibration.Chip, cloth rgb) (*tones, error) {
	key := toneKey{cloth: [3]int{int(cloth[0]) / 6, int(cloth[1]) / 6, int(cloth[2]) / 6}}
	for _, c := range palette {
		key.palette += c.ID + c.Face + c.Edge
	}
	if t := r.tones[key]; t != nil {
		return t, nil
	}
	if len(r.tones) > 16 {
		clear(r.tones)
	}
	t, err := newTones(palette, cloth)
	if err != nil {
		return nil, err
	}
	r.tones[key] = t
	return t, nil
}

func newTones(palette []calibration.Chip, cloth rgb) (*tones, error) {
	t := &tones{kinds: make([]kindTones, len(palette))}
	var bodies, edges []rgb
	for _, c := range palette {
		f, err := calibration.ParseColor(c.Face)
		if err != nil {
			return nil, err
		}
		e, err := calibration.ParseColor(c.Edge)
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, rgb{float64(f[0]), float64(f[1]), float64(f[2])})
		edges = append(edges, rgb{float64(e[0]), float64(e[1]), float64(e[2])})
	}
	for i := range t.cloth {
		c := rgb{float64(i>>10)*8 + 4, float64(i>>5&31)*8 + 4, float64(i&31)*8 + 4}
		t.cloth[i] = fit(c, cloth, 0.4, 1.12)
		for k := range t.kinds {
			kt := &t.kinds[k]
			body, edge := fit(c, bodies[k], 0.78, 1.1), fit(c, edges[k], 0.78, 1.1)
			kt.body[i], kt.edge[i], kt.top[i] = body, edge, max(body, edge)
			kt.sideBody[i], kt.sideEdge[i] = fit(c, bodies[k], 0.5, 0.98), fit(c, edges[k], 0.45, 0.98)
			pale := rgb{}
			for j := range 3 {
				pale[j] = 0.15*bodies[k][j] + 0.85*255
			}
			kt.inlay[i] = max(fit(c, pale, 0.78, 1.1), fit(c, bodies[k], 0.78, 1.1), -3)
		}
	}
	for k := range t.kinds {
		t.expect(k, bodies[k], edges[k], cloth)
	}
	return t, nil
}

// expect works out what the evidence of a layer will be with and without a chip
// in half light: a kind of nearly the cloth's colour tells less than others.
func (t *tones) expect(k int, body, edge, cloth rgb) {
	const steps, samples = 11, 20
	l := layerSum{}
	for i := range steps {
		f := float64(i) / (steps - 1)
		l.reset()
		for range samples { // a stack's foot stands in its own shadow
			c := cloth.lit(0.4 + 0.4*f)
			l.add(&t.kinds[k], c, float64(t.cloth[c]))
		}
		t.kinds[k].out += l.mean() / steps
		l.reset()
		for j := range samples {
			c := body
			if j < samples*2/5 {
				c = edge
			}
			at := c.lit(0.5 + 0.4*f)
			l.add(&t.kinds[k], at, float64(t.cloth[at]))
		}
		t.kinds[k].in += l.mean() / steps
	}
}

// layerSum adds the evidence of the samples round one layer: chip against cloth
// or anything else. A chip shows both field and inserts, so a share of the
// samples has to be taken for each: bare cloth that resembles one of them does
// not pass.
type layerSum struct {
	sum   float64
	lean  []float64 // how much better each sample fits an insert than the field
	edges int       // samples taken for inserts
}

// Shares of a side that inserts may take.
const (
	leastEdge = 0.22
	mostEdge  = 0.62
)

func (l *layerSum) reset() { l.sum, l.lean, l.edges = 0, l.lean[:0], 0 }

// add takes a sample of a colour that would fit the bare felt with bare.
func (l *layerSum) add(t *kindTones, c int, bare float64) {
	b, e := float64(t.sideBody[c]), float64(t.sideEdge[c])
	l.sum += max(b, e) - max(bare, anything)
	l.lean = append(l.lean, e-b)
	if e > b {
		l.edges++
	}
}

// mean is the evidence per sample under the cheapest division that holds the shares.
func (l *layerSum) mean() float64 {
	n := len(l.lean)
	if n == 0 {
		return 0
	}
	least, most := int(leastEdge*float64(n)), int(math.Ceil(mostEdge*float64(n)))
	slices.Sort(l.lean)
	sum := l.sum
	for ; l.edges < least; l.edges++ {
		sum += l.lean[n-1-l.edges]
	}
	for ; l.edges > most; l.edges-- {
		sum -= l.lean[n-l.edges]
	}
	return sum / float64(n)
}

// anything is the log likelihood of a colour under "neither chip nor cloth".
const anything = -2.2

func (c rgb) lit(k float64) int {
	b := func(v float64) uint8 { return uint8(min(max(v*k, 0), 255)) }
	return cell(b(c[2]), b(c[1]), b(c[0]))
}

// fit is the log likelihood of a colour under m in a light between low and high.
func fit(c, m rgb, low, high float64) float32 {
	mm := m[0]*m[0] + m[1]*m[1] + m[2]*m[2]
	k := low
	if mm > 0 {
		k = min(max((c[0]*m[0]+c[1]*m[1]+c[2]*m[2])/mm, low), high)
	}
	var d float64
	for i := range 3 {
		d += (c[i] - k*m[i]) * (c[i] - k*m[i])
	}
	return float32(max(-d/(2*spread*spread), outlier))
}

// clothOf is the commonest colour among the cells of a histogram.
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
