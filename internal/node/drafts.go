package node

import (
	"context"
	"errors"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/internal/draft"
	"vision/internal/health"
	"vision/internal/pipeline"
	"vision/stream/alert"
	"vision/stream/ledger"
)

// bench runs the cameras of tables that are being set up, each while somebody uses it.
// Its readings are shown to that person alone: not recorded, not judged for alerts and
// not in the ledger.
type bench struct {
	n     *Node
	store *draft.Store

	mu      sync.Mutex
	ctx     context.Context // of the node's run; nil before
	running map[string]*trialTable
	all     sync.WaitGroup
}

// trialTable is a draft's pipeline while it runs.
type trialTable struct {
	*pipeline.Table
	board *health.Board
	stop  context.CancelFunc
	over  chan struct{}
	used  time.Time
}

// idle is how long a draft's camera runs after the last request.
const idle = 5 * time.Minute

// Run ends unused drafts, until ctx ends.
func (b *bench) Run(ctx context.Context) error {
	b.mu.Lock()
	b.ctx = ctx
	b.mu.Unlock()
	err := backoff.Every(ctx, 10*time.Second, func(now time.Time) {
		for id, t := range b.now() {
			if now.Sub(t.used) > idle {
				b.stop(id)
			}
		}
	})
	b.mu.Lock()
	b.ctx = nil
	b.mu.Unlock()
	b.all.Wait()
	return err
}

func (b *bench) now() map[string]trialTable {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := map[string]trialTable{}
	for id, t := range b.running {
		out[id] = *t
	}
	return out
}

// use starts a draft's pipeline where it does not run, and keeps it running for a while.
func (b *bench) use(d draft.Draft) (*trialTable, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.running[d.ID]; t != nil {
		t.used = time.Now()
		return t, nil
	}
	if b.ctx == nil {
		return nil, errClosing
	}
	board := health.NewBoard(nil)
	made, err := pipeline.New(d.Work(), b.deps(d, board))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(b.ctx)
	t := &trialTable{Table: made, board: board, stop: cancel, over: make(chan struct{}), used: time.Now()}
	b.running[d.ID] = t
	b.all.Go(func() {
		defer close(t.over)
		made.Run(ctx)
	})
	return t, nil
}

var errClosing = errors.New("the node is closing; try once more in a moment")

// stop ends a draft's pipeline and waits for that.
func (b *bench) stop(id string) {
	b.mu.Lock()
	t := b.running[id]
	delete(b.running, id)
	b.mu.Unlock()
	if t != nil {
		t.stop()
		<-t.over
	}
}

// camera is that of a running draft, by its name or that of one of its streams; nil where
// none is meant.
func (b *bench) camera(name string) *pipeline.Camera {
	id := draft.Named(name)
	if id == "" {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.running[id]; t != nil && t.Cameras()[0].Named(name) {
		return t.Cameras()[0]
	}
	return nil
}

// deps are a draft pipeline's dependencies, none shared with a table in force.
func (b *bench) deps(d draft.Draft, board *health.Board) *pipeline.Deps {
	n := b.n
	return &pipeline.Deps{
		Books: n.books, Ledger: nothing{}, Board: board, Source: n.source, Reader: n.opts.Reader,
		Desk: alert.NewDesk(alert.Config{Ledger: noLedger{}}),
		Show: func(typ, table, key string, body any) {
			if typ != "overlay" {
				return
			}
			if err := n.hub.Publish(typ, table, key, body); err != nil {
				n.log.Error("draft not published", "draft", d.ID, "err", err)
			}
		},
		Publish: func(string, string, any) {}, Passing: func(string, string, string, string) {},
		Later: func(func(context.Context) error) {},
		Data:  b.store.Folder(d.ID), ReaderEnv: n.opts.ReaderEnv, ReaderMemory: n.opts.ReaderMemory, Log: n.log,
	}
}

// nothing is a ledger that discards its entries.
type nothing struct{}

// Append implements pipeline.Book.
func (nothing) Append(ledger.Kind, string, any) (ledger.Entry, error) { return ledger.Entry{}, nil }

// noLedger is a desk's ledger that discards its entries.
type noLedger struct{}

// Append implements alert.Ledger.
func (noLedger) Append(context.Context, string, string, any) error { return nil }
