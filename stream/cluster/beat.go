package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"vision/internal/health"
)

// A node that dies is missed after ttl, and its tables are taken at the next beat or, where
// its heir does not come, after patience: within 10 s by far.
const (
	beat = time.Second
	// ttl is for how long an announcement and a lease hold without being renewed.
	ttl = 4 * time.Second
	// settle is for how long a node takes no table after it has come to others, or the bus has
	// come back: whoever runs one is to announce it first, and who starts at the same time has his
	// part.
	settle = 3 * time.Second
	// patience is for how long a table may be free before any worker takes it: a little less
	// than a beat, so that at the next one all do.
	patience = 900 * time.Millisecond
	// unserved is for how long a table is free before that is reported.
	unserved = 10 * time.Second
	// leaving is for how long the leases of a node that ends hold while its tables end.
	leaving = 15 * time.Second
	// answer is how long the bus may take for one beat.
	answer = 2 * time.Second
)

const kind = "node" // of what is announced on the bus

// errName is of a node whose name another has.
var errName = errors.New("another node has this name")

// Run takes part in the cluster until ctx ends; then it gives its tables back.
func (c *Cluster) Run(ctx context.Context) error {
	defer c.end(context.WithoutCancel(ctx))
	c.mu.Lock()
	c.open = true
	c.mu.Unlock()
	if c.Alone() {
		c.mu.Lock()
		for _, table := range c.cfg.Tables {
			c.begin(ctx, table, 0)
		}
		c.mu.Unlock()
		<-ctx.Done()
		return ctx.Err()
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	first, seen, dark := true, false, time.Now().Add(blind)
	for {
		began := time.Now()
		if err := c.beat(ctx); ctx.Err() == nil {
			c.renewed(began)
			c.report(err)
			seen = seen || err == nil || errors.Is(err, errName)
		}
		if !c.settled.IsZero() && first {
			first = false
			if c.lonely() { // there is nobody to wait for
				c.settled = time.Now()
				continue
			}
		}
		if !seen && !time.Now().Before(dark) {
			c.guess(ctx)
			seen = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// lonely reports whether no other worker is there or is remembered.
func (c *Cluster) lonely() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	other := func(m Member) bool { return m.Works() && m.Name != c.cfg.Self.Name }
	for a := range c.all {
		if other(a.Member) {
			return false
		}
	}
	return !slices.ContainsFunc(c.known, other)
}

// report takes note of how a beat went.
func (c *Cluster) report(err error) {
	switch {
	case err == nil && c.settled.IsZero():
		c.settled = time.Now().Add(settle)
		c.cfg.Log.Info("the cluster is seen", "nodes", len(c.Nodes()))
	case err != nil && !c.settled.IsZero():
		c.cfg.Log.Warn("the cluster is not seen; tables go on where they are", "err", err)
	}
	if err != nil {
		c.settled = time.Time{}
	}
	if errors.Is(err, errName) {
		c.cfg.Health.Set(health.NodeName, "", c.cfg.Self.Name, err.Error())
	} else {
		c.cfg.Health.Clear(health.NodeName, c.cfg.Self.Name)
	}
}

// beat is what is done every second: see who is there, keep what this node runs, take what
// nobody runs, announce what it runs by now.
func (c *Cluster) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	if err := c.look(ctx); err != nil {
		return err
	}
	if err := c.keep(ctx); err != nil {
		return err
	}
	if now := time.Now(); !c.settled.IsZero() && !now.Before(c.settled) {
		if err := c.take(ctx, now); err != nil {
			return err
		}
		c.move(ctx, now)
		c.remember()
	}
	return c.announce(ctx)
}

// look sees who is there.
func (c *Cluster) look(ctx context.Context) error {
	list, err := c.cfg.Bus.Present(ctx, kind)
	if err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	others := map[string]announcement{}
	for name, raw := range list {
		var a announcement
		if err := json.Unmarshal(raw, &a); err != nil || a.Name != name {
			c.cfg.Log.Warn("a node announces itself in a form that this program does not know", "node", name, "err", err)
			continue
		}
		others[name] = a
	}
	if a, same := others[c.cfg.Self.Name]; same && a.ID != c.cfg.ID {
		return fmt.Errorf("fleet: %w: %q, at %s; give each machine its own `node:`", errName, a.Name, a.Address)
	}
	delete(others, c.cfg.Self.Name)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settled.IsZero() || time.Now().Before(c.settled) { // Redis may have forgotten them, and they announce it anew
		known := maps.Clone(c.others)
		maps.Copy(known, others)
		others = known
	}
	c.others = others
	for _, a := range others {
		for _, table := range a.Tables {
			c.last[table] = a.Name
			delete(c.given, table)
		}
	}
	return nil
}

// announce publishes what this node is and runs.
func (c *Cluster) announce(ctx context.Context) error {
	c.mu.Lock()
	self := c.self()
	c.mu.Unlock()
	raw, err := json.Marshal(self)
	if err == nil {
		err = c.cfg.Bus.Announce(ctx, kind, self.Name, raw, ttl)
	}
	if err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	return nil
}

// end leaves the cluster: from then on nobody places tables here; each is given back as soon
// as it has ended.
func (c *Cluster) end(ctx context.Context) {
	if !c.Alone() && !c.settled.IsZero() {
		ctx, cancel := context.WithTimeout(ctx, answer)
		defer cancel()
		if err := c.cfg.Bus.Leave(ctx, kind, c.cfg.Self.Name); err != nil {
			c.cfg.Log.Warn("leaving the cluster", "err", err)
		}
	}
	c.mu.Lock()
	c.open = false
	own := maps.Clone(c.own)
	c.mu.Unlock()
	for _, t := range own {
		c.let(ctx, t, true)
	}
	for _, t := range own {
		<-t.done
	}
}
