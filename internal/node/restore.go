package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/ledger"
)

// restore replays the ledger: the alerts that lie on the desk, and each table's
// newest snapshot. An entry that cannot be read is named and passed over: the
// others still count.
func (n *Node) restore() error {
	snapshots := map[string]json.RawMessage{}
	var supervised ledger.Entry // the newest has all that was said
	var bad damaged
	for e, err := range n.ledger.Since(0) {
		switch {
		case errors.Is(err, ledger.ErrLine):
			bad.add(err)
		case err != nil:
			return fmt.Errorf("ledger: %w; `vision verify` says more", err)
		case e.Kind == ledger.Snapshot:
			snapshots[e.Table] = e.Payload
		case e.Kind == ledger.Supervision:
			supervised = e
		case e.Kind == ledger.Repair && !e.Time.Before(n.begun):
			n.board.Set(health.LedgerRepaired, "", "ledger", string(e.Payload))
		default:
			if err := n.desk.Restore(string(e.Kind), e.Payload); err != nil {
				bad.add(fmt.Errorf("entry %d: %w", e.Seq, err))
			}
			var a alert.Alert // marked here: the desk forgets old ones
			if e.Kind == ledger.Alert && json.Unmarshal(e.Payload, &a) == nil {
				n.mark(a)
			}
		}
	}
	if err := n.floor.Restore(string(supervised.Kind), supervised.Payload); err != nil {
		bad.add(fmt.Errorf("entry %d: %w", supervised.Seq, err))
	}
	bad.show(n.board)
	for _, t := range n.tables {
		if raw, ok := snapshots[t.cfg.ID]; ok {
			n.resume(t, raw)
		}
	}
	n.resumeMoved()
	for _, a := range n.desk.List(nil) {
		n.showAlert(a)
	}
	return nil
}

// resume lets a table's tracker go on from a snapshot.
func (n *Node) resume(t *table, raw json.RawMessage) {
	var s snapshot
	err := json.Unmarshal(raw, &s)
	if err == nil {
		err = t.judge.trk.Restore(s.Tracker)
	}
	if err != nil { // a newer program may not read it: the round begins anew
		n.log.Warn("the table's last state cannot be taken up again", "table", t.cfg.ID, "err", err)
	}
	t.judge.trk.Lost(time.Now(), "restart")
}
