package pipeline

import (
	"context"
	"fmt"
	"strings"

	"vision/internal/fact"
	"vision/internal/health"
	"vision/stream/alert"
)

// frozen raises the alert of a camera that sends the same pictures again, until new ones
// come, and returns what the tracker hears of it: the table is not seen meanwhile.
func (c *Camera) frozen(o fact.Observation) []fact.Observation {
	if o.OK {
		c.thawed()
		return nil
	}
	n, id, since := c.table.lent, c.table.cfg.ID, o.Since.Format("15:04:05")
	n.Board.Set(health.CameraFrozen, id, c.cfg.Name, "the same pictures again since "+since)
	alertID := fmt.Sprintf("%s%d", c.frozenPrefix(), o.Since.UnixMilli())
	n.Later(func(ctx context.Context) error {
		return n.Desk.Raise(ctx, alert.Alert{ID: alertID, Kind: "health", Table: id, Game: c.table.cfg.Game, Norm: c.table.cfg.Norm,
			Code: health.CameraFrozen, Severity: "critical", Probability: 1, At: o.Since,
			ES:   fmt.Sprintf("La cámara %s repite las mismas imágenes desde las %s; las jugadas no se verifican", c.cfg.Name, since),
			EN:   fmt.Sprintf("Camera %s has sent the same pictures again since %s; rounds are not verified", c.cfg.Name, since),
			Clip: &alert.Clip{Camera: c.cfg.Name, From: o.Since, To: o.Time},
		})
	})
	o.Kind, o.Note = fact.Blind, "the same pictures again"
	return []fact.Observation{o}
}

// thawed ends it, also what was open before a restart: every reader says first how it
// finds the camera.
func (c *Camera) thawed() {
	n := c.table.lent
	n.Board.Clear(health.CameraFrozen, c.cfg.Name)
	n.Later(func(ctx context.Context) error {
		for _, a := range n.Desk.List(func(a *alert.Alert) bool {
			return strings.HasPrefix(a.ID, c.frozenPrefix()) && a.Resolved.IsZero()
		}) {
			if err := n.Desk.Resolve(ctx, a.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// frozenPrefix begins the ids of the camera's alerts that it was frozen.
func (c *Camera) frozenPrefix() string {
	return fmt.Sprintf("%s/frozen/%s/", c.table.cfg.ID, c.cfg.Name)
}
