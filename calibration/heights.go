package calibration

import (
	"errors"
	"slices"
)

// ErrNoHeights means that it is not known how the camera stands over the felt: stacks
// of chips cannot be counted. It says what to do.
var ErrNoHeights = errors.New("the calibration does not tell how the camera stands over the felt, so stacks of chips cannot be counted: " +
	"measure the lens with the printed board (at /calibrate, or `vision calibrate lens`) and calibrate the table again; " +
	"a camera that looks straight down sees no sides of chips: mount it at a slant of 40° or more")

// Heights reports with ErrNoHeights that zones want chips which this calibration cannot
// count; nil where it can, or no zone wants any.
func (t *Table) Heights() error {
	if !slices.ContainsFunc(t.Zones, func(z Zone) bool { return z.Wants("chips") }) {
		return nil
	}
	if v, err := t.View(); err != nil || v.Raised() {
		return err
	}
	return ErrNoHeights
}
