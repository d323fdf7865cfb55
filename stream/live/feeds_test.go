package live

import (
	"testing"
	"time"

	"vision/capture"
	"vision/internal/testkit/testvideo"
)

func TestFeedsServeViewers(t *testing.T) {
	feed := capture.NewFeed("a", nil, nil)
	us := testvideo.Plain(time.Now())
	for _, u := range us[:20] {
		feed.Unit(u)
	}
	cams := Feeds(func(name string) *capture.Feed {
		if name == "a" {
			return feed
		}
		return nil
	})
	if _, _, err := cams.Subscribe("b"); err == nil {
		t.Error("a camera that does not exist")
	}
	_, h := serve(t, cams, Options{})
	v := newViewer(t, viewerOptions{videos: 1})
	v.play(h.URL, "/whep/a", nil)
	v.waitFor("a", 5)
	for _, u := range us[20:60] {
		feed.Unit(u)
		time.Sleep(time.Millisecond)
	}
	got, _ := v.waitFor("a", 45)
	sameUnits(t, got, us[15:60])
	feed.Finish()
}

func TestFeedsSubscriptionHoldsTheGroupAtOnceAndEnds(t *testing.T) {
	feed := capture.NewFeed("a", nil, nil)
	us := testvideo.Plain(time.Now())
	for _, u := range us[:20] {
		feed.Unit(u)
	}
	units, cancel, err := Feeds(func(string) *capture.Feed { return feed }).Subscribe("a")
	if err != nil {
		t.Fatal(err)
	}
	if got := backlog(units); len(got) != 5 || !got[0].Key {
		t.Errorf("%d units at once", len(got))
	}
	feed.Unit(us[20])
	<-units
	cancel()
	if _, ok := <-units; ok {
		t.Error("units after cancel")
	}
}
