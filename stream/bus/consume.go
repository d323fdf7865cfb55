package bus

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/internal/backoff"
)

// Event is one event of a stream.
type Event struct {
	Pos    string // place in the stream, by Redis
	ID     string // given by the sender; the same when it was sent twice
	Node   string // sender
	Data   []byte
	Fields map[string]string // all of the message, for senders that are none of ours
}

// Group says how a stream is consumed.
type Group struct {
	Stream   string
	Key      string        // the stream's whole key, where others write it; "" = as Publish does
	Group    string        // members share the events; each group gets all
	Consumer string        // "" = the node's name
	Begin    string        // for a new group: "0" = from the oldest kept (default), "$" = only what comes
	Claim    time.Duration // after which an event that another member did not finish is taken over; 0 = 30 s
}

// Consume calls handle for every event of the group's share, one after the other,
// until ctx ends. An event whose handle returns an error is not acknowledged and
// comes again, to this member or another, after Claim. With Redis down it waits.
func (b *Bus) Consume(ctx context.Context, g Group, handle func(context.Context, Event) error) error {
	g.Consumer = cmp.Or(g.Consumer, b.opts.Node)
	g.Begin = cmp.Or(g.Begin, "0")
	g.Claim = cmp.Or(g.Claim, 30*time.Second)
	said := ""
	for {
		err := b.consume(ctx, g, handle)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if said != err.Error() {
			said = err.Error()
			b.opts.Log.Warn("redis: reading a stream; trying again", "stream", g.Stream, "err", err)
		}
		if err := backoff.Sleep(ctx, b.opts.interval); err != nil {
			return err
		}
	}
}

// consume works until an error of Redis.
func (b *Bus) consume(ctx context.Context, g Group, handle func(context.Context, Event) error) error {
	key := cmp.Or(g.Key, b.key("stream", g.Stream))
	err := b.client.XGroupCreateMkStream(ctx, key, g.Group, g.Begin).Err()
	if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") {
		return redisErr(err)
	}
	wait := min(g.Claim/2, time.Second)
	var claimed time.Time
	for {
		if time.Since(claimed) >= g.Claim/2 {
			if err := b.claim(ctx, key, g, handle); err != nil {
				return err
			}
			claimed = time.Now()
		}
		res, err := b.client.XReadGroup(ctx, &redis.XReadGroupArgs{Group: g.Group, Consumer: g.Consumer,
			Streams: []string{key, ">"}, Count: group, Block: wait}).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return redisErr(err)
		}
		for _, s := range res {
			if err := b.deliver(ctx, key, g, s.Messages, handle); err != nil {
				return err
			}
		}
	}
}

// claim takes over what members left unfinished, this one's earlier life included.
func (b *Bus) claim(ctx context.Context, key string, g Group, handle func(context.Context, Event) error) error {
	for start := "0-0"; ; {
		msgs, next, err := b.client.XAutoClaim(ctx, &redis.XAutoClaimArgs{Stream: key, Group: g.Group, Consumer: g.Consumer,
			MinIdle: g.Claim, Start: start, Count: group}).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return redisErr(err)
		}
		if err := b.deliver(ctx, key, g, msgs, handle); err != nil {
			return err
		}
		if next == "0-0" || next == "" {
			return nil
		}
		start = next
	}
}

func (b *Bus) deliver(ctx context.Context, key string, g Group, msgs []redis.XMessage,
	handle func(context.Context, Event) error) error {
	for _, m := range msgs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := handle(ctx, eventOf(m)); err != nil {
			b.opts.Log.Warn("an event could not be handled; it comes again", "stream", g.Stream, "id", m.ID, "err", err)
			continue
		}
		if err := b.client.XAck(ctx, key, g.Group, m.ID).Err(); err != nil {
			return redisErr(err)
		}
	}
	return nil
}

// Notes are what holders of a lease have noted in a stream, oldest first.
func (b *Bus) Notes(ctx context.Context, stream string) (out []Event, err error) {
	for from := "-"; ; {
		list, err := b.client.XRangeN(ctx, b.key("stream", stream), from, "+", group).Result()
		if err != nil {
			return nil, redisErr(err)
		}
		for _, m := range list {
			out = append(out, eventOf(m))
		}
		if len(list) < group {
			return out, nil
		}
		from = "(" + list[len(list)-1].ID
	}
}

// eventOf reads a message; fields that a foreign sender left out stay empty.
func eventOf(m redis.XMessage) Event {
	fields := make(map[string]string, len(m.Values))
	for name, v := range m.Values {
		fields[name], _ = v.(string)
	}
	return Event{Pos: m.ID, ID: fields["id"], Node: fields["node"], Data: []byte(fields["data"]), Fields: fields}
}

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
