package node

import (
	"context"
	"errors"

	"vision/capture/still"
	"vision/stream/console"
)

// EmptyTable implements console.Calibrations.
func (n *Node) EmptyTable(name string) ([]byte, error) {
	c, err := n.findCamera(name)
	if err != nil {
		return nil, err
	}
	return c.Empty()
}

// stillQueue is how many units may wait while a picture is taken.
const stillQueue = 128

// TakeEmpty implements console.Calibrations: what the camera shows now is the empty table,
// and is in force at once where it is calibrated.
func (n *Node) TakeEmpty(ctx context.Context, by, name string) error {
	c, err := n.findCamera(name)
	if err != nil {
		return err
	}
	sub := c.Feed().Subscribe(stillQueue)
	defer sub.Close()
	png, err := n.stillTool().Take(ctx, sub)
	if errors.Is(err, still.ErrNone) {
		return &console.Refusal{Problem: err, Poor: true}
	}
	if err != nil {
		return err
	}
	if err := c.KeepEmpty(png); err != nil {
		return &console.Refusal{Problem: err}
	}
	if err := n.act(c, by, "empty_taken", ""); err != nil {
		return err
	}
	if cal := c.Calibration(); cal != nil {
		if err := c.Renew(cal); err != nil {
			return asked(err)
		}
	}
	return n.publishCalibrationOf(by, c)
}
