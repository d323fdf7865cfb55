package node

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"vision/internal/health"
	"vision/internal/pipeline"
	"vision/internal/testkit/redistest"
	"vision/stream/verify"
)

// Redis is full and takes no more (maxmemory with noeviction): it is named, rounds are judged
// and told, and when there is room Redis gets every round once.
func TestRedisIsFull(t *testing.T) {
	t.Parallel()
	r := redistest.New(t)
	h := newHouse(t, "redis: "+r.URL())
	h.seat("R1", "one", "")
	_, stop := h.run()
	f := h.follow()
	opts, err := redis.ParseURL(r.URL())
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(opts)
	defer c.Close()
	full := func(most string) {
		t.Helper()
		if err := c.ConfigSet(t.Context(), "maxmemory", most).Err(); err != nil {
			t.Fatal(err)
		}
	}
	h.quickSpin("R1", "3")
	h.await("Redis has a round", func() bool { return len(onBus(t, c, pipeline.StreamRounds)) >= 1 })
	full("1")
	h.quickSpin("R1", "7")
	h.quickSpin("R1", "8")
	h.await("it is named", func() bool { return h.problem(health.BusRefused, "redis") != nil })
	h.await("rounds are told", func() bool { return len(f.rounds(t, "R1")) == 3 })
	if got := onBus(t, c, pipeline.StreamRounds); len(got) > 1 {
		t.Errorf("a full Redis has taken %d rounds", len(got))
	}
	full("0")
	h.await("Redis has every round, and all is well", func() bool {
		return len(onBus(t, c, pipeline.StreamRounds)) >= 3 && h.problem(health.BusRefused, "redis") == nil
	})
	f.stop()
	stop()
	if got := onBus(t, c, pipeline.StreamRounds); repeats(got) {
		t.Errorf("Redis has rounds twice: %v", got)
	}
	if report, err := verify.Dir(h.dir+"/data", verify.Options{}); err != nil || !report.OK {
		t.Errorf("verify: %v %+v", err, report)
	}
}
