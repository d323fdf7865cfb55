// Package readers has the product's child processes that read pictures, for test
// programs that are their own (children.Main).
package readers

import (
	"context"
	"os"

	"vision/calibration/board"
	"vision/capture/camera"
	"vision/capture/local"
	"vision/capture/still"
	stillworker "vision/capture/still/worker"
	"vision/capture/transcode"
	"vision/capture/transcode/worker"
	"vision/internal/confine"
	"vision/internal/cv"
	"vision/recognize"
	"vision/recognize/host"
	"vision/recognize/reader"
)

// Table reads one table's cameras.
func Table(ctx context.Context) error {
	return reader.Main(ctx, func(t reader.Task) (reader.Recogniser, error) {
		return recognize.NewTable(t.Calibration, recognize.Options{Step: t.Step})
	}, cv.SetThreads, nil)
}

// Subcommands are all of them, by the product's names, locked up as the product's are.
func Subcommands() map[string]func(context.Context) error {
	libraries, films := confine.Libraries, confine.Films
	return map[string]func(context.Context) error{
		host.Subcommand:      locked(libraries, Table),
		camera.Subcommand:    locked(films, local.Main),
		transcode.Subcommand: locked(libraries, func(ctx context.Context) error { return worker.Main(ctx, nil) }),
		still.Subcommand:     locked(libraries, picture),
		"preview-process":    locked(libraries, func(context.Context) error { return recognize.ServePreview(os.Stdin, os.Stdout) }),
		"lens-process":       locked(libraries, func(context.Context) error { return board.Serve(os.Stdin, os.Stdout) }),
	}
}

func picture(context.Context) error { return stillworker.Serve(os.Stdin, os.Stdout) }

func locked(r confine.Reach, run func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := confine.Lock(r); err != nil {
			return err
		}
		return run(ctx)
	}
}
