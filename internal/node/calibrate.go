package node

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"vision/calibration"
	"vision/calibration/layout"
	camlens "vision/calibration/lens"
	"vision/internal/child"
	"vision/internal/draft"
	"vision/internal/pipeline"
	"vision/recognize/preview"
	"vision/stream/console"
	"vision/stream/ledger"
)

// findCamera is the camera of a name, or an error that names it.
func (n *Node) findCamera(name string) (*pipeline.Camera, error) {
	if c := n.camera(name); c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("%w: camera %s", console.ErrBeginning, name)
}

// strict reads what a page sent; the console reports to the page what it cannot use.
func strict(raw json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return &console.Refusal{Problem: fmt.Errorf("body: %w", err)}
	}
	return nil
}

// asked marks an error that the request caused.
func asked(err error) error {
	var bad *pipeline.BadCalibration
	switch {
	case errors.As(err, &bad):
		return &console.Refusal{Problem: fmt.Errorf("calibration: %w", bad.Problem)}
	case errors.Is(err, camlens.ErrRequest), errors.Is(err, preview.ErrRequest):
		return &console.Refusal{Problem: err}
	case errors.Is(err, camlens.ErrPoor):
		return &console.Refusal{Problem: err, Poor: true}
	}
	return err
}

// Calibration implements console.Calibrations.
func (n *Node) Calibration(name string) (console.Sheet, error) {
	c, err := n.findCamera(name)
	if err != nil {
		return console.Sheet{}, err
	}
	kept, err := c.Versions()
	if err != nil {
		return console.Sheet{}, err
	}
	out := console.Sheet{
		Versions: []console.Version{}, Games: layout.Games, Packs: []string{}, Chips: calibration.PlainChips(),
	}
	if of := c.Table().Config(); of.Norm != "" {
		if norm, err := n.books.Norm(of.Norm); err == nil {
			out.Packs = packs(norm, of.Game)
		}
	}
	for _, v := range kept {
		out.Versions = append(out.Versions, console.Version(v))
	}
	if cal := c.Calibration(); cal != nil {
		out.Calibration = cal
	}
	return out, nil
}

// CalibrationVersion implements console.Calibrations.
func (n *Node) CalibrationVersion(name, id string) (any, error) {
	c := n.camera(name)
	if c == nil {
		return nil, os.ErrNotExist
	}
	return c.Version(id)
}

// PlaceRack implements console.Calibrations.
func (n *Node) PlaceRack(name string, raw json.RawMessage) (any, error) {
	if _, err := n.findCamera(name); err != nil {
		return nil, err
	}
	var in struct {
		Calibration calibration.Table `json:"calibration"`
		calibration.RackPlace
	}
	if err := strict(raw, &in); err != nil {
		return nil, err
	}
	if err := in.Place(&in.Calibration); err != nil {
		return nil, &console.Refusal{Problem: err}
	}
	quads, err := in.Calibration.TubeQuads()
	return map[string]any{"calibration": &in.Calibration, "tubes": quads}, err
}

// FitCalibration implements console.Calibrations. The chips are those in use, and so is
// the rack, if the camera still sees it.
func (n *Node) FitCalibration(name string, raw json.RawMessage) (any, error) {
	c, err := n.findCamera(name)
	if err != nil {
		return nil, err
	}
	var clicks layout.Clicks
	if err := strict(raw, &clicks); err != nil {
		return nil, err
	}
	chips, old := calibration.PlainChips(), c.Calibration()
	if old != nil {
		chips = old.Palette
	}
	of := c.Table().Config()
	fit, err := clicks.Fit(of.ID, c.Config().Name, of.Norm, chips)
	if err != nil {
		return nil, &console.Refusal{Problem: err}
	}
	if old != nil {
		if err := fit.Calibration.KeepRack(old.Rack); err != nil {
			fit.Warning = err.Error()
		}
	}
	return fit, nil
}

// SaveCalibration implements console.Calibrations: the calibration is kept as a
// version, takes the place of the present one, and holds from now on.
func (n *Node) SaveCalibration(by, name string, raw json.RawMessage) error {
	c, err := n.findCamera(name)
	if err != nil {
		return err
	}
	var cal calibration.Table
	if err := strict(raw, &cal); err != nil {
		return err
	}
	if err := c.Keep(by, &cal); err != nil {
		return asked(err)
	}
	if err := n.act(c, by, "calibrate", cal.Hash()); err != nil {
		return err
	}
	if err := c.Renew(&cal); err != nil {
		return asked(err)
	}
	return n.publishCalibrationOf(by, c)
}

// publishCalibrationOf shares how a camera is calibrated by now; a draft's is nobody else's yet.
func (n *Node) publishCalibrationOf(by string, c *pipeline.Camera) error {
	table := c.Table().Config().ID
	if draft.Named(table) != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), busPatience)
	defer cancel()
	return n.publishCalibration(ctx, by, table, c.Config())
}

// act records what a person did to a camera.
func (n *Node) act(c *pipeline.Camera, by, action, text string) error {
	table := c.Table().Config().ID
	if draft.Named(table) != "" {
		table = "" // it is none yet
	}
	_, err := n.ledger.Append(
		ledger.Operator,
		table,
		console.Act{User: by, Action: action, Object: c.Config().Name, Text: text},
	)
	return err
}

// ConfirmCamera implements console.Calibrations: a person confirms the camera's position;
// what it shows now is the new reference.
func (n *Node) ConfirmCamera(by, name string) error {
	c, err := n.findCamera(name)
	if err != nil {
		return err
	}
	if err := n.act(c, by, "confirm_camera", ""); err != nil {
		return err
	}
	return c.Renew(c.Calibration())
}

// TryCalibration implements console.Calibrations.
func (n *Node) TryCalibration(
	ctx context.Context,
	name string,
	raw json.RawMessage,
	image []byte,
) ([]console.Sight, error) {
	c, err := n.findCamera(name)
	if err != nil {
		return nil, err
	}
	var cal calibration.Table
	if err := strict(raw, &cal); err != nil {
		return nil, err
	}
	zones, err := c.Try(ctx, &cal, image)
	out := make([]console.Sight, 0, len(zones))
	for _, z := range zones {
		out = append(out, console.Sight{Zone: z.Zone, Picture: z.Picture, Readings: z.Readings})
	}
	return out, asked(err)
}

// lensSubcommand of the program looks at pictures of a calibration board.
const lensSubcommand = "lens-process"

// lensTool runs it; a picture that crashes OpenCV ends that process only.
func (n *Node) lensTool() camlens.Tool {
	return camlens.Tool{Command: child.Self(lensSubcommand), Env: n.opts.ReaderEnv}
}

// FindBoard implements console.Calibrations.
func (n *Node) FindBoard(ctx context.Context, measures url.Values, image []byte) (any, error) {
	b, err := camlens.BoardOf(measures)
	if err != nil {
		return nil, &console.Refusal{Problem: err}
	}
	v, err := n.lensTool().Find(ctx, b, image)
	return v, asked(err)
}

// MeasureLens implements console.Calibrations.
func (n *Node) MeasureLens(ctx context.Context, raw json.RawMessage) (any, error) {
	var seen camlens.Seen
	if err := strict(raw, &seen); err != nil {
		return nil, err
	}
	if err := seen.Check(); err != nil {
		return nil, &console.Refusal{Problem: err}
	}
	r, err := n.lensTool().Measure(ctx, seen.Board, seen.Views)
	return r, asked(err)
}
