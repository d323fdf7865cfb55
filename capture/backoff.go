package capture

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff spaces attempts: 0.5 s, doubled up to 5 s, each with up to a fifth of
// jitter so that cameras of one switch do not come back in step.
type Backoff struct{ wait time.Duration }

// Next is the wait before the next attempt.
func (b *Backoff) Next() time.Duration {
	b.wait = min(max(2*b.wait, 500*time.Millisecond), 5*time.Second)
	return b.wait - time.Duration(rand.Int64N(int64(b.wait/5)))
}

// Reset begins anew after a success.
func (b *Backoff) Reset() { b.wait = 0 }

// Sleep waits for d or for ctx's end, whose error it returns.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
