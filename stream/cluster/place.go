package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"time"

	"vision/internal/durable"
	"vision/internal/health"
)

// Placement. A table that nobody runs goes to the worker with the highest random weight
// (Thaler and Ravishankar, "Using name-based mappings to increase hit rates", 1998), weighted
// by the room that each has left (Schindelhauer and Schomaker, "Weighted distributed hash
// tables", 2005): all nodes come to the same answer without asking each other, and a node
// more or less changes the places of few tables.
//
// A table that is run stays where it is, also when a node comes back: every move is a gap in
// what was seen. When it moves all the same: see move.

const (
	// full is the load from which a worker takes no more while another has room.
	full = 0.85
	// tableCost is what a table takes of a processor until that is measured, in processors: a
	// quarter, by docs/performance.md (four tables and four viewers take about one core).
	tableCost = 0.25
	// young is for how long what a table takes is not in the measured load yet.
	young = 15 * time.Second
)

// place is what a node needs for the placing of tables.
type place struct {
	free    map[string]time.Time // since when nobody is seen to run a table
	failed  map[string]time.Time // when a table could not be run here
	dark    map[string]bool      // tables of which it is reported that nobody runs them
	given   map[string]string    // to whom this node hands a table over, until somebody runs it
	settled time.Time            // from when on tables are taken; zero while the bus does not answer
	over    time.Time            // since when the load is over full; zero: it is not
	moved   time.Time            // when a table was handed over last
}

// weight is the room that a worker has left, in processors; a little where it has none, so
// that tables are placed somewhere when nobody has.
func weight(m Member) float64 { return m.Capacity * max(full-m.Load, 0.01) }

// hasRoom reports whether a worker takes one table more while it may refuse.
func hasRoom(m Member) bool { return m.Load+tableCost/m.Capacity <= full }

// score is the random weight of a worker for a table: the greatest has it. For weights w the
// share of tables of each worker is w over the sum of all.
func score(table string, m Member) float64 {
	sum := sha256.Sum256([]byte(table + "\x00" + m.Name))
	u := (float64(binary.BigEndian.Uint64(sum[:])>>11) + 0.5) / (1 << 53) // in (0, 1)
	return -weight(m) / math.Log(u)
}

// best is who is to run a table, of these; false where none of them may. Workers without
// room are asked only where all are.
func best(table string, members []Member) (Member, bool) {
	var out Member
	found, top, roomy := false, 0.0, false
	for _, m := range members {
		if !m.Works() {
			continue
		}
		s, has := score(table, m), hasRoom(m)
		if !found || has && !roomy || has == roomy && s > top {
			out, found, top, roomy = m, true, s, has
		}
	}
	return out, found
}

// load is the share of this node's processors in use, as measured, with what the tables
// will take that it has only just taken.
func (c *Cluster) load(now time.Time) (share float64) {
	share = c.cfg.Load()
	for _, t := range c.own {
		if now.Sub(t.began) < young {
			share += tableCost / c.cfg.Self.Capacity
		}
	}
	return share
}

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
	load := c.cfg.Load()
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
