package node

import (
	"context"
	"time"

	"vision/internal/backoff"
	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/ledger"
)

// problem is notified of every problem that comes or goes.
func (n *Node) problem(p health.Problem, on bool) {
	n.log.Warn("health", "code", p.Code, "table", p.Table, "object", p.Object, "on", on, "detail", p.Detail)
	change := problemChange{p, on}
	n.later(func(context.Context) error {
		n.publish(busHealth, p.Table, change)
		if err := n.publishHealth(); err != nil {
			return err
		}
		_, err := n.ledger.Append(ledger.Health, p.Table, change)
		return err
	})
}

// problemChange is the payload of the ledger's health entries.
type problemChange struct {
	health.Problem
	On bool `json:"on"`
}

// watchHealth checks once a second what does not report by itself.
func (n *Node) watchHealth(ctx context.Context) error {
	ailing := alert.NewAiling(n.desk, n.board, n.gameOf, n.begun)
	var slow slowness
	return backoff.Every(ctx, time.Second, func(now time.Time) {
		n.fading.Clear(now)
		n.watchLedger()
		n.watchSpeed(&slow, now)
		n.watchCertificates(now)
		n.watchHandles()
		ailing.Look(ctx, now)
		n.showAges()
	})
}

// showAges shows viewers how old the cameras' newest pictures are, in ms; -1 where
// there is none yet.
func (n *Node) showAges() {
	for _, c := range n.cameraHealth() {
		n.retain("age", c.Table, c.Camera, c.AgeMS)
	}
}

// watchLedger reports a failing ledger, whichever writer met it, and tries whether it
// takes entries again.
func (n *Node) watchLedger() {
	const object = "ledger"
	fault := n.ledger.Fault()
	if fault == nil {
		n.board.Clear(health.LedgerFailed, object)
		return
	}
	n.board.Set(health.LedgerFailed, "", object, fault.Error())
	again := problemChange{On: true, Problem: health.Problem{
		Kind: health.Kind{Code: health.LedgerFailed}, Object: object, Detail: fault.Error(), Since: time.Now()}}
	if _, err := n.ledger.Append(ledger.Health, "", again); err == nil {
		n.board.Clear(health.LedgerFailed, object)
	}
}
