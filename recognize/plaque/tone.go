package plaque

import (
	"math"

	"vision/calibration"
)

// rgb is a colour, 0 to 255 each.
type rgb [3]float64

// tint is a colour and the square of its length.
type tint struct {
	rgb
	squared float64
}

func newTint(m rgb) tint { return tint{m, m[0]*m[0] + m[1]*m[1] + m[2]*m[2]} }

func cell(b, g, r uint8) int { return int(r>>3)<<10 | int(g>>3)<<5 | int(b>>3) }

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
	return float32(max(-squared/(2*colourSpread*colourSpread), colourOutlier))
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
