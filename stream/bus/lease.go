package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Errors of leases.
var (
	ErrHeld   = errors.New("another node holds the lease")
	ErrLost   = errors.New("another node holds the lease by a newer token")
	ErrFenced = errors.New("a newer holder of the lease has written")
)

// Lease is the right to something (a table) for a time. Token grows with every
// holder: whoever writes with an older one is refused, also when it does not know
// yet that it lost the lease. With token 0 nobody has given it.
type Lease struct {
	Name  string
	Token int64
}

// hold gives the lease to the one who asks: to its holder again; to one who had it, if
// nobody has had it since; to anybody if it is free. Of two who both have it (the network
// was cut in two, or Redis has forgotten) the one with the newer token keeps it. The reply
// is the token, 0 where another has the lease.
//
// A new token is the time in milliseconds, or one more than the last where that is more: it
// grows also over a Redis that has forgotten the last one, unless its clock went back.
var hold = redis.NewScript(`
local have, mine = redis.call('HMGET', KEYS[1], 'holder', 'token'), tonumber(ARGV[2])
local theirs = tonumber(have[2] or '0')
if have[1] and have[1] ~= ARGV[1] and (mine == 0 or theirs >= mine) then return '0' end
local token, last = mine, tonumber(redis.call('GET', KEYS[2]) or '0')
if have[1] == ARGV[1] and theirs >= mine then
  token = theirs
elseif mine == 0 or mine < last then
  local now = redis.call('TIME')
  token = math.max(last + 1, now[1] * 1000 + math.floor(now[2] / 1000))
end
token = string.format('%.0f', token)
redis.call('SET', KEYS[2], token)
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'token', token)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return token`)

var release = redis.NewScript(`
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`)

// fenced writes a value unless one with a greater token is there.
var fenced = redis.NewScript(`
local have = tonumber(redis.call('HGET', KEYS[1], 'token') or '0')
if have > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'value', ARGV[2])
return 1`)

// leaseKeys are the keys of a lease and of its last token, in one hash slot of a Cluster.
func (b *Bus) leaseKeys(name string) []string {
	return []string{b.key("lease", "{"+name+"}"), b.key("fence", "{"+name+"}")}
}

// Acquire takes the lease for ttl. It is ErrHeld while another node has it.
func (b *Bus) Acquire(ctx context.Context, name string, ttl time.Duration) (Lease, error) {
	return b.hold(ctx, Lease{Name: name}, ttl, ErrHeld)
}

// Hold keeps a lease for another ttl, also one that has run out or that Redis has forgotten:
// its token may then be a new one. It is ErrLost where another node has it by a newer token.
func (b *Bus) Hold(ctx context.Context, l Lease, ttl time.Duration) (Lease, error) {
	return b.hold(ctx, l, ttl, ErrLost)
}

func (b *Bus) hold(ctx context.Context, l Lease, ttl time.Duration, refused error) (Lease, error) {
	t, err := hold.Run(ctx, b.client, b.leaseKeys(l.Name), b.opts.Holder, l.Token, ttl.Milliseconds()).Int64()
	if err != nil {
		return l, fmt.Errorf("redis: lease %q: %w", l.Name, err)
	}
	if t == 0 {
		return l, fmt.Errorf("lease %q: %w", l.Name, refused)
	}
	l.Token = t
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens[l.Name] = t
	return l, nil
}

// Release gives the lease back; that of another is left alone.
func (b *Bus) Release(ctx context.Context, l Lease) error {
	if err := release.Run(ctx, b.client, b.leaseKeys(l.Name)[:1], l.Token).Err(); err != nil {
		return fmt.Errorf("redis: lease %q: %w", l.Name, err)
	}
	return nil
}

// Write stores a value in the name of a lease, by the token that this node was given for it;
// ErrFenced means that a newer holder has written already.
func (b *Bus) Write(ctx context.Context, lease, key string, value []byte) error {
	b.mu.Lock()
	token := b.tokens[lease]
	b.mu.Unlock()
	ok, err := fenced.Run(ctx, b.client, []string{b.key("fenced", key)}, token, value).Int64()
	if err != nil {
		return redisErr(err)
	}
	if ok == 0 {
		return fmt.Errorf("%q in the name of lease %q: %w", key, lease, ErrFenced)
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
		return nil, 0, redisErr(err)
	}
	if r.Val()[0] == nil {
		return nil, 0, fmt.Errorf("%q: %w", key, ErrNone)
	}
	err = redisErr(r.Scan(&v))
	return []byte(v.Value), v.Token, err
}
