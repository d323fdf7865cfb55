// Package worker takes one picture of a camera. It calls C: for commands, and for the
// process that capture/still starts.
package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"vision/capture"
	"vision/internal/av"
)

// Take writes the camera's present picture, as large as it is, to a file whose name says
// the format (.png loses nothing). It waits until ctx ends at most.
func Take(ctx context.Context, src capture.Source, file string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := &eye{units: make(chan capture.Unit, 256)}
	ended := make(chan error, 1)
	go func() { ended <- src.Run(ctx, e) }()
	err := e.first(ctx, ended, file)
	cancel()
	return err
}

// eye is the Sink of the camera.
type eye struct {
	units chan capture.Unit
	mu    sync.Mutex
	err   error
}

// Unit implements capture.Sink. A picture is had long before the queue is full.
func (e *eye) Unit(u capture.Unit) {
	select {
	case e.units <- u:
	default:
	}
}

// State implements capture.Sink.
func (e *eye) State(s capture.State) {
	if s.Err != nil {
		e.mu.Lock()
		e.err = s.Err
		e.mu.Unlock()
	}
}

// settle is for how long pictures are passed over: the first one after a key picture may
// be coarse, and a camera that has just been asked may still set its exposure.
const settle = 500 * time.Millisecond

func (e *eye) first(ctx context.Context, ended <-chan error, file string) error {
	dec, err := av.NewDecoder()
	if err != nil {
		return err
	}
	defer dec.Close()
	var begun time.Time
	for {
		select {
		case u := <-e.units:
			frames, _ := dec.Decode(u)
			done, err := false, error(nil)
			for _, f := range frames {
				if begun.IsZero() {
					begun = time.Now()
				}
				if !done && !f.Damaged && time.Since(begun) >= settle {
					done, err = true, write(f, file)
				}
				f.Close()
			}
			if done {
				return err
			}
		case err := <-ended:
			return errors.Join(errors.New("no picture came"), err, e.why())
		case <-ctx.Done():
			return errors.Join(errors.New("no picture came in time"), e.why())
		}
	}
}

func (e *eye) why() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

func write(f *av.Frame, file string) error {
	img := gocv.NewMat()
	defer func() { img.Close() }()
	if err := f.BGR(&img); err != nil {
		return err
	}
	if !gocv.IMWrite(file, img) {
		return fmt.Errorf("%s cannot be written: does its folder exist, and does its name end in .png or .jpg?", file)
	}
	return nil
}
