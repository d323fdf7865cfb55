package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"vision/internal/health"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Nodes that come together spread the tables; all see the same.
func TestTablesAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(12), "a", "b", "c")
		console := h.start("desk", Console, nil)
		h.pass(8 * time.Second)
		running := h.whole("at the start")
		for _, name := range []string{"a", "b", "c"} {
			if len(of(running, name)) == 0 {
				t.Errorf("%s runs nothing: %v", name, running)
			}
		}
		for _, n := range h.nodes {
			var names []string
			for _, m := range n.Nodes() {
				names = append(names, m.Name)
				if !slices.Equal(m.Tables, of(running, m.Name)) {
					t.Errorf("%s is said to run %v, runs %v", m.Name, m.Tables, of(running, m.Name))
				}
			}
			if !slices.Equal(names, []string{"a", "b", "c", "desk"}) {
				t.Errorf("nodes %v", names)
			}
			for table, by := range running {
				if m, ok := n.Owner(table); !ok || m.Name != by || m.Address != "http://"+by {
					t.Errorf("%s's owner %+v %v, want %s", table, m, ok, by)
				}
			}
		}
		if _, ok := console.Owner("T999"); ok || len(console.Self().Tables) != 0 {
			t.Error("somebody runs what is not there, or the console runs a table")
		}
	})
}

// A worker that has never seen another has all tables at once.
func TestALonelyWorkerDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(9), "a")
		h.start("desk", Console, nil)
		h.pass(300 * time.Millisecond)
		h.whole("at once")
	})
}

// A node that is killed is replaced within 10 s, and nothing moves when it comes back.
func TestAKilledNodesTablesAreTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(9), "a", "b", "c")
		h.pass(8 * time.Second)
		before := h.whole("at the start")
		h.kill("b")
		at := time.Now()
		for len(h.running()) < len(h.tables) {
			h.pass(100 * time.Millisecond)
			if time.Since(at) > 7*time.Second {
				t.Fatalf("after %v only %v run", time.Since(at), h.running())
			}
		}
		after := h.whole("after the kill")
		for table, by := range before {
			if by != "b" && after[table] != by {
				t.Errorf("%s went from %s to %s", table, by, after[table])
			}
			if n := h.nodes[after[table]]; by == "b" && n.from[table] != "b" {
				t.Errorf("%s is not known to come from b: %q", table, n.from[table])
			}
		}
		h.start("b", Both, nil)
		h.pass(time.Minute)
		h.same("b is back", after)
	})
}

// A node that is told to end gives its tables back: others have them within two seconds of
// their end, and not before.
func TestOrderlyEnd(t *testing.T) {
	for _, slow := range []time.Duration{0, 6 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t, tables(9), "a", "c")
			h.start("b", Both, func(n *node) { n.slow = slow })
			h.pass(8 * time.Second)
			h.whole("at the start")
			go h.nodes["b"].stop()
			h.pass(slow + 2100*time.Millisecond)
			if after := h.whole("b has ended"); len(of(after, "b")) > 0 {
				t.Errorf("b runs %v", of(after, "b"))
			}
		})
	}
}

// While Redis is away, and when it comes back with or without what it knew, nothing moves.
func TestRedisAway(t *testing.T) {
	for _, empty := range []bool{false, true} {
		for _, away := range []time.Duration{2 * time.Second, time.Minute} {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t, tables(9), "a", "b", "c")
				h.pass(8 * time.Second)
				before := h.whole("at the start")
				h.down(true)
				h.pass(away)
				h.same("redis is away", before)
				if m, ok := h.nodes["a"].Owner(of(before, "b")[0]); !ok || m.Name != "b" {
					t.Errorf("the owner is forgotten: %+v %v", m, ok)
				}
				if empty {
					h.redis.forget()
				}
				h.down(false)
				h.pass(20 * time.Second)
				h.same("redis is back", before)
				for name, n := range h.nodes {
					if n.begun != len(of(before, name)) {
						t.Errorf("%s began %d times", name, n.begun)
					}
				}
				h.kill("a")
				h.pass(8 * time.Second)
				h.whole("the leases hold again")
			})
		}
	}
}

// When the whole house starts without Redis each table is run by one node, as the nodes
// remember each other, and stays there when Redis is back.
func TestAStartWithoutRedis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(9), "a", "b", "c")
		h.pass(8 * time.Second)
		for _, name := range []string{"a", "b", "c"} {
			h.kill(name)
		}
		h.redis.forget()
		h.down(true)
		for _, name := range []string{"a", "b", "c"} {
			h.start(name, Both, nil)
		}
		h.pass(12 * time.Second)
		before := h.whole("without Redis")
		h.down(false)
		h.pass(20 * time.Second)
		h.same("with Redis", before)
		for _, n := range h.nodes {
			n.Cluster.mu.Lock()
			tokens := n.self().Tokens
			n.Cluster.mu.Unlock()
			for table, token := range tokens {
				if token == 0 {
					t.Errorf("%s has no token", table)
				}
			}
		}
	})
}

// A node that starts while Redis is away runs tables beside those who run them, and lets go
// when Redis is back, also where that has forgotten who had the leases.
func TestAStartBesideOthers(t *testing.T) {
	for _, empty := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t, tables(9), "a", "b")
			h.pass(8 * time.Second)
			h.kill("b")
			h.pass(8 * time.Second)
			before := h.whole("a has all")
			h.down(true)
			b := h.start("b", Both, nil)
			time.Sleep(12 * time.Second)
			if len(b.Self().Tables) == 0 {
				t.Fatal("b remembers nothing")
			}
			if empty {
				h.redis.forget()
			}
			h.down(false)
			time.Sleep(6 * time.Second)
			h.same("with Redis", before)
		})
	}
}

// A node that alone does not reach Redis goes on beside its heir, and lets go when it is
// back: the newer token stays.
func TestSplit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(6), "a", "b")
		h.pass(8 * time.Second)
		before := h.whole("at the start")
		wire := h.nodes["a"].wire
		cut := func(is bool) {
			wire.mu.Lock()
			defer wire.mu.Unlock()
			wire.cut = is
		}
		cut(true)
		time.Sleep(10 * time.Second)
		both := h.running()
		for table, by := range before {
			if want := map[string]string{"a": "ab", "b": "b"}[by]; both[table] != want {
				t.Errorf("%s is run by %q, want %q", table, both[table], want)
			}
		}
		for _, empty := range []bool{false, true} {
			cut(false)
			if empty {
				h.redis.forget()
			}
			time.Sleep(1500 * time.Millisecond)
			if after := h.whole("back"); len(of(after, "b")) != len(h.tables) {
				t.Fatalf("b let go: %v", after)
			}
			for _, n := range h.nodes {
				if m, _ := n.Owner(h.tables[0]); m.Name != "b" {
					t.Errorf("owner %s", m.Name)
				}
			}
		}
	})
}

// Two machines of one name: the second does not join, and says so.
func TestOneName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(3), "a")
		h.pass(6 * time.Second)
		before := h.whole("at the start")
		twin := h.start("a", Both, func(n *node) { n.wire.holder = "other" })
		h.pass(10 * time.Second)
		h.same("with the twin", before)
		if !twin.said(health.NodeName) || h.nodes["a"].said(health.NodeName) {
			t.Error("it is not said, or by the wrong one")
		}
		h.nodes["a"].stop()
		h.pass(6 * time.Second)
		if twin.said(health.NodeName) || len(of(h.whole("alone"), "other")) != 3 {
			t.Error("the twin does not follow")
		}
	})
}

// What cannot be run on one node is run on another.
func TestATableThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(6))
		bad := map[string]bool{}
		for _, table := range h.tables {
			bad[table] = true
		}
		h.start("a", Both, func(n *node) { n.faults = bad })
		h.start("b", Both, nil)
		h.pass(12 * time.Second)
		if r := h.whole("one cannot"); len(of(r, "b")) != 6 {
			t.Errorf("%v", r)
		}
	})
}

// Where only consoles are, it is said that nobody runs the tables, until somebody does.
func TestNobodyRunsTheTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(2))
		desk := h.start("desk", Console, nil)
		h.pass(9 * time.Second)
		if desk.said(health.TableUnserved) {
			t.Error("it is said too soon")
		}
		h.pass(6 * time.Second)
		if !desk.said(health.TableUnserved) {
			t.Error("it is not said")
		}
		h.start("a", Worker, nil)
		h.pass(6 * time.Second)
		h.whole("a worker is there")
		if desk.said(health.TableUnserved) {
			t.Error("it is still said")
		}
	})
}

// A worker over its capacity takes no more, and hands tables over between rounds, one a
// minute, until it is not.
func TestAStrainedWorkerHandsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(6), "a")
		a := h.nodes["a"]
		h.pass(30 * time.Second)
		load := func(l float64, quiet time.Duration) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.load, a.quiet = l, quiet
		}
		load(0.95, 0)
		h.pass(5 * time.Minute)
		if !a.said(health.NodeFull) {
			t.Error("nobody has room, and it is not said")
		}
		h.start("b", Both, nil)
		h.pass(5 * time.Minute)
		if r := h.whole("rounds are under way"); len(of(r, "b")) > 0 {
			t.Fatalf("a table moved within a round: %v", r)
		}
		if a.said(health.NodeFull) {
			t.Error("there is room by now")
		}
		load(0.95, time.Second)
		h.pass(150 * time.Second)
		if n := len(of(h.whole("strained"), "b")); n < 2 || n > 3 {
			t.Errorf("%d tables were handed over in two and a half minutes", n)
		}
		load(0.5, time.Second)
		h.pass(10 * time.Second)
		before := h.whole("at ease")
		h.pass(10 * time.Minute)
		h.same("at ease", before)
	})
}

// Tables at which nobody plays spread out again, and then stay.
func TestSleepingTablesSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, tables(7), "a")
		h.pass(time.Minute)
		for _, name := range []string{"b", "c"} {
			h.start(name, Both, nil)
		}
		sleep := func(d time.Duration) {
			for _, n := range h.nodes {
				n.mu.Lock()
				n.quiet = d
				n.mu.Unlock()
			}
		}
		sleep(asleep - time.Second)
		h.pass(3 * time.Minute)
		if r := h.whole("somebody may play"); len(of(r, "a")) != 7 {
			t.Fatalf("%v", r)
		}
		sleep(asleep)
		h.pass(15 * time.Minute)
		before := h.whole("asleep")
		for _, name := range []string{"a", "b", "c"} {
			if n := len(of(before, name)); n < 2 || n > 3 {
				t.Errorf("%s has %d", name, n)
			}
		}
		h.pass(15 * time.Minute)
		h.same("asleep", before)
	})
}

// Without a bus a node runs all tables, and ends them at its end.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &node{runs: map[string]bool{}, from: map[string]string{}}
		f := New(Config{Self: Member{Name: "a"}, Tables: tables(3), Run: n.run})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- f.Run(ctx) }()
		synctest.Wait()
		if m, ok := f.Owner("T002"); !ok || m.Name != "a" || len(n.runs) != 3 || !f.Alone() || len(f.Nodes()) != 1 {
			t.Errorf("%+v %v, runs %v", m, ok, n.runs)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || len(n.runs) != 0 {
			t.Errorf("%v, runs %v", err, n.runs)
		}
	})
}

func Example() {
	f := New(Config{Self: Member{Name: "sala-1"}, Tables: []string{"BJ1"}})
	fmt.Println(f.Self().Name, f.Alone())
	_, run := f.Owner("BJ1")
	fmt.Println(run)
	// Output:
	// sala-1 true
	// false
}
