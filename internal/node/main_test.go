package node

import (
	"context"
	"flag"
	"os"
	"testing"

	"vision/internal/testkit/children"
	"vision/internal/testkit/readers"
	"vision/recognize/host"
	"vision/recognize/reader"
)

// The test program is its own reader, camera and node process.
func TestMain(m *testing.M) {
	// A house mostly waits: for pictures, timeouts, leases. Few use a processor at once.
	if err := flag.Set("test.parallel", "4"); err != nil { // -parallel overrides it
		panic(err)
	}
	all := readers.Subcommands()
	all[host.Subcommand], all[nodeSubcommand] = readerProcess, nodeProcess
	children.Main(m, all)
}

// fakeEnv makes the reader process one that misbehaves on demand.
const fakeEnv = "VISION_TEST_READER=fake"

func readerProcess(ctx context.Context) error {
	if os.Getenv("VISION_TEST_READER") == "fake" {
		return reader.Main(ctx, newFake, func(int) error { return nil }, nil)
	}
	return readers.Table(ctx)
}
