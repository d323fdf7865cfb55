package node

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// taskGroup runs several tasks at once, each by a key of all its settings. The set may change
// while they run: tasks that stay are not disturbed. One that fails ends all.
type taskGroup struct {
	mu   sync.Mutex
	want map[string]func(context.Context) error
	on   map[string]task
	run  func(key string, f func(context.Context) error) // nil: they do not run
}

// task is one that runs.
type task struct {
	stop context.CancelFunc
	over chan struct{}
}

// Run runs them until ctx ends.
func (g *taskGroup) Run(ctx context.Context) error {
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() error { <-ctx.Done(); return ctx.Err() })
	g.mu.Lock()
	g.on = map[string]task{}
	g.run = func(key string, f func(context.Context) error) {
		own, stop := context.WithCancel(ctx)
		x := task{stop, make(chan struct{})}
		g.on[key] = x
		eg.Go(func() error {
			defer close(x.over)
			err := f(own)
			if own.Err() != nil {
				return nil // it was to end
			}
			return err
		})
	}
	for key, f := range g.want {
		g.run(key, f)
	}
	g.mu.Unlock()
	<-ctx.Done()
	g.mu.Lock()
	g.run = nil
	g.mu.Unlock()
	return eg.Wait()
}

// set has these run and no others. Those that go have ended when it returns, before those that
// come begin: they may be at the same port.
func (g *taskGroup) set(want map[string]func(context.Context) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.want = want
	for key, x := range g.on {
		if want[key] == nil {
			x.stop()
			<-x.over
			delete(g.on, key)
		}
	}
	if g.run == nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if _, there := g.on[key]; !there {
			g.run(key, want[key])
		}
	}
}
