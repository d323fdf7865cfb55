package node

import (
	"encoding/json"
	"fmt"
	"time"

	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/ledger"
)

// restore goes on from what the ledger tells: the alerts that lie on the desk, the
// recordings that show alerts, each table's newest snapshot, who supervises what.
func (n *Node) restore() error {
	p, err := n.openPast()
	if err != nil {
		return err
	}
	for _, a := range p.desk.List(nil) {
		b, err := json.Marshal(a)
		if err == nil {
			err = n.desk.Restore(alert.Entry, b)
		}
		if err != nil {
			p.bad.add(fmt.Errorf("alert %s: %w", a.ID, err))
		}
	}
	for id, m := range p.marks {
		n.store.Mark(id, m.Table, m.From, m.To)
	}
	if p.floor != nil {
		if err := n.floor.Restore(string(ledger.Supervision), p.floor); err != nil {
			p.bad.add(fmt.Errorf("who supervised what: %w", err))
		}
	}
	for _, e := range p.repairs {
		if !e.Time.Before(n.begun) {
			n.board.Set(health.LedgerRepaired, "", "ledger", string(e.Payload))
		}
	}
	p.bad.show(n.board)
	for _, t := range n.tables {
		if raw, ok := p.snapshots[t.cfg.ID]; ok {
			n.resume(t, raw)
		}
	}
	n.resumeMoved()
	for _, a := range n.desk.List(nil) {
		n.showAlert(a)
	}
	p.repairs = nil
	n.past = p
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
