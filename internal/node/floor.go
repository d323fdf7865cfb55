package node

import (
	"cmp"
	"context"
	"time"

	"vision/stream/floor"
	"vision/validate/explain"
	"vision/validate/room"
	"vision/validate/rulebook"
	"vision/validate/supervision"
)

// openFloor prepares the supervision of the tables.
func (n *Node) openFloor(books *rulebook.Books) (err error) {
	var tables []room.Place
	for _, t := range n.cfg.Tables {
		tables = append(
			tables,
			room.Place{
				ID:       t.ID,
				Game:     t.Game,
				Norm:     t.Norm,
				Variant:  cmp.Or(t.Variant, supervision.VariantOf(t.Game, t.Options)),
				Position: t.Position,
				Adjacent: t.Adjacent,
				Duty:     room.Duty{Open: !t.Closed, Staff: t.Staff},
			},
		)
	}
	n.floor, err = floor.New(floor.Config{
		Tables: tables, Say: explain.DutyOf, Ledger: deskLedger{n.ledger}, Desk: n.desk, Log: n.log, Settle: n.opts.Settle,
		Judge: supervision.Hall{Books: books,
			Options: room.Options{StrictRecording: n.cfg.Supervision.StrictRecording, MaxTables: n.cfg.Supervision.MaxTables}},
		Recording: func(id string) room.Recording { return n.table(id).Recording(time.Now()) },
		Show: func(s floor.Status) {
			if err := n.hub.Retain("supervision", "", "", s); err != nil {
				n.log.Error("show supervision", "err", err)
			}
			n.publish(busSupervision, "", s)
			room := n.room(s)
			n.later(func(ctx context.Context) error { return n.sessions.Room(ctx, room) })
		},
	})
	return err
}
