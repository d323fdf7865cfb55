package node

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"vision/internal/testkit/porttest"
	"vision/stream/bus"
	"vision/stream/cluster"
	"vision/stream/ledger"
	"vision/stream/verify"
)

// machines are nodes in processes of their own, with one Redis and one configuration but for
// what is a machine's own.
type machines struct {
	*house
	redis string
	extra string // further lines of their configuration
	nodes map[string]*machine
	watch *cluster.Cluster // a console that sees what the others announce
}

type machine struct {
	*process
	addr string
	data string
}

func newMachines(t *testing.T, redis string, tables int) *machines {
	m := &machines{house: newHouse(t, "redis: "+redis), redis: redis, nodes: map[string]*machine{}}
	for i := range tables {
		m.seat(fmt.Sprintf("R%d", i+1), fmt.Sprintf("cam%d", i+1), "")
	}
	b, err := bus.Open(bus.Options{URL: redis, Node: "watch", Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	m.watch = cluster.New(cluster.Config{Self: cluster.Member{Name: "watch", Role: cluster.Console}, Bus: b, Log: quiet()})
	done := make(chan struct{})
	ctx := t.Context()
	go func() { defer close(done); _ = m.watch.Run(ctx) }()
	t.Cleanup(func() { <-done })
	return m
}

// start runs a machine.
func (m *machines) start(name string) *machine {
	m.t.Helper()
	x := m.nodes[name]
	if x == nil {
		x = &machine{addr: porttest.Address(m.t), data: "data-" + name}
		m.nodes[name] = x
	}
	whole := m.yaml.String()
	own := strings.Replace(strings.Replace(whole, "listen: "+m.house.addr, "listen: "+x.addr, 1), "data: data\n",
		"node: "+name+"\ndata: "+x.data+"\n"+m.extra, 1)
	path := filepath.Join(m.dir, name+".yaml")
	if err := os.WriteFile(path, []byte(own), 0o600); err != nil {
		m.t.Fatal(err)
	}
	x.process = m.process(path)
	return x
}

// owners are who runs each table, by the watching console.
func (m *machines) owners() map[string]string {
	out := map[string]string{}
	for _, x := range m.watch.Nodes() {
		for _, table := range x.Tables {
			out[table] += x.Name
		}
	}
	return out
}

// served waits until a table's pictures come from a machine, and reports how long that took.
func (m *machines) served(by string, tables ...string) time.Duration {
	m.t.Helper()
	return m.await(fmt.Sprintf("%v on %s", tables, by), func() bool {
		o := m.owners()
		return !slices.ContainsFunc(tables, func(t string) bool { return o[t] != by || !m.recorded(by, t) })
	})
}

// recorded reports whether a machine records a table now.
func (m *machines) recorded(by, table string) bool {
	x, ok := m.watch.Owner(table)
	return ok && x.Name == by && x.Recording[table] == "ok"
}

func (m *machines) at(name string) { m.addr = m.nodes[name].addr }

// A machine is killed: within ten seconds its tables are recorded by the other, which goes on
// with their sessions, and stays with them when the first is back. One that is told to end
// hands its tables over at once. While Redis is away, and when it comes back with nothing,
// tables stay where they are.
func TestTablesMoveBetweenMachines(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: runs two machines for half a minute")
	}
	url, startRedis, stopRedis := redisServer(t, false)
	m := newMachines(t, url, 3)
	m.start("sala-1")
	m.start("sala-2")
	var before map[string]string
	m.await("all tables are recorded", func() bool {
		before = m.owners()
		n := 0
		for table, by := range before {
			if m.recorded(by, table) {
				n++
			}
		}
		return n == 3
	})
	dead, heir := before["R1"], "sala-1"
	if dead == heir {
		heir = "sala-2"
	}
	m.at(dead)
	m.login()
	open := map[string]any{"event": map[string]any{"type": "open", "limits": map[string]any{"min": 500, "max": 10000}}}
	if code := m.call(http.MethodPost, "/api/v1/tables/R1/session", open, nil); code != http.StatusOK {
		t.Fatalf("opening R1: %d", code)
	}
	time.Sleep(300 * time.Millisecond) // longer than it takes to be told
	m.nodes[dead].kill()
	all := []string{"R1", "R2", "R3"}
	took := m.served(heir, all...)
	t.Logf("taken over and recorded after %v", took.Round(time.Millisecond))
	if took > 10*time.Second {
		slow(t, "it took %v", took)
	}
	m.at(heir)
	m.login()
	var session struct {
		Open  bool
		Steps []struct{ By string }
	}
	if code := m.call(http.MethodGet, "/api/v1/tables/R1/session", nil, &session); code != http.StatusOK || !session.Open ||
		session.Steps[0].By != user {
		t.Errorf("R1's session: %d %+v", code, session)
	}
	if p := m.problem("table_taken", "R1"); p == nil || !strings.Contains(p.Detail, "from "+dead) ||
		!strings.Contains(p.Detail, "its session goes on") {
		t.Errorf("it is said as %+v", p)
	}

	m.start(dead)
	m.await("it is back", func() bool { return len(m.watch.Nodes()) == 3 })
	stopRedis()
	m.await("the missing Redis is named", func() bool { return m.problem("bus_down", "redis") != nil })
	startRedis()
	m.await("Redis is back", func() bool { return m.problem("bus_down", "redis") == nil })
	m.served(heir, all...)

	began := time.Now()
	m.nodes[heir].end(t)
	m.served(dead, all...)
	t.Logf("handed over and recorded after %v", time.Since(began).Round(time.Millisecond))
	m.nodes[dead].end(t)

	first, second := m.taken(dead), m.taken(heir)
	if a, b := first["R1"], second["R1"]; len(a) != 2 || len(b) != 1 || a[0] >= b[0] || b[0] >= a[1] {
		t.Errorf("R1 was taken by %s with %v, by %s with %v", dead, a, heir, b)
	}
}

// end tells a machine to end and waits for it.
func (x *machine) end(t *testing.T) {
	t.Helper()
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-x.done:
		x.done <- err
		if err != nil {
			t.Errorf("the end: %v", err)
		}
	case <-time.After(hung):
		t.Fatal("it does not end")
	}
}

// taken are the tokens with which a machine has taken tables, by its ledger, which verifies.
func (m *machines) taken(name string) map[string][]int64 {
	m.t.Helper()
	dir := filepath.Join(m.dir, m.nodes[name].data)
	if r, err := verify.Dir(dir, verify.Options{}); err != nil || !r.OK {
		m.t.Errorf("%s: %v %+v", name, err, r)
	}
	out := map[string][]int64{}
	for e, err := range ledger.Read(filepath.Join(dir, "ledger"), 0) {
		if err != nil {
			m.t.Fatal(err)
		}
		var r ran
		if e.Kind == ledger.Node && json.Unmarshal(e.Payload, &r) == nil && r.Action == ledger.Taken {
			out[e.Table] = append(out[e.Table], r.Token)
		}
	}
	return out
}
