package node

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/internal/health"
	"vision/internal/pipeline"
	"vision/internal/testkit/lossy"
	"vision/internal/testkit/redistest"
	"vision/stream/verify"
)

// A switch dies: all cameras, Redis and viewers are silent at once, connected as they are. Each is
// named, what is said at the tables is judged and told all the same, and when the switch is back
// all of it is, by itself; Redis has every round once.
func TestASwitchDies(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes half a minute")
	}
	r := redistest.New(t)
	h := newHouse(t, "redis: "+r.URL())
	lenses := []*lens{h.seat("R1", "one", ""), h.seat("R2", "two", "")}
	n, stop := h.run()
	f := h.follow()
	feed := func(name string) uint64 { return n.camera(name).Feed().Stats().Units }
	h.await("pictures of both", func() bool { return feed("one") > 30 && feed("two") > 30 })
	var line lossy.Lines
	v := h.viewBy("one", func(answer string) (out string) {
		out, line = lossy.Through(t, answer)
		return out
	})
	h.await("video", func() bool { c, _ := v.pictures(); return c > fps })
	h.quickSpin("R1", "3")
	h.await("a round", func() bool { return len(f.rounds(t, "R1")) == 1 })

	for _, l := range lenses {
		l.dumb.Store(true)
	}
	line.Lose(1)
	r.Pause()
	defer r.Resume()
	h.await("all is named", func() bool {
		return h.problem(health.CameraBlind, "one") != nil && h.problem(health.CameraBlind, "two") != nil &&
			h.problem(health.CameraDown, "one") != nil && h.problem(health.BusDown, "redis") != nil
	})
	h.await("the viewer counts as gone", func() bool { return n.live.Stats().Sessions == 0 })
	h.quickSpin("R1", "7")
	h.quickSpin("R2", "8")
	h.await("rounds are told", func() bool { return len(f.rounds(t, "R1")) == 2 && len(f.rounds(t, "R2")) == 1 })

	line.Lose(0)
	r.Resume()
	for _, l := range lenses {
		l.dumb.Store(false)
	}
	before := feed("two")
	back := h.await("all is back", func() bool {
		for _, p := range h.problems() {
			switch p.Code {
			case health.CameraBlind, health.CameraDown, health.BusDown:
				return false
			}
		}
		return feed("two") > before+fps
	})
	t.Logf("all is back after %v", back.Round(time.Millisecond))
	v = h.view("one")
	h.await("video again", func() bool { c, _ := v.pictures(); return c > fps })
	opts, err := redis.ParseURL(r.URL())
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(opts)
	defer c.Close()
	h.await("Redis has every round", func() bool { return len(onBus(t, c, pipeline.StreamRounds)) >= 3 })
	f.stop()
	stop()
	if got := onBus(t, c, pipeline.StreamRounds); len(got) < 3 || repeats(got) {
		t.Errorf("Redis has %d rounds: %v", len(got), got)
	}
	if report, err := verify.Dir(h.dir+"/data", verify.Options{}); err != nil || !report.OK {
		t.Errorf("verify: %v %+v", err, report)
	}
}

// repeats reports whether something is there under two ids.
func repeats(of []string) bool {
	seen := map[string]bool{}
	for _, s := range of {
		if seen[s] {
			return true
		}
		seen[s] = true
	}
	return false
}
