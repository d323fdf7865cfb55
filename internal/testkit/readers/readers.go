// Package readers has the product's child processes that read pictures, for test
// programs that are their own (children.Main).
package readers

import (
	"context"
	"os"

	"vision/calibration/board"
	"vision/capture/camera"
	"vision/capture/local"
	"vision/capture/transcode"
	"vision/capture/transcode/worker"
	"vision/internal/cv"
	"vision/recognize"
	"vision/recognize/host"
	"vision/recognize/reader"
)

// Table reads one table's cameras.
func Table(ctx context.Context) error {
	return reader.Main(ctx, func(t reader.Task) (reader.Recogniser, error) {
		return recognize.NewTable(t.Calibration, recognize.Options{Step: t.Step})
	}, cv.SetThreads)
}

// Subcommands are all of them, by the product's names.
func Subcommands() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		host.Subcommand:      Table,
		camera.Subcommand:    local.Main,
		transcode.Subcommand: worker.Main,
		"preview-process":    func(context.Context) error { return recognize.ServePreview(os.Stdin, os.Stdout) },
		"lens-process":       func(context.Context) error { return board.Serve(os.Stdin, os.Stdout) },
	}
}
