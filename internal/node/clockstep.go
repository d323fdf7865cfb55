package node

import (
	"context"
	"fmt"
	"time"

	"vision/internal/backoff"
	"vision/internal/health"
)

const (
	// clockStep is by how much the wall clock has to move beside the steady one to have been set:
	// a time service that corrects it slowly is far below (adjtimex(2): 0.5 ms a second).
	clockStep = 2 * time.Second
	// clockStepEvery is how often that is looked at.
	clockStepEvery = time.Second
	// spared is for how long recordings that a clock set forward made too old are kept. Clocks
	// that were set by less make none go that would not go soon.
	spared, spareFrom = 24 * time.Hour, time.Hour
)

// clockSteps sends each step of the machine's clock until ctx ends. wall is that clock; it is
// compared with the runtime's (CLOCK_MONOTONIC).
func clockSteps(ctx context.Context, wall func() time.Time) <-chan time.Duration {
	out := make(chan time.Duration)
	begun, since := wall().Round(0), time.Now()
	go func() {
		_ = backoff.Every(ctx, clockStepEvery, func(time.Time) {
			now := wall().Round(0)
			by := now.Sub(begun) - time.Since(since)
			begun, since = now, time.Now()
			if by.Abs() < clockStep {
				return
			}
			select {
			case out <- by:
			case <-ctx.Done():
			}
		})
	}()
	return out
}

// afterClockStep restarts the node, whose cameras and tables go by the clock as it was:
// pictures, calls and rounds would be hours apart.
func (n *Node) afterClockStep(by time.Duration) (*Node, error) {
	heir, err := Open(n.inForce(), n.opts)
	if err != nil {
		return nil, err
	}
	how, also := "forward", ""
	switch {
	case by < 0:
		how = "back"
	case by >= spareFrom:
		heir.store.Spare(spared)
		also = "; for a day no recording goes by its age"
	}
	heir.log.Warn("clock step detected, node restarted", "by", by)
	heir.fading.Set(health.ClockSkew, "", n.cfg.NodeName(),
		fmt.Sprintf("this machine's clock was set %s by %v; rounds under way are not verifiable%s",
			how, by.Abs().Round(100*time.Millisecond), also))
	return heir, nil
}
