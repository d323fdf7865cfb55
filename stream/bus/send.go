package bus

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

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

// fence takes note of an event that came too late.
func (b *Bus) fence(e event) {
	b.mu.Lock()
	b.refused++
	b.mu.Unlock()
	b.opts.Log.Warn("an event was not taken: another node has the table by now", "stream", e.stream, "table", e.lease, "id", e.id)
}

// passing reports whether what waits is sent later: Redis is away, or refuses all alike.
func passing(word string) bool { return word != "WRONGTYPE" && word != "ERR" }
