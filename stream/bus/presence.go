package bus

import (
	"context"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

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
