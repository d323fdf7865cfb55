package watch

import (
	"math"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// grid is the coarse picture: each cell stands for step×step pixels.
type grid struct {
	width, height int // of the picture
	step          int
	w, h          int
}

func newGrid(width, height, most int) grid {
	step := (width + most - 1) / most
	return grid{width: width, height: height, step: step, w: width / step, h: height / step}
}

func (g grid) fits(n, stride, channels int) bool {
	return (channels == 1 || channels == 3) && stride >= g.width*channels && n >= stride*(g.height-1)+g.width*channels
}

// sample fills cells with 16 times the mean luma of four pixels of each.
func (g grid) sample(cells []int32, pix []byte, stride, channels int) {
	a, b := g.step/4*channels, g.step*3/4*channels
	for y := range g.h {
		r0 := pix[(y*g.step+g.step/4)*stride:]
		r1 := pix[(y*g.step+g.step*3/4)*stride:]
		row := cells[y*g.w : (y+1)*g.w]
		d := g.step * channels
		if channels == 1 {
			for x, at := 0, 0; x < len(row); x, at = x+1, at+d {
				row[x] = 4 * (int32(r0[at+a]) + int32(r0[at+b]) + int32(r1[at+a]) + int32(r1[at+b]))
			}
			continue
		}
		for x, at := 0, 0; x < len(row); x, at = x+1, at+d {
			p, q, r, s := r0[at+a:at+a+3:at+a+3], r0[at+b:at+b+3:at+b+3], r1[at+a:at+a+3:at+a+3], r1[at+b:at+b+3:at+b+3]
			row[x] = int32(p[0]) + int32(q[0]) + int32(r[0]) + int32(s[0]) +
				2*(int32(p[1])+int32(q[1])+int32(r[1])+int32(s[1])) +
				int32(p[2]) + int32(q[2]) + int32(r[2]) + int32(s[2])
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

func (g grid) clampX(x float64) int { return int(min(max(x, 0), float64(g.width-1))) / g.step }

func (g grid) clampY(y float64) int { return int(min(max(y, 0), float64(g.height-1))) / g.step }
