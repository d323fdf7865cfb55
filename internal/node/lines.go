package node

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// lines are things that run beside one another, each by a key that says all that it is made of.
// Which they are may change while they run: those that stay do not notice. One that fails ends
// all.
type lines struct {
	mu   sync.Mutex
	want map[string]func(context.Context) error
	on   map[string]line
	run  func(key string, f func(context.Context) error) // nil: they do not run
}

// line is one that runs.
type line struct {
	stop context.CancelFunc
	over chan struct{}
}

// Run runs them until ctx ends.
func (l *lines) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { <-ctx.Done(); return ctx.Err() })
	l.mu.Lock()
	l.on = map[string]line{}
	l.run = func(key string, f func(context.Context) error) {
		own, stop := context.WithCancel(ctx)
		x := line{stop, make(chan struct{})}
		l.on[key] = x
		g.Go(func() error {
			defer close(x.over)
			err := f(own)
			if own.Err() != nil {
				return nil // it was to end
			}
			return err
		})
	}
	for key, f := range l.want {
		l.run(key, f)
	}
	l.mu.Unlock()
	<-ctx.Done()
	l.mu.Lock()
	l.run = nil
	l.mu.Unlock()
	return g.Wait()
}

// set has these run and no others. Those that go have ended when it returns, before those that
// come begin: they may be at the same port.
func (l *lines) set(want map[string]func(context.Context) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.want = want
	for key, x := range l.on {
		if want[key] == nil {
			x.stop()
			<-x.over
			delete(l.on, key)
		}
	}
	if l.run == nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if _, there := l.on[key]; !there {
			l.run(key, want[key])
		}
	}
}
