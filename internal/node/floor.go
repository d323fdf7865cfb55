package node

import (
	"time"

	"vision/internal/config"
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
		tables = append(tables, room.Place{ID: t.ID, Game: t.Game, Norm: t.Norm, Variant: variant(t), Position: t.Position, Adjacent: t.Adjacent,
			Duty: room.Duty{Open: !t.Closed, Staff: t.Staff}})
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
		},
	})
	return err
}

// variant of a table in the terms of supervision; where the configuration names
// none, the options by which its rounds are judged may.
func variant(t config.Table) string {
	if t.Variant != "" {
		return t.Variant
	}
	switch v := t.Options["mesa"]; {
	case t.Game == "punto_banco" && (v == "mini" || v == "midi" || v == "grande"):
		return v.(string)
	case t.Game == "ruleta_francesa" && isTwo(t.Options["panos"]):
		return "two_layouts"
	}
	return ""
}

func isTwo(v any) bool {
	switch n := v.(type) {
	case int:
		return n == 2
	case int64:
		return n == 2
	case uint64:
		return n == 2
	case float64:
		return n == 2
	}
	return false
}
