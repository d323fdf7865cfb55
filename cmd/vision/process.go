package main

import (
	"context"

	"vision/calibration"
	"vision/capture/local"
	"vision/internal/cv"
	"vision/recognize"
	"vision/recognize/reader"
)

// ReaderCmd is the reader process of one table; vision starts it itself.
type ReaderCmd struct{}

// Run lives as long as the server that started it.
func (ReaderCmd) Run() error {
	return reader.Main(context.Background(), func(c *calibration.Table) (reader.Recogniser, error) {
		return recognize.NewTable(c, recognize.Options{})
	}, cv.SetThreads)
}

// CameraCmd is the process of a camera or file of this machine; vision starts it itself.
type CameraCmd struct{}

// Run lives as long as the server that started it.
func (CameraCmd) Run() error { return local.Main(context.Background()) }
