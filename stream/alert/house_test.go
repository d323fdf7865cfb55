package alert_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"vision/internal/testkit/redistest"
	"vision/stream/alert"
	"vision/stream/bus"
	"vision/stream/statestore"
)

// console is a machine of a house: its desk, its ledger, and what its people were shown.
type console struct {
	name  string
	desk  *alert.Desk
	share *statestore.Store
	stop  func()

	mu     sync.Mutex
	shown  map[string]int // by alert and state
	order  map[string][]alert.State
	ledger map[string]int // by alert and state, of its own alerts
}

func (c *console) Append(_ context.Context, _, _ string, payload any) error {
	raw, err := json.Marshal(payload)
	var s struct{ ID, State string }
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ledger[s.ID+" "+s.State]++
	return err
}

func (c *console) see(a alert.Alert) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown[a.ID+" "+string(a.State())]++
	c.order[a.ID] = append(c.order[a.ID], a.State())
}

func newConsole(t *testing.T, url, name string) *console {
	t.Helper()
	c := &console{name: name, shown: map[string]int{}, order: map[string][]alert.State{}, ledger: map[string]int{}}
	b, err := bus.Open(bus.Options{URL: url, Node: name})
	if err != nil {
		t.Fatal(err)
	}
	if c.share, err = statestore.Open(statestore.Config{
		Bus: b, Node: name, Pause: 10 * time.Millisecond, Review: 300 * time.Millisecond,
	}); err != nil {
		t.Fatal(err)
	}
	c.desk = alert.NewDesk(alert.Config{Node: name, Ledger: c, Merged: c.see, Show: func(a alert.Alert) {
		c.see(a)
		raw, _ := json.Marshal(a)
		if _, err := c.share.Set("", "alert/"+a.ID, raw, time.Time{}); err != nil {
			t.Error(err)
		}
	}})
	take := func(r statestore.Record) error {
		a, _, err := statestore.Value[alert.Alert](r)
		if err != nil {
			return err
		}
		return c.desk.Merge(t.Context(), a)
	}
	kind := statestore.Kind{Passing: true, Merge: alert.JoinRaw, Apply: take}
	if err := c.share.Register("alert", kind); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { _ = c.share.Run(ctx) })
	c.stop = sync.OnceFunc(func() { cancel(); run.Wait(); _ = b.Close() })
	t.Cleanup(c.stop)
	return c
}

// shownBy waits until every console has shown as many steps of each alert.
func shownBy(t *testing.T, what string, all []*console, steps map[string][]alert.State) {
	t.Helper()
	for _, c := range all {
		redistest.Until(t, what+" at "+c.name, func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			for id, want := range steps {
				if len(c.order[id]) < len(want) {
					return false
				}
			}
			return true
		})
	}
}

// Whatever happens to Redis, every step of an alert reaches every console once and in
// order, and is once in the ledger of the machine that raised it.
func TestEveryStepReachesEveryConsoleOnce(t *testing.T) {
	r := redistest.New(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 2))
	all := []*console{newConsole(t, r.URL(), "a"), newConsole(t, r.URL(), "b"), newConsole(t, r.URL(), "c")}
	owner, steps := map[string]*console{}, map[string][]alert.State{}
	up := true
	for n := range 150 {
		c := all[rnd.IntN(len(all))]
		id := fmt.Sprint("BJ1/", n)
		for some := range steps {
			if rnd.IntN(3) > 0 {
				id = some
			}
			break
		}
		at := steps[id]
		var err error
		switch x := rnd.IntN(12); {
		case x == 0 && up:
			r.Stop()
			up = false
		case x < 4 && !up:
			if x == 1 {
				r.Empty()
			}
			r.Start()
			up = true
		case at == nil:
			owner[id], steps[id] = c, []alert.State{alert.Open}
			err = c.desk.Raise(t.Context(), alert.Alert{ID: id, Table: "BJ1", Code: "late_bet", Severity: "major"})
		case len(at) == 1: // by the machine that raised it
			steps[id] = append(at, alert.Over)
			err = owner[id].desk.Resolve(t.Context(), id)
		case len(at) == 2: // at any console that knows of it
			if a, get := c.desk.Get(id); get == nil && !a.Resolved.IsZero() {
				steps[id] = append(at, alert.Acknowledged)
				_, err = c.desk.Acknowledge(t.Context(), id, c.name, alert.Noted, "")
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !up {
		r.Start()
	}
	shownBy(t, "all steps", all, steps)
	for id, want := range steps {
		for _, c := range all {
			if got := fmt.Sprint(c.order[id]); got != fmt.Sprint(want) {
				t.Errorf("%s at %s: %v, want %v", id, c.name, got, want)
			}
		}
		for _, s := range want {
			o := owner[id]
			redistest.Until(t, "the ledger", func() bool { o.mu.Lock(); defer o.mu.Unlock(); return o.ledger[id+" "+string(s)] > 0 })
			if n := o.ledger[id+" "+string(s)]; n != 1 {
				t.Errorf("%s %s is %d times in the ledger of %s", id, s, n, o.name)
			}
		}
	}
}
