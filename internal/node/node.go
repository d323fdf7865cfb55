// Package node wires a running vision: the tables' pipelines, the ledger and
// recordings behind them, and the console before them. Start-up and shut-down are
// here alone.
package node

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/capture"
	"vision/internal/backoff"
	"vision/internal/config"
	"vision/internal/confine"
	"vision/internal/decoder"
	"vision/internal/draft"
	"vision/internal/durable"
	"vision/internal/health"
	"vision/internal/pipeline"
	"vision/internal/trust"
	"vision/recognize/host"
	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/bus"
	"vision/stream/cluster"
	"vision/stream/console"
	"vision/stream/floor"
	"vision/stream/index"
	"vision/stream/jornada"
	"vision/stream/ledger"
	"vision/stream/live"
	"vision/stream/notice"
	"vision/stream/preview"
	"vision/stream/push"
	"vision/stream/record"
	"vision/stream/replica"
	"vision/stream/signin"
	"vision/stream/snapshot"
	"vision/stream/witness"
	"vision/validate/rulebook"
)

// Options are what tests and the demonstration set.
type Options struct {
	Log       *slog.Logger
	ReaderEnv []string // of the reader processes
	// ReaderMemory is the resident size in bytes over which a reader is replaced; 0 = child's own limit.
	ReaderMemory int64
	// Sessions keeps who is logged in; nil: in the data folder, over restarts.
	Sessions *console.Sessions
	// Settle is how long after the start no alert about supervision is raised; 0 = 15 s.
	Settle time.Duration
	// Reread has the configuration's file read again, for administrators; nil: it
	// cannot be.
	Reread func()
	// Demonstration offers a guided tour of a mistake.
	Demonstration bool
	// Watermark, Patience and Lead are for cameras that wait for their readers; see pipeline.Deps.
	Watermark func(table string, at time.Time)
	Patience  time.Duration
	Lead      time.Duration
	// Source makes the source of a camera; nil: by its URL.
	Source func(config.Camera) capture.Source
	// Reader makes what reads a table's cameras; nil: a process of its own.
	Reader func(host.Config) (pipeline.Reader, error)
}

// Node is one machine's vision.
type Node struct {
	cfg    *config.Config // that it was opened with, and completed since
	force  atomic.Pointer[config.Config]
	files  [sha256.Size]byte // what it was opened with stood in files that may change
	opts   Options
	log    *slog.Logger
	source func(config.Camera) capture.Source
	trust  *tls.Config // toward others

	decoder decoder.Choice // of video

	certificates []certificate

	board        *health.Board
	hub          *notice.Hub
	desk         *alert.Desk
	limits       *alert.Limits
	policies     *policies
	floor        *floor.Floor
	sessions     *jornada.Book
	ledger       *ledger.Ledger
	store        *record.Store
	vault        *replica.Vault   // nil: evidence stays on this machine
	replica      *replica.Replica // goes with vault
	checkpoints  *witness.Keeper  // nil: no witness cosigns the ledger
	cosigning    *cosigning       // nil: this node is no witness
	index        *index.Index
	live         *live.Server
	web          *console.Server
	bus          *bus.Bus
	fading       *health.Fading
	first        string // password of the first account, where one was made
	people       *account.Book
	provider     *signin.Provider // nil: none
	registry     tableRegistry
	cluster      *cluster.Cluster
	snapshots    *snapshotPublisher
	publishing   sync.Mutex
	published    []byte   // the problems that were published last, as JSON
	members      *members // nil: the node is alone
	keeper       *snapshot.Keeper
	bench        *bench // of tables that are being set up
	books        *rulebook.Books
	push         *push.Pusher
	sensorTasks  taskGroup // of sensors
	tasks        chan func(context.Context) error
	begun        time.Time
	resumePoints resumePoints
	taken        []func() error // gives up what Open took, in its order
}

// inForce is the configuration in force: settings that may change at run time (adoptable)
// are read from it each time.
func (n *Node) inForce() *config.Config { return n.force.Load() }

// Open prepares a node: it repairs and reads what an earlier run left. Close it,
// or Run it, which closes it.
func Open(cfg *config.Config, opts Options) (*Node, error) {
	n := newNode(cfg, opts)
	if err := n.open(); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

func newNode(cfg *config.Config, opts Options) *Node {
	opts.Log = cmp.Or(opts.Log, slog.Default())
	own := *cfg
	n := &Node{cfg: &own, files: cfg.Files(), log: opts.Log, opts: opts, source: opts.Source,
		hub: notice.NewHub(), tasks: make(chan func(context.Context) error, maxTasks), begun: time.Now(),
		registry: tableRegistry{previews: map[string]*preview.Preview{}, turns: map[string]context.CancelFunc{}}}
	n.force.Store(cfg)
	n.bench = &bench{n: n, store: draft.Open(filepath.Join(cfg.Data, "drafts")), running: map[string]*trialTable{}}
	n.board = health.NewBoard(n.problem)
	n.fading = health.NewFading(n.board)
	if n.source == nil {
		n.source = func(c config.Camera) capture.Source { return pipeline.SourceOf(c, n.trust, opts.Patience, n.log) }
	}
	return n
}

// open opens stores first, the console last.
func (n *Node) open() error {
	if err := each(n.openRoom, n.openFront); err != nil {
		return err
	}
	sensors, err := n.sensorTasksOf(n.inForce())
	n.sensorTasks.set(sensors)
	return err
}

// openRoom opens all but the console: stores, tables, sessions, supervision.
func (n *Node) openRoom() error {
	books, err := pipeline.Books(n.cfg.Norms)
	if err != nil {
		return err
	}
	n.books = books
	if err := pipeline.CheckAll(n.cfg, books, pipeline.Plays); err != nil {
		return err
	}
	if n.trust, err = trust.Client(n.cfg.Trust.CA, n.cfg.Trust.Cert, n.cfg.Trust.Key); err != nil {
		return fmt.Errorf("trust: %w", err)
	}
	if plain := n.cfg.Plain(); len(plain) > 0 {
		n.log.Warn("unencrypted endpoints", "what", plain)
	}
	if lacks := confine.Lacks(); len(lacks) > 0 {
		n.log.Warn("decoder processes only partly confined, kernel features missing", "what", lacks)
	}
	if err := each(n.openStores, n.findDecoder, n.openBus, n.openMembers); err != nil {
		return err
	}
	n.push = push.New(n.receivers(n.inForce()))
	if n.limits, err = alert.OpenLimits(filepath.Join(n.cfg.Data, "thresholds.json"), n.cfg.Budget); err != nil {
		return err
	}
	n.policies = &policies{node: n}
	desk := alert.Config{Escalate: n.limits.Escalate, Ledger: deskLedger{n.ledger}, Show: n.showAlert}
	if n.members != nil {
		desk.Node, desk.EscalatesFor = n.cfg.NodeName(), n.escalatesFor
		desk.Merged = func(a alert.Alert) { n.retain("alert", a.Table, a.ID, a) }
	}
	n.desk = alert.NewDesk(desk)
	return each(n.openCluster, n.openSessions, n.openFloor, n.restore, n.joinMembers)
}

// each does one after the other, up to the first that fails.
func each(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// openStores opens what is kept on the disk.
func (n *Node) openStores() (err error) {
	if err := durable.Folder(n.cfg.Data); err != nil {
		return fmt.Errorf("data folder: %w; choose another with `data:`", err)
	}
	if err := durable.Tighten(n.cfg.Data); err != nil { // an earlier version let others read
		n.log.Warn("data folder readable by others", "folder", n.cfg.Data, "err", err)
	}
	if n.ledger, err = ledger.Open(filepath.Join(n.cfg.Data, "ledger"), ledger.Options{}); err != nil {
		return err
	}
	n.taken = append(n.taken, n.ledger.Close)
	// Before anything else is written: from the entry before it until now nothing ran.
	if _, err := n.ledger.Append(ledger.Node, "", ran{Action: ledger.Started}); err != nil {
		return err
	}
	n.store, err = record.Open(filepath.Join(n.cfg.Data, "recordings"), n.ledger, n.board, record.Options{
		Segment: n.cfg.Record.Segment, Keep: n.cfg.Record.Keep, KeepMost: n.cfg.Record.KeepAlerts,
		MaxBytes: int64(n.cfg.Record.MaxDisk), Safe: n.safe, Log: n.log})
	if err != nil {
		return err
	}
	return errors.Join(n.openReplica(), n.openWitnesses(), n.openCosigning())
}

// newTable makes a table's pipeline with the shared dependencies.
func (n *Node) newTable(t config.Table) (*pipeline.Table, error) {
	return pipeline.New(t, &pipeline.Deps{
		Books: n.books, Played: n.played, Policy: n.policies.of, Ledger: tableLedger{n}, Desk: n.desk, Board: n.board,
		Store: n.store, Data: n.cfg.Data, Source: n.source, Reader: n.opts.Reader, Picture: n.picture, Show: n.show,
		OwnsLease: n.cluster.OwnsLease, Publish: n.publish, Passing: n.fading.Set,
		Later: n.later, ReaderEnv: n.opts.ReaderEnv, ReaderMemory: n.opts.ReaderMemory, Decoder: n.decoder, Log: n.log,
		Watermark: n.opts.Watermark, Patience: n.opts.Patience, Lead: n.opts.Lead,
	})
}

// show shows viewers of a table something of it. They get the newest of each type and
// key when they come, and every round.
func (n *Node) show(typ, table, key string, body any) {
	if typ != "round" {
		n.retain(typ, table, key, body)
		return
	}
	n.publishRound(table, key, body)
	if err := n.hub.Publish(typ, table, key, body); err != nil {
		n.log.Error("event not published", "table", table, "err", err)
	}
}

// retain shows viewers the newest of a type and key, now and when they come.
func (n *Node) retain(typ, table, key string, body any) {
	if err := n.hub.Retain(typ, table, key, body); err != nil {
		n.log.Error("state not published", "type", typ, "table", table, "key", key, "err", err)
	}
}

// ran is the payload of the ledger's entries about the node itself, and about tables that
// come to it or leave it.
type ran struct {
	Action string `json:"action"`
	Node   string `json:"node,omitempty"`
	From   string `json:"from,omitempty"`  // who ran the table before
	Token  int64  `json:"token,omitempty"` // of its lease: of two nodes that ran it the greater counts
}

// deskLedger lets alerts write to the ledger.
type deskLedger struct{ l *ledger.Ledger }

func (d deskLedger) Append(_ context.Context, kind, table string, payload any) error {
	_, err := d.l.Append(ledger.Kind(kind), table, payload)
	return err
}

func (n *Node) showAlert(a alert.Alert) {
	n.mark(a)
	n.retain("alert", a.Table, a.ID, a)
	n.publish(busAlerts, a.Table, a)
	n.publishAlert(a)
	if a.Raised.After(n.begun) || a.Escalated.After(n.begun) { // what an earlier run raised was sent then
		n.push.Notify(a)
	}
}

// receivers are those who are notified of alerts.
func (n *Node) receivers(of *config.Config) push.Config {
	return push.Config{Webhooks: of.Push.Webhooks, Mails: of.Push.Mails, Brokers: of.Push.MQTT, Source: of.Push.Source,
		TLS: n.trust, Node: of.NodeName(), Home: of.Data, Language: of.Language,
		Health: n.board, Log: n.log, Moment: n.moment}
}

// mark keeps the recording that shows an alert.
func (n *Node) mark(a alert.Alert) {
	if a.Clip != nil {
		from, to := a.Clip.Rolled()
		n.store.Mark(a.ID, a.Table, from, to)
	}
}

// Run works until ctx ends, then closes the node. Tables end first: what they publish
// at their end is sent.
func (n *Node) Run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, n.Close()) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	base, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	outlasting := []func(context.Context) error{n.work}
	if n.bus != nil {
		outlasting = append(outlasting, n.bus.Run, n.snapshots.run)
	}
	last := runAll(base, cancel, outlasting...)
	parts := []func(context.Context) error{
		n.bench.Run, n.store.Run, n.desk.Run, n.floor.Run, n.push.Run, n.live.Run, n.web.Run, n.keepIndex,
		n.policies.run, n.keeper.Run, n.watchPreviews, n.watchHealth, n.publishHead, n.runSensors, n.cluster.Run,
	}
	if n.replica != nil {
		parts = append(parts, n.replica.Run)
	}
	if n.checkpoints != nil {
		parts = append(parts, n.checkpoints.Run)
	}
	if n.cosigning != nil {
		parts = append(parts, n.cosigning.run)
	}
	if n.members != nil {
		parts = append(parts, n.runMembers)
	}
	err = runAll(ctx, cancel, parts...).Wait()
	stop()
	err = cmp.Or(err, last.Wait())
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// runAll runs several until ctx ends or one fails; that one is the cause for which cancel
// ends all.
func runAll(ctx context.Context, cancel context.CancelCauseFunc, of ...func(context.Context) error) *errgroup.Group {
	g := new(errgroup.Group)
	for _, run := range of {
		g.Go(func() error {
			err := run(ctx)
			if err != nil {
				cancel(err)
			}
			return err
		})
	}
	return g
}

// indexPause is the time before a failed index is retried.
const indexPause = 5 * time.Second

// keepIndex keeps up with the ledger. Without an index only searches fail.
func (n *Node) keepIndex(ctx context.Context) error {
	for ctx.Err() == nil {
		err := n.index.CatchUp(ctx)
		if err == nil {
			n.board.Clear(health.IndexFailed, "index")
			err = n.index.Run(ctx)
		}
		if ctx.Err() != nil || err == nil {
			break
		}
		n.board.Set(health.IndexFailed, "", "index", err.Error())
		_ = backoff.Sleep(ctx, indexPause)
	}
	return nil
}

// Close releases what Open acquired, the newest first.
func (n *Node) Close() error {
	var errs []error
	for _, give := range slices.Backward(n.taken) {
		errs = append(errs, give())
	}
	n.taken = nil
	return errors.Join(errs...)
}

// took registers a resource for Close.
func (n *Node) took(give func()) { n.taken = append(n.taken, func() error { give(); return nil }) }
