package child

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Self is the command that runs this very program under a subcommand.
func Self(subcommand string) []string {
	exe, err := os.Executable()
	if err != nil {
		exe = os.Args[0] // as it was called
	}
	return []string{exe, subcommand}
}

// Ask runs a program once: q goes to its standard input as JSON, and its answer,
// JSON on its standard output, into a. One that takes longer than limit is ended.
func Ask(ctx context.Context, command, env []string, limit time.Duration, q, a any) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	in, err := json.Marshal(q)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdin = bytes.NewReader(in)
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("the process that looks at pictures failed: %w: %.300s", err, stderr.Bytes())
	}
	if err := json.Unmarshal(out, a); err != nil {
		return fmt.Errorf("answer of the process that looks at pictures: %w", err)
	}
	return nil
}
