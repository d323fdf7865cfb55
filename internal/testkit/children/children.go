// Package children lets a test program be its own child processes: what the product
// starts as subcommands of itself.
package children

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"vision/internal/testkit/wallclock"
)

// Main is a TestMain. Where the program was started as one of these subcommands it
// does that and exits; else it runs the tests, and fails where one leaks a goroutine.
func Main(m *testing.M, subcommands map[string]func(context.Context) error) {
	if len(os.Args) > 1 {
		if run, ok := subcommands[os.Args[1]]; ok {
			err := wallclock.Follow()
			if err == nil {
				err = run(context.Background())
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}
