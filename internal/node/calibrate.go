package node

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vision/calibration"
	camlens "vision/calibration/lens"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/recognize/preview"
	"vision/stream/alert"
	"vision/stream/console"
	"vision/stream/ledger"
)

// calibrationFile is where the camera's calibration lies.
func (c *camera) calibrationFile() string {
	if c.cfg.Calibration != "" || c.table.node == nil {
		return c.cfg.Calibration
	}
	return filepath.Join(c.table.node.cfg.Data, "calibrations", c.cfg.Name+".yaml")
}

// versions is the folder of the camera's earlier calibrations.
func (c *camera) versions() string {
	return filepath.Join(c.table.node.cfg.Data, "calibrations", c.cfg.Name)
}

// calibration is how the camera is calibrated now, nil where it is not.
func (c *camera) calibration() *calibration.Table {
	c.table.sight.Lock()
	defer c.table.sight.Unlock()
	return c.cal
}

// Calibration implements console.Calibrations.
func (n *Node) Calibration(name string) (*calibration.Table, []console.Version, error) {
	c := n.camera(name)
	if c == nil {
		return nil, nil, fmt.Errorf("no camera %q", name)
	}
	cal := c.calibration()
	files, err := filepath.Glob(filepath.Join(c.versions(), "*.yaml"))
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(files)
	slices.Reverse(files)
	out := []console.Version{}
	for _, f := range files {
		stem := strings.TrimSuffix(filepath.Base(f), ".yaml")
		stamp, hash, ok := strings.Cut(stem, "-")
		at, err := time.Parse(versionTime, stamp)
		if ok && err == nil {
			out = append(out, console.Version{ID: stem, Saved: at, Current: cal != nil && strings.HasPrefix(cal.Hash(), hash)})
		}
	}
	return cal, out, nil
}

// versionTime begins the name of a version's file.
const versionTime = "20060102T150405.000"

// CalibrationVersion implements console.Calibrations.
func (n *Node) CalibrationVersion(name, id string) (*calibration.Table, error) {
	c := n.camera(name)
	if c == nil || id != filepath.Base(id) {
		return nil, os.ErrNotExist
	}
	return calibration.Load(filepath.Join(c.versions(), id+".yaml"))
}

// SaveCalibration implements console.Calibrations: the calibration is kept as a
// version, takes the place of the present one, and holds from now on.
func (n *Node) SaveCalibration(by, name string, cal *calibration.Table) error {
	c := n.camera(name)
	if c == nil {
		return fmt.Errorf("no camera %q", name)
	}
	cal.Schema, cal.Table, cal.Camera = calibration.Schema, c.table.cfg.ID, c.cfg.Name
	if err := cal.Check(); err != nil {
		return &console.BadCalibration{Problem: err}
	}
	if err := os.MkdirAll(c.versions(), 0o750); err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	if old := c.calibration(); old != nil {
		if err := c.keepVersion(old, "was in force", time.Now().Add(-time.Millisecond)); err != nil {
			return err
		}
	}
	if err := c.keepVersion(cal, "saved by "+by, time.Now()); err != nil {
		return err
	}
	if err := cal.Save(c.calibrationFile()); err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	if _, err := n.ledger.Append(ledger.Operator, c.table.cfg.ID, console.Act{User: by, Action: "calibrate", Object: name, Text: cal.Hash()}); err != nil {
		return err
	}
	return c.table.renew(c, cal)
}

// keepVersion writes a version, unless the newest of the same content is there.
func (c *camera) keepVersion(cal *calibration.Table, what string, at time.Time) error {
	have, err := filepath.Glob(filepath.Join(c.versions(), "*-"+cal.Hash()[:12]+".yaml"))
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
	path := filepath.Join(c.versions(), at.UTC().Format(versionTime)+"-"+cal.Hash()[:12]+".yaml")
	if err := os.WriteFile(path, b.Bytes(), 0o640); err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	return nil
}

// ConfirmCamera implements console.Calibrations: the camera stands as it should,
// says a person; what it shows now is what it is compared with from now on.
func (n *Node) ConfirmCamera(by, name string) error {
	c := n.camera(name)
	if c == nil {
		return fmt.Errorf("no camera %q", name)
	}
	if _, err := n.ledger.Append(ledger.Operator, c.table.cfg.ID, console.Act{User: by, Action: "confirm_camera", Object: name}); err != nil {
		return err
	}
	return c.table.renew(c, c.calibration())
}

// lensSubcommand of the program looks at pictures of a calibration board.
const lensSubcommand = "lens-process"

// lensTool runs it; a picture that upsets OpenCV ends that process only.
func (n *Node) lensTool() (camlens.Tool, error) {
	exe, err := os.Executable()
	if err != nil {
		return camlens.Tool{}, fmt.Errorf("lens: %w", err)
	}
	return camlens.Tool{Command: []string{exe, lensSubcommand}, Env: n.opts.ReaderEnv}, nil
}

// FindBoard implements console.Calibrations.
func (n *Node) FindBoard(ctx context.Context, b camlens.Board, image []byte) (camlens.View, error) {
	t, err := n.lensTool()
	if err != nil {
		return camlens.View{}, err
	}
	return t.Find(ctx, b, image)
}

// MeasureLens implements console.Calibrations.
func (n *Node) MeasureLens(ctx context.Context, b camlens.Board, views []camlens.View) (camlens.Result, error) {
	t, err := n.lensTool()
	if err != nil {
		return camlens.Result{}, err
	}
	return t.Measure(ctx, b, views)
}

// previewSubcommand of the program reads a picture by a calibration that is not in force.
const previewSubcommand = "preview-process"

// TryCalibration implements console.Calibrations.
func (n *Node) TryCalibration(ctx context.Context, name string, cal *calibration.Table, image []byte) ([]console.Sight, error) {
	c := n.camera(name)
	if c == nil {
		return nil, fmt.Errorf("no camera %q", name)
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	cal.Schema, cal.Table, cal.Camera = calibration.Schema, c.table.cfg.ID, c.cfg.Name
	zones, err := preview.Tool{Command: []string{exe, previewSubcommand}, Env: n.opts.ReaderEnv}.Read(ctx, cal, image)
	out := make([]console.Sight, 0, len(zones))
	for _, z := range zones {
		var s state
		s.observe(z.Read)
		out = append(out, console.Sight{Zone: z.Read.Zone, Picture: z.Picture, Readings: s.overlay(cal.Camera, worth(cal))})
	}
	return out, err
}

// renew lets reader and tracker of the table begin anew, with another calibration
// of a camera and the picture of the empty table as its file has it now. Video and
// recording go on.
func (t *table) renew(c *camera, cal *calibration.Table) error {
	t.sight.Lock()
	defer t.sight.Unlock()
	empty := c.empty
	if c.cfg.Empty != "" && cal != nil {
		var err error
		if empty, err = cal.ReadEmpty(c.cfg.Empty); err != nil {
			return &console.BadCalibration{Problem: err}
		}
	}
	old, was := c.cal, c.empty
	c.cal, c.empty = cal, empty
	trk, err := newTracker(t.cfg, t.node.books, t.cameras, t.node.limits.Of)
	if err == nil {
		reader, err := t.newReader()
		if err != nil {
			return err
		}
		select { // one that has not taken over yet never will
		case <-t.renewed:
		default:
		}
		t.renewed <- reader
		t.judge.inbox <- trk
		t.node.board.Clear(health.CameraUnreadable, c.cfg.Name)
		c.standing()
		return nil
	}
	c.cal, c.empty = old, was
	return &console.BadCalibration{Problem: fmt.Errorf("table %s: %w", t.cfg.ID, err)}
}

// moved raises the alert of a camera that was moved, until it stands as
// calibrated again, is calibrated anew or confirmed. Meanwhile the tracker calls
// no round verifiable.
func (c *camera) moved(o fact.Observation) {
	if o.OK {
		c.standing()
		return
	}
	n, id := c.table.node, c.table.cfg.ID
	n.board.Set(health.CameraMoved, id, c.cfg.Name, o.Note)
	alertID := fmt.Sprintf("%s/moved/%s/%d", id, c.cfg.Name, o.Time.UnixMilli())
	if !c.movedAlert.CompareAndSwap(nil, &alertID) {
		return
	}
	n.later(func(ctx context.Context) error {
		return n.desk.Raise(ctx, alert.Alert{ID: alertID, Kind: "health", Table: id, Game: c.table.cfg.Game, Norm: c.table.cfg.Norm,
			Code: health.CameraMoved, Severity: "critical", Probability: 1, At: o.Time,
			ES:   fmt.Sprintf("La cámara %s se ha movido; las jugadas no se verifican hasta que se confirme o se calibre de nuevo", c.cfg.Name),
			EN:   fmt.Sprintf("Camera %s was moved; rounds are not verified until it is confirmed or calibrated anew", c.cfg.Name),
			Clip: &alert.Clip{Camera: c.cfg.Name, From: o.Time.Add(-5 * time.Second), To: o.Time.Add(2 * time.Second)},
		})
	})
}

// standing ends it.
func (c *camera) standing() {
	n := c.table.node
	n.board.Clear(health.CameraMoved, c.cfg.Name)
	if old := c.movedAlert.Swap(nil); old != nil {
		n.later(func(ctx context.Context) error { return n.desk.Resolve(ctx, *old) })
	}
}

// resumeMoved takes up again, after a restart, that a camera was moved: a new
// reader knows only how it stands now.
func (n *Node) resumeMoved() {
	for _, a := range n.desk.List(func(a *alert.Alert) bool { return a.Code == health.CameraMoved && a.Resolved.IsZero() }) {
		parts := strings.Split(a.ID, "/")
		if len(parts) != 4 {
			continue
		}
		c := n.camera(parts[2])
		if c == nil || c.table.cfg.ID != a.Table {
			continue
		}
		id := a.ID
		c.movedAlert.Store(&id)
		n.board.Set(health.CameraMoved, a.Table, c.cfg.Name, "it was moved before the restart and nobody has confirmed it")
		c.table.judge.observe([]fact.Observation{{Table: a.Table, Camera: c.cfg.Name, Kind: fact.Moved, Time: time.Now(), Note: "before the restart"}})
	}
}
