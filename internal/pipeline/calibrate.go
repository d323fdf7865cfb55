package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vision/calibration"
	"vision/internal/child"
	"vision/internal/config"
	"vision/internal/durable"
	"vision/recognize/preview"
)

// BadCalibration is one that cannot be put in force.
type BadCalibration struct{ Problem error }

func (e *BadCalibration) Error() string { return e.Problem.Error() }
func (e *BadCalibration) Unwrap() error { return e.Problem }

// CalibrationFile is where the camera's calibration is.
func (c *Camera) CalibrationFile() string { return CalibrationFile(c.table.deps.Data, c.cfg) }

// CalibrationFile is where a camera's calibration is: the file of the configuration, else
// what /calibrate saves in the data folder.
func CalibrationFile(data string, c config.Camera) string {
	if c.Calibration != "" {
		return c.Calibration
	}
	return versionsOf(data, c.Name) + ".yaml"
}

// EmptyFile is where a camera's picture of the empty table is: the file of the
// configuration, else what the console takes in the data folder; it need not be there.
func EmptyFile(data string, c config.Camera) string {
	if c.Empty != "" {
		return c.Empty
	}
	return versionsOf(data, c.Name) + "-empty.png"
}

// emptyOf is the camera's picture of the empty table as its file has it now, nil where
// none was taken. One that the configuration names must be there.
func emptyOf(data string, c config.Camera, cal *calibration.Table) ([]byte, error) {
	path := EmptyFile(data, c)
	if _, err := os.Stat(path); c.Empty == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return cal.ReadEmpty(path)
}

// versions is the folder of the camera's earlier calibrations.
func (c *Camera) versions() string { return versionsOf(c.table.deps.Data, c.cfg.Name) }

func versionsOf(data, camera string) string { return filepath.Join(data, "calibrations", camera) }

// Calibration is how the camera is calibrated now, nil where it is not.
func (c *Camera) Calibration() *calibration.Table {
	c.table.sight.Lock()
	defer c.table.sight.Unlock()
	return c.cal
}

// Version is a calibration that was kept.
type Version struct {
	ID      string
	Saved   time.Time
	Current bool // it is the one in force
}

// versionTime begins the name of a version's file.
const versionTime = "20060102T150405.000"

// Versions are the calibrations that were kept, newest first.
func (c *Camera) Versions() ([]Version, error) {
	cal := c.Calibration()
	files, err := filepath.Glob(filepath.Join(c.versions(), "*.yaml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	slices.Reverse(files)
	var out []Version
	for _, f := range files {
		stem := strings.TrimSuffix(filepath.Base(f), ".yaml")
		stamp, hash, ok := strings.Cut(stem, "-")
		at, err := time.Parse(versionTime, stamp)
		if ok && err == nil {
			out = append(out, Version{stem, at, cal != nil && strings.HasPrefix(cal.Hash(), hash)})
		}
	}
	return out, nil
}

// Version is one that was kept; fs.ErrNotExist where there is none.
func (c *Camera) Version(id string) (*calibration.Table, error) {
	if id != filepath.Base(id) {
		return nil, os.ErrNotExist
	}
	return calibration.Load(filepath.Join(c.versions(), id+".yaml"))
}

// own makes a calibration that of a camera of a table.
func own(cal *calibration.Table, table, camera string) {
	cal.Schema, cal.Table, cal.Camera = calibration.Schema, table, camera
}

// Keep keeps a calibration as a version and in the place of the present one; Renew
// puts it in force. It fails with *BadCalibration where it cannot be used.
func (c *Camera) Keep(by string, cal *calibration.Table) error {
	own(cal, c.table.cfg.ID, c.cfg.Name)
	if err := cal.Check(); err != nil {
		return &BadCalibration{err}
	}
	if old := c.Calibration(); old != nil {
		at := time.Now().Add(-time.Millisecond)
		if err := keepVersion(c.versions(), old, "was in force", at); err != nil {
			return err
		}
	}
	return keep(c.table.deps.Data, c.cfg, cal, by, time.Now())
}

// keep keeps a calibration as a version in a data folder, and in the place of the present one.
func keep(data string, c config.Camera, cal *calibration.Table, by string, at time.Time) error {
	if err := keepVersion(versionsOf(data, c.Name), cal, "saved by "+by, at); err != nil {
		return err
	}
	return cal.Save(CalibrationFile(data, c))
}

// keepVersion writes a version to a folder, unless one of the same content is there.
func keepVersion(folder string, cal *calibration.Table, what string, at time.Time) error {
	if err := durable.Folder(folder); err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	have, err := filepath.Glob(filepath.Join(folder, "*-"+cal.Hash()[:12]+".yaml"))
	if err != nil || len(have) > 0 {
		return err
	}
	body, err := cal.Marshal()
	if err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s, %s\n", strings.ReplaceAll(what, "\n", " "), at.UTC().Format(time.RFC3339))
	b.Write(body)
	path := filepath.Join(folder, at.UTC().Format(versionTime)+"-"+cal.Hash()[:12]+".yaml")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	return nil
}

// Renew restarts reader and tracker of the camera's table with this calibration and the
// picture of the empty table from its file. Video and recording go on. It fails with
// *BadCalibration where the table cannot be followed by it; the old one stays in force.
func (c *Camera) Renew(cal *calibration.Table) error {
	t := c.table
	t.sight.Lock()
	defer t.sight.Unlock()
	empty := c.empty
	if cal != nil {
		var err error
		if empty, err = emptyOf(t.deps.Data, c.cfg, cal); err != nil {
			return &BadCalibration{err}
		}
	}
	old, was := c.cal, c.empty
	c.cal, c.empty = cal, empty
	trk, err := newTracker(t.cfg, t.deps.Books, t.cameras, t.deps.policy(t.cfg.ID), t.deps.Patience)
	if err == nil {
		reader, err := t.newReader()
		if err != nil {
			return err
		}
		select { // a successor that has not started yet never will
		case <-t.renewed:
		default:
		}
		t.renewed <- reader
		t.loop.inbox <- trk
		c.readable(cal)
		for _, of := range t.cameras {
			of.nameCoarse()
		}
		c.endMoved()
		return nil
	}
	c.cal, c.empty = old, was
	return &BadCalibration{fmt.Errorf("table %s: %w", t.cfg.ID, err)}
}

// Calibrations are the digests of those that the cameras are read by, by camera.
func (t *Table) Calibrations() map[string]string {
	out := map[string]string{}
	for _, c := range t.cameras {
		if cal := c.Calibration(); cal != nil {
			out[c.cfg.Name] = cal.Hash()
		}
	}
	return out
}

// Refresh puts changed files of the cameras into force. A file that cannot be read is
// skipped.
func (t *Table) Refresh() error {
	var errs []error
	for _, c := range t.cameras {
		cal, empty, err := c.loadFiles()
		t.sight.Lock()
		same := err != nil || c.cal != nil && c.cal.Hash() == cal.Hash() && bytes.Equal(c.empty, empty)
		blind := c.cal == nil
		t.sight.Unlock()
		if err != nil && !blind {
			errs = append(errs, fmt.Errorf("camera %s: %w", c.cfg.Name, err))
		}
		if !same {
			errs = append(errs, c.Renew(cal))
		}
	}
	return errors.Join(errs...)
}

// previewSubcommand of the program reads a picture by a calibration that is not in force.
const previewSubcommand = "preview-process"

// Sight is one zone as the readers see it.
type Sight struct {
	Zone     string
	Picture  []byte // JPEG: straightened, as it is read
	Readings []Reading
}

// Try reads a picture of the camera (JPEG, PNG) by a calibration that is not in force:
// what its readers would see. Errors wrap preview.ErrRequest where calibration or
// picture are at fault.
func (c *Camera) Try(ctx context.Context, cal *calibration.Table, image []byte) ([]Sight, error) {
	own(cal, c.table.cfg.ID, c.cfg.Name)
	tool := preview.Tool{Command: child.Self(previewSubcommand), Env: c.table.deps.ReaderEnv}
	zones, err := tool.Read(ctx, cal, image)
	out := make([]Sight, 0, len(zones))
	for _, z := range zones {
		var s state
		s.observe(z.Read)
		out = append(out, Sight{z.Read.Zone, z.Picture, s.overlay(cal.Camera, worth(cal))})
	}
	return out, err
}
