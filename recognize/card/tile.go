package card

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
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
			return slices.ContainsFunc(t, func(q fact.Quad) bool { return within(q[:], m) })
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
		for i := 0; i < len(contour); i += tileEvery { // fine enough, and quicker
			border = append(border, s.full(toPoint(contour[i])))
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
	heap := newPolygon(border)
	field := heap.field(h.sizes[0].short / tileGrid)
	var quads []fact.Quad
	var cells [][]bool
	for _, c := range h.corners {
		for _, across := range []bool{false, true} {
			m, ok := c.mark(h.sizes[0], across)
			q := m.quad()
			if !ok || len(quads) == tileMost || heap.share(q) < tileInside ||
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

func (g *polygon) field(pitch float64) field {
	low, high := g.pts[0], g.pts[0]
	for _, p := range g.pts {
		low = fact.Point{min(low[0], p[0]), min(low[1], p[1])}
		high = fact.Point{max(high[0], p[0]), max(high[1], p[1])}
	}
	var out field
	for y := low[1] + pitch/2; y < high[1]; y += pitch {
		for x := low[0] + pitch/2; x < high[0]; x += pitch {
			if p := (fact.Point{x, y}); g.holds(p) {
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

// polygon is one that is asked for many points: for each line of pixels it knows
// the sides that touch it.
type polygon struct {
	pts   []fact.Point
	top   int
	first []int // of each line in sides, and the end of the last
	sides []int // by their first point
}

func newPolygon(pts []fact.Point) *polygon {
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, p := range pts {
		top, bottom = min(top, p[1]), max(bottom, p[1])
	}
	g := &polygon{pts: pts, top: int(math.Floor(top))}
	g.first = make([]int, int(math.Floor(bottom))-g.top+2)
	lines := func(i int) (from, to int) {
		a, b := pts[i][1], pts[(i+1)%len(pts)][1]
		return int(math.Floor(min(a, b))) - g.top, int(math.Floor(max(a, b))) - g.top
	}
	for i := range pts {
		for from, to := lines(i); from <= to; from++ {
			g.first[from+1]++
		}
	}
	for k := 1; k < len(g.first); k++ {
		g.first[k] += g.first[k-1]
	}
	g.sides = make([]int, g.first[len(g.first)-1])
	next := slices.Clone(g.first)
	for i := range pts {
		for from, to := lines(i); from <= to; from++ {
			g.sides[next[from]] = i
			next[from]++
		}
	}
	return g
}

// holds reports whether p lies in the polygon, as within does.
func (g *polygon) holds(p fact.Point) bool {
	line := int(math.Floor(p[1])) - g.top
	if line < 0 || line+1 >= len(g.first) {
		return false
	}
	in := false
	for _, i := range g.sides[g.first[line]:g.first[line+1]] {
		in = in != crosses(g.pts[i], g.pts[(i+1)%len(g.pts)], p)
	}
	return in
}

// share is that of q which lies within the polygon.
func (g *polygon) share(q fact.Quad) float64 {
	const n = 12
	in := make([]bool, 0, n*n)
	for i := range n {
		for j := range n {
			u, v := (float64(i)+0.5)/n, (float64(j)+0.5)/n
			in = append(in, g.holds(lerp(lerp(q[0], q[1], u), lerp(q[3], q[2], u), v)))
		}
	}
	return share(in)
}

// within reports whether p lies in the polygon.
func within(poly []fact.Point, p fact.Point) bool {
	in := false
	for i, a := range poly {
		in = in != crosses(a, poly[(i+1)%len(poly)], p)
	}
	return in
}

// crosses reports whether the side a-b lies to the right of p.
func crosses(a, b, p fact.Point) bool {
	return (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0])
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
	var heap []view
	clear := true
	err := r.wholes(img, r.face, tiling, func(i int, face []float64, rough float64) {
		p := face[r.labels.index("BK")]
		clear = clear && p >= acceptBack && rough >= stepTexture
		heap = append(heap, view{outline: outline{quad: tiling[i]}, guesses: []fact.Guess{{Label: "BK", P: p}},
			agreed: true, covered: true, tiled: true, marks: make([]mark, 2), cornerScore: math.Sqrt(p)})
	})
	if err != nil || !clear {
		return nil, err
	}
	return heap, nil
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
