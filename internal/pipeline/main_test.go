package pipeline

import (
	"testing"

	"vision/internal/testkit/children"
	"vision/internal/testkit/readers"
)

// The test program is its own reader, camera and preview process.
func TestMain(m *testing.M) { children.Main(m, readers.Subcommands()) }
