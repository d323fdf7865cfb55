package node

import (
	"time"

	"vision/internal/config"
	"vision/stream/floor"
	"vision/validate/rulebook"
	"vision/validate/supervision"
)

// openFloor prepares the supervision of the tables.
func (n *Node) openFloor(books *rulebook.Books) (err error) {
	var tables []floor.Table
	for _, t := range n.cfg.Tables {
		tables = append(tables, floor.Table{ID: t.ID, Game: t.Game, Norm: t.Norm, Variant: variant(t), Position: t.Position, Adjacent: t.Adjacent,
			Duty: floor.Duty{Open: !t.Closed, Staff: t.Staff}})
	}
	n.floor, err = floor.New(floor.Config{
		Tables: tables, Books: books, Ledger: deskLedger{n.ledger}, Desk: n.desk, Log: n.log, Settle: n.opts.Settle,
		Options:   supervision.Options{StrictRecording: n.cfg.Supervision.StrictRecording, MaxTables: n.cfg.Supervision.MaxTables},
		Recording: func(id string) supervision.Recording { return n.table(id).recording(time.Now()) },
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

const (
	// recordingStale is how old the newest picture on the disk may be while a
	// camera counts as recorded: fragments are at most a second long.
	recordingStale = 2500 * time.Millisecond
	// recordingSlow is for how long a recording counts as degraded after
	// pictures were lost on their way to the disk.
	recordingSlow = 10 * time.Second
)

// recording is how the table's own recording is: that of all its cameras.
func (t *table) recording(now time.Time) supervision.Recording {
	good, kept := 0, 0
	degraded := false
	for _, c := range t.cameras {
		if c.recorder == nil {
			continue
		}
		kept++
		p := c.recorder.Progress()
		if p.Failed || now.Sub(p.Until) > recordingStale {
			continue
		}
		good++
		degraded = degraded || c.losing(p.Dropped, now)
	}
	switch {
	case kept == 0:
		return supervision.RecordingNone
	case good == 0:
		return supervision.RecordingDown
	case good < len(t.cameras) || degraded:
		return supervision.RecordingDegraded
	}
	return supervision.RecordingOK
}

// losing tells whether the disk was too slow for the camera a short while ago.
func (c *camera) losing(dropped uint64, now time.Time) bool {
	if c.dropped.Swap(dropped) != dropped {
		c.droppedAt.Store(now.UnixNano())
	}
	at := c.droppedAt.Load()
	return at != 0 && now.Sub(time.Unix(0, at)) < recordingSlow
}
