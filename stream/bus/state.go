package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
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
