package node

import (
	"vision/stream/console"
	"vision/stream/replica"
)

func (n *Node) openReplica() (err error) {
	r := n.cfg.Replica
	if r == nil {
		return nil
	}
	if n.vault, err = replica.NewVault(*r, n.trust); err != nil {
		return err
	}
	n.took(n.vault.Close)
	n.replica, err = replica.Open(n.vault, n.ledger, n.store,
		replica.Config{Terms: r.Keep, Data: n.cfg.Data, Health: n.board, Log: n.log})
	return err
}

// safe reports whether a recording is safe elsewhere, where there is an elsewhere.
func (n *Node) safe(file string) bool { return n.replica == nil || n.replica.Safe(file) }

// replicaHealth is what the console shows of the replica; nil: there is none.
func (n *Node) replicaHealth() *console.ReplicaHealth {
	if n.replica == nil {
		return nil
	}
	s := n.replica.Status()
	return &console.ReplicaHealth{Place: n.vault.String(), Entry: s.Entry, Entries: s.Entries,
		Segments: s.Segments, Bytes: s.Bytes, BehindS: s.Behind.Seconds()}
}
