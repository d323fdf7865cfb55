package node

import (
	"encoding/json"
	"fmt"

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
		if raw, ok := p.snapshots[t.Config().ID]; ok {
			t.Resume(raw)
		}
	}
	for _, a := range n.desk.List(func(a *alert.Alert) bool { return a.Code == health.CameraMoved && a.Resolved.IsZero() }) {
		if t := n.table(a.Table); t != nil {
			t.ResumeMoved(a)
		}
	}
	for _, a := range n.desk.List(nil) {
		n.showAlert(a)
	}
	p.repairs = nil
	n.past = p
	return nil
}
