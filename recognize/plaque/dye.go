package plaque

import (
	"fmt"
	"math"

	"vision/calibration"
	"vision/internal/fact"
)

// dye is what a kind of plaque looks like on the felt of a zone.
type dye struct {
	calibration.Chip
	face, edge, print rgb
	rim               [5]rgb // from the face's colour to the edge's
	// A layer's mean evidence is expected about here where there is a plaque, and
	// where there is empty felt.
	in, out     float64
	rough, fine []mark // samples of its face
	onFaces     int    // how many of the rough ones lie on it
}

// newDyes makes what lasts of a palette's dyes.
func newDyes(palette []calibration.Chip) (*dyes, error) {
	if len(palette) > mostDyes {
		return nil, fmt.Errorf("a palette of %d kinds of plaque: at most %d can be told apart", len(palette), mostDyes)
	}
	all := &dyes{keys: make([]uint32, swatches), fits: make([]float32, swatches*parts*len(palette))}
	for _, c := range palette {
		face, edge, err := colorsOf(c)
		if err != nil {
			return nil, err
		}
		d := dye{Chip: c, face: face, edge: edge}
		for i := range d.print {
			d.print[i] = colourPrintPale*d.face[i] + (1-colourPrintPale)*255
		}
		for k := range d.rim {
			m := float64(k) / float64(len(d.rim)-1)
			for i := range 3 {
				d.rim[k][i] = (1-m)*d.face[i] + m*d.edge[i]
			}
		}
		d.rough, d.fine = d.marks(plaqueRoughStep), d.marks(plaqueFineStep)
		for _, q := range d.rough {
			if q.what != beyond {
				d.onFaces++
			}
		}
		all.kinds = append(all.kinds, d)
	}
	return all, nil
}

// dyesFor makes or finds the dyes of a palette on a felt.
func (r *Reader) dyesFor(palette []calibration.Chip, felt rgb) (*dyes, error) {
	key := fmt.Sprint(palette)
	if r.dyes == nil || r.dyed != key {
		d, err := newDyes(palette)
		if err != nil {
			return nil, err
		}
		r.dyes, r.dyed = d, key
	}
	for k := range r.dyes.kinds {
		r.dyes.kinds[k].expect(felt)
	}
	return r.dyes, nil
}

// expect works out what the evidence of a side will be with and without a plaque.
func (d *dye) expect(felt rgb) {
	const steps = 11
	d.in, d.out = 0, 0
	of := func(c rgb) float64 {
		return float64(fit(c, d.edge, colourPlaqueSide)) -
			max(float64(fit(c, felt, colourFelt)), colourAnything)
	}
	for i := range steps {
		f := float64(i) / (steps - 1)
		d.in += of(d.edge.times(colourSideExpected.at(f))) / steps
		d.out += of(felt.times(colourFeltExpected.at(f))) / steps
	}
}

func (c rgb) times(k float64) rgb { return rgb{c[0] * k, c[1] * k, c[2] * k} }

// dyes are the kinds of a palette's plaques, and how well colours that were met
// already fit them: a few thousand colours make up most pictures of a table.
type dyes struct {
	kinds []dye
	keys  []uint32  // by slot: the colour, with a mark
	fits  []float32 // by slot, kind and part
}

// swatches are the slots for colours that fits are remembered of: colours that lie
// near one another have one each.
const swatches = 1 << 15

// of gives how well a pixel's colour fits each kind and part of its face.
func (y *dyes) of(p *picture, i int) []float32 {
	b, g, r := uint32(p.pix[3*i]), uint32(p.pix[3*i+1]), uint32(p.pix[3*i+2])
	slot, key := int(r&31<<10|g&31<<5|b&31), 1<<24|r<<16|g<<8|b
	n := parts * len(y.kinds)
	fits := y.fits[slot*n : slot*n+n : slot*n+n]
	if y.keys[slot] != key {
		y.keys[slot] = key
		c := p.color(i)
		for k := range y.kinds {
			y.kinds[k].fill(fits[parts*k:], c)
		}
	}
	return fits
}

// fill puts down how well a colour fits the parts of a kind's face.
func (d *dye) fill(fits []float32, c rgb) {
	fits[field] = fit(c, d.face, colourFace)
	fits[rim] = float32(colourOutlier)
	for _, m := range d.rim {
		fits[rim] = max(fits[rim], fit(c, m, colourRim))
	}
	fits[inlay] = max(fits[field], fit(c, d.print, colourFace))
}

// color of a pixel.
func (p *picture) color(i int) rgb { return colorAt(p.pix, i) }

// colorAt is the colour of a pixel of a picture, BGR.
func colorAt(pix []byte, i int) rgb {
	return rgb{float64(pix[3*i+2]), float64(pix[3*i+1]), float64(pix[3*i])}
}

// mark is a sample of a face: its place from the middle, in millimetres along and
// across, and what is expected there.
type mark struct {
	u, v float64
	what part
	out  fact.Point // of one beyond: the direction in which it lies beyond, along and across
}

// marks lays samples on a face, step millimetres apart, and beside it.
func (d *dye) marks(step float64) (out []mark) {
	l, w := d.Length/2, d.Width/2
	nu, nv := max(3, int(2*(l-plaqueBorder)/step)), max(3, int(2*(w-plaqueBorder)/step))
	for i := range nu {
		for j := range nv {
			u, v := (l-plaqueBorder)*(2*float64(i)/float64(nu-1)-1), (w-plaqueBorder)*(2*float64(j)/float64(nv-1)-1)
			out = append(out, mark{u: u, v: v, what: d.partAt(u, v)})
		}
	}
	along := func(half float64, add func(t, side float64)) {
		n := max(3, int(2*(half-d.corner())/step))
		for i := range n {
			t := (half - d.corner()) * (2*float64(i)/float64(n-1) - 1)
			add(t, 1)
			add(t, -1)
		}
	}
	along(l, func(t, side float64) {
		out = append(out, mark{u: t, v: side * (w - plaqueInset), what: rim},
			mark{u: t, v: side * (w + plaqueBeside), what: beyond, out: fact.Point{0, side}})
	})
	along(w, func(t, side float64) {
		out = append(out, mark{u: side * (l - plaqueInset), v: t, what: rim},
			mark{u: side * (l + plaqueBeside), v: t, what: beyond, out: fact.Point{side, 0}})
	})
	return out
}

// partAt is what is expected at a place of the face: the value in the middle, a border
// along the outline.
func (d *dye) partAt(u, v float64) part {
	l, w := d.Length/2, d.Width/2
	switch {
	case u*u/(plaqueInlayLong*plaqueInlayLong*l*l)+v*v/(plaqueInlayWide*plaqueInlayWide*w*w) < 1:
		return inlay
	case max(math.Abs(u)-l, math.Abs(v)-w) > 1e-6-plaqueBorder:
		return rim
	}
	return field
}

// corner is about the radius of the corners.
func (d *dye) corner() float64 { return plaqueCorner * d.Width }
