package bus

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// ErrUnanswered is said of a question that nobody has answered in time.
var ErrUnanswered = errors.New("no machine answers")

// answerFor is how long an answer lies for who has asked.
const answerFor = time.Minute

// Ask puts a question to a stream and waits for the answer: by one of those who Answer it, and at
// most once. It does not wait for Redis. Where it fails the question may have been dealt with all
// the same, but will not be from then on.
func (b *Bus) Ask(ctx context.Context, stream string, data []byte, patience time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience+time.Second) // Redis ends the wait
	defer cancel()
	id := rand.Text()
	open, reply := b.key("asked", id), b.key("answer", id)
	if err := redisErr(b.client.Set(ctx, open, "", patience).Err()); err != nil {
		return nil, err
	}
	err := redisErr(b.client.XAdd(ctx, b.message(stream, id, data)).Err())
	if err != nil {
		return nil, err
	}
	got, err := b.client.BLPop(ctx, patience, reply).Result() // the key and what it has
	if err != nil {
		b.client.Del(context.WithoutCancel(ctx), open) // it expires in any case
	}
	switch {
	case errors.Is(err, redis.Nil) || ctx.Err() != nil:
		return nil, ErrUnanswered
	case err != nil:
		return nil, redisErr(err)
	}
	return []byte(got[1]), nil
}

// Answer answers the questions of a stream (Group) that are for this machine, one after the other,
// until ctx ends. A question that is not waited for any more is passed over.
func (b *Bus) Answer(ctx context.Context, g Group, mine func(Event) bool, answer func(Event) []byte) error {
	return b.Consume(ctx, g, func(ctx context.Context, e Event) error {
		if !mine(e) {
			return nil
		}
		waits, err := b.client.Del(ctx, b.key("asked", e.ID)).Result() // whoever removes it answers
		if err != nil || waits == 0 {
			return err
		}
		reply := b.key("answer", e.ID)
		pipe := b.client.TxPipeline()
		pipe.RPush(ctx, reply, answer(e))
		pipe.PExpire(ctx, reply, answerFor)
		if _, err := pipe.Exec(ctx); err != nil {
			b.opts.Log.Warn("redis: a question was dealt with and its answer does not arrive", "stream", g.Stream, "err", err)
		}
		return nil
	})
}
