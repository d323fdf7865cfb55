package node

import (
	"context"
	"errors"
	"fmt"
	"os"

	"vision/calibration"
	camlens "vision/calibration/lens"
	"vision/internal/pipeline"
	"vision/stream/console"
	"vision/stream/ledger"
)

// found is the camera of a name, or an error that names it.
func (n *Node) found(name string) (*pipeline.Camera, error) {
	if c := n.camera(name); c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("no camera %q", name)
}

// Calibration implements console.Calibrations.
func (n *Node) Calibration(name string) (*calibration.Table, []console.Version, error) {
	c, err := n.found(name)
	if err != nil {
		return nil, nil, err
	}
	kept, err := c.Versions()
	if err != nil {
		return nil, nil, err
	}
	out := []console.Version{}
	for _, v := range kept {
		out = append(out, console.Version(v))
	}
	return c.Calibration(), out, nil
}

// CalibrationVersion implements console.Calibrations.
func (n *Node) CalibrationVersion(name, id string) (*calibration.Table, error) {
	c := n.camera(name)
	if c == nil {
		return nil, os.ErrNotExist
	}
	return c.Version(id)
}

// SaveCalibration implements console.Calibrations: the calibration is kept as a
// version, takes the place of the present one, and holds from now on.
func (n *Node) SaveCalibration(by, name string, cal *calibration.Table) error {
	c, err := n.found(name)
	if err != nil {
		return err
	}
	if err := c.Keep(by, cal); err != nil {
		return unusable(err)
	}
	if err := n.act(c, by, "calibrate", cal.Hash()); err != nil {
		return err
	}
	return unusable(c.Renew(cal))
}

// unusable tells the console that a calibration is at fault, where it is.
func unusable(err error) error {
	var bad *pipeline.BadCalibration
	if errors.As(err, &bad) {
		return &console.BadCalibration{Problem: bad.Problem}
	}
	return err
}

// act notes in the ledger what a person did to a camera.
func (n *Node) act(c *pipeline.Camera, by, action, text string) error {
	_, err := n.ledger.Append(ledger.Operator, c.Table().Config().ID, console.Act{User: by, Action: action, Object: c.Config().Name, Text: text})
	return err
}

// ConfirmCamera implements console.Calibrations: the camera stands as it should,
// says a person; what it shows now is what it is compared with from now on.
func (n *Node) ConfirmCamera(by, name string) error {
	c, err := n.found(name)
	if err != nil {
		return err
	}
	if err := n.act(c, by, "confirm_camera", ""); err != nil {
		return err
	}
	return unusable(c.Renew(c.Calibration()))
}

// TryCalibration implements console.Calibrations.
func (n *Node) TryCalibration(ctx context.Context, name string, cal *calibration.Table, image []byte) ([]console.Sight, error) {
	c, err := n.found(name)
	if err != nil {
		return nil, err
	}
	zones, err := c.Try(ctx, cal, image)
	out := make([]console.Sight, 0, len(zones))
	for _, z := range zones {
		out = append(out, console.Sight{Zone: z.Zone, Picture: z.Picture, Readings: z.Readings})
	}
	return out, err
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
