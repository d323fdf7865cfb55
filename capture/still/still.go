// Package still takes one picture of a camera's stream, as large as it is and without
// loss. What decodes calls C, so it runs in a process of its own (capture/still/worker);
// here is the server's side.
package still

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vision/capture"
	"vision/internal/child"
)

// Subcommand of the program under which such a process runs.
const Subcommand = "still-process"

// Request is what the process is asked, JSON on its standard input.
type Request struct {
	Units [][]byte `json:"units"` // as capture.AppendUnit writes them, the first with a key picture
}

// Answer is what it answers on its standard output.
type Answer struct {
	PNG   []byte `json:"png,omitempty"`
	Error string `json:"error,omitempty"` // why there is no picture
}

// ErrNone means that no whole picture came.
var ErrNone = errors.New("no whole picture came from the camera: is it connected and in focus of the network? Try once more")

// Tool is the program that decodes.
type Tool struct {
	Command []string // with arguments
	Env     []string
}

const (
	// patience is how long a picture is waited for, and settle for how long pictures are
	// passed over: the first one after a key picture may be coarse.
	patience, settle = 12 * time.Second, 500 * time.Millisecond
	// limit of the process, and maxUnits and maxBytes of what it is given.
	limit              = 20 * time.Second
	maxUnits, maxBytes = 600, 64 << 20
)

// Take gives the stream's present picture as a PNG. It fails with ErrNone where none comes.
func (t Tool) Take(ctx context.Context, units capture.Units) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return t.take(ctx, units)
}

// queue is how many units of a camera may wait for the process.
const queue = 128

// Of connects to a camera, and gives its present picture as a PNG; it waits until ctx ends at most.
func (t Tool) Of(ctx context.Context, src capture.Source) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	feed := capture.NewFeed("camera", nil, nil)
	sub := feed.Subscribe(queue)
	defer sub.Close()
	ended := make(chan error, 1)
	go func() { ended <- src.Run(ctx, feed); feed.Finish() }()
	png, err := t.take(ctx, sub)
	if !errors.Is(err, ErrNone) {
		return png, err
	}
	select {
	case err := <-ended:
		return nil, errors.Join(errors.New("no picture came"), err, feed.LastState().Err)
	default:
		return nil, errors.Join(errors.New("no picture came in time"), feed.LastState().Err)
	}
}

func (t Tool) take(ctx context.Context, units capture.Units) ([]byte, error) {
	group, err := gather(ctx, units)
	if err != nil {
		return nil, err
	}
	var q Request
	for _, u := range group {
		q.Units = append(q.Units, capture.AppendUnit(nil, u))
	}
	var a Answer
	if err := child.Ask(ctx, t.Command, t.Env, limit, q, &a); err != nil {
		return nil, fmt.Errorf("still: %w", err)
	}
	if a.Error != "" {
		return nil, fmt.Errorf("%w (%s)", ErrNone, a.Error)
	}
	return a.PNG, nil
}

// gather waits until the stream has settled, and gives what its newest picture is decoded
// from: all since a key picture.
func gather(ctx context.Context, units capture.Units) (group []capture.Unit, err error) {
	bytes := 0
	for {
		u, err := units.Next(ctx)
		if err != nil {
			if len(group) == 0 {
				return nil, ErrNone
			}
			return group, nil // as far as it came: the end of a file
		}
		if len(group) == 0 {
			var done context.CancelFunc
			ctx, done = context.WithTimeout(ctx, settle)
			defer done()
		}
		if u.Key && len(group) > 0 && group[len(group)-1].Wall.Sub(group[0].Wall) > settle {
			group, bytes = group[:0], 0
		}
		for _, n := range u.NALs {
			bytes += len(n)
		}
		if len(group) == maxUnits || bytes > maxBytes {
			return group, nil
		}
		group = append(group, u)
	}
}
