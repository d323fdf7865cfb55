// Package chip reads chips on photographs, of which no calibration is known, and the plaques of a calibrated
// table; its stacks of round chips are read by package stack.
//
// On photographs chips that lie flat are found by their outline and inserts (flat.go), stacks seen from the
// side by a network (finder.go) and counted by the edges of their chips (layers.go); both are named by their
// colour. Plaques are found by the colours and the outline of their faces (plaque.go), and counted by their
// sides (pile.go).
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
	"vision/recognize/temperature"
)

// Options of a Reader; zero fields take the default.
type Options struct {
	// least probability of an accepted reading: default 0.9; numbers on photographs have their own (photograph.go)
	Accept float64
	Models fs.FS // set of networks; nil: the shipped ones
}

// Hint is what is known of a calibrated camera's picture: the plaques of Palette whose foot lies in Zone are read.
type Hint struct {
	View    *calibration.View
	Palette []calibration.Chip
	Zone    []fact.Point // outline on the felt, millimetres
	// Stacks of round chips that were read; they may stand on plaques.
	Stacks []Standing
	// Bare is the camera's picture of the felt with nothing on it, BGR; nil: it is not known.
	Bare []byte
}

// Standing is a stack of round chips in the picture: its outline, that of its uppermost chip alone, and the middle of
// its foot.
type Standing struct {
	Outline, Top []fact.Point
	Foot         fact.Point
}

// Reader reads chips. One goroutine uses it at a time.
type Reader struct {
	opts    Options
	felts   map[[3]int]*felt
	dyes    *dyes // of the palette's plaques dyed
	dyed    string
	grounds []*ground
	scratch scratch
	finder  *finder // of photographs; loaded for the first
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
	if opts.Models == nil {
		opts.Models = models.Shipped()
	}
	if opts.Accept < 0 || opts.Accept > 1 {
		return nil, fmt.Errorf("chip reader: accept %v: want a probability", opts.Accept)
	}
	return &Reader{opts: opts, felts: map[[3]int]*felt{}}, nil
}

// Close frees what the reader holds.
func (r *Reader) Close() {
	r.felts, r.dyes, r.grounds, r.scratch = nil, nil, nil, scratch{}
	if r.finder != nil {
		r.finder.net.Close()
		r.counter.net.Close()
		r.finder, r.counter = nil, nil
	}
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

// Photograph finds the stacks in img. Quads are boxes round the whole stack in pixels of img; At is the middle of
// the lowest chip, in pixels too.
func (r *Reader) Photograph(img gocv.Mat) ([]fact.Stack, error) {
	if _, err := pixels(img); err != nil {
		return nil, err
	}
	list, err := r.photograph(img)
	return calibrated(list, fitted.Temperature.photograph()), err
}

// Plaques finds the piles of plaques in img, the whole frame of the calibrated camera. Quads are boxes round the
// pile in pixels of img; At is the middle of the lowest plaque in millimetres.
func (r *Reader) Plaques(img gocv.Mat, hint Hint) ([]Pile, error) {
	pix, err := pixels(img)
	if err != nil {
		return nil, err
	}
	if !hint.View.Raised() {
		return nil, fmt.Errorf("read plaques: %w", calibration.ErrNoHeights)
	}
	if len(hint.Palette) == 0 || len(hint.Zone) < 3 {
		return nil, errors.New("read plaques: the palette and a zone are needed")
	}
	s := &search{picture: picture{pix: pix, w: img.Cols(), h: img.Rows()}, hint: hint, opts: r.opts}
	if len(hint.Bare) != len(pix) {
		s.hint.Bare = nil
	}
	return s.run(r)
}

// pixels are those of a picture, BGR.
func pixels(img gocv.Mat) ([]byte, error) {
	if img.Empty() || img.Type() != gocv.MatTypeCV8UC3 || !img.IsContinuous() {
		return nil, fmt.Errorf("read chips: %w", cv.ErrPicture)
	}
	pix, err := img.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
	}
	return pix, nil
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
