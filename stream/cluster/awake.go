package cluster

import (
	"context"
	"time"
)

// A process may stand still (stopped, swapped out, its machine paused) for longer than its leases
// hold, and go on as if nothing had been. What its tables came to meanwhile is not to be published
// before it was asked once more who runs them: somebody else may have been at it. This is not the
// same as a bus that does not answer, which is asked and does not answer.

// renewed takes note that the leases were renewed by what was asked at began. What was asked before
// the process stood still is too old to count.
func (c *Cluster) renewed(began time.Time) {
	now := time.Now()
	if now.Sub(began) >= ttl {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awake = now
	close(c.asked)
	c.asked = make(chan struct{})
}

// OwnsLease reports whether this node has the lease of a table, and so publishes for it. Where the
// process has stood still it waits until that is known. While the bus does not answer the lease
// stays this node's.
func (c *Cluster) OwnsLease(ctx context.Context, table string) bool {
	for {
		c.mu.Lock()
		known := c.Alone() || c.awake.IsZero() || time.Since(c.awake) < ttl
		t := c.own[table]
		ours := c.Alone() || t != nil && (!t.ending || t.back)
		asked := c.asked
		c.mu.Unlock()
		if known {
			return ours
		}
		select {
		case <-ctx.Done():
			return false
		case <-asked:
		}
	}
}
