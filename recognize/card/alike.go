package card

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// cells are what a rectified card looks like from afar: of squares of it the mean colour
// and how much it varies, in grey levels.
type cells [cellsX * cellsY][4]float64

const (
	cellSide       = 16
	cellsX, cellsY = rectW / cellSide, rectH / cellSide
)

func (p patches) cells(i int) (out cells) {
	px := p.at(i)
	for c := range out {
		x0, y0 := c%cellsX*cellSide, c/cellsX*cellSide
		var sum [3]float64
		squares := 0.0
		for y := y0; y < y0+cellSide; y++ {
			for x := x0; x < x0+cellSide; x++ {
				k := 3 * (y*p.w + x)
				grey := 0.0
				for ch := range 3 {
					sum[ch] += float64(px[k+ch])
					grey += float64(px[k+ch]) / 3
				}
				squares += grey * grey
			}
		}
		const n = cellSide * cellSide
		mean := (sum[0] + sum[1] + sum[2]) / 3 / n
		out[c] = [4]float64{sum[0] / n, sum[1] / n, sum[2] / n, math.Sqrt(max(0, squares/n-mean*mean))}
	}
	return out
}

// free returns which cells of q no other card lies over.
func (c *cells) free(q fact.Quad, over []view) []bool {
	out := make([]bool, len(c))
	for i := range c {
		u, v := (float64(i%cellsX)+0.5)/cellsX, (float64(i/cellsX)+0.5)/cellsY
		p := lerp(lerp(q[0], q[1], u), lerp(q[3], q[2], u), v)
		out[i] = !slices.ContainsFunc(over, func(o view) bool { return o.hides(p) })
	}
	return out
}

// unlike is how much two backs differ where free, in the light that suits best, whichever
// way round they lie: of that light, the mean over squares and channels.
func (c *cells) unlike(o *cells, free []bool) float64 {
	return min(c.differ(o, free, false), c.differ(o, free, true))
}

func (c *cells) differ(o *cells, free []bool, turned bool) float64 {
	at := func(i int) *[4]float64 {
		if turned {
			return &o[len(o)-1-i]
		}
		return &o[i]
	}
	var mine, its, n float64
	for i, ok := range free {
		if ok {
			n++
			for ch := range 3 {
				mine, its = mine+c[i][ch], its+at(i)[ch]
			}
		}
	}
	light := mine / max(1, its)
	if n == 0 || light > heapedLight || light < 1/heapedLight {
		return math.Inf(1)
	}
	sum := 0.0
	for i, ok := range free {
		if ok {
			for ch := range 4 {
				d := c[i][ch] - light*at(i)[ch]
				sum += d * d
			}
		}
	}
	return math.Sqrt(sum/(4*n)) / max(1, mine/(3*n))
}
