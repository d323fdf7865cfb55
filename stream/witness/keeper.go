package witness

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"

	"vision/internal/backoff"
	"vision/internal/durable"
	"vision/internal/health"
	"vision/stream/checkpoint"
	"vision/stream/ledger"
)

// Stamper has a text time-stamped by somebody else.
type Stamper interface {
	Stamp(ctx context.Context, text []byte) (token []byte, err error)
	String() string
}

// Config of a Keeper.
type Config struct {
	Data      string
	Every     time.Duration // a checkpoint at most so often
	Witnesses []*Client
	Stamper   Stamper       // nil: none
	Stamps    time.Duration // a time stamp so often
	// Safe is up to which entry a checkpoint may go when the ledger ends at head; nil: to
	// its end.
	Safe   func(head uint64) uint64
	Health health.Reporter
	Log    *slog.Logger
	Now    func() time.Time // nil = time.Now
}

// Keeper makes checkpoints of a ledger, has them cosigned and time-stamped, and keeps them
// in the folder checkpoint.Dir of the data folder.
type Keeper struct {
	cfg    Config
	ledger *ledger.Ledger
	tree   *checkpoint.Tree
	last   uint64 // size of the newest that every witness has cosigned
	stamp  time.Time
}

const treeFile = "tree"

// OpenKeeper opens the tree, which it makes anew where it is not that of the newest
// checkpoint.
func OpenKeeper(l *ledger.Ledger, cfg Config) (*Keeper, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Safe == nil {
		cfg.Safe = func(head uint64) uint64 { return head }
	}
	dir := filepath.Join(cfg.Data, checkpoint.Dir)
	if err := durable.Folder(dir); err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	tree, err := checkpoint.OpenTree(filepath.Join(dir, treeFile))
	if err != nil {
		return nil, err
	}
	k := &Keeper{cfg: cfg, ledger: l, tree: tree}
	if err := k.begin(dir); err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	return k, nil
}

// begin takes the tree up to where the newest checkpoint vouches for it.
func (k *Keeper) begin(dir string) error {
	v, err := checkpoint.Verifier(k.ledger.Public())
	if err != nil {
		return err
	}
	kept, err := checkpoint.ReadKept(dir)
	if err != nil {
		k.cfg.Log.Warn("checkpoints", "err", err) // they are for others; this node goes on
	}
	var newest checkpoint.Checkpoint
	for _, x := range kept {
		if c, err := checkpoint.Parse(x.Note, note.VerifierList(v)); err == nil && c.Size >= newest.Size {
			newest = c
		}
	}
	if newest.Size <= k.tree.Size() && newest.Size > 0 {
		if root, err := k.tree.Root(newest.Size); err == nil && root == newest.Root {
			return k.tree.Cut(newest.Size)
		}
	}
	return k.tree.Cut(0)
}

// Close lets go of the tree and the witnesses.
func (k *Keeper) Close() error {
	for _, w := range k.cfg.Witnesses {
		w.Close()
	}
	return k.tree.Close()
}

// Run makes checkpoints until ctx ends.
func (k *Keeper) Run(ctx context.Context) error {
	for {
		changed := k.ledger.Changed()
		done, err := k.make(ctx)
		if err != nil && ctx.Err() == nil {
			k.cfg.Log.Error("checkpoint", "err", err)
		}
		if done {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-changed:
			}
		}
		if err := backoff.Sleep(ctx, k.cfg.Every); err != nil {
			return err
		}
	}
}

// make makes the next checkpoint. It reports whether there is nothing more to do until the
// ledger goes on.
func (k *Keeper) make(ctx context.Context) (done bool, err error) {
	if err := k.follow(); err != nil {
		return false, err
	}
	head := k.tree.Size()
	size := min(k.cfg.Safe(head), head)
	if size <= k.last {
		return size == head, nil
	}
	root, err := k.tree.Root(size)
	if err != nil {
		return false, err
	}
	if err := k.tree.Sync(); err != nil {
		return false, err
	}
	c, err := checkpoint.Sign(k.ledger, size, root)
	if err != nil {
		return false, err
	}
	lines := k.cosign(ctx, c)
	kept := checkpoint.Kept{Note: c.Note + strings.Join(lines, ""), Stamp: k.stamped(ctx, c)}
	if len(lines) > 0 || kept.Stamp != nil { // what nobody else vouches for is no more than the head
		day := k.cfg.Now().UTC().Format("20060102") + ".jsonl"
		if err := checkpoint.Append(filepath.Join(k.cfg.Data, checkpoint.Dir, day), kept); err != nil {
			return false, err
		}
	}
	if len(lines) < len(k.cfg.Witnesses) {
		return false, nil
	}
	k.last = size
	return size == head, nil
}

// follow brings the tree up to the ledger's head.
func (k *Keeper) follow() error {
	// The number of a line that is no entry has the leaf of a lost one.
	for e, err := range ledger.Legible(k.ledger.Since(k.tree.Size())) {
		if err != nil {
			return err
		}
		if err := k.tree.Add(e); err != nil {
			return err
		}
	}
	return nil
}

// cosign asks all witnesses side by side and gives the signatures that came.
func (k *Keeper) cosign(ctx context.Context, c checkpoint.Checkpoint) (lines []string) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, w := range k.cfg.Witnesses {
		all.Go(func() {
			line, err := w.Cosign(ctx, c, k.tree.Prove)
			k.report(w, err)
			if err == nil {
				mu.Lock()
				defer mu.Unlock()
				lines = append(lines, line)
			}
		})
	}
	all.Wait()
	return lines
}

func (k *Keeper) report(w *Client, err error) {
	switch {
	case err == nil:
		k.cfg.Health.Clear(health.WitnessDown, w.Name())
		k.cfg.Health.Clear(health.WitnessRefused, w.Name())
	case errors.Is(err, ErrRefused):
		k.cfg.Health.Set(health.WitnessRefused, "", w.Name(), err.Error())
		k.cfg.Health.Clear(health.WitnessDown, w.Name())
	case !errors.Is(err, context.Canceled):
		k.cfg.Health.Set(health.WitnessDown, "", w.Name(), err.Error())
	}
}

// stamped has a checkpoint time-stamped if that is due.
func (k *Keeper) stamped(ctx context.Context, c checkpoint.Checkpoint) []byte {
	now := k.cfg.Now()
	if k.cfg.Stamper == nil || now.Sub(k.stamp) < k.cfg.Stamps {
		return nil
	}
	token, err := k.cfg.Stamper.Stamp(ctx, []byte(c.Text()))
	if err != nil {
		if ctx.Err() == nil {
			k.cfg.Health.Set(health.TimestampDown, "", k.cfg.Stamper.String(), err.Error())
		}
		return nil
	}
	k.cfg.Health.Clear(health.TimestampDown, k.cfg.Stamper.String())
	k.stamp = now
	return token
}
