package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/stream/statestore"
)

// ErrNone is said of a value that is not there.
var ErrNone = errors.New("there is no such value")

// Set stores a value for ttl; 0 = for good.
func (b *Bus) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	return redisErr(b.client.Set(ctx, b.key("value", key), value, ttl).Err())
}

// Get reads a value; ErrNone where there is none or it has expired.
func (b *Bus) Get(ctx context.Context, key string) ([]byte, error) {
	v, err := b.client.Get(ctx, b.key("value", key)).Bytes()
	if errors.Is(err, redis.Nil) {
		return nil, fmt.Errorf("%q: %w", key, ErrNone)
	}
	return v, redisErr(err)
}

// Has reports whether a value is there.
func (b *Bus) Has(ctx context.Context, key string) (bool, error) {
	n, err := b.client.Exists(ctx, b.key("value", key)).Result()
	return n > 0, redisErr(err)
}

// Delete removes a value.
func (b *Bus) Delete(ctx context.Context, key string) error {
	return redisErr(b.client.Del(ctx, b.key("value", key)).Err())
}

// Who is present lies in a hash, and until when in a sorted set beside it: Redis before 7.4
// lets no single field of a hash expire, and to look through all keys for those of one kind
// takes as long as there are keys, on each machine of a Cluster.

// clock is the time of Redis in milliseconds: that of the nodes may differ.
const clock = `
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)`

var announce = redis.NewScript(clock + `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[3]), ARGV[1])`)

var leave = redis.NewScript(`
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])`)

var present = redis.NewScript(clock + `
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now))) do
  redis.call('ZREM', KEYS[2], id)
  redis.call('HDEL', KEYS[1], id)
end
return redis.call('HGETALL', KEYS[1])`)

// presenceKeys are the keys of a kind, in one hash slot of a Cluster.
func (b *Bus) presenceKeys(kind string) []string {
	return []string{b.key("present", "{"+kind+"}"), b.key("until", "{"+kind+"}")}
}

// Announce says that id of a kind (a node, a jefe) is present, with info, for
// ttl; it is to be repeated.
func (b *Bus) Announce(ctx context.Context, kind, id string, info []byte, ttl time.Duration) error {
	return redisErr(announce.Run(ctx, b.client, b.presenceKeys(kind), id, info, ttl.Milliseconds()).Err())
}

// Leave takes the announcement back.
func (b *Bus) Leave(ctx context.Context, kind, id string) error {
	return redisErr(leave.Run(ctx, b.client, b.presenceKeys(kind), id).Err())
}

// Present lists who is present, with their info.
func (b *Bus) Present(ctx context.Context, kind string) (map[string][]byte, error) {
	list, err := present.Run(ctx, b.client, b.presenceKeys(kind)).StringSlice()
	if err != nil {
		return nil, redisErr(err)
	}
	out := map[string][]byte{}
	for pair := range slices.Chunk(list, 2) {
		out[pair[0]] = []byte(pair[1])
	}
	return out, nil
}

// maxChanges bounds the stream by which a book's changes are told; who missed some
// reads the stamps.
const maxChanges = 10_000

// putEntry writes an entry: with ARGV[4] empty unless one with the same or a greater
// stamp is there, else only in the place of the one with that stamp. It returns what
// is there instead.
var putEntry = redis.NewScript(`
local have = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[4] == '' then
  if have and have >= ARGV[2] then return {have, redis.call('HGET', KEYS[2], ARGV[1])} end
elseif (have or '-') ~= ARGV[4] then
  return {have or '-', redis.call('HGET', KEYS[2], ARGV[1]) or ''}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[5], '*', 'key', ARGV[1], 'stamp', ARGV[2], 'data', ARGV[3])
return {}`)

// dropEntry takes an entry out while it has this stamp.
var dropEntry = redis.NewScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
return redis.call('HDEL', KEYS[2], ARGV[1])`)

// bookKeys are a book's stamps, data and changes. A cluster keeps what has the same
// braces in one place.
func (b *Bus) bookKeys(book string) []string {
	k := b.key("book", "{"+book+"}")
	return []string{k + ":stamps", k + ":data", k + ":changes"}
}

// PutEntry implements share.Bus.
func (b *Bus) PutEntry(ctx context.Context, book string, e statestore.Entry, base string) (*statestore.Entry, error) {
	got, err := putEntry.Run(ctx, b.client, b.bookKeys(book), e.Key, e.Stamp, e.Data, base, maxChanges).StringSlice()
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, fmt.Errorf("redis: %s %q: %w", book, e.Key, err)
	}
	if len(got) < 2 {
		return nil, nil
	}
	return &statestore.Entry{Key: e.Key, Stamp: got[0], Data: []byte(got[1])}, nil
}

// DropEntry implements share.Bus.
func (b *Bus) DropEntry(ctx context.Context, book string, e statestore.Entry) error {
	if err := dropEntry.Run(ctx, b.client, b.bookKeys(book)[:2], e.Key, e.Stamp).Err(); err != nil {
		return fmt.Errorf("redis: %s %q: %w", book, e.Key, err)
	}
	return nil
}

// Stamps implements share.Bus.
func (b *Bus) Stamps(ctx context.Context, book string) (map[string]string, error) {
	m, err := b.client.HGetAll(ctx, b.bookKeys(book)[0]).Result()
	if err != nil {
		return nil, fmt.Errorf("redis: %s: %w", book, err)
	}
	return m, nil
}

// Entries implements share.Bus.
func (b *Bus) Entries(ctx context.Context, book string, keys ...string) (out []statestore.Entry, err error) {
	k := b.bookKeys(book)
	var stamps, data *redis.SliceCmd
	_, err = b.client.TxPipelined(ctx, func(p redis.Pipeliner) error { // both of one moment
		stamps, data = p.HMGet(ctx, k[0], keys...), p.HMGet(ctx, k[1], keys...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("redis: %s: %w", book, err)
	}
	for i, key := range keys {
		stamp, ok1 := stamps.Val()[i].(string)
		raw, ok2 := data.Val()[i].(string)
		if ok1 && ok2 {
			out = append(out, statestore.Entry{Key: key, Stamp: stamp, Data: []byte(raw)})
		}
	}
	return out, nil
}

// Changes implements share.Bus: at most a thousand at once.
func (b *Bus) Changes(ctx context.Context, book, after string, wait time.Duration) ([]statestore.Entry, string, error) {
	key := b.bookKeys(book)[2]
	if after == "" {
		last, err := b.client.XRevRangeN(ctx, key, "+", "-", 1).Result()
		if err != nil {
			return nil, "", fmt.Errorf("redis: %s: %w", book, err)
		}
		if len(last) == 0 {
			return nil, "0-0", nil
		}
		return nil, last[0].ID, nil
	}
	res, err := b.client.XRead(ctx, &redis.XReadArgs{Streams: []string{key, after}, Count: 1000, Block: wait}).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, after, fmt.Errorf("redis: %s: %w", book, err)
	}
	var out []statestore.Entry
	for _, s := range res {
		for _, m := range s.Messages {
			stamp, _ := m.Values["stamp"].(string)
			name, _ := m.Values["key"].(string)
			data, _ := m.Values["data"].(string)
			out, after = append(out, statestore.Entry{Key: name, Stamp: stamp, Data: []byte(data)}), m.ID
		}
	}
	return out, after, nil
}
