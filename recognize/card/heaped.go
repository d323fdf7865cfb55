package card

import (
	"cmp"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// heaped adds the backs that lie over one another: their outlines are one contour, and of
// those below the face network sees as much of others. Each corner that no card read
// explains may be one of a back; backs of one pack are alike, so what shows of it is
// compared with those already known, uppermost first.
func (r *Reader) heaped(img gocv.Mat, views []view, marks []mark, hint Hint) ([]view, error) {
	var read, unsure []view
	for _, v := range views {
		switch back := isBack(v); {
		case r.certain(v) && (!back || v.tiled || hint.Short > 0 || !v.unproven(marks)):
			read = append(read, v)
		case back && !v.covered:
			unsure = append(unsure, v)
		}
	}
	all := supposed(img, read, unsure, marks)
	if len(all) == 0 {
		return views, nil
	}
	h := backHeap{reader: r, img: img, read: read}
	if err := h.look(all); err != nil {
		return nil, err
	}
	for h.next() {
	}
	return append(leave(views, h.found, read), h.found...), nil
}

// supposal is where a back may lie, with the corners that support it.
type supposal struct {
	quad  fact.Quad
	marks []mark
	seen  bool    // the network clearly sees a corner without an index at one of its corners
	back  float64 // probability of a back, by the face network, where it ran
	rough float64 // its texture then
	cells cells
}

// cornered reports whether a supporting corner is one that the network sees.
func (s *supposal) cornered() bool {
	return slices.ContainsFunc(s.marks, func(m mark) bool { return m.plain && m.cornerScore > 0 })
}

// supposed are the backs that corners without an index suppose, one or two of them each,
// and outlines that are no more than like one; those that more corners suppose come first.
func supposed(img gocv.Mat, read, unsure []view, marks []mark) []supposal {
	var free []mark
	for _, m := range marks {
		if !m.plain && !m.edged || slices.ContainsFunc(read, func(v view) bool { return v.explains(m) }) {
			continue
		}
		free = append(free, m)
	}
	plain := slices.DeleteFunc(slices.Clone(free), func(m mark) bool { return !m.plain })
	if len(plain) == 0 && len(unsure) == 0 && !slices.ContainsFunc(read, isBack) { // there is no sign of backs
		return nil
	}
	free = placed(img, free, shaper(read, marks))
	var out []supposal
	for _, v := range unsure {
		out = append(out, supposal{quad: v.quad, marks: ownCorners(v.quad)})
	}
	for i, m := range free {
		quads := []fact.Quad{m.quad()}
		for _, n := range free[:i] {
			if q, misfit, ok := m.span(n); ok && misfit < heapedMisfit && iou(q, m.quad()) > heapedAgree {
				quads = append(quads, q)
			}
		}
		for _, q := range quads {
			if q = alignSides(img, q); len(cornersOfQuad(q, free)) > 0 {
				out = append(out, supposal{quad: q, marks: cornersOfQuad(q, free)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b supposal) int { return cmp.Compare(len(b.marks), len(a.marks)) })
	var kept []supposal
	for _, s := range out {
		same := func(o supposal) bool { return iou(o.quad, s.quad) > heapedSame }
		if len(kept) < heapedMost && !slices.ContainsFunc(kept, same) {
			a, b := sides(s.quad)
			s.seen = cornered(s.quad, min(a, b), plain)
			kept = append(kept, s)
		}
	}
	return kept
}

// placed gives the marks the shape that cards have there, those of the network by the edges
// of the picture; outlines lie on such.
func placed(img gocv.Mat, marks []mark, shape func(mark) mark) []mark {
	var out []mark
	for _, m := range marks {
		if m = shape(m); !m.edged {
			m = m.refined(img)
		}
		if len(out) < heapedCorners && !slices.ContainsFunc(out, m.twin) {
			out = append(out, m)
		}
	}
	return out
}

func isBack(v view) bool { return v.guesses[0].Label == "BK" }

// twin reports whether two marks are of one corner and suppose one card.
func (m mark) twin(o mark) bool { return m.same(o) && iou(m.quad(), o.quad()) > heapedSame }

// ownCorners are the four of an outline.
func ownCorners(q fact.Quad) []mark {
	var out []mark
	for k, p := range q {
		a, b := sub(q[(k+1)%4], p), sub(q[(k+3)%4], p)
		if k%2 == 1 {
			a, b = b, a
		}
		out = append(out, mark{apex: p, short: a, long: b, plain: true})
	}
	return out
}

// cornersOfQuad are those of the marks that are corners of q, one at each at most.
func cornersOfQuad(q fact.Quad, marks []mark) []mark {
	var out []mark
	v := view{outline: outline{quad: q}}
	for _, p := range q {
		best, near := -1, math.Inf(1)
		for i, m := range marks {
			if d := norm(sub(m.apex, p)); d < near && v.explains(m) {
				best, near = i, d
			}
		}
		a, b := sides(q)
		if best >= 0 && near < markApexNear*min(a, b) {
			out = append(out, marks[best])
		}
	}
	return out
}

// backHeap finds the backs among what is supposed.
type backHeap struct {
	reader *Reader
	img    gocv.Mat
	read   []view // cards, those found included
	known  []cells
	all    []supposal
	found  []view
}

// look sees what the backs that are read look like, and what lies where others may be. Where
// none is read the face network has to say what a back is; else it is asked of what may be one
// by itself.
func (h *backHeap) look(all []supposal) error {
	var backs, quads []fact.Quad
	for _, v := range h.read {
		if isBack(v) {
			backs = append(backs, v.quad)
		}
	}
	for _, s := range all {
		quads = append(quads, s.quad)
	}
	rects, err := rectify(h.img, append(backs, quads...))
	if err != nil {
		return err
	}
	for i := range backs {
		h.known = append(h.known, rects.cells(i))
	}
	for i := range all {
		all[i].cells = rects.cells(len(backs) + i)
	}
	h.all = all
	var asked []*supposal
	quads = nil
	for i := range all {
		if len(backs) == 0 || all[i].whole() {
			asked, quads = append(asked, &all[i]), append(quads, all[i].quad)
		}
	}
	wholes, err := h.reader.wholes(h.img, h.reader.heap, quads)
	for i, w := range wholes {
		asked[i].back, asked[i].rough = w.face[h.reader.labels.index("BK")], w.rough
	}
	return err
}

// whole reports whether so many corners are seen that it may be a back by itself.
func (s *supposal) whole() bool { return len(s.marks) > 1 && (s.seen || s.cornered()) }

// next takes the best of what is supposed for a back, if that is one.
func (h *backHeap) next() bool {
	best, at := 0.0, -1
	for i := range h.all {
		if s := h.score(&h.all[i]); s > best {
			best, at = s, i
		}
	}
	if at < 0 && len(h.known) == 0 {
		at = h.twins()
	}
	if at < 0 {
		return false
	}
	s := h.all[at]
	// what shows proves it, whatever the face network makes of the cards over it
	v := back(s.quad, max(s.back, acceptBack), 1)
	h.read, h.found, h.known = append(h.read, v), append(h.found, v), append(h.known, s.cells)
	h.all = slices.Delete(h.all, at, at+1)
	return true
}

// score orders what may be a back; 0: nothing proves it.
func (h *backHeap) score(s *supposal) float64 {
	corners := 0.0
	for _, m := range s.marks {
		if !slices.ContainsFunc(h.read, func(v view) bool { return v.explains(m) }) {
			corners++
		}
	}
	free := s.cells.free(s.quad, h.read)
	if shown := share(free); corners == 0 || shown < heapedShown {
		return 0
	}
	edges := h.edges(s.quad)
	unlike := math.Inf(1)
	for i := range h.known {
		unlike = min(unlike, s.cells.unlike(&h.known[i], free))
	}
	least := heapedEdges
	if corners > 1 { // and quite alike: it may lie on another of its colour
		least *= max(heapedHardly, min(1, unlike/heapedUnlike))
	}
	itself := corners > 1 && s.whole() && s.back >= acceptBack && s.rough >= stepTexture &&
		(len(h.known) > 0 || corners > 2 && s.cornered()) // a first one has to be the surer
	if edges < least || unlike > heapedUnlike && !itself {
		return 0
	}
	return 1 + corners + share(free) + edges - 2*min(unlike, heapedUnlike)/heapedUnlike
}

// twins is the place of the better of two that prove each other: they look alike, and
// neither is known; -1: none.
func (h *backHeap) twins() int {
	var fair []int
	for i := range h.all {
		s := &h.all[i]
		if len(s.marks) > 1 && s.cornered() && s.back >= heapedTwin && s.rough >= stepTexture &&
			h.edges(s.quad) >= heapedEdges {
			fair = append(fair, i)
		}
	}
	best, at := heapedAlike, -1
	for k, i := range fair {
		for _, j := range fair[:k] {
			a, b := &h.all[i], &h.all[j]
			if overlap(a.quad, b.quad) > 0 {
				continue
			}
			if d := a.cells.unlike(&b.cells, a.cells.free(a.quad, h.read)); d < best {
				best, at = d, i
				if a.back < b.back {
					at = j
				}
			}
		}
	}
	return at
}

// edges is the share of the sides of q, where no known card lies over them, that are edges.
func (h *backHeap) edges(q fact.Quad) float64 {
	const parts = 4
	m := bitmapOf(h.img)
	a, b := sides(q)
	seen, steep := 0.0, 0.0
	for i := range 4 {
		from, to := q[i], q[(i+1)%4]
		for k := range parts {
			t := func(x float64) float64 { return stepSide + (1-2*stepSide)*(float64(k)+x)/parts }
			p := lerp(from, to, t(0.5))
			if slices.ContainsFunc(h.read, func(v view) bool { return v.hides(p) }) {
				continue
			}
			if seen++; m.steps(from, to, t(0), t(1), min(a, b)) {
				steep++
			}
		}
	}
	return steep / max(1, seen)
}

// hides reports whether the card lies over p.
func (v *view) hides(p fact.Point) bool {
	q := grown(v.quad, heapedGrown)
	return geometry.Contains(q[:], p)
}

// leave are the views without those that the backs found explain; what was read stays.
func leave(views, found, read []view) []view {
	return slices.DeleteFunc(slices.Clone(views), func(v view) bool {
		if slices.ContainsFunc(read, func(o view) bool { return o.quad == v.quad }) {
			return false
		}
		return slices.ContainsFunc(found, func(b view) bool {
			return overlap(v.quad, b.quad) > suppressBetter*min(area(v.quad[:]), area(b.quad[:]))
		})
	})
}
