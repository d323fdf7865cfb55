package capture_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"vision/capture"
)

// film is a Source of three units.
type film struct{}

func (film) Run(_ context.Context, sink capture.Sink) error {
	start := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	for i := range 3 {
		pts := time.Duration(i) * 40 * time.Millisecond
		sink.Unit(capture.Unit{NALs: [][]byte{{0x65}}, Key: i == 0, PTS: pts, Wall: start.Add(pts)})
	}
	return nil
}

// A Feed hands the units of one source to all who want them; none waits for another.
func ExampleFeed() {
	feed := capture.NewFeed("R1-1", func(capture.State) {}, func(time.Time, bool) {})
	viewer := feed.Subscribe(10)
	defer viewer.Close()
	if err := (film{}).Run(context.Background(), feed); err != nil {
		fmt.Println(err)
		return
	}
	feed.Finish()
	for {
		u, err := viewer.Next(context.Background())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(u.N, u.PTS, u.Key)
	}
	fmt.Println(feed.Stats().Dropped, "lost")
	// Output:
	// 1 0s true
	// 2 40ms false
	// 3 80ms false
	// 0 lost
}
