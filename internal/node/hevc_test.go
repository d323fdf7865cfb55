package node

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"vision/internal/testkit/testvideo"
	"vision/stream/record"
)

// A camera of H.265 with B-frames is recorded as it comes, read, and shown: its copy is
// encoded while somebody watches, once for all of them.
func TestACameraOfH265IsShownAndRecorded(t *testing.T) {
	h := newHouse(t, "")
	st, err := h.srv.StreamH265("hevc")
	if err != nil {
		t.Fatal(err)
	}
	us := testvideo.HEVC(t, time.Time{}, true)
	ctx, cancel := context.WithCancel(context.Background())
	var run sync.WaitGroup
	run.Go(func() {
		tick := time.NewTicker(time.Second / testvideo.FPS)
		defer tick.Stop()
		for turn := time.Duration(0); ; turn += 2 * time.Second {
			for _, u := range us {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				u.PTS, u.Wall = u.PTS+turn, time.Time{}
				if st.Write(u) != nil {
					return
				}
			}
		}
	})
	t.Cleanup(func() { cancel(); run.Wait() })
	fmt.Fprintf(&h.yaml, "  - {id: R1, game: ruleta_francesa, min: 500, max: 100000, options: {panos: 1}, token: %s, cameras: [{name: one, url: '%s'}]}\n",
		token, h.srv.URL("hevc"))
	n, _ := h.run()
	c := n.camera("one")
	h.within(20*time.Second, "pictures", func() bool { return c.Feed().Stats().Units > testvideo.FPS })
	copied := c.FeedOf("one~h264")
	if got := copied.Stats().Units; got != 0 {
		t.Errorf("%d pictures were encoded for nobody", got)
	}
	a, b := h.view("one"), h.view("one~h264")
	h.within(30*time.Second, "both viewers see it", func() bool {
		x, _ := a.pictures()
		y, _ := b.pictures()
		return x > testvideo.FPS && y > testvideo.FPS
	})
	if n := copied.Subscribers(); n != 2 {
		t.Errorf("%d viewers of the copy", n)
	}
	h.within(20*time.Second, "it is recorded", func() bool {
		return len(n.store.Timeline(record.Camera{Table: "R1", Camera: "one"}, time.Now().Add(-time.Minute), time.Now())) > 0
	})
	if p := h.problem("camera_reorders", "one"); p == nil {
		t.Error("its B-frames are not named")
	}
}
