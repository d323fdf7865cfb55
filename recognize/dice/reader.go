// Package dice reads dice at rest.
//
// At a calibrated table the picture is rectified to the plane of their upper
// faces, in which such a face is a square of known size: what differs from the
// felt is searched for squares of one colour on which spots stand in one of the
// six patterns. A die whose face does not lie in that plane (cocked, stacked)
// fits none and is reported as not read.
//
// On a photograph, where the size of the dice is not known, a small network
// finds and reads them (net.go), and their spots are read a second time without
// it (witness.go): what both agree on is believed. Another network names every face: what it
// is sure of is read, and what it doubts is not (pips.go, agree.go).
package dice

import (
	"fmt"
	"image"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/recognize/network"
	"vision/recognize/temperature"
)

// Hint is what is known of the picture.
type Hint struct {
	Edge float64 // of a die in pixels; 0: not known, the picture is a photograph
	// Eye is the point of the picture that lies right under the camera, and Drop
	// the die's edge over the camera's height above the felt: they give where a
	// die's sides show. Drop 0: not known.
	Eye  fact.Point
	Drop float64
	// Felt is what is known of the felt there; nil: nothing. With Learn it takes over
	// what this picture shows: that is to be one picture of each rest, for what lies
	// long is no felt.
	Felt  *Felt
	Learn bool

	seen []*upper // what the network read
}

// Reader reads dice. One goroutine uses it at a time.
type Reader struct {
	set     fs.FS    // of networks; nil: the shipped ones
	net     finder   // loaded for the first photograph
	witness *witness // likewise
	namer   *namer   // likewise
}

// NewReader makes a reader by the networks of a set; nil is that of the shipped ones.
func NewReader(set fs.FS) (*Reader, error) {
	if errFitted != nil {
		return nil, fmt.Errorf("dice reader: %w", errFitted)
	}
	return &Reader{set: set}, nil
}

// Close frees what the reader holds.
func (r *Reader) Close() {
	if r.net.Net != nil {
		network.Close(r.net.Net, r.namer.Net)
	}
}

// Read finds the dice in img (BGR, 8 bits). Quads are the upper faces in its
// pixels; At is left to the caller, who knows the table's plane.
func (r *Reader) Read(img gocv.Mat, hint Hint) ([]fact.Die, error) {
	pix, err := cv.Pixels(img)
	if err != nil {
		return nil, fmt.Errorf("read dice: %w", err)
	}
	if hint.Edge == 0 {
		list, err := r.find(img)
		if err != nil {
			return nil, fmt.Errorf("read dice: %w", err)
		}
		return calibrated(list, fitted.Temperature.Photograph()), nil
	}
	if !(hint.Edge >= readerLeastEdge) {
		return nil, fmt.Errorf("read dice: edge of %.1f pixels: at least %g are needed", hint.Edge, readerLeastEdge)
	}
	felt, boxes, err := segment(img, hint.Edge)
	if err != nil {
		return nil, fmt.Errorf("read dice: %w", err)
	}
	if slices.ContainsFunc(boxes, func(b image.Rectangle) bool {
		return !hint.Felt.holds(pix, img.Cols(), img.Rows(), b, int(hint.Edge), boxes)
	}) {
		hint.Felt.forget()
	}
	out, taken, err := r.parts(img, boxes, felt, hint)
	if err == nil && !plain(out) {
		out, err = r.again(img, boxes, felt, hint, out)
	}
	if err != nil {
		return nil, fmt.Errorf("read dice: %w", err)
	}
	if hint.Learn && hint.Felt != nil {
		hint.Felt.learn(pix, img.Cols(), img.Rows(), taken)
	}
	return calibrated(out, fitted.Temperature.Placed()), nil
}

// again reads a zone in which the search left something open with the network's output.
func (r *Reader) again(img gocv.Mat, boxes []image.Rectangle, felt [3]float64, hint Hint,
	out []fact.Die) ([]fact.Die, error) {
	seen, err := r.uppers(img, hint)
	if err != nil {
		return nil, err
	}
	for i := range seen {
		if seen[i].die.Abstain == "" {
			hint.seen = append(hint.seen, &seen[i])
		}
	}
	if len(hint.seen) > 0 {
		if out, _, err = r.parts(img, boxes, felt, hint); err != nil {
			return nil, err
		}
	}
	return joined(out, seen, hint), nil
}

// parts reads the dice in parts of the picture, and returns in which some are.
func (r *Reader) parts(img gocv.Mat, boxes []image.Rectangle, felt [3]float64, hint Hint) (
	out []fact.Die, taken []image.Rectangle, err error) {
	for _, box := range boxes {
		list, err := r.part(img, box, felt, hint)
		if err != nil {
			return nil, nil, err
		}
		if len(list) > 0 {
			taken = append(taken, box)
		}
		out = append(out, list...)
	}
	return out, taken, leaning(img, out, hint)
}

// calibrated maps the probabilities of dice. What is read is decided before: thresholds are
// of probabilities as they are weighed.
func calibrated(list []fact.Die, maps temperature.Pair) []fact.Die {
	for i := range list {
		d := &list[i]
		d.Weighed.P = maps.Of(d.Abstain).Guesses(d.Guesses)
		for k := range d.Guesses {
			d.Guesses[k].P = math.Round(1000*d.Guesses[k].P) / 1000
		}
	}
	return list
}

// part reads the dice in a part of the picture.
func (r *Reader) part(img gocv.Mat, box image.Rectangle, felt [3]float64, hint Hint) ([]fact.Die, error) {
	view := img.Region(box)
	defer view.Close()
	piece := view.Clone() // continuous
	defer piece.Close()
	edge := hint.Edge
	dx, dy := float64(box.Min.X), float64(box.Min.Y)
	hint.Eye = fact.Point{hint.Eye[0] - dx, hint.Eye[1] - dy}
	s, err := newSearch(piece, box.Min, felt, hint)
	if err != nil {
		return nil, err
	}
	s.standing()
	faces, rest := s.run()
	var out []fact.Die
	for _, f := range faces {
		out = append(out, r.die(f, edge))
	}
	for _, q := range rest {
		out = append(out, fact.Die{Abstain: "unsure", Quad: q})
	}
	for i := range out {
		for k := range out[i].Quad {
			out[i].Quad[k][0] += dx
			out[i].Quad[k][1] += dy
		}
	}
	return out, nil
}

// die makes a face a fact.
func (r *Reader) die(f face, edge float64) fact.Die {
	d := fact.Die{Guesses: f.guesses(), Irregular: f.irregular}
	if _, p := fact.Best(d.Guesses); p < readerAccept || f.doubtful {
		d.Abstain = "unsure"
	}
	for i, c := range faceCorners {
		d.Quad[i] = f.at(c, edge)
	}
	return d
}
