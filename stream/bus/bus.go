// Package bus carries events and shared state between the machines of a casino,
// over Redis: streams with consumer groups, leases with fencing tokens,
// presence, and values that expire. A single machine needs no bus: all that it has
// to share is in its ledger.
//
// The bus never holds up a table: what cannot be sent is kept, in order, and sent
// later. What must not be lost is in the ledger, not here.
package bus

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/internal/backoff"
	"vision/internal/health"
)

// Options of a bus.
type Options struct {
	// URL is redis://user:password@host:port/db, or rediss:// with TLS; Sentinels and a
	// Cluster: see connect.
	URL      string
	Node     string          // this run of this machine; "" = a random one
	Holder   string          // who holds its leases: the same after a restart; "" = Node
	Prefix   string          // of all keys; "" = "vision:"
	Spool    int             // events kept while Redis is down; 0 = 10000. Beyond it the oldest go.
	MaxLen   int64           // events kept per stream, about; 0 = 100000
	Health   health.Reporter // nil = nobody is notified
	TLS      *tls.Config     // of rediss://; nil = the machine's authorities, no certificate of one's own
	Log      *slog.Logger
	interval time.Duration // between attempts while Redis is down; 0 = 500 ms
}

// Bus is one connection to Redis. Its methods may be called by many.
type Bus struct {
	opts     Options
	client   redis.UniversalClient
	refusals refusals

	mu      sync.Mutex
	spool   []event
	tokens  map[string]int64 // newest of each lease that was ever held
	seq     uint64
	dropped uint64
	more    chan struct{}
}

// event is one that waits to be sent.
type event struct {
	stream string
	id     string
	lease  string        // in whose name; "" = nobody's
	keep   time.Duration // for how long; 0 = as many as MaxLen
	data   []byte
}

// Open connects. It does not wait for a server that is down: Run goes on trying.
func Open(opts Options) (*Bus, error) {
	opts.Prefix = cmp.Or(opts.Prefix, "vision:")
	opts.Spool = cmp.Or(opts.Spool, 10_000)
	opts.MaxLen = cmp.Or(opts.MaxLen, 100_000)
	opts.interval = cmp.Or(opts.interval, 500*time.Millisecond)
	opts.Log = cmp.Or(opts.Log, slog.Default())
	opts.Node = cmp.Or(opts.Node, rand.Text())
	if opts.Health == nil {
		opts.Health = health.NewBoard(nil)
	}
	opts.Holder = cmp.Or(opts.Holder, opts.Node)
	b := &Bus{opts: opts, tokens: map[string]int64{}, more: make(chan struct{}, 1)}
	var err error
	if b.client, err = b.connect(); err != nil {
		return nil, err
	}
	b.refusals = refusals{health: opts.Health, warn: opts.Log.Warn}
	b.client.AddHook(&b.refusals)
	return b, nil
}

// redisErr says whose an error is; nil stays.
func redisErr(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("redis: %w", err)
}

// Close ends the bus; what is still spooled is dropped.
func (b *Bus) Close() error { return redisErr(b.client.Close()) }

// Ping asks Redis for a sign of life.
func (b *Bus) Ping(ctx context.Context) error { return redisErr(b.client.Ping(ctx).Err()) }

// Try asks Redis for a sign of life, and whether it takes events; see Refused for its answer.
func (b *Bus) Try(ctx context.Context) error {
	if err := b.Ping(ctx); err != nil {
		return err
	}
	key := b.key("tried", rand.Text())
	// No transaction: its refusal would say EXECABORT and not why.
	_, err := b.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.XAdd(ctx, &redis.XAddArgs{Stream: key, Values: []any{"tried", "1"}})
		p.Del(ctx, key)
		return nil
	})
	return redisErr(err)
}

func (b *Bus) key(kind, name string) string { return b.opts.Prefix + kind + ":" + name }

// Publish queues data for stream and returns at once; Run sends it. Every event
// carries an id of its own, by which a consumer knows one that comes twice.
func (b *Bus) Publish(stream string, data []byte) { b.put(event{stream: stream, data: data}) }

// PublishFor publishes in the name of a lease (a table's), by the token that is known when
// the event is sent. Redis refuses it once a newer holder has written to the stream: then it
// is counted, and its sender's ledger is where it stands.
func (b *Bus) PublishFor(lease, stream string, data []byte) {
	b.put(event{stream: stream, lease: lease, data: data})
}

// Note publishes in the name of a lease to a stream that its next holder reads with Notes;
// what is older than keep goes.
func (b *Bus) Note(lease, stream string, data []byte, keep time.Duration) {
	b.put(event{stream: stream, lease: lease, keep: keep, data: data})
}

func (b *Bus) put(e event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	e.id = b.opts.Node + "-" + strconv.FormatUint(b.seq, 10)
	b.spool = append(b.spool, e)
	if over := len(b.spool) - b.opts.Spool; over > 0 {
		b.spool = b.spool[over:]
		b.dropped += uint64(over)
	}
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// Waiting is how many events are not sent yet, and how many were dropped because
// Redis was down for too long.
func (b *Bus) Waiting() (waiting int, dropped uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.spool), b.dropped
}

// Flush waits until what was published has been sent, or ctx ends.
func (b *Bus) Flush(ctx context.Context) {
	for waiting, _ := b.Waiting(); waiting > 0 && backoff.Sleep(ctx, 10*time.Millisecond) == nil; {
		waiting, _ = b.Waiting()
	}
}

// Run sends what is published, in order, until ctx ends.
func (b *Bus) Run(ctx context.Context) error {
	down := false
	for {
		err := b.drain(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.report(err, &down)
		more, again := b.more, 5*time.Second // a server that died is noticed without events too
		if err != nil {
			more, again = nil, b.opts.interval
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-more:
		case <-time.After(again):
		}
	}
}

func (b *Bus) report(err error, down *bool) {
	if err == nil {
		err = b.Ping(context.Background())
	}
	b.refusals.fade(time.Now())
	if wordOf(err) != "" {
		err = nil // it answers; what it refuses is named by itself
	}
	switch {
	case err != nil && !*down:
		b.opts.Log.Warn("redis does not answer; events are kept and sent later", "err", err)
	case err == nil && *down:
		b.opts.Log.Info("redis is back")
	}
	*down = err != nil
	if err != nil {
		b.opts.Health.Set(health.BusDown, "", "redis", err.Error())
	} else {
		b.opts.Health.Clear(health.BusDown, "redis")
	}
}

// group is how many events go in one round trip.
const group = 200

// drain sends the spool until it is empty or a send fails.
func (b *Bus) drain(ctx context.Context) error {
	for {
		b.mu.Lock()
		n := min(len(b.spool), group)
		events := b.spool[:n:n]
		b.mu.Unlock()
		if n == 0 {
			return nil
		}
		sent, err := b.send(ctx, events)
		b.forget(events[:sent])
		if err != nil {
			return err
		}
	}
}

// forget takes sent events from the front of the spool, which may have lost some
// of them to the limit meanwhile.
func (b *Bus) forget(sent []event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range sent {
		if len(b.spool) > 0 && b.spool[0].id == e.id {
			b.spool = b.spool[1:]
		}
	}
}

// addFenced adds an event in the name of a lease unless a newer holder has written to the
// stream: the newest token of each lease stands beside the stream.
var addFenced = redis.NewScript(`
local have = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
if have > tonumber(ARGV[2]) then return false end
if have < tonumber(ARGV[2]) then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return redis.call('XADD', KEYS[1], ARGV[3], '~', ARGV[4], '*',
  'id', ARGV[5], 'node', ARGV[6], 'token', ARGV[2], 'data', ARGV[7])`)

// streamKeys are the keys of a stream and of the tokens beside it, in one hash slot of a
// Cluster: the stream's whole key is the hash tag of the other.
func (b *Bus) streamKeys(stream string) []string {
	key := b.key("stream", stream)
	return []string{key, "{" + key + "}:tokens"}
}

// message is one of a stream in nobody's name.
func (b *Bus) message(stream, id string, data []byte) *redis.XAddArgs {
	return &redis.XAddArgs{Stream: b.key("stream", stream), MaxLen: b.opts.MaxLen, Approx: true,
		Values: []any{"id", id, "node", b.opts.Node, "data", data}}
}

// add puts an event into a pipeline.
func (b *Bus) add(ctx context.Context, pipe redis.Pipeliner, e event, token int64) {
	keys := b.streamKeys(e.stream)
	if e.lease == "" {
		pipe.XAdd(ctx, b.message(e.stream, e.id, e.data))
		return
	}
	trim, to := "MAXLEN", b.opts.MaxLen
	if e.keep > 0 {
		trim, to = "MINID", time.Now().Add(-e.keep).UnixMilli()
	}
	addFenced.Eval(ctx, pipe, keys, e.lease, strconv.FormatInt(token, 10), trim, to, e.id, b.opts.Node, e.data)
}

// send returns how many of events, from the first on, Redis has taken.
func (b *Bus) send(ctx context.Context, events []event) (int, error) {
	pipe := b.client.Pipeline()
	b.mu.Lock()
	for _, e := range events {
		b.add(ctx, pipe, e, b.tokens[e.lease])
	}
	b.mu.Unlock()
	results, err := pipe.Exec(ctx)
	if err != nil && !someFailed(results) {
		return 0, redisErr(err) // the connection itself was refused: nothing was asked
	}
	for i, r := range results {
		switch err := r.Err(); {
		case err == nil:
		case errors.Is(err, redis.Nil):
			b.fence(events[i])
		case !passing(wordOf(err)):
			// Redis answered, and will not take this one (its key holds another type, say):
			// keeping it would stop all that follow. The problem names it.
		default:
			return i, redisErr(err)
		}
	}
	if len(results) < len(events) {
		return 0, redisErr(err)
	}
	return len(events), nil
}

// fence logs that an event came too late.
func (b *Bus) fence(e event) {
	b.opts.Log.Warn("an event was not taken: another node has the table by now", "stream", e.stream, "table", e.lease, "id", e.id)
}

// passing reports whether what waits is sent later: Redis is away, or refuses all alike.
func passing(word string) bool { return word != "WRONGTYPE" && word != "ERR" }
