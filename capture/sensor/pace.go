package sensor

import (
	"context"
	"errors"
	"time"

	"golang.org/x/time/rate"
)

// ErrFlood is why events over HTTP are refused that are too many.
var ErrFlood = errors.New("too many events")

// What one sender may say for long and at once: more than a bridge of forty tables does, and
// less than disturbs a table's judge. Who sends more by a line or a stream is read no faster,
// so that the rest waits at the sender; HTTP has no such way and is refused.
const (
	paceEvery = 10 * time.Millisecond
	paceBurst = 2000
)

func newPace() *rate.Limiter { return rate.NewLimiter(rate.Every(paceEvery), paceBurst) }

// keep waits until a sender may say one thing more, and tells of one that has to wait. It
// fails at the end of ctx.
func (in *Intake) keep(ctx context.Context, pace *rate.Limiter, source string) error {
	if pace.Allow() {
		return nil
	}
	in.Flooding(source)
	return pace.Wait(ctx)
}
