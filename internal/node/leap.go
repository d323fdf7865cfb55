package node

import (
	"context"
	"fmt"
	"time"

	"vision/internal/health"
)

const (
	// leapt is by how much the wall clock has to move beside the steady one to have been set:
	// a time service that corrects it slowly is far below (adjtimex(2): 0.5 ms a second).
	leapt = 2 * time.Second
	// leapEvery is how often that is looked at.
	leapEvery = time.Second
)

// leaps tells by how much the machine's clock was set, whenever it was, until ctx ends. wall
// is the clock; the steady one is the runtime's (CLOCK_MONOTONIC).
func leaps(ctx context.Context, wall func() time.Time) <-chan time.Duration {
	out := make(chan time.Duration)
	go func() {
		tick := time.NewTicker(leapEvery)
		defer tick.Stop()
		begun, since := wall().Round(0), time.Now()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			now := wall().Round(0)
			by := now.Sub(begun) - time.Since(since)
			begun, since = now, time.Now()
			if by.Abs() < leapt {
				continue
			}
			select {
			case out <- by:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// leap has another node follow this one, whose cameras and tables go by the clock as it was:
// pictures, calls and rounds would be hours apart.
func (n *Node) leap(by time.Duration) (*Node, error) {
	heir, err := Open(n.inForce(), n.opts)
	if err != nil {
		return nil, err
	}
	how := "forward"
	if by < 0 {
		how = "back"
	}
	heir.log.Warn("the machine's clock was set; the node has begun anew", "by", by)
	heir.fading.Set(health.ClockSkew, "", n.cfg.NodeName(),
		fmt.Sprintf("this machine's clock was set %s by %v; rounds under way are not verifiable", how, by.Abs().Round(100*time.Millisecond)))
	return heir, nil
}
