package node

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"vision/calibration/board"
	localcam "vision/capture/camera"
	"vision/capture/local"
	"vision/internal/cv"
	"vision/recognize"
	"vision/recognize/host"
	"vision/recognize/reader"
)

// The test program is its own reader, camera and node process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if child, ok := children[os.Args[1]]; ok {
			if err := child(context.Background()); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

var children = map[string]func(context.Context) error{
	host.Subcommand:     readerProcess,
	localcam.Subcommand: local.Main,
	nodeSubcommand:      nodeProcess,
	previewSubcommand:   func(context.Context) error { return recognize.ServePreview(os.Stdin, os.Stdout) },
	lensSubcommand:      func(context.Context) error { return board.Serve(os.Stdin, os.Stdout) },
}

// fakeEnv makes the reader process one that misbehaves on demand.
const fakeEnv = "VISION_TEST_READER=fake"

func readerProcess(ctx context.Context) error {
	if os.Getenv("VISION_TEST_READER") == "fake" {
		return reader.Main(ctx, newFake, func(int) error { return nil })
	}
	return reader.Main(ctx, func(t reader.Task) (reader.Recogniser, error) {
		return recognize.NewTable(t.Calibration, recognize.Options{Step: t.Step})
	}, cv.SetThreads)
}
