package node

import (
	"cmp"
	"context"
	"encoding/json"

	"vision/internal/config"
	"vision/stream/floor"
	"vision/validate/explain"
	"vision/validate/room"
	"vision/validate/supervision"
)

// openFloor prepares the supervision of the tables.
func (n *Node) openFloor() (err error) {
	n.floor, err = floor.New(floor.Config{
		Tables: roomOf(n.inForce()), Say: explain.Duties{Books: n.books}.Say, Ledger: deskLedger{n.ledger},
		Desk: n.desk, Log: n.log, Settle: n.opts.Settle,
		Judge: supervision.Hall{Books: n.books,
			Options: room.Options{
				StrictRecording: n.cfg.Supervision.StrictRecording,
				MaxTables:       n.cfg.Supervision.MaxTables,
			},
			WaivedMinimum: n.cfg.Supervision.WaivedMinimum},
		Recording: n.recording, Judges: n.leads,
		Minimum: n.minimum,
		Show: func(s floor.Status) {
			n.retain("supervision", "", "", s)
			n.publish(busSupervision, "", s)
			n.publishFloor(s)
			room := n.room(s)
			n.later(func(ctx context.Context) error { return n.sessions.Room(ctx, room) })
		},
	})
	return err
}

// roomOf is the room as it is configured.
func roomOf(cfg *config.Config) (out []room.Place) {
	for _, t := range cfg.Tables {
		out = append(out, room.Place{
			ID:            t.ID,
			Game:          t.Game,
			Norm:          t.Norm,
			Variant:       cmp.Or(t.Variant, supervision.VariantOf(t.Game, t.Options)),
			Position:      t.Position,
			Adjacent:      t.Adjacent,
			AuthorisedMin: authorisedMin(t),
			Duty:          room.Duty{Open: !t.Closed, Staff: t.Staff},
		})
	}
	return out
}

// minimum is what is in force at a table, in cents: of its session, else as configured.
func (n *Node) minimum(id string) (int, bool) {
	if low, ok := n.sessions.Minimum(id); ok {
		return int(low), true
	}
	t, err := n.inForce().Table(id)
	if err != nil {
		return 0, false
	}
	return int(t.Min), t.Min > 0
}

// authorisedMin is the authorised minimum of a table's game, in cents, as its session's
// options have it; 0 where they do not.
func authorisedMin(t config.Table) int {
	raw, err := json.Marshal(t.Session["authorised_min"])
	var cents int
	if err != nil || json.Unmarshal(raw, &cents) != nil {
		return 0 // openSessions has refused what is no number
	}
	return cents
}
