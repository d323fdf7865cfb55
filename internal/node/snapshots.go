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

// snapshotPublisher writes each table's newest snapshot to the bus, and skips older ones
// however long Redis is away.
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

// put queues a table's newest snapshot without blocking.
func (p *snapshotPublisher) put(table string, snapshot []byte) {
	p.mu.Lock()
	p.wait[table] = snapshot
	p.mu.Unlock()
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// run writes until ctx ends; what Redis refuses is retried each second.
func (p *snapshotPublisher) run(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.more:
		case <-tick.C:
		}
		p.mu.Lock()
		tables := slices.Sorted(maps.Keys(p.wait))
		p.mu.Unlock()
		for _, table := range tables {
			if !p.flush(ctx, table) {
				break
			}
		}
	}
}

// flush writes what waits of a table, and reports whether nothing does any longer.
func (p *snapshotPublisher) flush(ctx context.Context, table string) bool {
	p.one.Lock()
	defer p.one.Unlock()
	p.mu.Lock()
	snapshot, waits := p.wait[table]
	delete(p.wait, table)
	p.mu.Unlock()
	if !waits {
		return true
	}
	err := p.write(ctx, table, snapshot)
	if err == nil {
		return true
	}
	if errors.Is(err, bus.ErrFenced) { // another node has the table: what this one knew is history
		p.log.Warn("lease lost, snapshot dropped", "table", table, "err", err)
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, newer := p.wait[table]; !newer {
		p.wait[table] = snapshot
	}
	return false
}
