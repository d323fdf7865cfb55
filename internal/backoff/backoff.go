// Package backoff spaces attempts, and waits no longer than a context lives.
package backoff

import (
	"cmp"
	"context"
	"math/rand/v2"
	"time"
)

// Backoff spaces attempts: First, doubled up to Last, each with up to a fifth of
// jitter, so that what failed together does not come back in step. Its zero value
// begins with 0.5 s and goes up to 5 s.
type Backoff struct {
	First, Last time.Duration // 0 = 0.5 s and 5 s
	wait        time.Duration
}

// Next is the wait before the next attempt.
func (b *Backoff) Next() time.Duration {
	first, last := cmp.Or(b.First, 500*time.Millisecond), cmp.Or(b.Last, 5*time.Second)
	b.wait = min(max(2*b.wait, first), last)
	return b.wait - time.Duration(rand.Float64()*float64(b.wait)/5)
}

// Reset begins anew after a success.
func (b *Backoff) Reset() { b.wait = 0 }

// Wait waits before the next attempt, or until ctx ends, whose error it returns.
func (b *Backoff) Wait(ctx context.Context) error { return Sleep(ctx, b.Next()) }

// Every calls f each d, with the time, until ctx ends, whose error it returns.
func Every(ctx context.Context, d time.Duration, f func(now time.Time)) error {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case now := <-tick.C:
			f(now)
		}
	}
}

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
