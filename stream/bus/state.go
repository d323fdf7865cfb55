package bus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Errors of leases and values.
var (
	ErrHeld   = errors.New("another node holds the lease")
	ErrLost   = errors.New("the lease was lost")
	ErrFenced = errors.New("a newer holder of the lease has written")
	ErrNone   = errors.New("there is no such value")
)

// Lease is the right to something (a table) for a time. Token grows with every
// holder: whoever writes with an older one is refused, also when it does not know
// yet that it lost the lease.
type Lease struct {
	Name  string
	Token int64
	bus   *Bus
	ttl   time.Duration
}

// acquire gives the lease and its next token to a holder if it is free, and
// renews it for the one who holds it.
var acquire = redis.NewScript(`
local have = redis.call('HGET', KEYS[1], 'holder')
if have and have ~= ARGV[1] then return -1 end
if have then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return tonumber(redis.call('HGET', KEYS[1], 'token'))
end
local t = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'token', t)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return t`)

var renew = redis.NewScript(`
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`)

var release = redis.NewScript(`
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`)

// fenced writes a value unless one with a greater token is there.
var fenced = redis.NewScript(`
local have = tonumber(redis.call('HGET', KEYS[1], 'token') or '0')
if have > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'value', ARGV[2])
return 1`)

// Acquire takes the lease for ttl. It is ErrHeld while another node has it.
func (b *Bus) Acquire(ctx context.Context, name string, ttl time.Duration) (*Lease, error) {
	t, err := acquire.Run(ctx, b.client, []string{b.key("lease", name), b.key("fence", name)}, b.opts.Node, ttl.Milliseconds()).Int64()
	if err != nil {
		return nil, fmt.Errorf("redis: lease %q: %w", name, err)
	}
	if t < 0 {
		return nil, fmt.Errorf("lease %q: %w", name, ErrHeld)
	}
	return &Lease{name, t, b, ttl}, nil
}

// Renew holds the lease for another ttl.
func (l *Lease) Renew(ctx context.Context) error { return l.run(ctx, renew, l.ttl.Milliseconds()) }

// Release gives the lease back.
func (l *Lease) Release(ctx context.Context) error { return l.run(ctx, release) }

func (l *Lease) run(ctx context.Context, s *redis.Script, args ...any) error {
	ok, err := s.Run(ctx, l.bus.client, []string{l.bus.key("lease", l.Name)}, append([]any{l.Token}, args...)...).Int64()
	if err != nil {
		return fmt.Errorf("redis: lease %q: %w", l.Name, err)
	}
	if ok == 0 {
		return fmt.Errorf("lease %q: %w", l.Name, ErrLost)
	}
	return nil
}

// Keep renews the lease until ctx ends, then gives it back. It returns ErrLost as
// soon as the lease may be another's: when Redis says so, or has not answered for
// the length of the lease.
func (l *Lease) Keep(ctx context.Context) error {
	tick := time.NewTicker(l.ttl / 4)
	defer tick.Stop()
	good := time.Now()
	for {
		select {
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			return errors.Join(ctx.Err(), l.Release(end))
		case <-tick.C:
		}
		sent := time.Now()
		try, cancel := context.WithTimeout(ctx, l.ttl/4)
		err := l.Renew(try)
		cancel()
		switch {
		case err == nil:
			good = sent // it counts from before it was asked for
		case errors.Is(err, ErrLost):
			return err
		case time.Since(good) > l.ttl-l.ttl/4:
			return fmt.Errorf("lease %q: %w: %w", l.Name, ErrLost, err)
		}
	}
}

// Write stores a value in the name of the lease; ErrFenced means that a newer
// holder has written already.
func (l *Lease) Write(ctx context.Context, key string, value []byte) error {
	ok, err := fenced.Run(ctx, l.bus.client, []string{l.bus.key("fenced", key)}, l.Token, value).Int64()
	if err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	if ok == 0 {
		return fmt.Errorf("%q in the name of lease %q: %w", key, l.Name, ErrFenced)
	}
	return nil
}

// ReadFenced reads what Write stored, and with which token.
func (b *Bus) ReadFenced(ctx context.Context, key string) (value []byte, token int64, err error) {
	r := b.client.HMGet(ctx, b.key("fenced", key), "value", "token")
	var v struct {
		Value string `redis:"value"`
		Token int64  `redis:"token"`
	}
	if err := r.Err(); err != nil {
		return nil, 0, fmt.Errorf("redis: %w", err)
	}
	if r.Val()[0] == nil {
		return nil, 0, fmt.Errorf("%q: %w", key, ErrNone)
	}
	if err := r.Scan(&v); err != nil {
		return nil, 0, fmt.Errorf("redis: %w", err)
	}
	return []byte(v.Value), v.Token, nil
}

// Set stores a value for ttl; 0 = for good.
func (b *Bus) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	return b.set(ctx, b.key("value", key), value, ttl)
}

func (b *Bus) set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if err := b.client.Set(ctx, key, value, ttl).Err(); err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	return nil
}

// Get reads a value; ErrNone where there is none or it has expired.
func (b *Bus) Get(ctx context.Context, key string) ([]byte, error) {
	v, err := b.client.Get(ctx, b.key("value", key)).Bytes()
	if errors.Is(err, redis.Nil) {
		return nil, fmt.Errorf("%q: %w", key, ErrNone)
	}
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	return v, nil
}

// Delete removes a value.
func (b *Bus) Delete(ctx context.Context, key string) error {
	if err := b.client.Del(ctx, b.key("value", key)).Err(); err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	return nil
}

// Announce says that id of a kind (a node, a jefe) is present, with info, for
// ttl; it is to be repeated.
func (b *Bus) Announce(ctx context.Context, kind, id string, info []byte, ttl time.Duration) error {
	return b.set(ctx, b.key("present:"+kind, id), info, ttl)
}

// Leave takes the announcement back.
func (b *Bus) Leave(ctx context.Context, kind, id string) error {
	if err := b.client.Del(ctx, b.key("present:"+kind, id)).Err(); err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	return nil
}

// Present lists who is present, with their info.
func (b *Bus) Present(ctx context.Context, kind string) (map[string][]byte, error) {
	prefix, out := b.key("present:"+kind, ""), map[string][]byte{}
	it := b.client.Scan(ctx, 0, escapeGlob(prefix)+"*", 500).Iterator()
	for it.Next(ctx) {
		v, err := b.client.Get(ctx, it.Val()).Bytes()
		if errors.Is(err, redis.Nil) {
			continue // it left meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		out[strings.TrimPrefix(it.Val(), prefix)] = v
	}
	if err := it.Err(); err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	return out, nil
}

var globChars = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`)

func escapeGlob(s string) string { return globChars.Replace(s) }
