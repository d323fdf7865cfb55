// Package chip reads stacks of chips: their kind, how many stand on one
// another, and where.
//
// With a calibrated oblique camera a stack is a cylinder of known diameter
// whose upper face is found first; its height follows from how far its side
// goes down to the felt, layer by layer, in the geometry of the camera, and, where
// the bare felt is known, from what hides it (silhouette.go). Two
// readings of that are judged (count.go): as a stack of one kind (alike.go), and
// as a chain of chips of any kind in one light (chain.go); a network that looks at
// the unrolled side (flank.go) is weighed with them (witness.go), and a second one names
// the chips on it (kinds.go). Without
// a calibration, on photographs, chips that lie flat are found by their outline
// and inserts (flat.go), stacks seen from the side by a network (finder.go) and
// counted by the edges of their chips (layers.go); both are named by their colour.
package chip

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/models"
	"vision/recognize/network"
	"vision/recognize/temperature"
)

// Options of a Reader; zero fields take the default.
type Options struct {
	// least probability of an accepted reading: default 0.9; numbers on photographs have their own (photograph.go)
	Accept float64
	Most   int         // chips in a stack: default 20
	Models fs.FS       // set of networks; nil: the shipped ones
	Watch  func(Flank) // is shown the side of every stack that is counted; nil: nobody is
}

// Hint is what is known of the picture. With View and Palette the stacks whose
// foot lies in Zone are read; without View the picture is a photograph.
type Hint struct {
	View    *calibration.View
	Palette []calibration.Chip
	Zone    []fact.Point // outline on the felt, millimetres
	// OnlyPlaques leaves the chips of the palette out: no stack of them is sought.
	OnlyPlaques bool
	// Cards are the outlines in the picture of cards that lie there and were read: a face that
	// is little like a new chip's is none on them.
	Cards [][]fact.Point
	// Felt is what earlier readings of this camera learned; nil: nothing is
	// remembered. Read adds to it.
	Felt *Felt
}

// Reader reads chips. One goroutine uses it at a time.
type Reader struct {
	opts    Options
	paints  map[paintKey]*paints
	tones   map[toneKey]*tones
	dyes    *dyes // of the palette's plaques dyed
	dyed    string
	grounds []*ground
	scratch scratch
	sides   *network.Net // of calibrated cameras whose chips may be worn; loaded for the first
	naming  *network.Net // likewise
	finder  *finder      // of photographs; loaded for the first
	counter *counter
}

// NewReader makes a reader.
func NewReader(opts Options) (*Reader, error) {
	if errFitted != nil {
		return nil, fmt.Errorf("chip reader: %w", errFitted)
	}
	if opts.Accept == 0 {
		opts.Accept = par.reader.accept
	}
	if opts.Most == 0 {
		opts.Most = par.reader.most
	}
	if opts.Models == nil {
		opts.Models = models.Shipped()
	}
	if opts.Accept < 0 || opts.Accept > 1 || opts.Most < 1 {
		return nil, fmt.Errorf("chip reader: accept %v, most %d: want a probability and a count", opts.Accept, opts.Most)
	}
	return &Reader{opts: opts, paints: map[paintKey]*paints{}, tones: map[toneKey]*tones{}}, nil
}

// Close frees what the reader holds.
func (r *Reader) Close() {
	r.paints, r.tones, r.dyes, r.grounds, r.scratch = nil, nil, nil, nil, scratch{}
	if r.finder != nil {
		r.finder.net.Close()
		r.counter.net.Close()
		r.finder, r.counter = nil, nil
	}
	if r.sides != nil {
		r.sides.Close()
		r.naming.Close()
		r.sides, r.naming = nil, nil
	}
}

// loadSides reads the networks that look at sides.
func (r *Reader) loadSides() error {
	if r.sides != nil {
		return nil
	}
	sides, err := newSides(r.opts.Models)
	if err != nil {
		return err
	}
	kinds, err := newKinds(r.opts.Models)
	if err != nil {
		sides.Close()
		return err
	}
	r.sides, r.naming = sides, kinds
	return nil
}

// load reads the networks that photographs need.
func (r *Reader) load() error {
	if r.finder != nil { // most readers sit at calibrated tables and never need them
		return nil
	}
	f, err := newFinder(r.opts.Models)
	if err != nil {
		return err
	}
	c, err := newCounter(r.opts.Models)
	if err != nil {
		f.net.Close()
		return err
	}
	r.finder, r.counter = f, c
	return nil
}

// Read finds the stacks in img, the whole frame of the calibrated camera or a
// photograph. Quads are boxes round the whole stack in pixels of img; At is the
// middle of the lowest chip in millimetres (pixels on a photograph).
func (r *Reader) Read(img gocv.Mat, hint Hint) ([]fact.Stack, error) {
	if img.Empty() || img.Type() != gocv.MatTypeCV8UC3 || !img.IsContinuous() {
		return nil, fmt.Errorf("read chips: %w", cv.ErrPicture)
	}
	if hint.View == nil {
		list, err := r.photograph(img)
		return calibrated(list, fitted.Temperature.photograph()), err
	}
	s, err := r.search(img, hint)
	if err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
	}
	list, err := s.run(r)
	if err != nil {
		return nil, err
	}
	if s.tones.wear.hiding > 0 {
		return calibrated(list, fitted.Temperature.inUse()), nil
	}
	return calibrated(list, fitted.Temperature.placed()), nil
}

// calibrated maps what is said of stacks. What is read is decided before: thresholds
// are of probabilities as they are weighed.
func calibrated(list []fact.Stack, maps temperature.Pair) []fact.Stack {
	for i := range list {
		s := &list[i]
		s.Weighed.P = []float64{s.P}
		for _, o := range s.Others {
			s.Weighed.P = append(s.Weighed.P, o.P)
		}
		told := maps.Of(s.Abstain).Of(s.Weighed.P)
		s.P = thousandths(told[0])
		for k := range s.Others {
			s.Others[k].P = thousandths(told[k+1])
		}
		s.Others = slices.DeleteFunc(s.Others, func(o fact.Content) bool { return o.P == 0 })
	}
	return list
}

// search prepares the reading of a calibrated camera's frame.
func (r *Reader) search(img gocv.Mat, hint Hint) (*search, error) {
	if !hint.View.Raised() {
		return nil, calibration.ErrNoHeights
	}
	if len(hint.Palette) == 0 || len(hint.Zone) < 3 {
		return nil, errors.New("the palette and a zone are needed")
	}
	pix, err := img.DataPtrUint8()
	if err != nil {
		return nil, err
	}
	return &search{picture: picture{pix: pix, w: img.Cols(), h: img.Rows()}, hint: hint, opts: r.opts}, nil
}

// picture is BGR, three bytes per pixel, rows without padding.
type picture struct {
	pix  []byte
	w, h int
}

// index of a pixel; false outside the picture.
func (p *picture) index(q fact.Point) (i int, ok bool) {
	x, y := int(q[0]+0.5), int(q[1]+0.5)
	if !(q[0] > -0.5) || !(q[1] > -0.5) || x >= p.w || y >= p.h {
		return 0, false
	}
	return y*p.w + x, true
}

// at is the index of a pixel and its colour's cell; false outside the picture.
func (p *picture) at(q fact.Point) (i, c int, ok bool) {
	if i, ok = p.index(q); ok {
		c = cell(p.pix[3*i], p.pix[3*i+1], p.pix[3*i+2])
	}
	return i, c, ok
}
