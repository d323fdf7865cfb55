package capture

import (
	"context"
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	var b Backoff
	for turn := range 2 {
		for i, full := range []time.Duration{500, 1000, 2000, 4000, 5000, 5000} {
			full *= time.Millisecond
			if d := b.Next(); d > full || d < full*4/5 {
				t.Errorf("turn %d, attempt %d: %v, want up to %v", turn, i, d, full)
			}
		}
		b.Reset()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Sleep(ctx, time.Hour); err != context.Canceled {
		t.Errorf("Sleep: %v", err)
	}
}
