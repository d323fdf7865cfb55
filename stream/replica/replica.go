// Package replica keeps a node's evidence in a second place: a bucket of an
// S3-compatible store with Object Lock (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html),
// where nobody who gets hold of this machine can change or remove it.
//
// The ledger is sent in stretches, the recordings as the ledger lists them, each in their
// order. What is sent carries its SHA-256 and how long it is locked; it counts as safe when
// the store has confirmed that it has both. Beside a prefix of its own a replica has
//
//	ledger.pub                     the key that verifies it
//	ledger/FROM-TO.jsonl           entries (ledger.Stretch)
//	recordings/TABLE/CAMERA/FILE   segments, named as in the data folder
//	actas/ENTRY.json               actas, as they are handed out
//	checkpoints/DAY/OFFSET.jsonl   checkpoints (stream/checkpoint)
package replica

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/internal/backoff"
	"vision/internal/config"
	"vision/internal/durable"
	"vision/internal/health"
	"vision/stream/ledger"
	"vision/stream/record"
)

// Folders and files below the prefix.
const (
	ledgerDir     = "ledger"
	recordingsDir = "recordings"
	actasDir      = "actas"
	checkpointDir = "checkpoints"
	keyFile       = ledger.PublicKeyFile
)

// Config of a Replica.
type Config struct {
	Terms  config.ReplicaKeep
	Data   string // the node's data folder
	Health health.Reporter
	Log    *slog.Logger
	Pause  time.Duration // for which entries are let come together; 0 = 15 s
	Retry  backoff.Backoff
}

// Replica sends a node's evidence.
type Replica struct {
	cfg        Config
	vault      *Vault
	ledger     *ledger.Ledger
	recordings *record.Store

	following sync.Mutex // held by whoever reads the ledger on
	seen      uint64     // entry up to which waiting counts

	moving sync.Mutex // held by whoever writes the cursor

	mu      sync.Mutex
	cursor  cursor
	whole   bool             // waiting counts the ledger up to its head
	waiting []segment        // in their order
	unsafe  map[string]int64 // bytes of the segments that are not safe, by file
	bytes   int64            // of all these
	since   time.Time        // of the oldest entry that is not safe; zero: all are
	faults  map[string]error // why the newest attempts failed, by what they were about
}

// cursor is how far the replica is, in the file replica.json of the data folder.
type cursor struct {
	Key         string `json:"key"` // fingerprint of the ledger's
	Place       string `json:"place"`
	Entries     uint64 `json:"entries"`  // entries up to this are safe
	Segments    uint64 `json:"segments"` // segments that entries up to this list are safe
	Checkpoints tail   `json:"checkpoints"`
}

const cursorFile = "replica.json"

// Open takes up what an earlier run has sent. Nothing is asked of the store yet.
func Open(v *Vault, l *ledger.Ledger, recordings *record.Store, cfg Config) (*Replica, error) {
	cfg.Pause = cmp.Or(cfg.Pause, 15*time.Second)
	cfg.Log = cmp.Or(cfg.Log, slog.Default())
	if cfg.Retry == (backoff.Backoff{}) {
		cfg.Retry = backoff.Backoff{First: time.Second, Last: time.Minute}
	}
	r := &Replica{cfg: cfg, vault: v, ledger: l, recordings: recordings,
		unsafe: map[string]int64{}, faults: map[string]error{}}
	fresh := cursor{Key: ledger.Fingerprint(l.Public()), Place: v.String()}
	err := durable.ReadJSON(r.path(), &r.cursor)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		cfg.Log.Warn("replica: what is safe is asked of the store again", "why", err)
	}
	if err != nil || r.cursor.Key != fresh.Key || r.cursor.Place != fresh.Place || r.cursor.Entries > l.Head().Seq {
		r.cursor = fresh // of another ledger or place, or of one that was put back to an earlier day
	}
	r.seen = r.cursor.Segments
	return r, nil
}

func (r *Replica) path() string { return filepath.Join(r.cfg.Data, cursorFile) }

// move changes the cursor and keeps it. That it is kept late costs only asking the store
// again.
func (r *Replica) move(change func(*cursor)) {
	r.moving.Lock()
	defer r.moving.Unlock()
	r.mu.Lock()
	change(&r.cursor)
	c := r.cursor
	r.mu.Unlock()
	if err := durable.WriteJSON(r.path(), c); err != nil {
		r.cfg.Log.Error("replica", "err", err)
	}
}

// Run sends until ctx ends.
func (r *Replica) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		r.look()
		return backoff.Every(ctx, 10*time.Second, func(time.Time) { r.look() })
	})
	g.Go(func() error {
		if err := r.until(ctx, keyFile, r.begin); err != nil {
			return err
		}
		g.Go(func() error { return r.follows(ctx, ledgerDir, r.entries) }) // and the checkpoints over it
		return r.follows(ctx, recordingsDir, r.segments)
	})
	return g.Wait()
}

// begin makes sure that the bucket can keep a replica, and that this prefix has no other's.
func (r *Replica) begin(ctx context.Context) error {
	if err := r.vault.Check(ctx); err != nil {
		return err
	}
	pub, err := ledger.EncodePublicKey(r.ledger.Public())
	if err != nil {
		return err
	}
	have, err := r.vault.whole(ctx, keyFile, "")
	switch {
	case err == nil && !bytes.Equal(have, pub):
		return fmt.Errorf("%s: %w: the replica of another ledger is there; choose another replica.prefix", r.vault, ErrRefused)
	case err != nil && !errors.Is(err, ErrAbsent):
		return err
	}
	if err := r.vault.keep(ctx, small(keyFile, pub, time.Time{}, r.cfg.Terms.Ledger)); err != nil {
		return err
	}
	return r.join(ctx)
}

// join finds out how far the store is, beyond what the cursor knows. What it has has to
// be the past of this ledger.
func (r *Replica) join(ctx context.Context) error {
	r.mu.Lock()
	known := r.cursor.Entries
	r.mu.Unlock()
	name, err := r.vault.last(ctx, ledgerDir, stretchName(known+1, 0))
	if err != nil || name == "" {
		return err
	}
	b, err := r.vault.whole(ctx, name, "")
	if err != nil {
		return err
	}
	s, err := ledger.ParseStretch(b, r.ledger.Public())
	if err != nil {
		return fmt.Errorf("%s: %w: %w", name, ErrRefused, err)
	}
	if end := s.Entries[len(s.Entries)-1]; !r.ledger.Has(ledger.Head{Seq: end.Seq, Hash: end.Hash}) {
		return fmt.Errorf("%s: %w: it has entry %d, which is not in this ledger (it ends at %d): this ledger is not the one that was sent, or an old copy of it; see `vision restore`",
			r.vault, ErrRefused, end.Seq, r.ledger.Head().Seq)
	}
	r.move(func(c *cursor) { c.Entries = max(c.Entries, s.To) })
	return nil
}

// small is a thing that is in memory.
func small(name string, b []byte, at time.Time, term time.Duration) thing {
	return thing{name: name, size: int64(len(b)), sum: sha256.Sum256(b), at: at, term: term,
		open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}
}

// until does f until it succeeds or ctx ends, and reports meanwhile what is wrong.
func (r *Replica) until(ctx context.Context, what string, f func(context.Context) error) error {
	pace := r.cfg.Retry
	for {
		err := f(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.report(what, err)
		if err == nil {
			return nil
		}
		if err := pace.Wait(ctx); err != nil {
			return err
		}
	}
}

// report reports what became of an attempt.
func (r *Replica) report(what string, err error) {
	r.mu.Lock()
	before := r.faults[what]
	r.faults[what] = err
	r.mu.Unlock()
	if before == nil && err != nil {
		r.cfg.Log.Warn("replica", "what", what, "err", err)
	}
	object := r.vault.String() + "/" + what
	if errors.Is(err, ErrRefused) {
		r.cfg.Health.Set(health.ReplicaRefused, "", object, err.Error())
	} else {
		r.cfg.Health.Clear(health.ReplicaRefused, object)
	}
}

// Status is how far a replica is.
type Status struct {
	Entry    uint64        // entries up to this are safe
	Entries  uint64        // how many are not
	Segments int           // that are not safe
	Bytes    int64         // of these
	Behind   time.Duration // age of the oldest thing that is not safe
	Fault    error         // of the newest attempt
}

// Status of the replica now.
func (r *Replica) Status() Status {
	head := r.ledger.Head().Seq
	r.mu.Lock()
	defer r.mu.Unlock()
	s := Status{Entry: r.cursor.Entries, Segments: len(r.unsafe), Bytes: r.bytes}
	s.Entries = head - min(head, s.Entry)
	for _, what := range []string{keyFile, ledgerDir, recordingsDir} {
		s.Fault = cmp.Or(s.Fault, r.faults[what])
	}
	if !r.since.IsZero() {
		s.Behind = time.Since(r.since)
	}
	if len(r.waiting) > 0 {
		s.Behind = max(s.Behind, time.Since(r.waiting[0].To))
	}
	return s
}

// oldest finds out since when an entry waits, where nobody has.
func (r *Replica) oldest() error {
	r.mu.Lock()
	after, known := r.cursor.Entries, !r.since.IsZero()
	r.mu.Unlock()
	if known {
		return nil
	}
	for e, err := range ledger.Legible(r.ledger.Since(after)) {
		if err != nil {
			return err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.cursor.Entries == after { // not sent meanwhile
			r.since = e.Time
		}
		break
	}
	return nil
}

// late is the age from which what is not safe is a problem.
const late = 10 * time.Minute

// look reports when the replica falls behind, and when it has caught up.
func (r *Replica) look() {
	if err := errors.Join(r.follow(), r.oldest()); err != nil {
		r.cfg.Log.Error("replica", "err", err)
	}
	s := r.Status()
	if s.Behind < late {
		r.cfg.Health.Clear(health.ReplicaBehind, r.vault.String())
		r.cfg.Health.Clear(health.ReplicaLost, recordingsDir)
		return
	}
	why := "it takes longer than it comes"
	if s.Fault != nil {
		why = s.Fault.Error()
	}
	r.cfg.Health.Set(health.ReplicaBehind, "", r.vault.String(), fmt.Sprintf("%d entries and %d recordings (%d MB) are not safe there, the oldest for %s: %s",
		s.Entries, s.Segments, s.Bytes/1e6, s.Behind.Round(time.Minute), why))
}
