package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/stream/statestore"
)

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
