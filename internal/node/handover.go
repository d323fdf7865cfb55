package node

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"vision/internal/pipeline"
	"vision/stream/bus"
	"vision/stream/cluster"
	"vision/stream/jornada"
	"vision/stream/ledger"
	"vision/stream/snapshot"
)

// The next node of a table resumes from the bus, under the table's lease: its newest snapshot
// is a value there, the steps of its session are notes. Both are copies of this node's
// ledger, which stays.

// busSession is the stream of the steps of a table's session.
func busSession(table string) string { return "session:" + table }

// snapshotKey is the key of a table's newest snapshot.
func snapshotKey(table string) string { return "snapshot:" + table }

// resume restores a table from what its last node left on the bus, or from this node's ledger
// where no other is known to have run it since, and returns what was restored, as a sentence.
func (n *Node) resume(ctx context.Context, t *pipeline.Table, a cluster.Assignment) (outcome string) {
	ctx, cancel := context.WithTimeout(ctx, busPatience)
	defer cancel()
	left, err := n.resumePoint(ctx, a)
	if err != nil {
		n.log.Warn("table starts without its snapshot", "table", a.Table, "err", err)
	}
	switch {
	case a.From != "":
		t.Resume(left, "the table was taken over from "+a.From)
	case left.Any():
		t.Resume(left, "restart")
	}
	outcome = "the round under way is not verifiable"
	if left.Snapshot == nil {
		outcome += ", and what lay on the felt before is not known"
	}
	steps, err := n.sessionSteps(ctx, a.Table)
	if err == nil && len(steps) > 0 {
		err = n.sessions.Restore(a.Table, steps)
	}
	switch {
	case err != nil:
		n.log.Error("table session not taken over", "table", a.Table, "err", err)
		outcome += "; its session could not be had"
	case len(steps) > 0:
		outcome += "; its session goes on"
	}
	return outcome
}

// resumePoint is what a table resumes from: its newest snapshot and, if that is this node's own,
// the calls in the ledger since.
func (n *Node) resumePoint(ctx context.Context, a cluster.Assignment) (snapshot.Resume, error) {
	own := n.resumePoints.of(a.Table)
	raw, _, err := n.bus.ReadFenced(ctx, snapshotKey(a.Table))
	switch {
	case a.From == "" && (err != nil || !own.Before(raw)):
		return own, nil
	case err == nil:
		return own.Elsewhere(raw), nil
	case errors.Is(err, bus.ErrNone):
		return own.Elsewhere(nil), nil
	}
	return own.Elsewhere(nil), err
}

// sessionSteps are the steps of a table's session that are on the bus, oldest first.
func (n *Node) sessionSteps(ctx context.Context, table string) (out []json.RawMessage, err error) {
	notes, err := n.bus.Notes(ctx, busSession(table))
	for _, e := range notes {
		out = append(out, e.Data)
	}
	return out, err
}

// resumePoints are what each table resumes from, by this node's ledger.
type resumePoints struct {
	mu sync.Mutex
	m  map[string]snapshot.Resume
}

func (l *resumePoints) set(m map[string]*snapshot.Resume) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m = map[string]snapshot.Resume{}
	for table, x := range m {
		l.m[table] = x.Clone()
	}
}

func (l *resumePoints) add(e ledger.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m == nil {
		l.m = map[string]snapshot.Resume{}
	}
	x := l.m[e.Table]
	x.Add(e)
	l.m[e.Table] = x
}

func (l *resumePoints) of(table string) snapshot.Resume {
	l.mu.Lock()
	defer l.mu.Unlock()
	x := l.m[table]
	return x.Clone()
}

// tableLedger is the ledger as a table's pipeline writes it: it also publishes on the bus what
// the next node resumes from.
type tableLedger struct{ n *Node }

// Append implements pipeline.Book.
func (l tableLedger) Append(kind ledger.Kind, table string, payload any) (ledger.Entry, error) {
	e, err := l.n.ledger.Append(kind, table, payload)
	if err == nil {
		l.n.resumePoints.add(e)
	}
	if err == nil && kind == ledger.Snapshot && !l.n.cluster.Alone() {
		l.n.snapshots.put(table, e.Payload)
	}
	return e, err
}

// sessionLedger is the ledger as sessions write it.
type sessionLedger struct{ n *Node }

// Append implements alert.Ledger.
func (l sessionLedger) Append(_ context.Context, kind, table string, payload any) error {
	e, err := l.n.ledger.Append(ledger.Kind(kind), table, payload)
	if err == nil && kind == jornada.Entry && !l.n.cluster.Alone() && l.n.table(table) != nil {
		l.n.bus.Note(table, busSession(table), e.Payload, jornadaLasts)
	}
	return err
}
