package node

import (
	"context"
	"errors"
	"time"

	"vision/internal/config"
	"vision/internal/health"
	"vision/internal/pipeline"
)

// Keep runs a node until ctx ends, and reloads the configuration by load whenever a
// value comes from changed. An unusable configuration changes nothing: the node
// goes on and reports it. Of a usable one the node applies what may change at run
// time; where more has changed it ends as at a stop (what is published and
// recorded is kept, rounds under way are not verifiable, and viewers stay logged in
// and connect again by themselves), and another follows. So it does when the machine's clock
// was set. up is notified of every node before it runs; it may be nil.
func Keep[T any](
	ctx context.Context,
	load func() (*config.Config, error),
	changed <-chan T,
	opts Options,
	up func(*Node),
) error {
	cfg, err := load()
	if err != nil {
		return err
	}
	n, err := Open(cfg, opts)
	for {
		if err != nil {
			return err
		}
		if up != nil {
			up(n)
		}
		next, by, closing := until(ctx, n, load, changed)
		if next == nil && by == 0 {
			return closing
		}
		if closing != nil {
			n.log.Error("shutdown before restart failed", "err", closing)
		}
		if by != 0 {
			n, err = n.afterClockStep(by)
		} else {
			n, err = n.succeed(n.inForce(), next)
		}
	}
}

// errNoTables keeps a file that was emptied by mistake from taking all tables away.
var errNoTables = errors.New("it has no tables any more: name them, or start anew without any")

// succeed opens the node of the next configuration, or of the last one where
// that fails.
func (n *Node) succeed(last, next *config.Config) (*Node, error) {
	heir, err := Open(next, n.opts)
	if err == nil {
		heir.log.Info("configuration reloaded", "tables", len(next.Tables))
		return heir, nil
	}
	n.log.Error("new configuration failed to start, restoring the previous one", "err", err)
	heir, lost := Open(last, n.opts)
	if lost != nil {
		return nil, lost
	}
	heir.refuse(err)
	return heir, nil
}

func (n *Node) refuse(err error) { n.board.Set(health.ConfigRefused, "", "configuration", err.Error()) }

// until runs a node until ctx ends, it fails, there is another usable configuration, which
// is returned, or the machine's clock was set: by how much.
func until[T any](
	ctx context.Context,
	n *Node,
	load func() (*config.Config, error),
	changed <-chan T,
) (next *config.Config, by time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stepped := clockSteps(ctx, time.Now)
	over := make(chan error, 1)
	go func() { over <- n.Run(ctx) }()
	for next == nil {
		select {
		case err := <-over:
			return nil, 0, err
		case by = <-stepped:
			cancel()
			return nil, by, <-over
		case <-changed:
		}
		cfg, err := load()
		if err == nil && len(cfg.Tables) == 0 && len(n.inForce().Tables) > 0 {
			err = errNoTables
		}
		if err == nil {
			err = Check(cfg)
		}
		if err != nil {
			n.log.Error("invalid configuration, running one kept", "err", err)
			n.refuse(err)
			continue
		}
		if !n.adopts(cfg) {
			next = cfg
			break
		}
		if err := n.adopt(ctx, cfg); err != nil {
			n.log.Error("configuration not applied, running one kept", "err", err)
			n.refuse(err)
		}
	}
	cancel()
	return next, 0, <-over
}

// Check reports whether a node could be opened with a configuration, as far as
// that can be found beside a node that runs: norms, games, calibrations.
func Check(cfg *config.Config) error {
	books, err := pipeline.Books(cfg.Norms)
	if err != nil {
		return err
	}
	return pipeline.CheckAll(cfg, books, pipeline.Check)
}
