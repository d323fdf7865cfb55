package live

import (
	"context"
	"fmt"
	"sync"

	"vision/capture"
)

// Feeds makes Cameras of capture's feeds: it returns the feed of a camera by the name that
// viewers use for it, nil where there is none.
type Feeds func(camera string) *capture.Feed

// Sizes of a viewer's queues, in units: what the feed holds before it drops to
// the next key frame (a few seconds), and what a session has taken to look at.
const (
	feedQueue = 150
	aheadMax  = 1024
)

// Subscribe implements Cameras.
func (find Feeds) Subscribe(camera string) (<-chan capture.Unit, func(), error) {
	f := find(camera)
	if f == nil {
		return nil, nil, fmt.Errorf("there is no camera %q", camera)
	}
	sub := f.Subscribe(feedQueue)
	ctx, stop := context.WithCancel(context.Background())
	group := present(sub)
	units := make(chan capture.Unit, len(group))
	for _, u := range group {
		units <- u
	}
	var wg sync.WaitGroup
	wg.Go(func() { pump(ctx, sub, units) })
	return units, func() {
		stop()
		wg.Wait()
		sub.Close()
	}, nil
}

// present is what the subscription holds already.
func present(sub *capture.Subscription) (out []capture.Unit) {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	for len(out) < aheadMax {
		u, err := sub.Next(now)
		if err != nil {
			break
		}
		out = append(out, u)
	}
	return out
}

// pump hands units on until the viewer leaves or the source ends.
func pump(ctx context.Context, sub *capture.Subscription, units chan<- capture.Unit) {
	defer close(units)
	for {
		u, err := sub.Next(ctx)
		if err != nil {
			return
		}
		select {
		case units <- u:
		case <-ctx.Done():
			return
		}
	}
}
