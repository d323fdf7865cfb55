package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"vision/capture"
	"vision/internal/health"
	"vision/stream/alert"
)

// diary is a ledger of alerts' steps that outlasts the node.
type diary [][]byte

func (d *diary) Append(_ context.Context, _, _ string, payload any) error {
	raw, err := json.Marshal(payload)
	*d = append(*d, raw)
	return err
}

// another is the camera as the next run of its machine has it: with the alerts that the
// diary tells of, and nothing else.
func another(t *testing.T, d *diary) *Camera {
	t.Helper()
	c, _, _ := shown(t)
	deps := c.table.deps
	deps.Desk = alert.NewDesk(alert.Config{Ledger: d})
	for _, raw := range *d {
		if err := deps.Desk.Restore(alert.Entry, raw); err != nil {
			t.Fatal(err)
		}
	}
	deps.Later = func(f func(context.Context) error) {
		if err := f(t.Context()); err != nil {
			t.Error(err)
		}
	}
	c.table.loop = &tableLoop{inbox: make(chan any, 8)}
	c.feed = capture.NewFeed("one", c.state, c.blind)
	return c
}

// send has the camera send pictures for a while.
func send(c *Camera, d time.Duration) {
	for range d / (100 * time.Millisecond) {
		c.feed.Unit(capture.Unit{Key: true, Wall: time.Now()})
		time.Sleep(100 * time.Millisecond)
	}
}

// A camera that is connected, sends for a moment and is lost again, over and over, is one
// problem and one alert, until its pictures have come steadily.
func TestACameraThatComesAndGoesIsToldOfOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &diary{}
		c := another(t, d)
		changes := map[string]int{}
		c.table.deps.Board = health.NewBoard(func(p health.Problem, _ bool) { changes[p.Code]++ })
		ctx, cancel := context.WithCancel(t.Context())
		defer func() { cancel(); synctest.Wait() }()
		go c.feed.Watch(ctx)
		go c.inspect(ctx)
		up := func() { c.feed.State(capture.State{Up: true}) }
		gone := 0
		for range 40 { // as a source does that gets nothing for 5 s and tries again
			up()
			send(c, 3*time.Second)
			time.Sleep(5 * time.Second)
			c.feed.State(capture.State{Err: errors.New("connected, but no packet for 5s")})
			gone++
			time.Sleep(500 * time.Millisecond)
			<-c.table.loop.inbox // each time the tracker hears of it
		}
		synctest.Wait()
		problems := c.table.deps.Board.Present()
		if len(problems) != 2 || problems[0].Code != health.CameraBlind || problems[0].Count != gone ||
			problems[1].Code != health.CameraDown || problems[1].Count != gone {
			t.Errorf("problems %+v", problems)
		}
		if a := c.openAlerts(blindAlert); len(a) != 1 || len(*d) != 1 {
			t.Errorf("%d entries of the alerts, open %+v", len(*d), a)
		}
		if changes[health.CameraBlind] != 1 || changes[health.CameraDown] != 1 {
			t.Errorf("changes %v", changes)
		}
		up()
		send(c, steady-2*time.Second)
		if a := c.openAlerts(blindAlert); len(a) != 1 {
			t.Error("it is over before the picture is steady")
		}
		send(c, 4*time.Second)
		synctest.Wait()
		if a, p := c.openAlerts(blindAlert), c.table.deps.Board.Present(); len(a) != 0 || len(p) != 0 {
			t.Errorf("with a steady picture: %+v, %+v", a, p)
		}
	})
}

// A camera that is blind when its machine is started again has one alert, and that is over
// when the camera sees: also where it sees at once after the start.
func TestACameraIsBlindOverARestart(t *testing.T) {
	for name, blindAgain := range map[string]bool{
		"it sees after the start": false, "it is blind for a while longer": true,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &diary{}
				watch := func(c *Camera) (stop func()) {
					ctx, cancel := context.WithCancel(t.Context())
					go c.feed.Watch(ctx)
					go c.inspect(ctx)
					return func() { cancel(); synctest.Wait() }
				}
				c := another(t, d)
				stop := watch(c)
				time.Sleep(time.Minute)
				synctest.Wait()
				if a := c.openAlerts(blindAlert); len(a) != 1 || a[0].Code != health.CameraBlind || a[0].CA == "" {
					t.Fatalf("before the restart: %+v", a)
				}
				stop()

				c = another(t, d)
				stop = watch(c)
				defer stop()
				if blindAgain {
					time.Sleep(time.Minute)
					synctest.Wait()
					if p := c.table.deps.Board.Present(); len(p) != 1 || p[0].Code != health.CameraBlind {
						t.Errorf("problems %+v", p)
					}
				}
				if a := c.openAlerts(blindAlert); len(a) != 1 {
					t.Fatalf("after the restart: %+v", a)
				}
				send(c, steady+2*time.Second)
				synctest.Wait()
				all := c.table.deps.Desk.List(nil)
				if len(all) != 1 || all[0].Resolved.IsZero() {
					t.Errorf("it sees: %+v", all)
				}
				if p := c.table.deps.Board.Present(); len(p) != 0 {
					t.Errorf("problems %+v", p)
				}
			})
		})
	}
}
