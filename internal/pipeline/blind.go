package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/text"
	"vision/stream/alert"
)

// blind raises the alert of a camera that shows nothing, and reports it to the tracker. It is over
// when pictures have come for a while.
func (c *Camera) blind(since time.Time, blind bool) {
	c.lack.Lock()
	defer c.lack.Unlock()
	c.lacked = time.Now()
	if !blind {
		return
	}
	n := c.table.deps
	at := since.Format("15:04:05")
	detail := fmt.Sprintf("no picture since %s", at)
	if s := c.feed.LastState(); s.Err != nil {
		detail += ": " + s.Err.Error()
	}
	c.setProblem(health.CameraBlind, detail)
	c.table.loop.observe([]fact.Observation{
		{Table: c.table.cfg.ID, Camera: c.cfg.Name, Kind: fact.Blind, Since: since, Time: time.Now()}})
	dark := c.unwatched(unverified, text.Text{ES: "La cámara %s no da imagen desde las %s",
		EN: "Camera %s has shown nothing since %s"}, c.cfg.Name, at)
	a := c.newAlert(blindAlert, health.CameraBlind, since, dark)
	n.Later(func(ctx context.Context) error {
		if len(c.openAlerts(blindAlert)) > 0 { // it was blind a moment ago, or before the restart
			return nil
		}
		return n.Desk.Raise(ctx, a)
	})
}

// endBlind resolves the alert, also what an earlier run of this machine or of another left open.
func (c *Camera) endBlind() {
	c.table.deps.Board.Clear(health.CameraDown, c.cfg.Name)
	c.table.deps.Board.Clear(health.CameraBlind, c.cfg.Name)
	c.resolve(blindAlert)
}

// Kinds of alerts about a camera that last until the camera is well again.
const (
	blindAlert  = "blind"
	frozenAlert = "frozen"
	movedAlert  = "moved"
)

// newAlert is such an alert; it is named by when it began.
func (c *Camera) newAlert(kind, code string, at time.Time, what text.Localized) alert.Alert {
	t := &c.table.cfg
	return alert.Alert{ID: fmt.Sprintf("%s%d", c.alertPrefix(kind), at.UnixMilli()), Kind: "health",
		Table: t.ID, Game: t.Game, Norm: t.Norm, Code: code, Severity: "critical", Probability: 1, At: at, Localized: what}
}

// alertPrefix begins the ids of the camera's alerts of a kind.
func (c *Camera) alertPrefix(kind string) string {
	return fmt.Sprintf("%s/%s/%s/", c.table.cfg.ID, kind, c.cfg.Name)
}

// openAlerts are the camera's alerts of a kind that are open, whichever run raised them.
func (c *Camera) openAlerts(kind string) []alert.Alert {
	return c.table.deps.Desk.List(func(a *alert.Alert) bool {
		return strings.HasPrefix(a.ID, c.alertPrefix(kind)) && a.Resolved.IsZero()
	})
}

// resolve resolves the camera's alerts of a kind, the oldest first.
func (c *Camera) resolve(kind string) {
	n := c.table.deps
	n.Later(func(ctx context.Context) error {
		for _, a := range slices.Backward(c.openAlerts(kind)) {
			if err := n.Desk.Resolve(ctx, a.ID); err != nil {
				return err
			}
		}
		return nil
	})
}
