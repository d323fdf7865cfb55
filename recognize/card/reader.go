// Package card finds playing cards in pictures and reads them: French-suited
// or Spanish cards lying face up or face down, at any rotation, in moderate perspective.
//
// A picture is searched for card outlines by classical means (find.go, quad.go);
// each is rectified (rectify.go) and shown to two small networks, one for the
// whole face and one for the index in a corner (classify.go). Only where both
// agree is a card read; where something card-like cannot be read the reading
// abstains and gives the reason.
package card

import (
	"fmt"
	"image/color"
	"io/fs"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/recognize/network"
)

var blank = color.RGBA{}

// Hint is what is known of a picture before it is read.
type Hint struct {
	Short float64 // expected shorter side of a card in pixels; 0: unknown
	Deck  string  // "french", "french-no-index", "spanish"; "": any
}

// noIndexDeck are the packs of which nothing is printed in the corners.
const noIndexDeck = "french-no-index"

// Reader reads cards. One goroutine uses it at a time; Close frees its networks.
type Reader struct {
	face, index *network.Net
	covered     *network.Net // as index, for corners that others cover in part
	heap        *network.Net // the face network for backs that lie over one another
	corners     finder
	fitter      fitter
	paper       paper
	labels      labels
	deck        string // of the picture being read
}

// NewReader loads the networks from a set; nil is that of the shipped ones. Its errors are of models.ErrModel.
func NewReader(set fs.FS) (*Reader, error) {
	if errFitted != nil {
		return nil, fmt.Errorf("card reader: %w", errFitted)
	}
	r := new(Reader)
	if err := r.load(set); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// load reads the networks.
func (r *Reader) load(set fs.FS) (err error) {
	for _, n := range []struct {
		to   **network.Net
		name string
		size int
	}{
		{&r.face, "face", 0}, {&r.index, "index", 0}, {&r.covered, "covered", 0}, {&r.heap, "heap", 0},
		{&r.corners.Net, "corners", 4 * markHeads}, {&r.fitter.Net, "fit", fitMoves},
	} {
		if *n.to, err = network.Load(set, n.name, n.size); err != nil {
			return err
		}
	}
	if r.paper, err = loadPaper(set); err != nil {
		return err
	}
	r.labels, err = newLabels(r.face.Entry, r.index.Entry)
	return err
}

// Close frees the networks.
func (r *Reader) Close() {
	network.Close(r.face, r.index, r.covered, r.heap, r.corners.Net, r.fitter.Net, r.paper.Net)
}

// Read finds and reads the cards in img (BGR, 8 bits). Quads are in its pixels,
// starting at the card's own top left. At is left to the caller, who knows the
// table's plane; Angle is that of the long side in the picture.
func (r *Reader) Read(img gocv.Mat, hint Hint) ([]fact.Card, error) {
	if img.Empty() || img.Type() != gocv.MatTypeCV8UC3 {
		return nil, fmt.Errorf("read cards: %w", cv.ErrPicture)
	}
	if img.Cols() < 16 || img.Rows() < 16 {
		return nil, nil
	}
	if !img.IsContinuous() { // a part of a picture
		img = img.Clone()
		defer img.Close()
	}
	pic := newPicture(img)
	defer pic.close()
	found, err := find(pic, hint)
	if err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	r.deck = hint.Deck
	views, err := r.look(img, found.outlines)
	if err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	kept := r.suppress(views)
	marks, err := r.corners.marks(pic, hint, r.spanOf(kept))
	if err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	if kept, err = r.unframe(img, kept, marks); err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	for i := range kept {
		if !kept[i].noIndex { // what is printed on those may lie nearer than where two of them touch
			kept[i].quad = alignSides(img, kept[i].quad)
		}
	}
	marked := append(found.edged(img, kept, hint), marks...)
	covered, err := r.under(img, marked, kept)
	if err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	tiled, err := r.tiled(img, found.tilings(r.faces(kept), hint))
	if err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	views, err = r.heaped(img, r.withTiled(r.reconcile(kept, covered), tiled), marked, hint)
	if err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	var out []fact.Card
	for _, v := range views {
		out = append(out, r.reading(v))
	}
	doubtBacks(out, views, marks, hint)
	if hint.Short == 0 { // a known camera has the picture of its empty table
		if err := r.doubtPrint(img, out); err != nil {
			return nil, fmt.Errorf("read cards: %w", err)
		}
	}
	doubtPaper(img, out)
	if err := explain(img, out); err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	if hint.Short == 0 {
		shown(img, out, marks)
	}
	out = onePerPlace(out)
	calibrate(out, hint)
	return out, nil
}

// calibrate maps the probabilities of cards. What is read is decided before: thresholds are
// of probabilities as they are weighed.
func calibrate(cards []fact.Card, hint Hint) {
	maps := fitted.Temperature.Placed()
	if hint.Short == 0 {
		maps = fitted.Temperature.Photograph()
	}
	for i := range cards {
		c := &cards[i]
		c.Weighed.P = maps.Of(c.Abstain).Guesses(c.Guesses)
	}
}

// view is one outline with what the networks make of it.
type view struct {
	outline
	guesses     []fact.Guess // "none" among them
	agreed      bool         // face and an index agree
	noIndex     bool         // no index is seen in its corners
	covered     bool         // seen by free corners only
	cornerScore float64      // covered: probability that its corners are corners
	marks       []mark       // covered: its corners
	indexP      float64      // covered: how clear its index is
	faceP       float64      // covered: what the face network gives the first guess
	row         bool         // covered: beside another card that lies alike
	tiled       bool         // covered: a back that explains the outline of its heap
}

// card is the probability that the view is a card, face up or down.
func (v *view) card() float64 {
	for _, g := range v.guesses {
		if g.Label == none {
			return 1 - g.P
		}
	}
	return 1
}

// faces are the cards read face up.
func (r *Reader) faces(known []view) []view {
	return slices.DeleteFunc(slices.Clone(known), func(v view) bool { return !r.certain(v) || v.guesses[0].Label == "BK" })
}

// look shows every outline, in each orientation it may have, to the networks
// and keeps the better orientation.
func (r *Reader) look(img gocv.Mat, found []outline) ([]view, error) {
	var shown []outline
	for _, o := range found {
		shown = append(shown, orientations(o)...)
	}
	sights, err := inBatches(shown, func(part []outline) ([]sight, error) { return r.see(img, part) })
	if err != nil {
		return nil, err
	}
	var out []view
	for i, o := range shown {
		v := view{outline: o, guesses: r.labels.fuse(sights[i], r.deck)}
		v.agreed = r.agree(sights[i], v.guesses[0].Label)
		if v.guesses[0].Label == "BK" {
			if sights[i].texture < stepTexture || !hasEdges(img, v.quad, 2) {
				continue // a pip; a frame printed on the felt
			}
			v.agreed = v.agreed && hasEdges(img, v.quad, 3)
		} else if v.noIndex = !r.indexed(sights[i]); v.noIndex { // no index proves it: it must at least end where a card does
			v.agreed = v.agreed && hasEdges(img, v.quad, 3)
		}
		if k := slices.IndexFunc(out, func(w view) bool { return sameOutline(w.quad, v.quad) }); k >= 0 {
			if v.card() > out[k].card() {
				out[k] = v
			}
			continue
		}
		out = append(out, v)
	}
	return out, nil
}

// orientations turns an outline so that its long side stands upright; where
// perspective may have shortened it, both ways. Half turns look alike to the networks.
func orientations(o outline) []outline {
	a, b := sides(o.quad) // a: side 0-1, the top
	tall, wide := o, o
	wide.quad = turn(o.quad, 1)
	unlike := func(k int) bool {
		v, w := norm(sub(o.quad[k+1], o.quad[k])), norm(sub(o.quad[(k+3)%4], o.quad[k+2]))
		return max(v, w) > frameConverging*min(v, w)
	}
	switch {
	case b > frameSureLong*a && !unlike(1):
		return []outline{tall}
	case a > frameSureLong*b && !unlike(0):
		return []outline{wide}
	}
	return []outline{tall, wide}
}

// inBatches has things looked at some at a time: time against memory.
func inBatches[T, S any](all []T, look func(part []T) ([]S, error)) (out []S, err error) {
	const batch = 16
	for part := range slices.Chunk(all, batch) {
		more, err := look(part)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// see runs both networks over the outlines; the index network only where the
// face network sees a card.
func (r *Reader) see(img gocv.Mat, shown []outline) ([]sight, error) {
	out := make([]sight, len(shown))
	quads := make([]fact.Quad, len(shown))
	for i, o := range shown {
		quads[i] = o.quad
	}
	rects, faces, err := r.facesOf(img, r.face, quads)
	if err != nil {
		return nil, err
	}
	var px []byte
	var asked []int
	for i := range shown {
		out[i].face, out[i].texture = faces[i], rects.texture(i)
		if out[i].face[r.labels.nothing] < acceptNothing {
			asked = append(asked, i)
			px = rects.appendIndex(rects.appendIndex(px, i, false), i, true)
		}
	}
	corners, err := r.index.Classes(px, 2*len(asked))
	if err != nil {
		return nil, err
	}
	for k, i := range asked {
		for _, c := range corners[2*k : 2*k+2] {
			out[i].corners = append(out[i].corners, corner{rank: c[0], suit: c[1]})
		}
	}
	return out, nil
}

// facesOf rectifies cards and returns the output of a face network for each.
func (r *Reader) facesOf(img gocv.Mat, face *network.Net, quads []fact.Quad) (patches, [][]float64, error) {
	rects, out, err := whole(img, face, quads)
	for i := range out {
		r.labels.only(out[i], r.deck)
	}
	return rects, out, err
}

// whole rectifies cards and returns what a network of one head makes of each as a whole.
func whole(img gocv.Mat, net *network.Net, quads []fact.Quad) (patches, [][]float64, error) {
	rects, err := rectify(img, quads)
	if err != nil {
		return rects, nil, err
	}
	px, err := rects.faces()
	if err != nil {
		return rects, nil, err
	}
	outputs, err := net.Classes(px, len(quads))
	out := make([][]float64, len(outputs))
	for i := range out {
		out[i] = outputs[i][0]
	}
	return rects, out, err
}

// agree reports whether face and corners may be taken to agree on label: no corner
// with a clear index contradicts it, and either the face network's own best is
// label, or both corners have it, or one does and the face does not exclude it.
func (r *Reader) agree(s sight, label string) bool {
	i := r.labels.index(label)
	votes := 0
	for _, c := range s.corners {
		rank, p := top(c.rank)
		suit, q := top(c.suit)
		if rank == r.labels.noRank {
			continue
		}
		switch at := r.labels.at(c, i); {
		case at > acceptSays:
			votes++
		case at < acceptContradicts &&
			(p > acceptRank && !r.labels.isRank(label, rank) || q > acceptSuit && !r.labels.isSuit(label, suit)):
			return false
		}
	}
	best, _ := top(s.face)
	return best == i || votes == 2 || votes == 1 && s.face[i] > acceptExcludes
}

// indexed reports whether an index is seen in any corner.
func (r *Reader) indexed(s sight) bool {
	return slices.ContainsFunc(s.corners, func(c corner) bool { return c.rank[r.labels.noRank] < acceptNoIndex })
}

func (l *labels) isRank(label string, rank int) bool {
	if label == "Jk" {
		return rank == l.joker
	}
	k, ok := l.rank[label[0]]
	return ok && isCard(label) && k == rank
}

func (l *labels) isSuit(label string, suit int) bool {
	k, ok := l.suit[label[len(label)-1]]
	return ok && isCard(label) && k == suit
}

func (l *labels) index(label string) int { return slices.Index(l.face, label) }

func top(p []float64) (int, float64) {
	k := 0
	for i := range p {
		if p[i] > p[k] {
			k = i
		}
	}
	return k, p[k]
}
