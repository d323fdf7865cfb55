package alert_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"vision/internal/testkit/redistest"
	"vision/stream/alert"
	"vision/stream/bus"
	"vision/stream/statestore"
)

// A master dies with writes that its replica does not have; Sentinel makes the replica the master.
// Machines go on, what was lost is told again, every step reaches every console once, and the
// lease of a table stays with whoever had it last, by a newer token.
func TestAFailoverThatLosesWrites(t *testing.T) {
	s := redistest.NewSentinel(t)
	all := []*console{newConsole(t, s.URL(), "a"), newConsole(t, s.URL(), "b"), newConsole(t, s.URL(), "c")}
	want := map[string][]alert.State{}
	raise := func(from, to int) {
		for n := from; n < to; n++ {
			id := fmt.Sprint("BJ1/", n)
			want[id] = []alert.State{alert.Open}
			err := all[n%3].desk.Raise(t.Context(), alert.Alert{ID: id, Table: "BJ1", Code: "late_bet", Severity: "major"})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	resolve := func(n int) {
		id := fmt.Sprint("BJ1/", n)
		want[id] = append(want[id], alert.Over)
		if err := all[n%3].desk.Resolve(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	shown := func(what string) { shownBy(t, what, all, want) }
	first, second := lessee(t, s.URL(), "first"), lessee(t, s.URL(), "second")
	old, err := first.Acquire(t.Context(), "BJ1", 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	raise(0, 20)
	shown("what was raised before")
	var lease bus.Lease
	s.FailOver(func() {
		raise(20, 30)
		for n := range 5 {
			resolve(n)
		}
		shown("what will be lost")
		if err := first.Release(t.Context(), old); err != nil {
			t.Error(err)
		}
		if lease, err = second.Acquire(t.Context(), "BJ1", 30*time.Second); err != nil {
			t.Error(err)
		}
	})
	raise(30, 40) // Redis may not be reached again yet
	for n := 5; n < 10; n++ {
		resolve(n)
	}
	shown("everything")
	redistest.Until(t, "the new master has all again", func() bool {
		stamps, err := second.Stamps(t.Context(), statestore.Book)
		return err == nil && len(stamps) == len(want)
	})
	for _, c := range all {
		for id, steps := range want {
			if !slices.Equal(c.order[id], steps) {
				t.Errorf("%s at %s: %v, want %v", id, c.name, c.order[id], steps)
			}
		}
	}
	redistest.Until(t, "the lease is held", func() bool {
		l, err := second.Hold(t.Context(), lease, 30*time.Second)
		if err == nil && l.Token < lease.Token {
			t.Errorf("its token fell from %d to %d", lease.Token, l.Token)
		}
		return err == nil
	})
	if _, err := first.Hold(t.Context(), old, 30*time.Second); !errors.Is(err, bus.ErrLost) {
		t.Errorf("who had it before the one before: %v", err)
	}
}

// lessee is a machine that may hold leases.
func lessee(t *testing.T, url, name string) *bus.Bus {
	t.Helper()
	b, err := bus.Open(bus.Options{URL: url, Node: name, Holder: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}
