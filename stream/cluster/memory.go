package cluster

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"vision/internal/durable"
)

// A node that is started while the bus does not answer cannot know who runs what: the whole
// cluster may have been without power, and a table must not be dark because Redis is. So each
// node remembers which workers there were; after a while without the bus it runs those
// tables that would be placed here among them. Whoever runs one already goes on beside it,
// until the bus answers: then the one with a token stays.

// blind is how long a node that has just started waits for the bus.
const blind = 10 * time.Second

// memory is the file.
type memory struct {
	Workers []Member `json:"workers"`
}

// recall reads the file. One that cannot be read is of no use, and is written anew.
func (c *Cluster) recall() {
	if c.cfg.Path == "" {
		return
	}
	var m memory
	if err := durable.ReadJSON(c.cfg.Path, &m); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.cfg.Log.Warn("who runs tables is not remembered", "file", c.cfg.Path, "err", err)
	}
	c.known = m.Workers
}

// remember writes which workers are there, when that has changed.
func (c *Cluster) remember() {
	c.mu.Lock()
	var workers []Member
	for a := range c.all {
		if a.Works() {
			workers = append(workers, Member{Name: a.Name, Role: a.Role, Capacity: a.Capacity})
		}
	}
	slices.SortFunc(workers, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	same := slices.EqualFunc(workers, c.known, func(a, b Member) bool {
		return a.Name == b.Name && a.Role == b.Role && a.Capacity == b.Capacity
	})
	c.known = workers
	c.mu.Unlock()
	if same || c.cfg.Path == "" {
		return
	}
	if err := durable.WriteJSON(c.cfg.Path, memory{workers}); err != nil {
		c.cfg.Log.Warn("who runs tables is not remembered", "file", c.cfg.Path, "err", err)
	}
}

// guess runs the tables that would be placed here, without a lease, among the workers that
// are remembered; once, in a node that has waited for the bus from its start.
func (c *Cluster) guess(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.cfg.Self.Works() {
		return
	}
	workers := []Member{c.cfg.Self}
	for _, m := range c.known {
		if m.Name != c.cfg.Self.Name {
			workers = append(workers, m)
		}
	}
	for _, table := range c.cfg.Tables {
		if m, _ := best(table, workers); m.Name == c.cfg.Self.Name {
			c.cfg.Log.Warn("a table is run without the bus: another node may run it, too", "table", table)
			c.begin(ctx, table, 0)
		}
	}
}
