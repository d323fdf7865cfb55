package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vision/internal/health"
	"vision/internal/testkit/redistest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// onRedis runs a test against a redis-server. The function it gets opens one more node on it.
func onRedis(t *testing.T, test func(t *testing.T, node func(name string) *Bus)) {
	s := redistest.New(t)
	test(t, func(name string) *Bus {
		b := opened(t, Options{Node: name, URL: s.URL()})
		running(t, b)
		return b
	})
}

func opened(t testing.TB, o Options) *Bus {
	t.Helper()
	o.interval, o.Log = 20*time.Millisecond, slog.New(slog.DiscardHandler)
	b, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// running runs b until the end of the test, before it is closed.
func running(t testing.TB, b *Bus) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// member is a consumer that notes what it gets.
type member struct {
	mu   sync.Mutex
	got  []Event
	fail func(Event) error
	stop func()
}

func join(t testing.TB, b *Bus, g Group, fail func(Event) error) *member {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	m, done := &member{fail: fail}, make(chan error, 1)
	go func() {
		done <- b.Consume(ctx, g, func(_ context.Context, e Event) error {
			if m.fail != nil {
				if err := m.fail(e); err != nil {
					return err
				}
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			m.got = append(m.got, e)
			return nil
		})
	}()
	m.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Cleanup(m.stop)
	return m
}

func (m *member) data() (out []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.got {
		out = append(out, string(e.Data))
	}
	return out
}

func TestEventsArriveInOrderAndAreShared(t *testing.T) {
	onRedis(t, func(t *testing.T, node func(string) *Bus) {
		a, c := node("a"), node("c")
		var want []string
		for i := range 50 {
			want = append(want, fmt.Sprint(i))
			a.Publish("alerts", []byte(want[i]))
		}
		one := join(t, c, Group{Stream: "alerts", Group: "wall"}, nil)
		until(t, "all events", func() bool { return len(one.data()) == 50 })
		if got := one.data(); !slices.Equal(got, want) {
			t.Fatalf("order %v", got)
		}
		if e := one.got[7]; e.ID != "a-8" || e.Node != "a" || e.Pos == "" {
			t.Errorf("event %+v", e)
		}
		// a second group gets all, two members of one group share
		other := join(t, a, Group{Stream: "alerts", Group: "mail", Consumer: "x"}, nil)
		second := join(t, c, Group{Stream: "alerts", Group: "mail", Consumer: "y"}, nil)
		until(t, "both members", func() bool { return len(other.data())+len(second.data()) == 50 })
		late := join(t, c, Group{Stream: "alerts", Group: "late", Begin: "$"}, nil)
		time.Sleep(100 * time.Millisecond) // it joins at the end of the stream
		a.Publish("alerts", []byte("new"))
		until(t, "the new one", func() bool { return slices.Contains(late.data(), "new") })
		if len(late.data()) != 1 {
			t.Errorf("a group that began at the end got %v", late.data())
		}
	})
}

func TestUnfinishedEventsAreTakenOver(t *testing.T) {
	onRedis(t, func(t *testing.T, node func(string) *Bus) {
		b := node("a")
		g := Group{Stream: "work", Group: "g", Claim: 100 * time.Millisecond}
		g.Consumer = "dies"
		dying := join(t, b, g, func(e Event) error {
			if string(e.Data) == "2" {
				return errors.New("no")
			}
			return nil
		})
		for i := range 4 {
			b.Publish("work", []byte(fmt.Sprint(i)))
		}
		until(t, "three of four", func() bool { return len(dying.data()) == 3 })
		dying.stop()
		g.Consumer = "heir"
		heir := join(t, b, g, nil)
		until(t, "the fourth", func() bool { return slices.Equal(heir.data(), []string{"2"}) })
	})
}

func TestValuesAndPresence(t *testing.T) {
	onRedis(t, func(t *testing.T, node func(string) *Bus) {
		b, ctx := node("a"), t.Context()
		if err := b.Set(ctx, "k", []byte{0, 255}, 0); err != nil {
			t.Fatal(err)
		}
		if v, err := b.Get(ctx, "k"); err != nil || !slices.Equal(v, []byte{0, 255}) {
			t.Errorf("%v %v", v, err)
		}
		if err := b.Delete(ctx, "k"); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Get(ctx, "k"); !errors.Is(err, ErrNone) {
			t.Errorf("deleted: %v", err)
		}
		if err := b.Set(ctx, "short", []byte("x"), 150*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		until(t, "the value to expire", func() bool { _, err := b.Get(ctx, "short"); return errors.Is(err, ErrNone) })

		for kind, ids := range map[string][]string{"node*": {"n1"}, "nodeX": {"other"}} {
			for _, id := range ids {
				if err := b.Announce(ctx, kind, id, []byte("i"+id), time.Minute); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := b.Announce(ctx, "node*", "brief", nil, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		until(t, "the brief one to go", func() bool {
			p, err := b.Present(ctx, "node*")
			return err == nil && len(p) == 1 && string(p["n1"]) == "in1"
		})
		if err := b.Leave(ctx, "node*", "n1"); err != nil {
			t.Fatal(err)
		}
		if p, err := b.Present(ctx, "node*"); err != nil || len(p) != 0 {
			t.Errorf("after leaving: %v %v", slices.Collect(maps.Keys(p)), err)
		}
	})
}

// told notes health.
type told struct {
	mu sync.Mutex
	on map[string]bool
}

func (h *told) Set(code, _, _, _ string) { h.put(code, true) }
func (h *told) Clear(code, _ string)     { h.put(code, false) }
func (h *told) put(code string, on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.on == nil {
		h.on = map[string]bool{}
	}
	h.on[code] = on
}
func (h *told) has(code string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.on[code]
}

func TestRedisDownIsCaughtUp(t *testing.T) {
	s, h := redistest.New(t), &told{}
	b := opened(t, Options{URL: s.URL(), Node: "a", Health: h, Spool: 500})
	running(t, b)
	m := join(t, b, Group{Stream: "s", Group: "g"}, nil)
	b.Publish("s", []byte("0"))
	until(t, "the first", func() bool { return len(m.data()) == 1 })
	s.Stop()
	begin := time.Now()
	for i := range 300 {
		b.Publish("s", []byte(fmt.Sprint(i+1)))
	}
	if d := time.Since(begin); d > time.Second {
		t.Errorf("publishing with Redis down took %v", d)
	}
	until(t, "health", func() bool { return h.has(health.BusDown) })
	s.Start()
	until(t, "all events", func() bool { return len(m.data()) >= 301 })
	last := -1
	for _, d := range m.data() { // one that was sent twice is allowed, disorder and loss are not
		n, _ := strconv.Atoi(d)
		if n > last+1 {
			t.Fatalf("event %d after %d", n, last)
		}
		last = max(last, n)
	}
	until(t, "health to clear", func() bool { return !h.has(health.BusDown) })
	if w, d := b.Waiting(); w != 0 || d != 0 {
		t.Errorf("%d waiting, %d dropped", w, d)
	}
}

func TestSpoolIsBounded(t *testing.T) {
	b := opened(t, Options{URL: "redis://127.0.0.1:1", Spool: 10})
	for i := range 25 {
		b.Publish("s", []byte(fmt.Sprint(i)))
	}
	if w, d := b.Waiting(); w != 10 || d != 15 || string(b.spool[0].data) != "15" {
		t.Errorf("%d waiting from %s, %d dropped", w, b.spool[0].data, d)
	}
}

func TestAnEventThatIsRefusedDoesNotStopTheRest(t *testing.T) {
	onRedis(t, func(t *testing.T, node func(string) *Bus) {
		b := node("a")
		if err := b.client.Set(t.Context(), b.key("stream", "bad"), "a string", 0).Err(); err != nil {
			t.Fatal(err)
		}
		m := join(t, b, Group{Stream: "good", Group: "g"}, nil)
		b.Publish("bad", []byte("x"))
		b.Publish("good", []byte("y"))
		until(t, "the good one", func() bool { return len(m.data()) == 1 })
	})
}

func BenchmarkPublish(b *testing.B) {
	bus := opened(b, Options{URL: redistest.New(b).URL(), Spool: 1 << 30})
	running(b, bus)
	data := make([]byte, 500)
	for b.Loop() {
		bus.Publish("s", data)
	}
	until(b, "sent", func() bool { w, _ := bus.Waiting(); return w == 0 })
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
