package node

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vision/internal/config"
	"vision/internal/health"
)

// Only a clock that was set is told, once, by how much.
func TestLeaps(t *testing.T) {
	for name, c := range map[string]struct{ drift, set, want time.Duration }{
		"steady": {}, "corrected slowly": {drift: 500 * time.Microsecond}, "set a little": {set: time.Second},
		"set forward": {set: time.Hour, want: time.Hour}, "set back": {set: -time.Minute, want: -time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				begun := time.Now()
				told := leaps(ctx, func() time.Time {
					since := time.Since(begun)
					wall := begun.Add(since + time.Duration(since.Seconds()*float64(c.drift)))
					if since > 30*time.Second+leapEvery/2 {
						wall = wall.Add(c.set)
					}
					return wall
				})
				var got []time.Duration
				end := time.After(10 * time.Minute)
				for over := false; !over; {
					select {
					case by := <-told:
						got = append(got, by.Round(time.Second))
					case <-end:
						over = true
					}
				}
				if c.want == 0 && len(got) > 0 || c.want != 0 && (len(got) != 1 || got[0] != c.want) {
					t.Errorf("told %v, want %v", got, c.want)
				}
			})
		})
	}
}

// The machine's clock is set by an hour: the node begins anew and says so, what was played is
// kept, and the next round is judged.
func TestTheClockIsSet(t *testing.T) {
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	cfg, _ := h.config()
	var ahead atomic.Int64
	nodes := make(chan *Node, 4)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	opts := Options{Log: quiet(), ReaderEnv: h.env, Settle: time.Second,
		Wall: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }}
	go func() {
		load := func() (*config.Config, error) { return cfg, nil }
		done <- Keep(ctx, load, make(chan struct{}), opts, func(n *Node) { nodes <- n })
	}()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	first := <-nodes
	h.login()
	f := h.follow()
	h.within(20*time.Second, "pictures", func() bool { return first.camera("one").Feed().Stats().Units > 0 })
	h.quickSpin("R1", "3")
	h.within(10*time.Second, "a round", func() bool { return len(f.rounds(t, "R1")) == 1 })
	ahead.Store(int64(time.Hour))
	second := <-nodes
	h.within(20*time.Second, "it is said", func() bool {
		for _, p := range h.problems() {
			if p.Code == health.ClockSkew && strings.Contains(p.Detail, "set forward by 1h0m0s") {
				return true
			}
		}
		return false
	})
	f = h.follow()
	h.within(20*time.Second, "pictures again", func() bool { return second.camera("one").Feed().Stats().Units > 0 })
	h.quickSpin("R1", "4")
	h.quickSpin("R1", "5")
	h.within(20*time.Second, "the next round", func() bool { return len(f.rounds(t, "R1")) > 0 })
}
