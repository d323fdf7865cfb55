// Package preview reads one picture by a calibration that is not in force yet: what
// the readers would see, zone by zone. It runs in a process of its own, so that a
// picture that crashes OpenCV harms no server.
package preview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vision/calibration"
	"vision/internal/child"
	"vision/internal/fact"
)

// Request is the process's input, JSON on standard input.
type Request struct {
	Calibration *calibration.Table `json:"calibration"`
	Image       []byte             `json:"image"` // JPEG or PNG, of the calibrated size
}

// Answer is its output, JSON on standard output.
type Answer struct {
	Zones []Zone `json:"zones"`
	Error string `json:"error,omitempty"` // what is wrong with the request
}

// Zone is one zone as the readers see it.
type Zone struct {
	Read    fact.Observation `json:"read"`
	Picture []byte           `json:"picture"` // JPEG: rectified, as it is read
}

// ErrRequest is wrapped by errors in the calibration or the picture.
var ErrRequest = errors.New("not usable")

// Tool is the program that reads.
type Tool struct {
	Command []string // with arguments
	Env     []string
}

// limit of one reading: the networks are loaded anew each time.
const limit = 60 * time.Second

// Read reads a picture by a calibration.
func (t Tool) Read(ctx context.Context, cal *calibration.Table, image []byte) ([]Zone, error) {
	var a Answer
	if err := child.Ask(ctx, t.Command, t.Env, limit, Request{cal, image}, &a); err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	if a.Error != "" {
		return nil, fmt.Errorf("%w: %s", ErrRequest, a.Error)
	}
	return a.Zones, nil
}
