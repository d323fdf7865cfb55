package watch

import (
	"iter"
	"math"

	"vision/internal/fact"
	"vision/internal/geometry"
	"vision/internal/luma"
)

// grid is the coarse picture: each cell covers step×step pixels.
type grid struct {
	width, height int // of the picture
	step          int
	w, h          int
}

func newGrid(width, height, most int) grid {
	step := (width + most - 1) / most
	return grid{width: width, height: height, step: step, w: width / step, h: height / step}
}

// sample fills cells with 16 times the mean luma of four pixels of each.
func (g grid) sample(cells []int32, p luma.Plane) {
	a, b := g.step/4, g.step*3/4
	for y := range g.h {
		r0 := p.Pix[(y*g.step+a)*p.Stride:]
		r1 := p.Pix[(y*g.step+b)*p.Stride:]
		row := cells[y*g.w : (y+1)*g.w]
		for x, at := 0, 0; x < len(row); x, at = x+1, at+g.step {
			row[x] = 4 * (int32(r0[at+a]) + int32(r0[at+b]) + int32(r1[at+a]) + int32(r1[at+b]))
		}
		if p.Limited {
			for x, v := range row {
				row[x] = max(0, v-16*16) * 255 / 219
			}
		}
	}
}

// cells lists those whose middle lies in one of the polygons.
func (g grid) cells(polygons [][]fact.Point) []int32 {
	var out []int32
	x0, y0, x1, y1 := g.w, g.h, 0, 0
	for _, poly := range polygons {
		for _, p := range poly {
			if math.IsNaN(p[0] + p[1]) {
				return nil
			}
			x0, y0 = min(x0, g.clampX(p[0])), min(y0, g.clampY(p[1]))
			x1, y1 = max(x1, g.clampX(p[0])+1), max(y1, g.clampY(p[1])+1)
		}
	}
	for y := y0; y < min(y1, g.h); y++ {
		for x := x0; x < min(x1, g.w); x++ {
			p := fact.Point{(float64(x) + 0.5) * float64(g.step), (float64(y) + 0.5) * float64(g.step)}
			for _, poly := range polygons {
				if geometry.Contains(poly, p) {
					out = append(out, int32(y*g.w+x))
					break
				}
			}
		}
	}
	return out
}

// beside are the cells that touch a cell.
func (g grid) beside(c int32) iter.Seq[int32] {
	x, y, w := int(c)%g.w, int(c)/g.w, int32(g.w)
	return func(yield func(int32) bool) {
		_ = (x == 0 || yield(c-1)) && (x == g.w-1 || yield(c+1)) && (y == 0 || yield(c-w)) && (y == g.h-1 || yield(c+w))
	}
}

func (g grid) clampX(x float64) int { return int(min(max(x, 0), float64(g.width-1))) / g.step }

func (g grid) clampY(y float64) int { return int(min(max(y, 0), float64(g.height-1))) / g.step }
