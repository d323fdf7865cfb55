package card

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/geometry"
)

// tilings are the heaps that whole cards of known size explain, with these cards.
func (s *scene) tilings(faces []view, hint Hint) [][]fact.Quad {
	if len(faces) == 0 && hint.Short == 0 {
		return nil
	}
	var out [][]fact.Quad
	for i, contour := range s.heaps {
		m := s.full(middle(contour))
		if slices.ContainsFunc(out, func(t []fact.Quad) bool {
			return slices.ContainsFunc(t, func(q fact.Quad) bool { return geometry.Contains(q[:], m) })
		}) {
			continue
		}
		h, ok := s.heap(i, faces, hint)
		if !ok || len(h.corners) < 4 {
			continue
		}
		cards := contourArea(contour) / (s.k * s.k * h.sizes[0].short * h.sizes[0].long)
		if cards < 1 || cards > tileCards {
			continue
		}
		var border []fact.Point
		for _, p := range cv.Simplify(contour, tileBend) {
			border = append(border, s.full(toPoint(p)))
		}
		if t := h.tile(border); t != nil && !explained(t, out) {
			out = append(out, t)
		}
	}
	return out
}

// explained reports whether a card of a tiling lies where one of another does: one heap may
// have several contours, and the middle of two cards that hardly touch is in neither.
func explained(t []fact.Quad, others [][]fact.Quad) bool {
	return slices.ContainsFunc(others, func(o []fact.Quad) bool {
		return slices.ContainsFunc(t, func(q fact.Quad) bool {
			return slices.ContainsFunc(o, func(p fact.Quad) bool { return coincide(q, p) })
		})
	})
}

// coincide reports whether so much of one of two cards lies on the other that they are one.
func coincide(a, b fact.Quad) bool { return overlap(a, b) > tileOverlaps*min(area(a[:]), area(b[:])) }

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
			if !ok || len(quads) == tileMost || shareWithin(border, q) < tileInside ||
				slices.ContainsFunc(quads, func(o fact.Quad) bool { return iou(o, q) > tileSame }) {
				continue
			}
			in := field.of(grown(q, tileGrown))
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
	low, high := geometry.Bounds(border)
	var out field
	for y := low[1] + pitch/2; y < high[1]; y += pitch {
		for x := low[0] + pitch/2; x < high[0]; x += pitch {
			if p := (fact.Point{x, y}); geometry.Contains(border, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// of returns which places lie within q.
func (f field) of(q fact.Quad) []bool {
	out := make([]bool, len(f))
	for i, p := range f {
		out[i] = geometry.Contains(q[:], p)
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

// shareWithin is that of q which lies within a border.
func shareWithin(border []fact.Point, q fact.Quad) float64 {
	const n = 12
	in := make([]bool, 0, n*n)
	for i := range n {
		for j := range n {
			u, v := (float64(i)+0.5)/n, (float64(j)+0.5)/n
			in = append(in, geometry.Contains(border, lerp(lerp(q[0], q[1], u), lerp(q[3], q[2], u), v)))
		}
	}
	return share(in)
}

// tiled keeps of the tilings those of which every card is a back or, in packs
// without indices, of which no free corner is seen, every card a face that is read.
func (r *Reader) tiled(img gocv.Mat, tilings [][]fact.Quad) ([]view, error) {
	var out []view
	for _, t := range tilings {
		heap, err := r.backs(img, t)
		if err == nil && heap == nil && r.deck == noIndexDeck {
			heap, err = r.noIndexFaces(img, t)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, heap...)
	}
	return out, nil
}

// backs are the cards of a tiling, if all are backs.
func (r *Reader) backs(img gocv.Mat, tiling []fact.Quad) ([]view, error) {
	wholes, err := r.wholes(img, r.face, tiling)
	var heap []view
	for i, w := range wholes {
		p := w.face[r.labels.index("BK")]
		if p < acceptBack || w.rough < stepTexture {
			return nil, nil
		}
		heap = append(heap, back(tiling[i], p, math.Sqrt(p)))
	}
	return heap, err
}

// back is the view of a back that explains the outline of its heap.
func back(q fact.Quad, p, cornerScore float64) view {
	return view{outline: outline{quad: q}, guesses: []fact.Guess{{Label: "BK", P: p}},
		agreed: true, covered: true, tiled: true, marks: make([]mark, 2), cornerScore: cornerScore}
}

// noIndexFaces are the cards of a tiling, if all are faces that are read.
func (r *Reader) noIndexFaces(img gocv.Mat, tiling []fact.Quad) ([]view, error) {
	var heap []view
	for _, q := range tiling {
		views, err := r.look(img, []outline{{quad: q, support: 1, fill: 1}})
		if err != nil {
			return nil, err
		}
		k := slices.IndexFunc(views, func(v view) bool { return r.certain(v) && v.guesses[0].Label != "BK" })
		if k < 0 {
			return nil, nil
		}
		heap = append(heap, views[k])
	}
	return heap, nil
}

// withTiled adds the cards of heaps in which no face was read, and drops what
// else was found there.
func (r *Reader) withTiled(all, tiled []view) []view {
	overlaps := func(v view, others []view) bool {
		return slices.ContainsFunc(others, func(o view) bool { return coincide(v.quad, o.quad) })
	}
	faces := r.faces(all)
	tiled = slices.DeleteFunc(tiled, func(b view) bool { return overlaps(b, faces) })
	all = slices.DeleteFunc(all, func(v view) bool { return overlaps(v, tiled) })
	return append(all, tiled...)
}

// grown is q with its sides k times as long, round the same middle.
func grown(q fact.Quad, k float64) fact.Quad {
	m := centre(q)
	for i, p := range q {
		q[i] = add(m, scale(sub(p, m), k))
	}
	return q
}
