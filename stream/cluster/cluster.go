// Package cluster knows the members and which of them runs which table. Every
// node announces itself on the bus; tables are placed among those that may run some,
// each under a lease with a fencing token (stream/bus). Without a bus to share, a node is
// alone and runs all tables itself.
//
// What a table saw lies in the ledger of the machine that ran it, so that the bus is never
// what keeps a table going: whoever runs one goes on while Redis is away, and lets go only
// where another with a newer token has it.
package cluster

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"vision/internal/health"
	"vision/stream/bus"
	"vision/validate/room"
)

// The roles of a node.
const (
	Worker  = "worker"  // runs tables
	Console = "console" // is what people reach; runs none
	Both    = "both"
)

// Member is a node as it announces itself.
type Member struct {
	Name     string    `json:"name"`
	Role     string    `json:"role"`
	Address  string    `json:"address"` // of its console, as browsers and other nodes reach it: a URL
	Version  string    `json:"version"`
	Tables   []string  `json:"tables"`   // that it runs, sorted
	Load     float64   `json:"load"`     // share of its processors in use, with what it has just taken
	Capacity float64   `json:"capacity"` // processors
	Since    time.Time `json:"since"`    // when it started
	// Recording is how each of its tables is recorded, where that is known.
	Recording map[string]room.Recording `json:"recording,omitempty"`
}

// Works reports whether a member may run tables.
func (m Member) Works() bool { return m.Role != Console }

// Bus is what a cluster needs of a bus.
type Bus interface {
	Announce(ctx context.Context, kind, id string, info []byte, ttl time.Duration) error
	Leave(ctx context.Context, kind, id string) error
	Present(ctx context.Context, kind string) (map[string][]byte, error)
	Acquire(ctx context.Context, name string, ttl time.Duration) (bus.Lease, error)
	Hold(ctx context.Context, l bus.Lease, ttl time.Duration) (bus.Lease, error)
	Release(ctx context.Context, l bus.Lease) error
}

// Config of a Fleet.
type Config struct {
	Self   Member   // without Tables and Load
	Tables []string // of the cluster: they are the same on every machine
	Bus    Bus      // nil: the node is alone
	ID     string   // identifies this node's data folder among nodes of its name
	// Path is a file in which the node remembers who runs tables, for a start without the bus;
	// "" = it remembers nobody.
	Path string
	// Load is the share of the machine's processors in use, 0 to 1; nil: not measured.
	Load func() float64
	// Run runs a table until ctx ends, and returns when its cameras are free. Where it returns
	// earlier the table cannot be run here: others may try, and this node again after a while.
	Run func(ctx context.Context, t Assignment)
	// Quiet is how long no round has been under way at a table that this node runs; 0 while
	// one is. nil: tables never move while their node works.
	Quiet func(table string) time.Duration
	// Recording is how the recording of a table is that this node runs; nil: it is not announced.
	Recording func(table string) room.Recording
	Health    health.Reporter // nil = nobody is notified
	Log       *slog.Logger
}

// Assignment is the right of a node to run a table now.
type Assignment struct {
	Table string
	From  string // the node that ran it before; "" where no other is known
	Token int64  // of its lease; 0: the node is alone
}

// Cluster is a node's view of all nodes. Its methods may be called by many.
type Cluster struct {
	cfg Config

	mu     sync.Mutex
	others map[string]announcement // by name, as far as they are known to be there
	own    map[string]*leasedTable // by table
	known  []Member                // the workers that were there last, as they are remembered
	last   map[string]string       // who ran a table when it was last seen to be run, by table

	open  bool          // tables may begin: Run works
	awake time.Time     // when it was last asked who runs what
	asked chan struct{} // closed then
	place
}

// announcement is how a node announces itself on the bus.
type announcement struct {
	Member
	ID     string           `json:"id"`
	Tokens map[string]int64 `json:"tokens,omitempty"` // of its leases, by table
	// Gives are the tables that it hands over, and to whom.
	Gives map[string]string `json:"gives,omitempty"`
}

// New makes the cluster of a node; Run lets it take part.
func New(cfg Config) *Cluster {
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	if cfg.Self.Since.IsZero() {
		cfg.Self.Since = time.Now()
	}
	cfg.Self.Role = cmp.Or(cfg.Self.Role, Both)
	cfg.Self.Capacity = cmp.Or(cfg.Self.Capacity, 1)
	if cfg.Load == nil {
		cfg.Load = func() float64 { return 0 }
	}
	if cfg.Health == nil {
		cfg.Health = health.NewBoard(nil)
	}
	f := &Cluster{cfg: cfg, others: map[string]announcement{}, own: map[string]*leasedTable{}, last: map[string]string{},
		asked: make(chan struct{}), place: place{free: map[string]time.Time{}, failed: map[string]time.Time{},
			dark: map[string]bool{}, given: map[string]string{}}}
	f.recall()
	return f
}

// SetTables has other tables in the cluster than before. Those that are gone have ended when it
// returns; those that have come are run, here or elsewhere.
func (c *Cluster) SetTables(ctx context.Context, tables []string) {
	c.mu.Lock()
	var gone []*leasedTable
	for _, table := range c.cfg.Tables {
		if slices.Contains(tables, table) {
			continue
		}
		if t := c.own[table]; t != nil {
			gone = append(gone, t)
		}
		if c.dark[table] {
			c.cfg.Health.Clear(health.TableUnserved, table)
		}
		delete(c.dark, table)
		delete(c.free, table)
		delete(c.failed, table)
	}
	c.cfg.Tables = slices.Clone(tables)
	for _, table := range tables {
		if c.Alone() && c.open && c.own[table] == nil {
			c.begin(ctx, table, 0)
		}
	}
	c.mu.Unlock()
	for _, t := range gone {
		c.let(ctx, t, true)
		<-t.done
	}
}

// Alone reports whether the node has no others beside it: tables are not leased.
func (c *Cluster) Alone() bool { return c.cfg.Bus == nil }

// Self is this node.
func (c *Cluster) Self() Member {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.self().Member
}

// Nodes are all nodes that are there, this one among them, by name. While the bus does not
// answer they are those that were there before.
func (c *Cluster) Nodes() []Member {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := []Member{c.self().Member}
	for _, a := range c.others {
		out = append(out, a.Member)
	}
	slices.SortFunc(out, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Owner is the node that runs a table: of two who announce it, the one with the newer token.
func (c *Cluster) Owner(table string) (Member, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	best, token, found := announcement{}, int64(0), false
	for a := range c.all {
		if t, runs := a.Tokens[table]; runs && (!found || t > token || t == token && a.Name < best.Name) {
			best, token, found = a, t, true
		}
	}
	return best.Member, found
}

// all yields this node and the others.
func (c *Cluster) all(yield func(announcement) bool) {
	if !yield(c.self()) {
		return
	}
	for _, a := range c.others {
		if !yield(a) {
			return
		}
	}
}

// self is what this node announces.
func (c *Cluster) self() announcement {
	a := announcement{Member: c.cfg.Self, ID: c.cfg.ID, Tokens: map[string]int64{}}
	for id, t := range c.own {
		if !t.ending {
			a.Tokens[id] = t.lease.Token
		}
	}
	if c.cfg.Recording != nil {
		a.Recording = map[string]room.Recording{}
		for id := range a.Tokens {
			a.Recording[id] = c.cfg.Recording(id)
		}
	}
	a.Tables = slices.Sorted(maps.Keys(a.Tokens))
	a.Load, a.Gives = c.load(time.Now()), maps.Clone(c.given)
	return a
}
