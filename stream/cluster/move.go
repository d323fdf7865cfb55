package cluster

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vision/internal/health"
)

const (
	// strained is for how long a worker is over its capacity before it hands a table over.
	strained = time.Minute
	// asleep is for how long nobody has played at a table that moves for balance alone.
	asleep = 15 * time.Minute
	// pause is the time between two tables that one worker hands over.
	pause = time.Minute
)

// move hands a table over, at most one in a pause. A worker that has been over its capacity
// for a while gives one away between two rounds, to another that has room: a gap between
// rounds is less than pictures that are not read. Otherwise only tables at which nobody
// plays move, so that after a failure, or when machines were switched on one after the other,
// they spread out again by the next day; and only where they then are spread better.
func (c *Cluster) move(ctx context.Context, now time.Time) {
	self := c.Self()
	load := 0.0
	if c.cfg.Load != nil {
		load = c.cfg.Load()
	}
	if load <= full {
		c.over = time.Time{}
	} else if c.over.IsZero() {
		c.over = now
	}
	over := !c.over.IsZero() && now.Sub(c.over) >= strained
	var spacious []Member
	for _, m := range c.Nodes() {
		if m.Name != self.Name && m.Works() && hasRoom(m) {
			spacious = append(spacious, m)
		}
	}
	c.full(over && len(spacious) == 0, load)
	if c.cfg.Quiet == nil || now.Sub(c.moved) < pause {
		return
	}
	quiet := time.Duration(1)
	if !over {
		quiet = asleep
		spacious = slices.DeleteFunc(spacious, func(m Member) bool { return !better(self, m) })
	}
	for _, table := range self.Tables {
		heir, ok := best(table, spacious)
		if !ok || c.cfg.Quiet(table) < quiet {
			continue
		}
		c.mu.Lock()
		t := c.own[table]
		stays := t == nil || t.ending || now.Sub(t.began) < young
		if !stays {
			c.given[table] = heir.Name
		}
		c.mu.Unlock()
		if stays {
			continue
		}
		c.moved = now
		c.cfg.Log.Info("a table is handed over", "table", table, "to", heir.Name, "load", load)
		c.let(ctx, t, true)
		return
	}
}

// better reports whether tables are spread better when one moves from a worker to another:
// also afterwards the other has fewer a processor than the one had.
func better(from, to Member) bool {
	return float64(len(to.Tables)+1)/to.Capacity < float64(len(from.Tables))/from.Capacity
}

// full reports that nobody has room for what this node has too much.
func (c *Cluster) full(is bool, load float64) {
	if is {
		c.cfg.Health.Set(health.NodeFull, "", c.cfg.Self.Name,
			fmt.Sprintf("%s uses %.0f %% of its processors, and no other machine has room for a table", c.cfg.Self.Name, 100*load))
	} else {
		c.cfg.Health.Clear(health.NodeFull, c.cfg.Self.Name)
	}
}
