package main

import (
	"context"
	"os"
	"time"

	"vision/calibration/board"
	"vision/capture/local"
	still "vision/capture/still/worker"
	"vision/capture/transcode/worker"
	"vision/internal/confine"
	"vision/internal/cv"
	"vision/recognize"
	"vision/recognize/reader"
)

// ReaderCmd is the reader process of one table; vision starts it itself.
type ReaderCmd struct{}

// readBudget is how long one frame may be read before the next is looked at.
const readBudget = 100 * time.Millisecond

// Run lives as long as the server that started it.
func (ReaderCmd) Run() error {
	if err := confine.Lock(confine.Libraries); err != nil {
		return err
	}
	return reader.Main(context.Background(), func(t reader.Task) (reader.Recogniser, error) {
		o := recognize.Options{Step: t.Step, Budget: readBudget}
		if t.Every {
			o.Budget = 0
		}
		o.Empty = t.Empty
		return recognize.NewTable(t.Calibration, o)
	}, cv.SetThreads)
}

// CameraCmd is the process of a camera or file of this machine; vision starts it itself.
type CameraCmd struct{}

// Run lives as long as the server that started it.
func (CameraCmd) Run() error {
	if err := confine.Lock(confine.Films); err != nil {
		return err
	}
	return local.Main(context.Background())
}

// TranscodeCmd is the process that encodes a camera's stream again for browsers; vision
// starts it itself.
type TranscodeCmd struct{}

// Run lives as long as the server that started it.
func (TranscodeCmd) Run() error {
	if err := confine.Lock(confine.Libraries); err != nil {
		return err
	}
	return worker.Main(context.Background())
}

// StillCmd decodes a camera's stream for one picture; vision starts it itself.
type StillCmd struct{}

// Run answers one request.
func (StillCmd) Run() error {
	if err := confine.Lock(confine.Libraries); err != nil {
		return err
	}
	return still.Serve(os.Stdin, os.Stdout)
}

// LensCmd looks for a calibration board in a picture, or fits a lens; vision starts
// it itself.
type LensCmd struct{}

// Run answers one request.
func (LensCmd) Run() error {
	if err := confine.Lock(confine.Libraries); err != nil {
		return err
	}
	return board.Serve(os.Stdin, os.Stdout)
}

// PreviewCmd reads one picture by a calibration that is not in force; vision starts it
// itself.
type PreviewCmd struct{}

// Run answers one request.
func (PreviewCmd) Run() error {
	if err := confine.Lock(confine.Libraries); err != nil {
		return err
	}
	return recognize.ServePreview(os.Stdin, os.Stdout)
}
