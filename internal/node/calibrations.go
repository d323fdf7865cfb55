package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"vision/calibration"
	"vision/internal/config"
	"vision/internal/pipeline"
	"vision/stream/ledger"
	"vision/stream/statestore"
)

// A camera's calibration follows its table from machine to machine: the node that runs the table
// shares it with the digest of the picture of the empty table; the picture is on the bus by its
// digest. Every machine keeps both in its own files, so that they outlive the machine and
// the bus.

// sharedCalibration is the kind of what is shared of a camera's calibration, by its name.
const sharedCalibration = "calibration"

// cameraCalibration is how a camera is calibrated, as members share it.
type cameraCalibration struct {
	Table       string `json:"table"`
	Calibration string `json:"calibration,omitempty"` // YAML, as the program writes it; "": there is none
	Empty       string `json:"empty,omitempty"`       // SHA-256 of the picture's file; "": none was taken
}

// calibrationsEvery is the period of the check that all have what was shared.
const calibrationsEvery = 30 * time.Second

func pictureKey(digest string) string { return "picture:" + digest }

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// filed is how a camera is calibrated by its files here, with the picture and the time of the
// newer file; the zero time where there is none.
func (n *Node) filed(table string, c config.Camera) (s cameraCalibration, picture []byte, at time.Time, err error) {
	s.Table = table
	text, when, err := fileOf(pipeline.CalibrationFile(n.cfg.Data, c))
	if err != nil {
		return s, nil, at, err
	}
	at = when
	if text != nil {
		cal, err := calibration.Parse(text)
		if err != nil {
			return s, nil, at, fmt.Errorf("camera %s: %w", c.Name, err)
		}
		if text, err = pipeline.Text(table, c, cal); err != nil {
			return s, nil, at, err
		}
	}
	s.Calibration = string(text)
	if picture, when, err = fileOf(pipeline.EmptyFile(n.cfg.Data, c)); err != nil {
		return s, nil, at, err
	}
	if picture != nil {
		s.Empty = digestOf(picture)
	}
	if when.After(at) {
		at = when
	}
	return s, picture, at, nil
}

// fileOf is a file with the time of its last change; nil where it is not there.
func fileOf(path string) ([]byte, time.Time, error) {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, time.Time{}, nil
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("calibration: %w", err)
	}
	return b, st.ModTime(), nil
}

// publishCalibration shares a camera's calibration by its files here, unless that is shared.
func (n *Node) publishCalibration(ctx context.Context, by, table string, c config.Camera) error {
	if n.members == nil {
		return nil
	}
	now, picture, _, err := n.filed(table, c)
	if err != nil {
		return err
	}
	r, there := n.members.store.Get(sharedCalibration + "/" + c.Name)
	was, _, err := statestore.Value[cameraCalibration](r)
	if err != nil || there && was == now {
		return err
	}
	if picture != nil {
		if err := n.bus.Set(ctx, pictureKey(now.Empty), picture, 0); err != nil {
			n.log.Warn("empty-table picture not shared yet", "camera", c.Name, "err", err) // keepSights does
		}
	}
	n.publishRecord(by, sharedCalibration+"/"+c.Name, now, time.Time{})
	if was.Empty != "" && was.Empty != now.Empty {
		if err := n.bus.Delete(ctx, pictureKey(was.Empty)); err != nil {
			n.log.Debug("old empty-table picture not removed", "camera", c.Name, "err", err)
		}
	}
	return nil
}

// onCalibration schedules keeping what another machine shares of a camera.
func (n *Node) onCalibration(statestore.Record) error {
	select {
	case n.members.calibrated <- struct{}{}:
	default: // it is looked at already
	}
	return nil
}

// keepCalibrations keeps the calibrations of all tables here as they are shared, and shares those of
// the tables that run here, until ctx ends.
func (n *Node) keepCalibrations(ctx context.Context) {
	tick := time.NewTicker(calibrationsEvery)
	defer tick.Stop()
	for {
		for _, t := range n.inForce().Tables {
			if err := n.followTable(ctx, t); err != nil && ctx.Err() == nil {
				n.log.Warn("calibration not shared", "table", t.ID, "err", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-n.members.calibrated:
		case <-tick.C:
		}
	}
}

// followTable updates the calibrations of a table's cameras, here and on the bus, to the newest
// known.
func (n *Node) followTable(ctx context.Context, t config.Table) error {
	if n.members == nil {
		return nil
	}
	n.members.following.Lock()
	defer n.members.following.Unlock()
	var errs []error
	changed := false
	for _, c := range t.Cameras {
		did, err := n.follow(ctx, t.ID, c)
		changed = changed || did
		errs = append(errs, err)
	}
	if here := n.table(t.ID); here != nil && changed {
		errs = append(errs, here.Refresh())
		n.noteCalibrations(here)
	}
	return errors.Join(errs...)
}

// follow does so for one camera, and reports whether its files here have changed. A file put
// in place since the newest was shared wins; the node that runs the table shares it.
func (n *Node) follow(ctx context.Context, table string, c config.Camera) (changed bool, err error) {
	here, picture, at, err := n.filed(table, c)
	if err != nil {
		return false, err
	}
	r, there := n.members.store.Get(sharedCalibration + "/" + c.Name)
	shared, ok, err := statestore.Value[cameraCalibration](r)
	switch {
	case err != nil:
		return false, err
	case !there || !ok || shared.Table != table || at.After(r.At) && shared != here:
		if n.table(table) == nil || here.Calibration == "" && here.Empty == "" || !there && c.Calibration != "" {
			return false, nil
		}
		return false, n.publishCalibration(ctx, "", table, c)
	case shared == here:
		if picture == nil {
			return false, nil
		}
		return false, n.sharePicture(ctx, shared.Empty, picture)
	}
	return n.inherit(ctx, table, c, r, shared, here)
}

// sharePicture puts a picture on the bus, also on one that has lost it.
func (n *Node) sharePicture(ctx context.Context, digest string, picture []byte) error {
	has, err := n.bus.Has(ctx, pictureKey(digest))
	if err != nil || has {
		return err
	}
	return n.bus.Set(ctx, pictureKey(digest), picture, 0)
}

// inherit makes what was shared of a camera its calibration here.
func (n *Node) inherit(
	ctx context.Context,
	table string,
	c config.Camera,
	r statestore.Record,
	shared, here cameraCalibration,
) (bool, error) {
	var picture []byte
	if shared.Empty != "" && shared.Empty != here.Empty {
		b, err := n.bus.Get(ctx, pictureKey(shared.Empty))
		if err == nil && digestOf(b) != shared.Empty {
			err = errors.New("what lies on the bus is another picture")
		}
		if err != nil {
			return false, fmt.Errorf("picture of the empty table of camera %s: %w", c.Name, err)
		}
		picture = b
	}
	if shared.Calibration != "" && shared.Calibration != here.Calibration {
		cal, err := calibration.Parse([]byte(shared.Calibration))
		if err != nil {
			return false, fmt.Errorf("camera %s: as %s shares it: %w", c.Name, r.Node, err)
		}
		by := r.Node
		if r.By != "" {
			by = r.By + " on " + r.Node
		}
		if err := pipeline.Inherit(n.cfg.Data, table, c, by, r.At, cal); err != nil {
			return false, err
		}
	}
	if picture != nil {
		if err := pipeline.InheritEmpty(n.cfg.Data, c, picture); err != nil {
			return false, err
		}
	}
	for _, file := range []string{pipeline.CalibrationFile(n.cfg.Data, c), pipeline.EmptyFile(n.cfg.Data, c)} {
		err := os.Chtimes(file, r.At, r.At) // what is put there later is newer than what was shared
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("calibration: %w", err)
		}
	}
	n.log.Info("calibration received from another machine", "table", table, "camera", c.Name, "node", r.Node, "by", r.By)
	return true, nil
}

// calibrated is the payload of the ledger's entries about which calibrations are in force.
type calibrated struct {
	Action string `json:"action"`
	Node   string `json:"node"`
	// Calibrations are the digests of those that are read by, by camera.
	Calibrations map[string]string `json:"calibrations"`
}

// noteCalibrations records by which calibrations a table is read from now on.
func (n *Node) noteCalibrations(t *pipeline.Table) {
	now := t.Calibrations()
	if len(now) == 0 {
		return
	}
	entry := calibrated{ledger.Calibrated, n.cfg.NodeName(), now}
	if _, err := n.ledger.Append(ledger.Node, t.Config().ID, entry); err != nil {
		n.log.Error("calibration of a table not recorded", "table", t.Config().ID, "err", err)
	}
}
