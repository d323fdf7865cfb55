package node

import (
	"context"
	"encoding/json"
	"time"

	"vision/internal/backoff"
	"vision/stream/bus"
)

// The streams that the node writes on the bus, beside those of its tables' pipelines.
const (
	busAlerts      = "alerts"      // every step of an alert
	busSupervision = "supervision" // who supervises which tables, and what the norm finds
	busHealth      = "health"      // problems that come and go
	busLedger      = "ledger"      // the ledger's head, for others to keep out of this machine's reach
)

// event is what is in the field "data" of a message on the bus.
type event struct {
	Table string    `json:"table,omitempty"`
	Time  time.Time `json:"time"`
	Body  any       `json:"body"`
}

// openBus connects to the Redis of the configuration. Without one the node has no bus (n.bus is
// nil): nobody else is there to read it.
func (n *Node) openBus() (err error) {
	if n.cfg.Redis == "" {
		return nil
	}
	run := n.cfg.NodeName() + "-" + n.begun.UTC().Format("20060102T150405.000")
	n.bus, err = bus.Open(bus.Options{
		URL: n.cfg.Redis, TLS: n.trust, Node: run, Holder: n.holder(), Health: n.board, Log: n.log,
	})
	if err != nil {
		return err
	}
	n.taken = append(n.taken, n.bus.Close)
	n.snapshots = newSnapshotPublisher(n.log, func(ctx context.Context, table string, snapshot []byte) error {
		return n.bus.Write(ctx, table, snapshotKey(table), snapshot)
	})
	return nil
}

// publish puts a message on the bus, where there is one; it never waits. What is about a table that runs here is
// published under its lease: once another node holds it, this node's messages are refused.
func (n *Node) publish(stream, table string, body any) {
	if n.bus == nil {
		return
	}
	b, err := json.Marshal(event{table, time.Now(), body})
	if err != nil {
		n.log.Error("publish failed", "stream", stream, "table", table, "err", err)
		return
	}
	if n.table(table) != nil {
		n.bus.PublishFor(table, stream, b)
		return
	}
	n.bus.Publish(stream, b)
}

// headEvery is how often the ledger's head is published at most.
const headEvery = time.Second

// publishHead publishes the ledger's head when it moves.
func (n *Node) publishHead(ctx context.Context) error {
	for {
		changed := n.ledger.Changed()
		n.publish(busLedger, "", n.ledger.Head().String())
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
		if err := backoff.Sleep(ctx, headEvery); err != nil {
			return err
		}
	}
}
