package bus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/internal/health"
	"vision/internal/testkit/redistest"
	"vision/stream/statestore"
)

// problems are what the bus has told of.
type problems struct {
	mu  sync.Mutex
	now map[string]string
}

func (p *problems) Set(code, _, _, detail string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now == nil {
		p.now = map[string]string{}
	}
	p.now[code] = detail
}

func (p *problems) Clear(code, _ string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.now, code)
}

func (p *problems) of(code string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now[code]
}

// beside is a bus on a real Redis, what it tells of, and a client of the administrator.
func beside(t *testing.T, with string) (*Bus, *problems, *redis.Client) {
	t.Helper()
	s := redistest.New(t)
	opts, err := redis.ParseURL(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	admin := redis.NewClient(opts)
	t.Cleanup(func() { _ = admin.Close() })
	p := &problems{}
	b := opened(t, Options{URL: strings.Replace(s.URL(), "://", "://"+with, 1), Health: p, Node: "n"})
	return b, p, admin
}

// A server that refuses is named with what, where and how to mend it, while it lasts and as
// nothing else; what waits is sent when it refuses no more.
func TestRefusalsAreNamedAndEnd(t *testing.T) {
	for name, c := range map[string]struct {
		with       string // before the host
		ill, mend  []any  // commands of the administrator
		want, hint string
	}{
		"no right to a command": {"bus:p@", []any{"ACL", "SETUSER", "bus", "on", ">p", "~*", "&*", "+@all", "-xadd"}, []any{"ACL", "SETUSER", "bus", "+xadd"}, "NOPERM", "ACL SETUSER"},
		"no right to the keys":  {"bus:p@", []any{"ACL", "SETUSER", "bus", "on", ">p", "~other*", "+@all"}, []any{"ACL", "SETUSER", "bus", "~vision:*"}, "NOPERM", "ACL SETUSER"},
		"a wrong password":      {"bus:p@", []any{"ACL", "SETUSER", "bus", "on", ">q", "~*", "+@all"}, []any{"ACL", "SETUSER", "bus", ">p"}, "WRONGPASS", "correct `redis:`"},
		"no password":           {"", []any{"CONFIG", "SET", "requirepass", "p"}, []any{"CONFIG", "SET", "requirepass", ""}, "NOAUTH", "asks for a password"},
		"full":                  {"", []any{"CONFIG", "SET", "maxmemory", "1"}, []any{"CONFIG", "SET", "maxmemory", "0"}, "OOM", "maxmemory"},
		"a replica":             {"", []any{"REPLICAOF", "127.0.0.1", "1"}, []any{"REPLICAOF", "NO", "ONE"}, "READONLY", "name the master"},
		"too few replicas":      {"", []any{"CONFIG", "SET", "min-replicas-to-write", "3"}, []any{"CONFIG", "SET", "min-replicas-to-write", "0"}, "NOREPLICAS", "replicas"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, p, admin := beside(t, c.with)
			if err := admin.Do(t.Context(), c.ill...).Err(); err != nil {
				t.Fatal(err)
			}
			running(t, b)
			b.Publish("rounds", []byte("one"))
			until(t, "it is named", func() bool { return p.of(health.BusRefused) != "" })
			if got := p.of(health.BusRefused); !strings.Contains(got, c.want) || !strings.Contains(got, c.hint) {
				t.Errorf("%q; want %q and %q", got, c.want, c.hint)
			}
			until(t, "it is not called away", func() bool { return p.of(health.BusDown) == "" })
			if n, _ := b.Waiting(); n != 1 {
				t.Errorf("%d events wait", n)
			}
			if err := admin.Do(t.Context(), c.mend...).Err(); err != nil {
				t.Fatal(err)
			}
			until(t, "it is sent, and no problem any more", func() bool {
				n, _ := b.Waiting()
				return n == 0 && p.of(health.BusRefused) == "" && p.of(health.BusDown) == ""
			})
			if n := admin.XLen(t.Context(), "vision:stream:rounds").Val(); n != 1 {
				t.Errorf("Redis has %d events", n)
			}
		})
	}
}

// Whatever is asked of keys that hold something else comes back as an error and is named; other
// keys go on, and the problem ends when the same is answered.
func TestKeysThatHoldSomethingElse(t *testing.T) {
	entry := statestore.Entry{Key: "k", Stamp: "1", Data: []byte("x")}
	for name, do := range map[string]func(b *Bus, t *testing.T) error{
		"acquire":  func(b *Bus, t *testing.T) error { _, err := b.Acquire(t.Context(), "R1", time.Minute); return err },
		"announce": func(b *Bus, t *testing.T) error { return b.Announce(t.Context(), "node", "n", nil, time.Minute) },
		"leave":    func(b *Bus, t *testing.T) error { return b.Leave(t.Context(), "node", "n") },
		"present":  func(b *Bus, t *testing.T) error { _, err := b.Present(t.Context(), "node"); return err },
		"get": func(b *Bus, t *testing.T) error {
			if _, err := b.Get(t.Context(), "v"); !errors.Is(err, ErrNone) {
				return err
			}
			return nil
		},
		"write": func(b *Bus, t *testing.T) error { return b.Write(t.Context(), "R1", "w", []byte("x")) },
		"read fenced": func(b *Bus, t *testing.T) error {
			if _, _, err := b.ReadFenced(t.Context(), "w"); !errors.Is(err, ErrNone) {
				return err
			}
			return nil
		},
		"put":     func(b *Bus, t *testing.T) error { _, err := b.PutEntry(t.Context(), "book", entry, ""); return err },
		"drop":    func(b *Bus, t *testing.T) error { return b.DropEntry(t.Context(), "book", entry) },
		"stamps":  func(b *Bus, t *testing.T) error { _, err := b.Stamps(t.Context(), "book"); return err },
		"entries": func(b *Bus, t *testing.T) error { _, err := b.Entries(t.Context(), "book", "k"); return err },
		"changes": func(b *Bus, t *testing.T) error {
			_, _, err := b.Changes(t.Context(), "book", "0-0", time.Millisecond)
			return err
		},
		"changes from the end": func(b *Bus, t *testing.T) error { _, _, err := b.Changes(t.Context(), "book", "", 0); return err },
		"notes":                func(b *Bus, t *testing.T) error { _, err := b.Notes(t.Context(), "s"); return err },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, p, admin := beside(t, "")
			keys := append(append(b.leaseKeys("R1"), b.presenceKeys("node")...), b.bookKeys("book")...)
			keys = append(append(keys, b.streamKeys("s")...), b.key("fenced", "w"), b.key("value", "v"))
			for _, k := range keys {
				if err := admin.PFAdd(t.Context(), k+":other", "x").Err(); err != nil {
					t.Fatal(err)
				}
				if err := admin.GeoAdd(t.Context(), k, &redis.GeoLocation{Name: "x"}).Err(); err != nil {
					t.Fatal(err)
				}
			}
			if strings.Contains(name, "present") || name == "leave" || name == "announce" { // those keep a sorted set themselves
				for _, k := range b.presenceKeys("node") {
					admin.Set(t.Context(), k, "x", 0)
				}
			}
			if err := do(b, t); err == nil {
				t.Fatal("no error")
			}
			if got := p.of(health.BusRefused); !strings.Contains(got, "WRONGTYPE") || !strings.Contains(got, "vision:") || !strings.Contains(got, "rename") {
				t.Errorf("the problem is %q", got)
			}
			if err := b.Set(t.Context(), "other", []byte("x"), 0); err != nil {
				t.Errorf("another key: %v", err)
			}
			for _, k := range keys {
				admin.Del(t.Context(), k)
			}
			if err := do(b, t); err != nil {
				t.Errorf("afterwards: %v", err)
			}
			if got := p.of(health.BusRefused); got != "" {
				t.Errorf("afterwards the problem is %q", got)
			}
		})
	}
}

// A stream whose key holds something else stops no other; its reader waits between attempts,
// and reads when the key is free again.
func TestAStreamThatIsSomethingElse(t *testing.T) {
	b, p, admin := beside(t, "")
	if err := admin.Set(t.Context(), "vision:stream:alerts", "x", 0).Err(); err != nil {
		t.Fatal(err)
	}
	running(t, b)
	var read atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- b.Consume(ctx, Group{Stream: "alerts", Group: "g"}, func(context.Context, Event) error { read.Add(1); return nil })
	}()
	defer func() { cancel(); <-done }()
	for i := range 500 {
		b.Publish("alerts", fmt.Append(nil, i))
	}
	b.PublishFor("R1", "alerts", []byte("y"))
	b.Publish("rounds", []byte("z"))
	until(t, "the other stream has its event", func() bool { return admin.XLen(t.Context(), "vision:stream:rounds").Val() == 1 })
	if d := p.of(health.BusRefused); !strings.Contains(d, `"vision:stream:alerts"`) {
		t.Errorf("the problem is %q", d)
	}
	admin.Del(t.Context(), "vision:stream:alerts")
	b.Publish("alerts", []byte("again"))
	until(t, "it is read", func() bool { return read.Load() > 0 })
	b.PublishFor("R1", "alerts", []byte("more"))
	until(t, "all is well", func() bool { return p.of(health.BusRefused) == "" })
}

// A refusal that nobody meets again ends by itself.
func TestRefusalsFade(t *testing.T) {
	p := &problems{}
	r := &refusals{health: p, warn: func(string, ...any) {}}
	c := redis.NewStatusCmd(t.Context(), "set", "vision:x", "1")
	r.answered(c, redisError("WRONGTYPE Operation against a key"))
	r.fade(time.Now().Add(unmet / 2))
	if p.of(health.BusRefused) == "" {
		t.Error("it is over too early")
	}
	r.fade(time.Now().Add(2 * unmet))
	if p.of(health.BusRefused) != "" {
		t.Error("it never ends")
	}
}

type redisError string

func (e redisError) Error() string { return string(e) }

// RedisError implements redis.Error.
func (redisError) RedisError() {}

// Answers are told apart wherever their word stands.
func TestWordOf(t *testing.T) {
	for text, want := range map[string]string{
		"WRONGTYPE Operation against a key holding the wrong kind of value":                               "WRONGTYPE",
		"ERR Error running script (call to f_1): @user_script:3: WRONGTYPE Operation against a key":       "WRONGTYPE",
		"ERR ACL failure in script: User bus has no permissions to run the 'xadd' command":                "NOPERM",
		"MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk": "MISCONF",
		"LOADING Redis is loading the dataset in memory":                                                  "LOADING",
		"BUSYGROUP Consumer Group name already exists":                                                    "",
		"NOGROUP No such key":                                  "",
		"NOSCRIPT No matching script":                          "",
		"ERR Protocol error: unauthenticated multibulk length": "NOAUTH",
		"ERR max number of clients reached":                    "MAXCLIENTS",
		"BUSY Redis is busy running a script":                  "BUSY",
		"ERR unknown command 'XADD'":                           "ERR",
	} {
		if got := wordOf(fmt.Errorf("redis: %w", redisError(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if wordOf(errors.New("OOM")) != "" || wordOf(redis.Nil) != "" || wordOf(nil) != "" {
		t.Error("what is no answer is called one")
	}
}
