package pipeline

import (
	"context"

	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/text"
	"vision/stream/alert"
)

// frozen raises the alert of a camera that repeats its pictures, until new ones come, and
// returns the tracker's observation: the table is not seen meanwhile.
func (c *Camera) frozen(o fact.Observation) []fact.Observation {
	if o.OK {
		c.endFrozen()
		return nil
	}
	n, since := c.table.deps, o.Since.Format("15:04:05")
	c.setProblem(health.CameraFrozen, "the same pictures again since "+since)
	still := c.unwatched(unverified, text.Text{ES: "La cámara %s repite las mismas imágenes desde las %s",
		EN: "Camera %s has sent the same pictures again since %s"}, c.cfg.Name, since)
	a := c.newAlert(frozenAlert, health.CameraFrozen, o.Since, still)
	a.Clip = &alert.Clip{Camera: c.cfg.Name, From: o.Since, To: o.Time}
	n.Later(func(ctx context.Context) error { return n.Desk.Raise(ctx, a) })
	o.Kind, o.Note = fact.Blind, "the same pictures again"
	return []fact.Observation{o}
}

// endFrozen resolves the alert, also one from before a restart: every reader first reports the
// camera's state.
func (c *Camera) endFrozen() {
	c.table.deps.Board.Clear(health.CameraFrozen, c.cfg.Name)
	c.resolve(frozenAlert)
}
