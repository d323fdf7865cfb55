package cluster

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"vision/internal/health"
	"vision/stream/bus"
)

// again is how long a table that could not be run here is left to others.
const again = 30 * time.Second

// leasedTable is a table that this node runs. What may change is guarded by the cluster's mutex.
type leasedTable struct {
	lease  bus.Lease
	began  time.Time
	ending bool // it is being ended
	back   bool // its lease is to be given back then
	cancel context.CancelFunc
	done   chan struct{} // closed when its cameras are free and its lease is given back
}

// begin runs a table. The caller holds the mutex.
func (c *Cluster) begin(ctx context.Context, table string, token int64) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // end ends it, in its order
	t := &leasedTable{
		lease: bus.Lease{Name: table, Token: token}, began: time.Now(), cancel: cancel, done: make(chan struct{}),
	}
	c.own[table] = t
	delete(c.free, table)
	from := c.last[table]
	if from == c.cfg.Self.Name {
		from = ""
	}
	c.last[table] = c.cfg.Self.Name
	c.cfg.Log.Info("this node runs a table", "table", table, "token", token, "from", from)
	go func() {
		defer close(t.done)
		c.cfg.Run(ctx, Assignment{table, from, token})
		cancel()
		c.gone(t)
	}()
}

// gone takes note that a table has ended, and gives its lease back.
func (c *Cluster) gone(t *leasedTable) {
	c.mu.Lock()
	lease, back := t.lease, t.back || !t.ending
	if !t.ending {
		c.failed[lease.Name] = time.Now()
		t.ending = true
	}
	c.mu.Unlock()
	if back && !c.Alone() {
		ctx, cancel := context.WithTimeout(context.Background(), answer)
		defer cancel()
		if err := c.cfg.Bus.Release(ctx, lease); err != nil {
			c.cfg.Log.Warn("giving a table back; others wait until its lease has run out", "table", lease.Name, "err", err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.own, lease.Name)
}

// let ends a table; back: whether its lease is this node's to give back. Others wait for
// it to end meanwhile, as long as leaving.
func (c *Cluster) let(ctx context.Context, t *leasedTable, back bool) {
	c.mu.Lock()
	lease, already := t.lease, t.ending
	t.ending, t.back = true, back
	c.mu.Unlock()
	if already {
		return
	}
	if back && !c.Alone() {
		if _, err := c.cfg.Bus.Hold(ctx, lease, leaving); err != nil {
			c.cfg.Log.Warn("holding a table while it ends", "table", lease.Name, "err", err)
		}
	}
	t.cancel()
}

// keep renews the leases of what this node runs, and lets go what another has by a newer
// token.
func (c *Cluster) keep(ctx context.Context) error {
	c.mu.Lock()
	var own []*leasedTable
	sure := !c.settled.IsZero() && !time.Now().Before(c.settled)
	for _, t := range c.own {
		if !t.ending && (t.lease.Token > 0 || sure) { // who has a lease comes before who never had one
			own = append(own, t)
		}
	}
	c.mu.Unlock()
	for _, t := range own {
		lease, err := c.cfg.Bus.Hold(ctx, t.lease, ttl)
		switch {
		case errors.Is(err, bus.ErrLost):
			c.cfg.Log.Warn("another node runs a table, by a newer token; this one lets go of it", "table", t.lease.Name)
			c.let(ctx, t, false)
		case err != nil:
			return err
		default:
			c.mu.Lock()
			t.lease = lease
			c.mu.Unlock()
		}
	}
	return nil
}

// take runs what nobody runs and this node is to run.
func (c *Cluster) take(ctx context.Context, now time.Time) error {
	for _, table := range c.wanted(now) {
		lease, err := c.cfg.Bus.Acquire(ctx, table, ttl)
		if errors.Is(err, bus.ErrHeld) { // it is not free: its node has not announced it yet, or ends it
			c.mu.Lock()
			c.free[table] = now
			c.mu.Unlock()
			continue
		}
		if err != nil {
			return err
		}
		c.mu.Lock()
		gone := !slices.Contains(c.cfg.Tables, table) // meanwhile
		if !gone {
			c.begin(ctx, table, lease.Token)
		}
		c.mu.Unlock()
		if gone {
			if err := c.cfg.Bus.Release(ctx, lease); err != nil {
				return err
			}
		}
	}
	return nil
}

// wanted are the tables that this node is to take now, of those that nobody is seen to run.
func (c *Cluster) wanted(now time.Time) (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seeFree(now)
	if !c.cfg.Self.Works() {
		return nil
	}
	var members []Member
	heirs, self := map[string]string{}, 0 // all begins with this node
	for a := range c.all {
		members = append(members, a.Member)
		maps.Copy(heirs, a.Gives)
	}
	for _, table := range c.cfg.Tables {
		since, free := c.free[table]
		if at, failed := c.failed[table]; !free || failed && now.Sub(at) < again {
			continue
		}
		heir, there := heirs[table]
		if !there {
			m, _ := best(table, members)
			heir = m.Name
		}
		if heir == c.cfg.Self.Name || now.Sub(since) >= patience {
			out = append(out, table)
			members[self].Load += tableCost / members[self].Capacity
		}
	}
	return out
}

// seeFree notes since when nobody is seen to run which tables, and reports those that
// nobody takes. The caller holds the mutex.
func (c *Cluster) seeFree(now time.Time) {
	run := map[string]bool{}
	for a := range c.all {
		for _, table := range a.Tables {
			run[table] = true
		}
	}
	for _, table := range c.cfg.Tables {
		_, ending := c.own[table]
		since, known := c.free[table]
		switch {
		case run[table] || ending:
			delete(c.free, table)
			if c.dark[table] {
				c.cfg.Health.Clear(health.TableUnserved, table)
			}
			delete(c.dark, table)
		case !known:
			c.free[table] = now
		case now.Sub(since) >= unserved && !c.dark[table]:
			c.dark[table] = true
			c.cfg.Health.Set(health.TableUnserved, table, table, "no machine runs it; machines that are there: "+c.names())
		}
	}
}

// names are the nodes that are there, with what they are.
func (c *Cluster) names() string {
	var out []string
	for a := range c.all {
		out = append(out, a.Name+" ("+a.Role+")")
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

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
