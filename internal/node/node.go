// Package node puts a running vision together: the tables' pipelines, the ledger
// and recordings behind them, and the console before them. Start-up and shut-down
// stand here and nowhere else.
package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/capture"
	"vision/internal/config"
	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/console"
	"vision/stream/index"
	"vision/stream/ledger"
	"vision/stream/live"
	"vision/stream/notice"
	"vision/stream/record"
	"vision/validate"
	"vision/validate/explain"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// Options are what tests and the demonstration set.
type Options struct {
	Log       *slog.Logger
	ReaderEnv []string // of the reader processes
	// Source makes the source of a camera; nil: as its URL says.
	Source func(config.Camera) capture.Source
}

// Node is one machine's vision.
type Node struct {
	cfg       *config.Config
	log       *slog.Logger
	readerEnv []string
	source    func(config.Camera) capture.Source

	board  *health.Board
	hub    *notice.Hub
	desk   *alert.Desk
	ledger *ledger.Ledger
	store  *record.Store
	index  *index.Index
	live   *live.Server
	web    *console.Server
	first  string // password of the first account, where one was made
	tables []*table
	tasks  chan func(context.Context) error
	begun  time.Time
}

// Open prepares a node: it repairs and reads what an earlier run left. Close it,
// or Run it, which closes it.
func Open(cfg *config.Config, opts Options) (*Node, error) {
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	n := &Node{cfg: cfg, log: opts.Log, readerEnv: opts.ReaderEnv, source: opts.Source,
		hub: notice.NewHub(), tasks: make(chan func(context.Context) error, 1024), begun: time.Now()}
	n.board = health.NewBoard(n.problem)
	if n.source == nil {
		n.source = n.openSource
	}
	books, err := Books(cfg.Norms)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cfg.Data, 0o750); err != nil {
		return nil, fmt.Errorf("data folder: %w; choose another with `data:`", err)
	}
	if n.ledger, err = ledger.Open(filepath.Join(cfg.Data, "ledger"), ledger.Options{}); err != nil {
		return nil, err
	}
	n.store, err = record.Open(filepath.Join(cfg.Data, "recordings"), n.ledger, n.board, record.Options{
		Segment: cfg.Record.Segment, Keep: cfg.Record.Keep, MaxBytes: int64(cfg.Record.MaxDisk), Log: n.log})
	if err != nil {
		return nil, errors.Join(err, n.ledger.Close())
	}
	n.desk = alert.NewDesk(alert.Config{Ledger: deskLedger{n.ledger}, Show: n.showAlert})
	for _, t := range cfg.Tables {
		tab, err := newTable(n, t, books)
		if err != nil {
			return nil, errors.Join(err, n.ledger.Close())
		}
		n.tables = append(n.tables, tab)
	}
	if err := n.restore(); err != nil {
		return nil, errors.Join(err, n.ledger.Close())
	}
	if err := n.openFront(); err != nil {
		return nil, errors.Join(err, n.ledger.Close())
	}
	return n, nil
}

// Books loads the norms, and those of a further folder ("" = none).
func Books(dir string) (*rulebook.Books, error) {
	var more []fs.FS
	if dir != "" {
		more = append(more, os.DirFS(dir))
	}
	return validate.Books(more...)
}

// restore replays the ledger: the alerts that lie on the desk, and each table's
// newest snapshot.
func (n *Node) restore() error {
	snapshots := map[string]json.RawMessage{}
	for e, err := range n.ledger.Since(0) {
		if err != nil {
			return fmt.Errorf("ledger: %w; `vision verify` says more", err)
		}
		if e.Kind == ledger.Snapshot {
			snapshots[e.Table] = e.Payload
			continue
		}
		if err := n.desk.Restore(string(e.Kind), e.Payload); err != nil {
			return err
		}
	}
	for _, t := range n.tables {
		raw, ok := snapshots[t.cfg.ID]
		if !ok {
			continue
		}
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
	for _, a := range n.desk.List(nil) {
		n.showAlert(a)
	}
	return nil
}

func (n *Node) newJudge(t *table, trk *track.Tracker) *judge {
	id := t.cfg.ID
	return &judge{table: id, game: t.cfg.Game, norm: t.cfg.Norm, camera: t.cameras[0].cfg.Name, trk: trk,
		book: n.ledger, desk: n.desk, board: n.board, log: n.log, inbox: make(chan any, inboxSize),
		say:     func(lang string, v round.Verdict, f round.Finding) string { return explain.Sentence(lang, &v, &f) },
		publish: func(kind string, v any) {},
		show: func(typ, key string, body any) {
			send := n.hub.Retain
			if typ == "round" {
				send = n.hub.Publish
			}
			if err := send(typ, id, key, body); err != nil {
				n.log.Error("show", "table", id, "err", err)
			}
		}}
}

// deskLedger lets alerts write to the ledger.
type deskLedger struct{ l *ledger.Ledger }

func (d deskLedger) Append(_ context.Context, kind, table string, payload any) error {
	_, err := d.l.Append(ledger.Kind(kind), table, payload)
	return err
}

func (n *Node) showAlert(a alert.Alert) {
	if err := n.hub.Retain("alert", a.Table, a.ID, a); err != nil {
		n.log.Error("show alert", "id", a.ID, "err", err)
	}
}

// problem is told of every problem that comes or goes.
func (n *Node) problem(p health.Problem, on bool) {
	n.log.Warn("health", "code", p.Code, "table", p.Table, "object", p.Object, "on", on, "detail", p.Detail)
	n.later(func(context.Context) error {
		if err := n.hub.Retain("health", "", "", n.board.Present()); err != nil {
			return err
		}
		_, err := n.ledger.Append(ledger.Health, p.Table, struct {
			health.Problem
			On bool `json:"on"`
		}{p, on})
		return err
	})
}

// later does f soon, outside the caller's goroutine. When there is far too much
// to do it is dropped, and the log says so.
func (n *Node) later(f func(context.Context) error) {
	select {
	case n.tasks <- f:
	default:
		n.log.Error("a task was dropped: thousands wait")
	}
}

// work does the tasks.
func (n *Node) work(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case f := <-n.tasks:
			if err := f(ctx); err != nil && ctx.Err() == nil {
				n.log.Error("task", "err", err)
			}
		}
	}
}

// Run works until ctx ends, then closes the node.
func (n *Node) Run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, n.Close()) }()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return n.work(ctx) })
	g.Go(func() error { return n.store.Run(ctx) })
	g.Go(func() error { return n.desk.Run(ctx) })
	g.Go(func() error { return n.live.Run(ctx) })
	g.Go(func() error { return n.web.Run(ctx) })
	g.Go(func() error { return n.keepIndex(ctx) })
	g.Go(func() error { return n.watchPreviews(ctx) })
	var tables sync.WaitGroup
	for _, t := range n.tables {
		tables.Go(func() { n.keepRunning(ctx, t) })
	}
	err = g.Wait()
	tables.Wait()
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// keepRunning runs a table again when a part of it has failed: the others must
// not notice.
func (n *Node) keepRunning(ctx context.Context, t *table) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		began := time.Now()
		err := t.run(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil { // all its cameras have come to their end
			n.log.Info("the table's cameras have ended", "table", t.cfg.ID)
			return
		}
		n.log.Error("table failed; it is started again", "table", t.cfg.ID, "err", err)
		t.judge.trk.Lost(time.Now(), err.Error())
		if time.Since(began) > time.Minute {
			pause = firstPause
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// keepIndex keeps up with the ledger. Without an index questions fail and nothing
// else does.
func (n *Node) keepIndex(ctx context.Context) error {
	for ctx.Err() == nil {
		err := n.index.Run(ctx)
		if ctx.Err() != nil || err == nil {
			break
		}
		n.board.Set(health.IndexFailed, "", "index", err.Error())
		select {
		case <-ctx.Done():
		case <-time.After(lastPause):
		}
	}
	return nil
}

// Close gives up what Open took.
func (n *Node) Close() error {
	return errors.Join(n.live.Close(), n.index.Close(), n.ledger.Close())
}
