//go:build !linux || !amd64

// Package wallclock sets the wall clock of a test's processes: on x86-64 alone.
package wallclock

import (
	"errors"
	"os"
	"time"
)

// Variable names the file that a process would follow.
const Variable = "VISION_TEST_CLOCK"

// File fails.
func File(string) error { return errors.ErrUnsupported }

// Set fails.
func Set(string, time.Duration) error { return errors.ErrUnsupported }

// Follow fails where a process is to follow.
func Follow() error {
	if os.Getenv(Variable) == "" {
		return nil
	}
	return errors.ErrUnsupported
}
