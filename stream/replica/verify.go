package replica

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"vision/internal/config"
	"vision/stream/ledger"
	"vision/stream/past"
	"vision/stream/record"
)

// Report is what was found in a store, held against the ledger of a data folder.
type Report struct {
	Entry    uint64   `json:"entry"`    // entries up to this are there as they are here
	Segments int      `json:"segments"` // that are there as the ledger lists them, locked as they have to be
	Problems []string `json:"problems"`
	Notes    []string `json:"notes"` // no tampering: what was not sent yet
}

// Verify holds what the store has against the ledger of a data folder: that every entry is
// there and the same, that every recording is there with the SHA-256 that the ledger lists,
// and that all of it is locked for as long as the terms say. Recordings are not fetched:
// their SHA-256 is the store's own word, which it has checked when they came (Restore
// fetches them).
func Verify(ctx context.Context, v *Vault, data string, terms config.ReplicaKeep,
	progress func(done, all int)) (Report, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	c := checker{v: v, terms: terms, data: data, now: time.Now(), progress: progress,
		report: Report{Problems: []string{}, Notes: []string{}}}
	for _, do := range []func(context.Context) error{c.key, c.list, c.local, c.entries, c.segments, c.locks} {
		if err := do(ctx); err != nil {
			return c.report, fmt.Errorf("replica %s: %w", v, err)
		}
	}
	return c.report, nil
}

// checker is one store under examination.
type checker struct {
	v        *Vault
	terms    config.ReplicaKeep
	data     string
	now      time.Time
	progress func(done, all int)
	report   Report

	stretches []version
	files     map[string][]version // recordings, by name

	hashes []ledger.Digest // by entry, from 0; zero: there is none
	there  []bool          // by entry: it is in the store
	pub    ed25519.PublicKey
	listed []heldNote
	marks  []past.Mark
	seals  []record.SealSpan

	mu    sync.Mutex // guards report while objects are looked at side by side
	owing []owing
}

// heldNote is a recording that the ledger lists, and whether it was let go of before it
// was safe.
type heldNote struct {
	record.SegmentNote
	unsafe bool
}

// owing is an object that has to be locked until a time.
type owing struct {
	o     version
	until time.Time
}

func (c *checker) bad(format string, a ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Problems = append(c.report.Problems, fmt.Sprintf(format, a...))
}

func (c *checker) note(format string, a ...any) {
	c.report.Notes = append(c.report.Notes, fmt.Sprintf(format, a...))
}

// list asks what the store has: before the ledger is read, which goes on in a node that
// runs.
func (c *checker) list(ctx context.Context) (err error) {
	if c.stretches, err = c.v.list(ctx, ledgerDir+"/"); err != nil {
		return err
	}
	c.files, err = recordings(ctx, c.v)
	return err
}

// recordings are the versions of those that a store has, by name.
func recordings(ctx context.Context, v *Vault) (map[string][]version, error) {
	versions, err := v.list(ctx, recordingsDir+"/")
	have := map[string][]version{}
	for _, o := range versions {
		have[o.name] = append(have[o.name], o)
	}
	return have, err
}

// local reads what the data folder's ledger says.
func (c *checker) local(context.Context) error {
	at := map[string]int{}
	for e, err := range ledger.Legible(ledger.Read(filepath.Join(c.data, ledgerDir), 0)) {
		if err != nil {
			return err
		}
		for uint64(len(c.hashes)) <= e.Seq {
			c.hashes, c.there = append(c.hashes, ledger.Digest{}), append(c.there, false)
		}
		c.hashes[e.Seq] = e.Hash
		c.entry(e, at)
	}
	return nil
}

func (c *checker) entry(e ledger.Entry, at map[string]int) {
	switch e.Kind {
	case ledger.Segment:
		if n, ok := ledger.Payload[record.SegmentNote](e); ok && n.File != "" {
			at[n.File] = len(c.listed)
			c.listed = append(c.listed, heldNote{SegmentNote: n})
		}
	case ledger.Retention:
		n, ok := ledger.Payload[record.RemovalNote](e)
		if i, listed := at[n.File]; ok && listed {
			c.listed[i].unsafe = n.Unsafe
		}
	case ledger.Seal:
		if n, ok := ledger.Payload[record.SealSpan](e); ok {
			c.seals = n.Into(c.seals)
		}
	default:
		if _, m, ok := past.MarkOf(e); ok {
			c.marks = append(c.marks, m)
		}
	}
}

// key compares the store's key with the folder's.
func (c *checker) key(ctx context.Context) (err error) {
	if c.pub, err = ledger.ReadPublicKey(filepath.Join(c.data, ledgerDir, keyFile)); err != nil {
		return err
	}
	r := restorer{v: c.v}
	r.did.Key = c.pub
	return r.key(ctx)
}
