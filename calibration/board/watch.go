package board

import (
	"context"
	"errors"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration/lens"
	"vision/capture"
	"vision/internal/av"
)

// between is the time between two pictures of a live camera that are looked at.
const between = 500 * time.Millisecond

// Watch looks at what a camera sends until ctx or the camera ends, and says of every
// picture that shows something of the board. Its error is the source's where nothing
// was found, or that of looking.
func Watch(ctx context.Context, b lens.Board, src capture.Source, found func(lens.View)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	feed := capture.NewFeed("camera", nil, nil)
	sub := feed.Subscribe(64)
	defer sub.Close()
	ended := make(chan error, 1)
	go func() { err := src.Run(ctx, feed); feed.Finish(); ended <- err }()
	none := true
	err := look(ctx, b, sub, func(v lens.View) { none = false; found(v) })
	cancel()
	if e := <-ended; err == nil && none && e != nil && !errors.Is(e, context.Canceled) &&
		!errors.Is(e, context.DeadlineExceeded) {
		err = e
	}
	return err
}

// look decodes what comes and finds the board now and then.
func look(ctx context.Context, b lens.Board, sub *capture.Subscription, found func(lens.View)) error {
	dec, err := av.NewDecoder()
	if err != nil {
		return err
	}
	defer dec.Close()
	img := gocv.NewMat()
	defer img.Close()
	next := time.Duration(-1)
	for {
		u, err := sub.Next(ctx)
		if err != nil {
			return nil // its time is over, or the file's end
		}
		frames, err := dec.Decode(u)
		if err != nil {
			continue // the next key picture mends it
		}
		for _, f := range frames {
			if u.PTS >= next {
				next = u.PTS + between
				if err = f.BGR(&img); err == nil {
					var v lens.View
					if v, err = Find(b, img); err == nil && len(v.Corners) > 0 {
						found(v)
					}
				}
			}
			f.Close()
			if err != nil {
				return err
			}
		}
	}
}
