package card

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// steps reports whether the stretch of the side a-b is an edge; short is the
// card's shorter side.
func (m *bitmap) steps(a, b fact.Point, from, to, short float64) bool {
	return !slices.ContainsFunc(stepBands, func(band float64) bool {
		return m.step(a, b, from, to, band*short) < stepLeast
	})
}

// step is the difference of the mean colour inside and outside a stretch of the
// side a-b, in grey levels of the channel that differs most.
func (m *bitmap) step(a, b fact.Point, from, to, band float64) float64 {
	u := unit(sub(b, a))
	in := fact.Point{-u[1], u[0]} // clockwise outlines have their inside to the right
	var sum [3]float64
	n := 0
	for i := range 16 {
		p := lerp(a, b, from+(to-from)*(float64(i)+0.5)/16)
		x, okx := m.at(add(p, scale(in, band)))
		y, oky := m.at(sub(p, scale(in, band)))
		if !okx || !oky {
			continue
		}
		n++
		for c := range 3 {
			sum[c] += float64(m.px[x+c]) - float64(m.px[y+c])
		}
	}
	if n < stepShown {
		return 0
	}
	return max(math.Abs(sum[0]), math.Abs(sum[1]), math.Abs(sum[2])) / float64(n)
}

// bitmap is the pixels of the picture that is read, BGR, rows without padding.
type bitmap struct {
	px         []uint8
	cols, rows int
}

func bitmapOf(img gocv.Mat) *bitmap {
	px, _ := img.DataPtrUint8() // Read has made it continuous
	return &bitmap{px, img.Cols(), img.Rows()}
}

// at is where in px the pixel at p begins; false outside the picture.
func (m *bitmap) at(p fact.Point) (int, bool) {
	x, y := int(p[0]+0.5), int(p[1]+0.5)
	if p[0] < 0 || p[1] < 0 || x >= m.cols || y >= m.rows {
		return 0, false
	}
	return (y*m.cols + x) * 3, true
}

// hasEdges reports whether at least need of the sides of q are an edge of something.
func hasEdges(img gocv.Mat, q fact.Quad, need int) bool {
	m := bitmapOf(img)
	w, h := sides(q)
	n := 0
	for i := range 4 {
		if m.steps(q[i], q[(i+1)%4], stepSide, 1-stepSide, min(w, h)) {
			n++
		}
	}
	return n >= need
}

// cornerHasEdges reports whether both sides at corner k of q are an edge near it.
func cornerHasEdges(img gocv.Mat, q fact.Quad, k int) bool {
	m := bitmapOf(img)
	w, h := sides(q)
	before, after := q[(k+3)%4], q[(k+1)%4]
	from, to := stepCorner[0], stepCorner[1]
	return m.steps(q[k], after, from, to, min(w, h)) && m.steps(before, q[k], 1-to, 1-from, min(w, h))
}

// Corners of heaps are looked for in all that is straight: print, chips, the edge
// of the table. Where a face was read, paper is known to be about so pale.
const sampW, sampH = 28, 40

// onPaper drops the edged marks that have no paper about their index.
func onPaper(img gocv.Mat, marks []mark, faces []view) ([]mark, error) {
	if len(faces) == 0 {
		return marks, nil
	}
	var quads []fact.Quad
	for _, v := range faces {
		quads = append(quads, v.quad)
	}
	for _, m := range marks {
		quads = append(quads, m.crop())
	}
	all, err := cut(img, quads, sampW, sampH)
	if err != nil {
		return nil, err
	}
	var out []mark
	for i, m := range marks {
		at, near := 0, math.Inf(1)
		for k, v := range faces {
			if d := norm(sub(centre(v.quad), m.apex)); d < near {
				at, near = k, d
			}
		}
		if !m.edged || all.paper(len(faces)+i) >= stepPaper*all.paper(at) {
			out = append(out, m)
		}
	}
	return out, nil
}

// paper is the paleness that a quarter of patch i exceeds.
func (p patches) paper(i int) float64 {
	var count [256]int
	px := p.at(i)
	for k := 0; k < len(px); k += 3 {
		count[min(px[k], px[k+1], px[k+2])]++
	}
	v := 255
	for n := count[v]; 4*n < p.w*p.h && v > 0; n += count[v] {
		v--
	}
	return float64(v)
}
