package pipeline

import (
	"context"
	"strings"
	"time"

	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/text"
	"vision/stream/alert"
)

// moved raises the alert of a camera that was moved, until it is put back,
// calibrated anew or confirmed. Meanwhile no round is verifiable.
func (c *Camera) moved(o fact.Observation) {
	if o.OK {
		c.endMoved()
		return
	}
	n := c.table.deps
	n.Board.Set(health.CameraMoved, c.table.cfg.ID, c.cfg.Name, o.Note)
	moved := c.unwatched(text.Text{ES: "las jugadas no se verifican hasta que se confirme o se calibre de nuevo",
		EN: "rounds are not verified until it is confirmed or calibrated anew"},
		text.Text{ES: "La cámara %s se ha movido", EN: "Camera %s was moved"}, c.cfg.Name)
	a := c.newAlert(movedAlert, health.CameraMoved, o.Time, moved)
	a.Clip = &alert.Clip{Camera: c.cfg.Name, From: o.Time.Add(-5 * time.Second), To: o.Time.Add(2 * time.Second)}
	if c.movedAlert.CompareAndSwap(nil, &a.ID) {
		n.Later(func(ctx context.Context) error { return n.Desk.Raise(ctx, a) })
	}
}

// endMoved resolves the alert.
func (c *Camera) endMoved() {
	n := c.table.deps
	n.Board.Clear(health.CameraMoved, c.cfg.Name)
	if old := c.movedAlert.Swap(nil); old != nil {
		n.Later(func(ctx context.Context) error { return n.Desk.Resolve(ctx, *old) })
	}
}

// ResumeMoved restores, after a restart, that a camera of the table was moved, from
// the open alert: a new reader has only the present state.
func (t *Table) ResumeMoved(a alert.Alert) {
	parts := strings.Split(a.ID, "/")
	if len(parts) != 4 || a.Table != t.cfg.ID {
		return
	}
	for _, c := range t.cameras {
		if c.cfg.Name != parts[2] {
			continue
		}
		c.movedAlert.Store(&a.ID)
		t.deps.Board.Set(health.CameraMoved, a.Table, c.cfg.Name, "it was moved before the restart and nobody has confirmed it")
		t.loop.observe([]fact.Observation{{Table: a.Table, Camera: c.cfg.Name, Kind: fact.Moved, Time: time.Now(), Note: "before the restart"}})
	}
}
