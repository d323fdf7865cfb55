package replica

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/internal/config"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/snapshot"
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
	marks  []snapshot.Mark
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
		if _, m, ok := snapshot.MarkOf(e); ok {
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

// entries compares the ledger in the store with the one here, entry by entry.
func (c *checker) entries(ctx context.Context) error {
	c.rewritten(c.stretches)
	for _, o := range oldest(c.stretches) {
		b, err := c.v.whole(ctx, o.name, o.id)
		if err != nil {
			return err
		}
		s, err := ledger.ParseStretch(b, c.pub)
		if err != nil {
			c.bad("%s: %v", o.name, err)
			continue
		}
		c.stretch(o, s)
	}
	c.covered()
	return nil
}

// stretch compares one stretch; only its first difference is named.
func (c *checker) stretch(o version, s ledger.Stretch) {
	for _, e := range s.Entries {
		switch {
		case e.Seq >= uint64(len(c.hashes)) || c.hashes[e.Seq] == (ledger.Digest{}):
			c.bad("ledger entry %d, of %s, is in the store (%s) and not here: the ledger was cut, or an old copy was put in its place", e.Seq, e.Time.Format(time.RFC3339), o.name)
			return
		case c.hashes[e.Seq] != e.Hash:
			c.bad("ledger entry %d is another here than in the store (%s), where it is of %s and about %s: the past was rewritten from there on", e.Seq, o.name, e.Time.Format(time.RFC3339), e.Kind)
			return
		}
		c.there[e.Seq] = true
	}
	c.owing = append(c.owing, owing{o, s.Entries[len(s.Entries)-1].Time.Add(c.terms.Ledger)})
}

// covered names entries that are not in the store. Those at the end were not sent yet.
func (c *checker) covered() {
	last := len(c.hashes) - 1
	for last > 0 && !c.there[last] {
		last--
	}
	c.report.Entry = uint64(last)
	if n := len(c.hashes) - 1 - last; n > 0 {
		c.note("%d entries, from %d on, are not in the store yet", n, last+1)
	}
	for seq := 1; seq < last; seq++ {
		if !c.there[seq] && c.hashes[seq] != (ledger.Digest{}) {
			c.bad("ledger entry %d is not in the store, although later ones are", seq)
			return
		}
	}
}

// rewritten names objects that were written again with something else. The oldest version
// of each is what counts.
func (c *checker) rewritten(versions []version) {
	for i, o := range versions {
		if i > 0 && versions[i-1].name == o.name && versions[i-1].size != o.size {
			c.bad("%s was written again on %s with something else; its first version is still there", o.name, o.at.Format(time.RFC3339))
		}
	}
}

// segments compares the recordings that the ledger lists with those in the store.
func (c *checker) segments(ctx context.Context) error {
	var missing []heldNote
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sideBySide)
	for i, n := range c.listed {
		o := c.files[recordingsDir+"/"+n.File]
		until := n.To.Add(c.term(n.Segment))
		switch {
		case len(o) == 0 && (n.unsafe || until.Before(c.now)):
			// Never sent, which the ledger says, or gone when its time was over.
		case len(o) == 0:
			missing = append(missing, n)
		default:
			for _, gap := range missing { // they are sent in their order
				c.bad("%s is not in the store, although %s, which came later, is", gap.File, n.File)
			}
			missing = nil
			g.Go(func() error { return c.segment(ctx, n, o, until) })
		}
		c.progress(i+1, len(c.listed))
	}
	if n := len(missing); n > 0 {
		c.note("%d recordings, from %s on, are not in the store yet", n, missing[0].File)
	}
	return g.Wait()
}

// sideBySide is how many objects are looked at at a time.
const sideBySide = 8

func (c *checker) term(seg record.Segment) time.Duration {
	return term(c.terms, slices.ContainsFunc(c.marks, func(m snapshot.Mark) bool {
		return m.Table == seg.Table && seg.Within(m.From, m.To)
	}))
}

// segment looks at a recording's versions: one has to be what the ledger lists, locked.
func (c *checker) segment(ctx context.Context, n heldNote, versions []version, until time.Time) error {
	sum, err := ledger.ParseDigest(n.SHA256)
	if err != nil {
		c.bad("%s: %v", n.File, err)
		return nil
	}
	why := error(nil)
	for _, o := range versions {
		s, err := c.v.state(ctx, o.name, o.id)
		if err != nil {
			return err
		}
		if err = s.fits(n.Bytes, sum); err == nil && until.After(c.now) {
			err = s.locked(c.v.mode, until)
		}
		if err == nil && !s.held && slices.ContainsFunc(c.seals, func(x record.SealSpan) bool { return x.Holds(n.Segment) }) {
			err = fmt.Errorf("%w: it is sealed, and not held", ErrUnsafe)
		}
		if err == nil {
			c.mu.Lock()
			c.report.Segments++
			c.mu.Unlock()
			return nil
		}
		why = errors.Join(why, err)
	}
	c.bad("%s: %v", n.File, why)
	return nil
}

// locks looks whether the stretches of the ledger are locked as they have to be.
func (c *checker) locks(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sideBySide)
	for _, w := range c.owing {
		if w.until.Before(c.now) {
			continue
		}
		g.Go(func() error {
			s, err := c.v.state(ctx, w.o.name, w.o.id)
			if err != nil {
				return err
			}
			if err := s.locked(c.v.mode, w.until); err != nil {
				c.bad("%s: %v", w.o.name, err)
			}
			return nil
		})
	}
	return g.Wait()
}
