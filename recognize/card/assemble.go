package card

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/recognize/network"
)

// under reads cards by their free corners alone. known are the cards read by
// their outlines, whose corners are left out. Cards that show two corners are
// measured by them, and give the pose of those that show one: these are looked at again.
func (r *Reader) under(img gocv.Mat, marks []mark, known []view) ([]view, error) {
	read := slices.DeleteFunc(slices.Clone(known), func(v view) bool { return !r.certain(v) || v.unproven(marks) })
	marks, err := r.fitted(img, marks, read)
	if err != nil {
		return nil, err
	}
	marks = withoutStairs(marks)
	corners, err := r.cornersOf(img, marks, read)
	if err != nil {
		return nil, err
	}
	cards := join(corners)
	measured, err := r.measured(img, cards)
	switch {
	case err != nil:
		return nil, err
	case len(measured) == 0:
		out, err := r.assembled(img, cards, lone)
		if err != nil {
			return nil, err
		}
		return r.inFan(img, out, marks)
	case len(measured) == len(cards):
		return measured, nil
	}
	again, err := r.cornersOf(img, marks, append(read, measured...))
	if err != nil {
		return nil, err
	}
	for i := range again {
		again[i].located = true
	}
	for _, c := range corners {
		if !slices.ContainsFunc(measured, func(v view) bool { return v.explains(c.marks[0]) }) {
			again = append(again, c)
		}
	}
	out, err := r.assembled(img, join(again), each)
	if err != nil {
		return nil, err
	}
	return r.inFan(img, append(measured, out...), marks)
}

// Which of the cards are looked at. A corner that only an outline supposes is read with
// another alone.
func each(c *hypothesis) bool    { return several(c) || c.marks[0].cornerScore >= markCorner }
func lone(c *hypothesis) bool    { return !several(c) && each(c) }
func several(c *hypothesis) bool { return len(c.marks) > 1 }

// measured are the faces that are read by two corners or more.
func (r *Reader) measured(img gocv.Mat, cards []hypothesis) ([]view, error) {
	if err := r.lookAt(img, r.index, cards, several); err != nil {
		return nil, err
	}
	var out []view
	for i := range cards {
		if !several(&cards[i]) {
			continue
		}
		if v, ok := r.weigh(cards[i]); ok && v.measured() {
			out = append(out, v)
		}
	}
	return out, nil
}

// withoutStairs drops what the outline of a heap supposes at corners that the network sees
// clearly, where what it saw is fitted: the outline of a fan is stairs.
func withoutStairs(marks []mark) []mark {
	return slices.DeleteFunc(slices.Clone(marks), func(m mark) bool {
		return m.edged && slices.ContainsFunc(marks, func(o mark) bool {
			return !o.edged && !o.plain && o.cornerScore >= acceptCorner &&
				norm(sub(m.apex, o.apex)) < markSame*min(norm(m.short), norm(o.short))
		})
	})
}

// unproven reports whether v is taken for a back at whose corners none is seen: it may be
// a pattern of the ground, and must not decide how cards lie.
func (v *view) unproven(marks []mark) bool {
	a, b := sides(v.quad)
	return v.guesses[0].Label == "BK" && !cornered(v.quad, min(a, b), marks)
}

// measured reports whether a face is read by two corners or more.
func (v *view) measured() bool { return v.clear() && len(v.marks) > 1 && v.guesses[0].Label != "BK" }

// cornersOf puts a hypothesis at each of the marks, but for the corners of those
// read, which give the pose of the others.
func (r *Reader) cornersOf(img gocv.Mat, marks []mark, read []view) ([]hypothesis, error) {
	var left []mark
	shape := shaper(read, marks)
	for _, m := range marks {
		if !slices.ContainsFunc(read, func(v view) bool { return v.explains(m) }) {
			left = append(left, shape(m))
		}
	}
	left, err := onPaper(img, left, r.faces(read))
	if err != nil {
		return nil, err
	}
	cards, err := r.hypotheses(img, left)
	if err != nil {
		return nil, err
	}
	again, err := r.hypotheses(img, doubtful(cards, img))
	return append(cards, again...), err
}

// assembled returns the views of the cards, after the networks ran on those that asked selects.
func (r *Reader) assembled(img gocv.Mat, cards []hypothesis, asked func(*hypothesis) bool) ([]view, error) {
	if err := r.lookAt(img, r.index, cards, asked); err != nil {
		return nil, err
	}
	r.markRows(cards)
	var out []view
	for _, c := range cards {
		if !each(&c) {
			continue
		}
		if v, ok := r.weigh(c); ok && (v.clear() || v.cornerScore >= acceptCorner) {
			out = append(out, v)
		}
	}
	return out, nil
}

// lookAt runs the networks on the cards that asked selects: of indices on free corners, of faces on the whole.
func (r *Reader) lookAt(img gocv.Mat, index *network.Net, cards []hypothesis, asked func(*hypothesis) bool) error {
	if err := r.readCrops(img, index, cards, asked); err != nil {
		return err
	}
	var at []int
	var quads []fact.Quad
	for i := range cards {
		if asked(&cards[i]) {
			at, quads = append(at, i), append(quads, cards[i].quad)
		}
	}
	wholes, err := r.wholes(img, r.face, quads)
	for i, w := range wholes {
		cards[at[i]].sighted = w
	}
	return err
}

// shaper returns how a card lies of which a mark is seen, by those read.
func shaper(read []view, marks []mark) func(mark) mark {
	lay, t := layOf(read, marks), tiltOf(read)
	flat, level := t.views(read), make([]mark, len(marks))
	for i, m := range marks {
		level[i] = m.moved(t.level)
	}
	flatLay := layOf(flat, level)
	return func(m mark) mark {
		if t.reaches(m.apex) {
			return m.moved(t.level).shaped(flatLay, flat, level).moved(t.seen)
		}
		return m.shaped(lay, read, marks)
	}
}

// shaped gives the mark the sides that a card has there: as the cards lie that
// show it, else in size alone.
func (m mark) shaped(lay []lying, read []view, marks []mark) mark {
	if k, ok := metricAt(m.apex, lay); ok {
		if s, ok := m.snapped(k); ok {
			return s
		}
	}
	return m.sized(areaNear(m, read, marks))
}

// explains reports whether the mark is a corner of the card: it lies at one and its
// sides leave it towards the card. That of a neighbour that touches it leaves it.
func (v *view) explains(m mark) bool {
	a, b := sides(v.quad)
	mid, into := centre(v.quad), unit(add(unit(m.short), unit(m.long)))
	for _, p := range v.quad {
		if norm(sub(p, m.apex)) < markApexNear*min(a, b) && dot(into, unit(sub(mid, p))) > pairInward {
			return true
		}
	}
	return false
}

// areaNear is the area that cards have near m, whatever their turn: that of the
// nearest read one, else the median of what the surest marks imply; 0: unknown.
func areaNear(m mark, read []view, marks []mark) float64 {
	near, out := math.Inf(1), 0.0
	for _, v := range read {
		if d := norm(sub(centre(v.quad), m.apex)); d < near {
			near, out = d, area(v.quad[:])
		}
	}
	if out > 0 {
		return out
	}
	var all []float64
	for _, o := range marks {
		if o.cornerScore > markSure {
			all = append(all, math.Abs(cross(o.short, o.long)))
		}
	}
	if len(all) < markSureSize {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// sized gives the hypothesis the area of its neighbours, where it is near it.
func (m mark) sized(area float64) mark {
	k := math.Sqrt(area / max(1, math.Abs(cross(m.short, m.long))))
	if k > markResize[0] && k < markResize[1] {
		m.short, m.long = scale(m.short, k), scale(m.long, k)
	}
	return m
}

// certain reports whether the view is read for certain.
func (r *Reader) certain(v view) bool { return r.reading(v).Abstain == "" }

// hypotheses runs the index network on each corner.
func (r *Reader) hypotheses(img gocv.Mat, marks []mark) ([]hypothesis, error) {
	outputs, err := r.indices(img, r.index, marks)
	if err != nil {
		return nil, err
	}
	var out []hypothesis
	for i, m := range marks {
		s := hypothesis{quad: m.quad(), marks: []mark{m}}
		if outputs[i].rank[r.labels.noRank] < acceptNoIndex {
			s.labels = r.labels.of(outputs[i])
			out = append(out, s)
		} else if m.plain {
			out = append(out, s)
		}
	}
	return out, nil
}

// indices is the output of an index network for each corner.
func (r *Reader) indices(img gocv.Mat, index *network.Net, marks []mark) ([]corner, error) {
	return inBatches(marks, func(part []mark) (out []corner, err error) {
		quads := make([]fact.Quad, len(part))
		for i, m := range part {
			quads[i] = m.crop()
		}
		crops, err := cut(img, quads, idxW, idxH)
		if err != nil {
			return nil, err
		}
		outputs, err := index.Classes(crops.px, len(part))
		for _, s := range outputs {
			out = append(out, corner{rank: s[0], suit: s[1]})
		}
		return out, err
	})
}

// of gives the probability of each face class for what stands in a corner; that
// of none is that no index does.
func (l *labels) of(c corner) []float64 {
	out := make([]float64, len(l.face))
	for i, name := range l.face {
		switch name {
		case "BK":
		case none:
			nothing := c.rank[l.noRank]
			out[i] = nothing + (1-nothing-c.rank[l.joker])*c.suit[l.noSuit]
		case "Jk":
			out[i] = c.rank[l.joker]
		default:
			out[i] = c.rank[l.rank[name[0]]] * c.suit[l.suit[name[1]]]
		}
	}
	return out
}

// sighted is the output of a face network for a whole card, and its texture.
type sighted struct {
	face  []float64
	rough float64
}

// wholes gives what a face network makes of each quad.
func (r *Reader) wholes(img gocv.Mat, face *network.Net, quads []fact.Quad) ([]sighted, error) {
	return inBatches(quads, func(part []fact.Quad) (out []sighted, err error) {
		rects, outputs, err := r.facesOf(img, face, part)
		for i, output := range outputs {
			out = append(out, sighted{output, rects.texture(i)})
		}
		return out, err
	})
}

// markRows returns which of the cards lie in a row or a fan: near another of which
// something else is read, and turned alike. What stands there is a card's corner.
func (r *Reader) markRows(cards []hypothesis) {
	named := func(c *hypothesis) (int, bool) {
		if c.labels == nil {
			return 0, false
		}
		i, p := top(c.labels)
		return i, i != r.labels.nothing && p >= acceptNamed
	}
	for i := range cards {
		c := &cards[i]
		mine, ok := named(c)
		c.row = ok && slices.ContainsFunc(cards, func(o hypothesis) bool {
			its, ok := named(&o)
			return ok && its != mine && c.marks[0].beside(o.marks[0])
		})
	}
}

// beside reports whether two marks are of neighbours in a row or a fan.
func (m mark) beside(o mark) bool {
	return norm(sub(m.apex, o.apex)) < pairRowNear*norm(m.short) &&
		dot(unit(m.long), unit(o.long)) > pairRowAlong
}

// weigh makes a view of a hypothesis; ok is false without evidence for one.
func (r *Reader) weigh(c hypothesis) (view, bool) {
	v := view{outline: outline{quad: c.quad}, covered: true, cornerScore: c.cornerScore(), marks: c.marks, row: c.row}
	if c.labels == nil {
		back := c.face[r.labels.index("BK")]
		v.guesses = []fact.Guess{{Label: "BK", P: back}}
		v.agreed = len(c.marks) > 1
		return v, back > acceptCornerBack && c.rough > stepTexture
	}
	c.labels = slices.Clone(c.labels) // a card may be weighed again
	r.suitFromFace(c)
	_, v.indexP = top(c.labels)
	if seen, _ := top(c.face); c.labels[seen] >= acceptOpen {
		for i := range c.labels {
			c.labels[i] *= c.face[i] + fitted.Fusion.FaceFloor
		}
		normalise(c.labels)
	}
	for i, p := range c.labels {
		if p > acceptGuess && i != r.labels.nothing {
			v.guesses = append(v.guesses, fact.Guess{Label: r.labels.face[i], P: p})
		}
	}
	slices.SortFunc(v.guesses, byProbability)
	if len(v.guesses) == 0 || v.guesses[0].P < acceptNamed {
		return v, false
	}
	best := r.labels.index(v.guesses[0].Label)
	v.faceP = c.face[best]
	v.agreed = len(c.marks) > 1 || v.faceP > acceptAgrees
	return v, true
}

// suitFromFace shares the probability of a Spanish number out to the four suits
// as the face has them: the number itself does not show it.
func (r *Reader) suitFromFace(c hypothesis) {
	sums := map[byte]float64{}
	for i, name := range r.labels.face {
		if spanish(name) {
			sums[name[0]] += c.face[i]
		}
	}
	for i, name := range r.labels.face {
		if spanish(name) {
			c.labels[i] *= c.face[i] / max(sums[name[0]], fitted.Fusion.SuitFloor)
		}
	}
}

// reconcile drops of two views of one card the worse: known are read by their
// outlines, covered by their corners.
func (r *Reader) reconcile(known, covered []view) []view {
	drop := func(list []view, bad func(v, o view) bool, others []view) []view {
		return slices.DeleteFunc(slices.Clone(list), func(v view) bool {
			return slices.ContainsFunc(others, func(o view) bool { return bad(v, o) })
		})
	}
	same := func(v, o view) bool { return v.guesses[0].Label == o.guesses[0].Label }
	covered = withoutDuplicates(covered, same)
	heaped := func(k, c view) bool { // an outline round two cards, one of which was read
		return r.certain(k) && r.certain(c) && same(k, c) && iou(k.quad, c.quad) < suppressHeapedLike &&
			overlap(k.quad, c.quad) > suppressHeapedIn*area(c.quad[:])
	}
	inOnePlace := func(v, o view) bool {
		return overlap(v.quad, o.quad) > suppressBetter*min(area(v.quad[:]), area(o.quad[:]))
	}
	known = drop(known, func(k, c view) bool {
		return heaped(k, c) || !r.certain(k) && r.certain(c) && inOnePlace(k, c)
	}, covered)
	covered = drop(covered, func(c, k view) bool {
		if r.certain(c) {
			return r.certain(k) && (same(c, k) && c.doubles(k) || iou(c.quad, k.quad) > suppressSame)
		}
		return inOnePlace(c, k)
	}, known)
	return append(known, covered...)
}

// clear reports whether a card seen by its corners is read for certain.
func (v *view) clear() bool {
	g := v.guesses[0]
	switch {
	case g.Label == "BK":
		return len(v.marks) > 1 && g.P >= acceptBack
	case g.Label == "Jk" && len(v.marks) < 2:
		return false // no suit: whatever is unlike an index
	case len(v.marks) > 1:
		return g.P >= acceptPair
	}
	if v.cornerScore < acceptCorner { // hardly a corner
		return v.cornerScore >= markCorner &&
			(v.indexP >= acceptInRow && v.row || v.indexP >= acceptIndex && v.faceP >= acceptFace)
	}
	return v.indexP >= acceptSingle || v.indexP >= acceptRow && v.row || g.P >= acceptAgreed && v.agreed
}
