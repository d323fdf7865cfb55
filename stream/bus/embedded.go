package bus

import (
	"context"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"

	"vision/internal/backoff"
)

// embedded is a Redis within the process. It listens on the loopback interface,
// behind a password that nobody else knows.
type embedded struct {
	server         *miniredis.Miniredis
	addr, password string
}

func startEmbedded() (*embedded, error) {
	e := &embedded{server: miniredis.NewMiniRedis(), password: token() + token()}
	e.server.RequireAuth(e.password)
	if err := e.server.Start(); err != nil {
		return nil, fmt.Errorf("embedded redis: %w", err)
	}
	e.addr = e.server.Addr()
	return e, nil
}

// clock lets values expire: the embedded server has no time of its own.
func (e *embedded) clock(ctx context.Context) {
	const step = 50 * time.Millisecond
	last := time.Now()
	_ = backoff.Every(ctx, step, func(now time.Time) {
		e.server.FastForward(now.Sub(last))
		last = now
	})
}

func (e *embedded) close() { e.server.Close() }
