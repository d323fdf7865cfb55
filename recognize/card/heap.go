package card

import (
	"cmp"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// Limits of the search under other cards.
const (
	minStraight  = 0.55  // share of a heap's contour that runs straight
	maxGuesses   = 96    // corners shown to the index network
	acceptCorner = 0.985 // least probability of a card read by a free corner
)

// guess is a card supposed at a free corner.
type guess struct {
	quad   fact.Quad
	index  fact.Point // where its index would stand
	across bool       // the corner is the top right one
}

// lookUnder reads cards of which only corners lie free: it supposes a card at
// each free corner of a heap and asks the networks. known are the cards already
// found; they give the size, and their own corners are left out.
func (r *Reader) lookUnder(img gocv.Mat, s *scene, known []view, hint Hint) ([]view, error) {
	guesses := slices.DeleteFunc(s.suppose(known, hint), func(g guess) bool { return !g.stands(img) })
	guesses = guesses[:min(maxGuesses, len(guesses))]
	var all []view
	for lo := 0; lo < len(guesses); lo += 16 {
		part, err := r.ask(img, guesses[lo:min(lo+16, len(guesses))])
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return r.gather(all), nil
}

// heap is a contour that may be several cards, with its free corners.
type heap struct {
	corners  []free
	sizes    []size
	straight float64 // share of the contour that is straight
}

// suppose lists the cards that may lie at the free corners of all heaps.
func (s *scene) suppose(known []view, hint Hint) []guess {
	var heaps []heap
	for _, c := range s.heaps {
		if h, ok := s.heap(c, known, hint); ok {
			heaps = append(heaps, h)
		}
	}
	slices.SortStableFunc(heaps, func(a, b heap) int { return cmp.Compare(b.straight, a.straight) })
	var out []guess
	var seen []free
	for _, h := range heaps {
		for _, c := range h.corners {
			if slices.ContainsFunc(seen, c.same) {
				continue
			}
			seen = append(seen, c)
			for _, sz := range h.sizes {
				out = appendGuesses(out, c, sz, known)
			}
		}
	}
	return out
}

// stands tells whether the corner is one of a thing, not of a printed line.
func (g guess) stands(img gocv.Mat) bool {
	if g.across {
		return cornerStands(img, g.quad, 1)
	}
	return cornerStands(img, g.quad, 0)
}

// heap measures a contour; ok is false for what is too small, too large or too
// crooked for cards.
func (s *scene) heap(contour []image.Point, known []view, hint Hint) (heap, bool) {
	sz, ok := sizeNear(s.full(middle(contour)), known, hint)
	short := sz.short * s.k
	if !ok {
		short = roughSize(contour)
	}
	if a := contourArea(contour); a < 0.7*short*short || a > 14*short*short {
		return heap{}, false
	}
	corners, straight := freeCorners(contour, short)
	if straight < minStraight || len(corners) < 2 {
		return heap{}, false
	}
	for i := range corners {
		s.enlarge(&corners[i])
	}
	h := heap{corners: corners, sizes: []size{sz}, straight: straight}
	if !ok {
		h.sizes = heapSizes(corners)
	}
	return h, true
}

func contourArea(pts []image.Point) float64 {
	n := 0
	for i, p := range pts {
		q := pts[(i+1)%len(pts)]
		n += p.X*q.Y - p.Y*q.X
	}
	return math.Abs(float64(n)) / 2
}

func middle(pts []image.Point) fact.Point {
	var m fact.Point
	for _, p := range pts {
		m = add(m, toPoint(p))
	}
	return scale(m, 1/float64(len(pts)))
}

// roughSize guesses the shorter side of the cards of a heap: enough to tell a
// side from a rounded corner.
func roughSize(h []image.Point) float64 {
	x0, y0, x1, y1 := h[0].X, h[0].Y, h[0].X, h[0].Y
	for _, p := range h {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	return float64(min(x1-x0, y1-y0)) / 1.7
}

// enlarge takes a corner of the searched picture to the whole one.
func (s *scene) enlarge(c *free) {
	c.at = s.full(c.at)
	c.prevLen /= s.k
	c.nextLen /= s.k
}

func appendGuesses(out []guess, c free, sz size, known []view) []guess {
	for _, across := range []bool{false, true} {
		q, ok := c.guess(sz, across)
		if !ok {
			continue
		}
		u := 0.14
		if across {
			u = 0.86
		}
		top, bottom := lerp(q[0], q[1], u), lerp(q[3], q[2], u)
		at := lerp(top, bottom, 0.14)
		if slices.ContainsFunc(known, func(v view) bool { return inside(v.quad, at) }) {
			continue
		}
		out = append(out, guess{q, at, across})
	}
	return out
}

// same tells whether two masks gave one corner.
func (c free) same(d free) bool {
	tol := 0.06 * max(c.prevLen, c.nextLen, 30)
	return norm(sub(c.at, d.at)) < tol && dot(c.prev, d.prev) > 0.97 && dot(c.next, d.next) > 0.97
}

func inside(q fact.Quad, p fact.Point) bool {
	for i := range 4 {
		if cross(sub(q[(i+1)%4], q[i]), sub(p, q[i])) < 0 {
			return false
		}
	}
	return true
}

// heapSizes are the sizes of card that whole sides of a heap speak for.
func heapSizes(corners []free) []size {
	var out []size
	put := func(s size) {
		if !slices.ContainsFunc(out, func(o size) bool { return o.short > 0.93*s.short && o.short < 1.07*s.short }) {
			out = append(out, s)
		}
	}
	for _, c := range corners {
		if s, l := min(c.prevLen, c.nextLen), max(c.prevLen, c.nextLen); c.prevWhole && c.nextWhole && l > 1.15*s && l < 1.75*s {
			put(size{s, l})
		}
	}
	if len(out) > 0 {
		return out[:min(2, len(out))]
	}
	for _, c := range corners {
		if c.nextWhole {
			put(size{c.nextLen, 1.4 * c.nextLen})
			put(size{c.nextLen / 1.4, c.nextLen})
		}
	}
	return out[:min(4, len(out))]
}

// ask shows supposed cards to the networks: the corner to one, all to the other.
func (r *Reader) ask(img gocv.Mat, part []guess) ([]view, error) {
	var faces, idx []float32
	var rough []float64
	for _, g := range part {
		rect := rectify(img, g.quad)
		rough = append(rough, texture(rect))
		faces = faceBlob(faces, rect)
		if g.across {
			idx = rightIndexBlob(idx, rect)
		} else {
			idx = indexBlob(idx, rect, false)
		}
		rect.Close()
	}
	ci, err := r.index.run(idx, len(part))
	if err != nil {
		return nil, err
	}
	cf, err := r.face.run(faces, len(part))
	if err != nil {
		return nil, err
	}
	var out []view
	for i, g := range part {
		s := sight{face: cf[i][0], texture: rough[i], corners: []corner{{rank: ci[i][0], suit: ci[i][1]}}}
		if v, ok := r.underView(g, s); ok {
			out = append(out, v)
		}
	}
	return out, nil
}

// underView weighs one supposed card: the index decides, for most of the face
// may be covered; a back is known by its face.
func (r *Reader) underView(g guess, s sight) (view, bool) {
	v := view{outline: outline{quad: g.quad}, covered: true}
	c := s.corners[0]
	back := s.face[r.labels.index("BK")]
	if back > 0.9 && s.texture > minTexture && c.rank[r.labels.noRank] > 0.5 && !g.across {
		v.guesses = []fact.Guess{{Label: "BK", P: back}} // agreed when a second corner says so
		return v, true
	}
	for i, label := range r.labels.face {
		if label == none || label == "BK" || label == "Jk" {
			continue
		}
		if p := c.rank[r.labels.rank[label[0]]] * c.suit[r.labels.suit[label[1]]]; p > 0.02 {
			v.guesses = append(v.guesses, fact.Guess{Label: label, P: p})
			if p > 0.5 && s.face[i] > 0.3 {
				v.agreed = true
			}
		}
	}
	slices.SortFunc(v.guesses, byProbability)
	return v, len(v.guesses) > 0 && v.guesses[0].P > 0.5
}

// gather joins the views of one card and keeps the better of rivals.
func (r *Reader) gather(all []view) []view {
	slices.SortStableFunc(all, func(a, b view) int { return byProbability(a.guesses[0], b.guesses[0]) })
	var out []view
	for _, v := range all {
		label := v.guesses[0].Label
		k := slices.IndexFunc(out, func(o view) bool { return o.guesses[0].Label == label && iou(o.quad, v.quad) > 0.5 })
		if k >= 0 {
			if v.guesses[0].P > 0.7 { // a second corner says the same
				out[k].agreed = true
			}
			continue
		}
		if slices.ContainsFunc(out, func(o view) bool { return iou(o.quad, v.quad) > 0.6 }) {
			continue
		}
		out = append(out, v)
	}
	return out
}
