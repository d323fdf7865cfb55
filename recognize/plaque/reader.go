// Package plaque reads the plaques of a calibrated table; its round chips, and the chips of photographs, are read by
// package stack. Plaques are found by the colours and the outline of their faces (plaque.go), and counted by their
// sides (pile.go).
package plaque

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
)

// Hint is what is known of a calibrated camera's picture: the plaques of Palette whose foot lies in Zone are read.
type Hint struct {
	View    *calibration.View
	Palette []calibration.Chip
	Zone    []fact.Point // outline on the felt, millimetres
	// Stacks of round chips that were read; they may stand on plaques.
	Stacks []Standing
	// Background is the camera's picture of the felt with nothing on it, BGR; nil: it is not known.
	Background []byte
}

// Standing is a stack of round chips in the picture: its outline, that of its uppermost chip alone, and the middle of
// its foot.
type Standing struct {
	Outline, Top []fact.Point
	Foot         fact.Point
}

// Reader reads plaques. One goroutine uses it at a time.
type Reader struct {
	dyes    *dyes // of the palette's plaques dyed
	dyed    string
	scratch scratch
}

// NewReader makes a reader.
func NewReader() (*Reader, error) {
	if errFitted != nil {
		return nil, fmt.Errorf("plaque reader: %w", errFitted)
	}
	return new(Reader), nil
}

// Close frees what the reader holds.
func (r *Reader) Close() { *r = Reader{} }

// Plaques finds the piles of plaques in img, the whole frame of the calibrated camera. Quads are boxes round the
// pile in pixels of img; At is the middle of the lowest plaque in millimetres.
func (r *Reader) Plaques(img gocv.Mat, hint Hint) ([]Pile, error) {
	pix, err := cv.Pixels(img)
	if err != nil {
		return nil, fmt.Errorf("read plaques: %w", err)
	}
	if !hint.View.Raised() {
		return nil, fmt.Errorf("read plaques: %w", calibration.ErrNoHeights)
	}
	if len(hint.Palette) == 0 || len(hint.Zone) < 3 {
		return nil, errors.New("read plaques: the palette and a zone are needed")
	}
	s := &search{picture: picture{pix: pix, w: img.Cols(), h: img.Rows()}, hint: hint}
	if len(hint.Background) != len(pix) {
		s.hint.Background = nil
	}
	return s.run(r)
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
