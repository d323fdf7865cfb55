package card

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// Backs that overlap show no index, often no edge between them either. But where
// the size of a card is known, two of them explain the outline of their
// heap: each lies within it, at one of its corners, and together they fill it.
const (
	tileInside = 0.95 // share of a card that lies within the heap
	tileCover  = 0.93 // share of the heap that the cards fill
	tileAlone  = 0.06 // share of it that each fills alone
	tileSingle = 0.88 // more filled by one: it is one card
	tileGrid   = 14   // places per shorter side at which this is counted
	maxTiles   = 24   // cards supposed for one heap
)

// tilings are the heaps that whole cards of known size explain, with these cards.
func (s *scene) tilings(faces []view, hint Hint) [][]fact.Quad {
	if len(faces) == 0 && hint.Short == 0 {
		return nil
	}
	var out [][]fact.Quad
	for _, contour := range s.heaps {
		m := s.full(middle(contour))
		if slices.ContainsFunc(out, func(t []fact.Quad) bool {
			return slices.ContainsFunc(t, func(q fact.Quad) bool { return within(q[:], m) })
		}) {
			continue
		}
		h, ok := s.heap(contour, faces, hint)
		if !ok || len(h.corners) < 4 {
			continue
		}
		cards := contourArea(contour) / (s.k * s.k * h.sizes[0].short * h.sizes[0].long)
		if cards < 1 || cards > 2.1 {
			continue
		}
		var border []fact.Point
		for i := 0; i < len(contour); i += 3 { // fine enough, and quicker
			border = append(border, s.full(toPoint(contour[i])))
		}
		if t := h.tile(border); t != nil {
			out = append(out, t)
		}
	}
	return out
}

// tile finds the two cards that explain the heap. Three would explain many a
// heap of two as well.
func (h *heap) tile(border []fact.Point) []fact.Quad {
	field := fieldOf(border, h.sizes[0].short/tileGrid)
	var quads []fact.Quad
	var cells [][]bool
	for _, c := range h.corners {
		for _, across := range []bool{false, true} {
			m, ok := c.mark(h.sizes[0], across)
			q := m.quad()
			if !ok || len(quads) == maxTiles || inside(q, border) < tileInside ||
				slices.ContainsFunc(quads, func(o fact.Quad) bool { return iou(o, q) > 0.9 }) {
				continue
			}
			in := field.of(grown(q, 1.02))
			if share(in) > tileSingle {
				return nil
			}
			quads, cells = append(quads, q), append(cells, in)
		}
	}
	a, b, ok := pair(cells)
	if !ok {
		return nil
	}
	return []fact.Quad{quads[a], quads[b]}
}

// pair chooses the two sets that fill most together, if that is enough.
func pair(cells [][]bool) (a, b int, ok bool) {
	most := tileCover
	for i := range cells {
		for k := range i {
			if c := filled(cells[i], cells[k]); c >= most {
				a, b, ok, most = k, i, true, c
			}
		}
	}
	return a, b, ok
}

// filled is the share that two sets fill together; 0 where one of them adds too
// little to the other.
func filled(a, b []bool) float64 {
	var onlyA, onlyB, any float64
	for i := range a {
		switch {
		case a[i] && b[i]:
			any++
		case a[i]:
			onlyA++
		case b[i]:
			onlyB++
		}
	}
	total := float64(len(a))
	if min(onlyA, onlyB) < tileAlone*total {
		return 0
	}
	return (any + onlyA + onlyB) / total
}

// field is a grid of places within a heap.
type field []fact.Point

func fieldOf(border []fact.Point, pitch float64) field {
	low, high := border[0], border[0]
	for _, p := range border {
		low = fact.Point{min(low[0], p[0]), min(low[1], p[1])}
		high = fact.Point{max(high[0], p[0]), max(high[1], p[1])}
	}
	var out field
	for y := low[1] + pitch/2; y < high[1]; y += pitch {
		for x := low[0] + pitch/2; x < high[0]; x += pitch {
			if p := (fact.Point{x, y}); within(border, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// of tells which places lie within q.
func (f field) of(q fact.Quad) []bool {
	out := make([]bool, len(f))
	for i, p := range f {
		out[i] = within(q[:], p)
	}
	return out
}

func share(in []bool) float64 {
	n := 0
	for _, v := range in {
		if v {
			n++
		}
	}
	return float64(n) / max(1, float64(len(in)))
}

// inside is the share of q that lies within the border.
func inside(q fact.Quad, border []fact.Point) float64 {
	const n = 12
	in := make([]bool, 0, n*n)
	for i := range n {
		for j := range n {
			u, v := (float64(i)+0.5)/n, (float64(j)+0.5)/n
			in = append(in, within(border, lerp(lerp(q[0], q[1], u), lerp(q[3], q[2], u), v)))
		}
	}
	return share(in)
}

// within tells whether p lies in the polygon.
func within(poly []fact.Point, p fact.Point) bool {
	in := false
	for i, a := range poly {
		b := poly[(i+1)%len(poly)]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
			in = !in
		}
	}
	return in
}

// backs keeps of the tilings those of which every card is a back, as views.
func (r *Reader) backs(img gocv.Mat, tilings [][]fact.Quad) ([]view, error) {
	var out []view
	for _, t := range tilings {
		var cards []supposed
		for _, q := range t {
			cards = append(cards, supposed{quad: q})
		}
		if err := r.lookAt(img, cards); err != nil {
			return nil, err
		}
		var heap []view
		for _, c := range cards {
			p := c.face[r.labels.index("BK")]
			if p < acceptBack || c.rough < minTexture {
				break
			}
			heap = append(heap, view{outline: outline{quad: c.quad}, guesses: []fact.Guess{{Label: "BK", P: p}},
				agreed: true, covered: true, tiled: true, corners: 2, heat: math.Sqrt(p)})
		}
		if len(heap) == len(t) {
			out = append(out, heap...)
		}
	}
	return out, nil
}

// withBacks adds the backs of heaps in which no face was read, and drops what
// else was found there.
func (r *Reader) withBacks(all, backs []view) []view {
	overlaps := func(v view, others []view) bool {
		return slices.ContainsFunc(others, func(o view) bool {
			return overlap(v.quad, o.quad) > 0.3*min(area(v.quad[:]), area(o.quad[:]))
		})
	}
	faces := r.faces(all)
	backs = slices.DeleteFunc(backs, func(b view) bool { return overlaps(b, faces) })
	all = slices.DeleteFunc(all, func(v view) bool { return overlaps(v, backs) })
	return append(all, backs...)
}

// grown is q with its sides k times as long, round the same middle.
func grown(q fact.Quad, k float64) fact.Quad {
	m := centre(q)
	for i, p := range q {
		q[i] = add(m, scale(sub(p, m), k))
	}
	return q
}
