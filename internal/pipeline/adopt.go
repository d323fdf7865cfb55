package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vision/calibration"
	"vision/calibration/density"
	"vision/internal/config"
	"vision/internal/durable"
)

// What a camera may lack before all of its table can be read, in the order in which it is
// made.
const (
	LacksCalibration = "calibration" // the felt's corners were not clicked
	LacksEmpty       = "empty"       // no picture of the table with nothing on it
	LacksChips       = "chips"       // they are still those that are offered to begin with
	LacksLens        = "lens"        // it was estimated from the corners
	LacksDetail      = "detail"      // stacks are seen too small, or from too steep, to be counted
)

// Lacks is what a camera lacks, nothing where all was made. A calibration in a file that
// the configuration names is taken as it is. What it sees too small another of the table's
// cameras may see well.
func Lacks(data string, c config.Camera, cal *calibration.Table, others ...*calibration.Table) (out []string) {
	if cal == nil {
		out = append(out, LacksCalibration)
	}
	if _, err := os.Stat(EmptyFile(data, c)); errors.Is(err, fs.ErrNotExist) {
		out = append(out, LacksEmpty)
	}
	chips := cal != nil && slices.ContainsFunc(cal.Zones, func(z calibration.Zone) bool { return z.Wants("chips") })
	if !chips {
		return out
	}
	if coarse(cal, others) {
		out = append(out, LacksDetail)
	}
	if c.Calibration != "" {
		return out
	}
	if slices.Equal(cal.Palette, calibration.PlainChips()) {
		out = append(out, LacksChips)
	}
	if cal.Lens.Dist == ([5]float64{}) {
		out = append(out, LacksLens)
	}
	return out
}

// coarse reports whether chips cannot be counted in some zone, as far as it is known how the
// camera is mounted.
func coarse(cal *calibration.Table, others []*calibration.Table) bool {
	if cal.Heights() != nil {
		return false
	}
	zones, err := density.Beside(cal, others...)
	return err == nil && slices.ContainsFunc(zones, func(z density.Zone) bool {
		q, reads := z.Quality["chips"]
		return reads && q == density.Not
	})
}

// Lacks is what the camera lacks now.
func (c *Camera) Lacks() []string {
	t := c.table
	t.sight.Lock()
	defer t.sight.Unlock()
	return Lacks(t.deps.Data, c.cfg, c.cal, t.besides(c)...)
}

// Empty is the file of the camera's picture of the empty table, as it is now; fs.ErrNotExist
// where none was taken.
func (c *Camera) Empty() ([]byte, error) { return os.ReadFile(EmptyFile(c.table.deps.Data, c.cfg)) }

// KeepEmpty keeps a picture of the empty table, PNG, in the place of the last one; Renew
// puts it in force.
func (c *Camera) KeepEmpty(png []byte) error { return InheritEmpty(c.table.deps.Data, c.cfg, png) }

// InheritEmpty keeps a picture of the empty table, PNG, for a camera of a data folder.
func InheritEmpty(data string, c config.Camera, png []byte) error {
	path := EmptyFile(data, c)
	if filepath.Ext(path) != ".png" && c.Empty != "" {
		return fmt.Errorf("%s: the configuration names no PNG for the picture of the empty table: rename it there", filepath.Base(path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("picture of the empty table: %w", err)
	}
	if err := durable.Write(path, png, 0o600); err != nil {
		return fmt.Errorf("picture of the empty table: %w", err)
	}
	return nil
}

// Adopt makes what was made of camera c in one data folder that of camera as, of this
// table, in another: the calibration, which is kept there as a version too, and the picture
// of the empty table. Nothing of the first is touched.
func Adopt(from string, c config.Camera, by, to, table string, as config.Camera) error {
	cal, err := calibration.Load(CalibrationFile(from, c))
	if err != nil {
		return err
	}
	empty, err := os.ReadFile(EmptyFile(from, c))
	if err != nil {
		return fmt.Errorf("picture of the empty table: %w", err)
	}
	if err := Inherit(to, table, as, by, time.Now(), cal); err != nil {
		return err
	}
	return InheritEmpty(to, as, empty)
}

// Text is a calibration as it is written when it is a camera's of a table.
func Text(table string, c config.Camera, cal *calibration.Table) ([]byte, error) {
	own(cal, table, c.Name)
	return cal.Marshal()
}

// Inherit makes a calibration that somebody saved elsewhere that of a camera of a table in a data
// folder, where it is kept as a version too.
func Inherit(data, table string, c config.Camera, by string, at time.Time, cal *calibration.Table) error {
	own(cal, table, c.Name)
	return keep(data, c, cal, by, at)
}
