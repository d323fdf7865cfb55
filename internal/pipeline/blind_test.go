package pipeline

import (
	"context"
	"encoding/json"
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
	lent := c.table.lent
	lent.Desk = alert.NewDesk(alert.Config{Ledger: d})
	for _, raw := range *d {
		if err := lent.Desk.Restore(alert.Entry, raw); err != nil {
			t.Fatal(err)
		}
	}
	lent.Later = func(f func(context.Context) error) {
		if err := f(t.Context()); err != nil {
			t.Error(err)
		}
	}
	c.table.judge = &judge{inbox: make(chan any, 8)}
	c.feed = capture.NewFeed("one", c.state, c.blind)
	return c
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
				if a := c.holding(blindAlert); len(a) != 1 || a[0].Code != health.CameraBlind || a[0].CA == "" {
					t.Fatalf("before the restart: %+v", a)
				}
				stop()

				c = another(t, d)
				stop = watch(c)
				defer stop()
				if blindAgain {
					time.Sleep(time.Minute)
					synctest.Wait()
					if p := c.table.lent.Board.Present(); len(p) != 1 || p[0].Code != health.CameraBlind {
						t.Errorf("problems %+v", p)
					}
				}
				if a := c.holding(blindAlert); len(a) != 1 {
					t.Fatalf("after the restart: %+v", a)
				}
				c.feed.Unit(capture.Unit{Key: true, Wall: time.Now()})
				time.Sleep(1100 * time.Millisecond)
				synctest.Wait()
				all := c.table.lent.Desk.List(nil)
				if len(all) != 1 || all[0].Resolved.IsZero() {
					t.Errorf("it sees: %+v", all)
				}
				if p := c.table.lent.Board.Present(); len(p) != 0 {
					t.Errorf("problems %+v", p)
				}
			})
		})
	}
}
