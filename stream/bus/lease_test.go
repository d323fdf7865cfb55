package bus

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"vision/internal/testkit/redistest"
)

func acquired(t *testing.T, b *Bus, name string, ttl time.Duration) Lease {
	t.Helper()
	l, err := b.Acquire(t.Context(), name, ttl)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLeases(t *testing.T) {
	onRedis(t, func(t *testing.T, node func(string) *Bus) {
		a, c, ctx := node("a"), node("c"), t.Context()
		first := acquired(t, a, "bj1", 400*time.Millisecond)
		if _, err := c.Acquire(ctx, "bj1", time.Second); !errors.Is(err, ErrHeld) {
			t.Fatalf("second holder: %v", err)
		}
		if again := acquired(t, a, "bj1", 400*time.Millisecond); again != first {
			t.Fatalf("the holder asks again: %v", again)
		}
		if held, err := a.Hold(ctx, first, 400*time.Millisecond); err != nil || held != first {
			t.Fatalf("kept: %v %v", held, err)
		}
		var second Lease // the first holder falls silent
		until(t, "the lease to expire", func() (free bool) {
			var err error
			second, err = c.Acquire(ctx, "bj1", time.Minute)
			return err == nil
		})
		if second.Token <= first.Token {
			t.Errorf("token %d after %d", second.Token, first.Token)
		}
		if l, err := a.Hold(ctx, first, time.Second); !errors.Is(err, ErrLost) || l != first {
			t.Errorf("a lost lease is kept: %v %v", l, err)
		}
		if err := a.Release(ctx, first); err != nil {
			t.Error(err)
		}
		if _, err := a.Acquire(ctx, "bj1", time.Second); !errors.Is(err, ErrHeld) {
			t.Errorf("the old holder gave back what is another's: %v", err)
		}
		if err := c.Release(ctx, second); err != nil {
			t.Fatal(err)
		}
		if l := acquired(t, a, "bj1", time.Second); l.Token <= second.Token {
			t.Errorf("after release: %+v", l)
		}
	})
}

// forget makes Redis forget all it knows, as one that is started empty.
func forget(t *testing.T, b *Bus) {
	t.Helper()
	if err := b.client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
}

// A holder that Redis has forgotten goes on by the same token; of two who both believe that
// they hold the lease the newer one does, whoever comes first; and a token after that is
// greater than all before.
func TestOfTwoHoldersTheNewerStays(t *testing.T) {
	onRedis(t, func(t *testing.T, node func(string) *Bus) {
		a, c, d, ctx := node("a"), node("c"), node("d"), t.Context()
		older := acquired(t, a, "bj1", time.Minute)
		if err := a.Release(ctx, older); err != nil {
			t.Fatal(err)
		}
		newer := acquired(t, c, "bj1", time.Minute)

		forget(t, a) // the older comes first
		if l, err := a.Hold(ctx, older, time.Minute); err != nil || l != older {
			t.Fatalf("forgotten: %v %v", l, err)
		}
		if l, err := c.Hold(ctx, newer, time.Minute); err != nil || l != newer {
			t.Fatalf("the newer: %v %v", l, err)
		}
		if _, err := a.Hold(ctx, older, time.Minute); !errors.Is(err, ErrLost) {
			t.Fatalf("the older: %v", err)
		}

		forget(t, a) // the newer comes first
		if l, err := c.Hold(ctx, newer, time.Minute); err != nil || l != newer {
			t.Fatalf("the newer: %v %v", l, err)
		}
		if _, err := a.Hold(ctx, older, time.Minute); !errors.Is(err, ErrLost) {
			t.Fatalf("the older: %v", err)
		}

		if err := c.Release(ctx, newer); err != nil { // nobody has it, and somebody had it since
			t.Fatal(err)
		}
		back, err := a.Hold(ctx, older, time.Minute)
		if err != nil || back.Token <= newer.Token {
			t.Fatalf("taken up again: %v after %v, %v", back, newer, err)
		}
		forget(t, a)
		time.Sleep(2 * time.Millisecond) // tokens are milliseconds where nothing is remembered
		if l := acquired(t, d, "bj1", time.Minute); l.Token <= back.Token {
			t.Errorf("token %d after %d, which Redis had forgotten", l.Token, back.Token)
		}
	})
}

func TestValuesOfALease(t *testing.T) {
	onRedis(t, func(t *testing.T, node func(string) *Bus) {
		a, c, ctx := node("a"), node("c"), t.Context()
		first := acquired(t, a, "bj1", time.Minute)
		if err := a.Write(ctx, "bj1", "score", []byte("old")); err != nil {
			t.Fatal(err)
		}
		if err := a.Release(ctx, first); err != nil {
			t.Fatal(err)
		}
		second := acquired(t, c, "bj1", time.Minute)
		if err := c.Write(ctx, "bj1", "score", []byte("new")); err != nil {
			t.Fatal(err)
		}
		if err := a.Write(ctx, "bj1", "score", []byte("zombie")); !errors.Is(err, ErrFenced) {
			t.Errorf("the old holder writes: %v", err)
		}
		v, tok, err := a.ReadFenced(ctx, "score")
		if err != nil || string(v) != "new" || tok != second.Token {
			t.Errorf("%q %d %v", v, tok, err)
		}
		if _, _, err := a.ReadFenced(ctx, "nothing"); !errors.Is(err, ErrNone) {
			t.Errorf("nothing: %v", err)
		}
	})
}

// Events in the name of a table are taken until a newer holder has written to the stream;
// those of other tables are not concerned.
func TestStaleEventsAreRefused(t *testing.T) {
	s := redistest.New(t)
	open := func(name string) *Bus {
		b := opened(t, Options{Node: name, URL: s.URL()})
		running(t, b)
		return b
	}
	a, c := open("a"), open("c")
	first := acquired(t, a, "bj1", time.Minute)
	acquired(t, a, "bj2", time.Minute)
	m := join(t, c, Group{Stream: "rounds", Group: "g"}, nil)
	got := func(want ...string) {
		t.Helper()
		until(t, fmt.Sprint(want), func() bool { return fmt.Sprint(m.data()) == fmt.Sprint(want) })
	}
	a.PublishFor("bj1", "rounds", []byte("1"))
	got("1")
	if err := a.Release(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	second := acquired(t, c, "bj1", time.Minute)
	a.PublishFor("bj1", "rounds", []byte("2")) // nobody has written since: it is late, not stale
	got("1", "2")
	c.PublishFor("bj1", "rounds", []byte("3"))
	got("1", "2", "3")
	a.PublishFor("bj1", "rounds", []byte("stale"))
	a.PublishFor("bj2", "rounds", []byte("4"))
	a.Publish("rounds", []byte("5"))
	got("1", "2", "3", "4", "5")
	if e := m.got[2]; e.Fields["token"] != fmt.Sprint(second.Token) || e.ID != "c-1" || e.Node != "c" {
		t.Errorf("event %+v", e)
	}
}

// The next holder of a lease reads what the last one noted, in order and each once.
func TestNotes(t *testing.T) {
	s := redistest.New(t)
	a := opened(t, Options{Node: "a", URL: s.URL()})
	running(t, a)
	acquired(t, a, "bj1", time.Minute)
	const n = 2*group + 1
	for i := range n {
		a.Note("bj1", "session:bj1", []byte(fmt.Sprint(i)), time.Hour)
	}
	a.Flush(t.Context())
	got, err := opened(t, Options{Node: "c", URL: s.URL()}).Notes(t.Context(), "session:bj1")
	if err != nil || len(got) != n {
		t.Fatalf("%d notes, %v", len(got), err)
	}
	for i, e := range got {
		if string(e.Data) != fmt.Sprint(i) {
			t.Fatalf("note %d is %s", i, e.Data)
		}
	}
	time.Sleep(2 * time.Millisecond)
	for range 200 { // Redis trims whole nodes of its stream
		a.Note("bj1", "session:bj1", []byte("x"), time.Millisecond)
		time.Sleep(20 * time.Microsecond)
	}
	a.Flush(t.Context())
	if got, err = a.Notes(t.Context(), "session:bj1"); err != nil || len(got) >= n {
		t.Errorf("%d notes are kept, %v", len(got), err)
	}
}
