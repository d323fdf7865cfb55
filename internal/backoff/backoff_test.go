package backoff

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestBackoff(t *testing.T) {
	for _, c := range []struct {
		b    Backoff
		full []int // ms
	}{
		{Backoff{}, []int{500, 1000, 2000, 4000, 5000, 5000}},
		{Backoff{First: 100 * time.Millisecond}, []int{100, 200, 400, 800, 1600, 3200, 5000}},
		{Backoff{First: 2 * time.Second, Last: 8 * time.Second}, []int{2000, 4000, 8000, 8000}},
	} {
		for turn := range 2 {
			for i, ms := range c.full {
				full := time.Duration(ms) * time.Millisecond
				if d := c.b.Next(); d > full || d < full*4/5 {
					t.Errorf("%+v, turn %d, attempt %d: %v, want up to %v", c.b, turn, i, d, full)
				}
			}
			c.b.Reset()
		}
	}
}

func TestWaitEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var b Backoff
		if err := b.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d < 400*time.Millisecond || d > 500*time.Millisecond {
			t.Errorf("waited %v", d)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Sleep: %v", err)
		}
	})
}

// Every calls at each interval, and no more once the context has ended.
func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 35*time.Second)
		defer cancel()
		begun, n := time.Now(), 0
		err := Every(ctx, 10*time.Second, func(now time.Time) {
			n++
			if got := now.Sub(begun); got != time.Duration(n)*10*time.Second {
				t.Errorf("call %d after %v", n, got)
			}
		})
		if n != 3 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d calls, %v; want 3 and the context's error", n, err)
		}
	})
}
