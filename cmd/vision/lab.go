package main

import (
	"fmt"
	"os"
	"syscall"

	"vision/internal/command"
)

// laboratory are commands of the program lab. They are still understood here.
var laboratory = []string{"demo", "sim", "bench", "eval"}

// toLab replaces this process by the program lab, with these arguments. It returns only with an
// error.
func toLab(args []string) error {
	path, err := command.Beside("lab")
	if err != nil {
		return fmt.Errorf("%s is a command of the laboratory: %w", args[0], err)
	}
	if err := syscall.Exec(path, append([]string{path}, args...), os.Environ()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
