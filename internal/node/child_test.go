package node

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"vision/internal/config"
)

// nodeSubcommand runs a whole node in a process of its own, to be killed.
const nodeSubcommand = "node-process"

func nodeProcess(ctx context.Context) error {
	signal.Ignore(syscall.SIGXFSZ) // a file that reached its limit is an error like a full disk
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	cfg, err := config.Load(os.Args[2])
	if err != nil {
		return err
	}
	load := func() (*config.Config, error) { return cfg, nil }
	return Keep(ctx, load, make(chan struct{}), Options{Log: quiet(), ReaderEnv: []string{fakeEnv}}, nil)
}
