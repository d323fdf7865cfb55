package pipeline

import (
	"context"
	"time"

	"vision/capture"
	"vision/capture/transcode"
	"vision/internal/backoff"
)

// plainSuffix after a stream's name is its copy in H.264 without B-frames.
const plainSuffix = "~h264"

// plain is a stream encoded once more, for all browsers that do not play it as it comes:
// while somebody watches it, and for a moment longer.
type plain struct {
	of, feed *capture.Feed
	deps     *Deps
}

const (
	// plainQueue is how many units may wait for the process.
	plainQueue = 64
	// plainLinger is how much longer it runs than it is watched: viewers come again.
	plainLinger = 10 * time.Second
)

// run encodes whenever the copy is wanted, until ctx ends.
func (p *plain) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.feed.Wanted():
		}
		p.encode(ctx)
		p.feed.Forget()
	}
}

// encode runs while somebody watches.
func (p *plain) encode(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go p.watch(ctx, cancel)
	err := transcode.Run(ctx, transcode.Config{
		Name: p.of.Name, Env: p.deps.ReaderEnv, Decoder: p.deps.Decoder, Log: p.deps.Log,
		Open: func() capture.Units { return p.of.Subscribe(plainQueue) },
	}, p.feed)
	if err != nil && ctx.Err() == nil {
		p.deps.Log.Warn("transcoding failed", "camera", p.of.Name, "err", err)
	}
}

// watch ends the work when nobody has watched for a while.
func (p *plain) watch(ctx context.Context, stop func()) {
	watched := time.Now()
	_ = backoff.Every(ctx, time.Second, func(now time.Time) {
		if p.feed.Subscribers() > 0 {
			watched = now
		} else if now.Sub(watched) >= plainLinger {
			stop()
		}
	})
}
