package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"vision/stream/bus"
)

var errDown = errors.New("redis does not answer")

// redis is what a Redis remembers, by the rules of stream/bus (which its own tests hold
// against a real one).
type redis struct {
	mu      sync.Mutex
	down    bool
	present map[string]entry
	leases  map[string]entry
	last    map[string]int64
}

type entry struct {
	by    string
	info  []byte
	token int64
	until time.Time
}

func (r *redis) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.present, r.leases, r.last = map[string]entry{}, map[string]entry{}, map[string]int64{}
}

func (h *testCluster) file(name string) string { return filepath.Join(h.dir, name+".json") }

// down has Redis answer nobody, or again.
func (h *testCluster) down(is bool) {
	h.redis.mu.Lock()
	defer h.redis.mu.Unlock()
	h.redis.down = is
}

// wire is a node's way to it.
type wire struct {
	*redis
	holder string
	cut    bool
}

func (w *wire) ask() (unlock func(), err error) {
	w.mu.Lock()
	if w.down || w.cut {
		w.mu.Unlock()
		return nil, errDown
	}
	for _, m := range []map[string]entry{w.present, w.leases} {
		maps.DeleteFunc(m, func(_ string, e entry) bool { return !time.Now().Before(e.until) })
	}
	return w.mu.Unlock, nil
}

func (w *wire) Announce(_ context.Context, _, id string, info []byte, ttl time.Duration) error {
	unlock, err := w.ask()
	if err == nil {
		defer unlock()
		w.present[id] = entry{info: info, until: time.Now().Add(ttl)}
	}
	return err
}

func (w *wire) Leave(_ context.Context, _, id string) error {
	unlock, err := w.ask()
	if err == nil {
		defer unlock()
		delete(w.present, id)
	}
	return err
}

func (w *wire) Present(context.Context, string) (map[string][]byte, error) {
	unlock, err := w.ask()
	if err != nil {
		return nil, err
	}
	defer unlock()
	out := map[string][]byte{}
	for id, e := range w.present {
		out[id] = e.info
	}
	return out, nil
}

func (w *wire) Acquire(ctx context.Context, name string, ttl time.Duration) (bus.Lease, error) {
	l, err := w.Hold(ctx, bus.Lease{Name: name}, ttl)
	if errors.Is(err, bus.ErrLost) {
		err = bus.ErrHeld
	}
	return l, err
}

func (w *wire) Hold(_ context.Context, l bus.Lease, ttl time.Duration) (bus.Lease, error) {
	unlock, err := w.ask()
	if err != nil {
		return l, err
	}
	defer unlock()
	have, held := w.leases[l.Name]
	if held && have.by != w.holder && (l.Token == 0 || have.token >= l.Token) {
		return l, bus.ErrLost
	}
	switch last := w.last[l.Name]; {
	case held && have.by == w.holder && have.token >= l.Token:
		l.Token = have.token
	case l.Token == 0 || l.Token < last:
		l.Token = max(last+1, time.Now().UnixMilli())
	}
	w.last[l.Name] = l.Token
	w.leases[l.Name] = entry{by: w.holder, token: l.Token, until: time.Now().Add(ttl)}
	return l, nil
}

func (w *wire) Release(_ context.Context, l bus.Lease) error {
	unlock, err := w.ask()
	if err == nil {
		defer unlock()
		if w.leases[l.Name].token == l.Token {
			delete(w.leases, l.Name)
		}
	}
	return err
}

// testCluster is a cluster of nodes with one Redis.
type testCluster struct {
	t      *testing.T
	dir    string
	redis  *redis
	tables []string
	nodes  map[string]*node
}

type node struct {
	*Cluster
	wire *wire
	stop func()

	mu     sync.Mutex
	runs   map[string]bool
	from   map[string]string
	begun  int // tables
	load   float64
	quiet  time.Duration
	faults map[string]bool // tables that it cannot run
	slow   time.Duration   // that a table takes to end
	health map[string]bool
	dead   bool
}

func newHouse(t *testing.T, tables []string, names ...string) *testCluster {
	h := &testCluster{t: t, dir: t.TempDir(), redis: &redis{}, tables: tables, nodes: map[string]*node{}}
	h.redis.forget()
	var m memory // they know each other from before
	for _, name := range names {
		m.Workers = append(m.Workers, Member{Name: name, Role: Both, Capacity: 4})
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.WriteFile(h.file(name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		h.start(name, Both, nil)
	}
	t.Cleanup(func() {
		for _, n := range h.nodes {
			n.stop()
		}
	})
	return h
}

func (n *node) Set(code, _, _, _ string) { n.say(code, true) }
func (n *node) Clear(code, _ string)     { n.say(code, false) }
func (n *node) say(code string, on bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.health[code] = on
}

// said reports whether a problem holds.
func (n *node) said(code string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.health[code]
}

func (h *testCluster) start(name, role string, set func(*node)) *node {
	n := &node{wire: &wire{redis: h.redis, holder: name}, runs: map[string]bool{}, from: map[string]string{},
		health: map[string]bool{}}
	if set != nil {
		set(n)
	}
	n.Cluster = New(Config{
		Self:   Member{Name: name, Role: role, Address: "http://" + name, Capacity: 4},
		Tables: h.tables, Bus: n.wire, ID: n.wire.holder, Health: n, Path: h.file(name),
		Load: func() float64 { n.mu.Lock(); defer n.mu.Unlock(); return n.load },
		Run:  n.run,
		Quiet: func(string) time.Duration {
			n.mu.Lock()
			defer n.mu.Unlock()
			return n.quiet
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := n.Run(ctx); !errors.Is(err, context.Canceled) {
			h.t.Error(err)
		}
	}()
	n.stop = sync.OnceFunc(func() { cancel(); <-done })
	h.nodes[n.wire.holder] = n
	return n
}

func (n *node) run(ctx context.Context, turn Assignment) {
	table := turn.Table
	n.mu.Lock()
	if n.faults[table] {
		n.mu.Unlock()
		return
	}
	n.runs[table], n.from[table] = true, turn.From
	n.begun++
	n.mu.Unlock()
	<-ctx.Done()
	time.Sleep(n.slow)
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.runs, table)
}

// kill ends a node as SIGKILL does: it says nothing more, and its cameras are free.
func (h *testCluster) kill(name string) {
	n := h.nodes[name]
	n.wire.mu.Lock()
	n.wire.cut = true
	n.wire.mu.Unlock()
	n.mu.Lock()
	n.dead = true
	n.mu.Unlock()
	n.stop()
}

// running is who runs each table, by name: all who do, joined.
func (h *testCluster) running() map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(h.nodes)) {
		n := h.nodes[name]
		n.mu.Lock()
		for table := range n.runs {
			if !n.dead {
				out[table] += name
			}
		}
		n.mu.Unlock()
	}
	return out
}

// whole fails where a table is run by nobody or by two.
func (h *testCluster) whole(when string) map[string]string {
	h.t.Helper()
	out := h.running()
	for _, table := range h.tables {
		if _, one := h.nodes[out[table]]; !one {
			h.t.Fatalf("%s: %s is run by %q", when, table, out[table])
		}
	}
	return out
}

// pass lets time go by; all the while no table may be run by two.
func (h *testCluster) pass(d time.Duration) {
	h.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(min(d/20, time.Second)) {
		for table, by := range h.running() {
			if h.nodes[by] == nil {
				h.t.Fatalf("%s is run by %q", table, by)
			}
		}
	}
}

func of(running map[string]string, name string) (out []string) {
	for table, by := range running {
		if by == name {
			out = append(out, table)
		}
	}
	slices.Sort(out)
	return out
}

func (h *testCluster) same(when string, before map[string]string) {
	h.t.Helper()
	if now := h.whole(when); !maps.Equal(now, before) {
		h.t.Fatalf("%s: tables moved\nbefore %v\nnow    %v", when, before, now)
	}
}
