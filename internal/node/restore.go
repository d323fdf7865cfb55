package node

import (
	"encoding/json"
	"fmt"

	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/stream/snapshot"
)

// restore restores from the ledger: open alerts, the recordings that show alerts, each
// table's snapshot, who supervises what.
func (n *Node) restore() error {
	p, err := snapshot.Open(n.cfg.Data, n.ledger, max(n.cfg.Record.Keep, n.cfg.Record.KeepAlerts), n.log)
	if err != nil {
		return err
	}
	n.took(p.Close)
	for _, a := range p.Alerts() {
		b, err := json.Marshal(a)
		if err == nil {
			err = n.desk.Restore(alert.Entry, b)
		}
		if err != nil {
			p.Bad.Add(fmt.Errorf("alert %s: %w", a.ID, err))
		}
	}
	if err := n.store.Believe(p.Seals); err != nil {
		return err
	}
	for id, m := range p.Marks {
		n.store.Mark(id, m.Table, m.From, m.To)
	}
	if p.Floor != nil {
		if err := n.floor.Restore(string(ledger.Supervision), p.Floor); err != nil {
			p.Bad.Add(fmt.Errorf("who supervised what: %w", err))
		}
	}
	for _, e := range p.Repairs {
		if !e.Time.Before(n.begun) {
			n.board.Set(health.LedgerRepaired, "", "ledger", string(e.Payload))
		}
	}
	if p.Bad.Count > 0 {
		n.board.Set(health.LedgerRepaired, "", "ledger", fmt.Sprintf("%d entries cannot be read and were passed over, the first: %s; `vision verify` says more", p.Bad.Count, p.Bad.First))
	}
	n.resumePoints.set(p.Tables)
	for _, t := range n.registry.all() {
		if left := n.resumePoints.of(t.Config().ID); left.Any() {
			t.Resume(left, "restart")
		}
		n.resumeMoved(t)
	}
	for _, a := range n.desk.List(nil) {
		n.showAlert(a)
	}
	p.Repairs = nil
	n.keeper = p
	return nil
}
