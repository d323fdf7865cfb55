package node

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"vision/stream/bus"
)

// snapshotPublisher writes the newest snapshots of tables to the bus: of each only the newest
// counts, however long Redis is away.
type snapshotPublisher struct {
	write func(ctx context.Context, table string, snapshot []byte) error
	log   *slog.Logger
	more  chan struct{}

	one  sync.Mutex // held while one is written, so that no older one comes after it
	mu   sync.Mutex
	wait map[string][]byte
}

func newSnapshotPublisher(log *slog.Logger, write func(context.Context, string, []byte) error) *snapshotPublisher {
	return &snapshotPublisher{write: write, log: log, more: make(chan struct{}, 1), wait: map[string][]byte{}}
}

// put takes a table's newest snapshot. It never waits.
func (w *snapshotPublisher) put(table string, snapshot []byte) {
	w.mu.Lock()
	w.wait[table] = snapshot
	w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
}

// run writes until ctx ends; what Redis does not take is tried again each second.
func (w *snapshotPublisher) run(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-w.more:
		case <-tick.C:
		}
		w.mu.Lock()
		tables := slices.Sorted(maps.Keys(w.wait))
		w.mu.Unlock()
		for _, table := range tables {
			if !w.flush(ctx, table) {
				break
			}
		}
	}
}

// flush writes what waits of a table, and reports whether nothing does any longer.
func (w *snapshotPublisher) flush(ctx context.Context, table string) bool {
	w.one.Lock()
	defer w.one.Unlock()
	w.mu.Lock()
	snapshot, waits := w.wait[table]
	delete(w.wait, table)
	w.mu.Unlock()
	if !waits {
		return true
	}
	err := w.write(ctx, table, snapshot)
	if err == nil {
		return true
	}
	if errors.Is(err, bus.ErrFenced) { // another node has the table: what this one knew is history
		w.log.Warn("lease lost, snapshot dropped", "table", table, "err", err)
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, newer := w.wait[table]; !newer {
		w.wait[table] = snapshot
	}
	return false
}
