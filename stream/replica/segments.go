package replica

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vision/internal/config"
	"vision/internal/health"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/snapshot"
)

// segment is one of the recordings that has to be sent, or a word about those that were.
type segment struct {
	seq uint64 // of the entry
	record.SegmentNote
	keep *snapshot.Mark // not a recording: what was sent of this stretch is kept longer
	seal bool           // because a seal came or went
}

// Safe reports whether a segment's file is safe in the store, as far as the ledger lists
// it there. Until the ledger was read once, nothing is.
func (r *Replica) Safe(file string) bool {
	if err := r.follow(); err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, waits := r.unsafe[file]
	return r.whole && !waits
}

// follow reads on in the ledger which segments there are to be sent.
func (r *Replica) follow() error {
	r.following.Lock()
	defer r.following.Unlock()
	if r.seen >= r.ledger.Head().Seq && r.whole {
		return nil
	}
	for e, err := range ledger.Legible(r.ledger.Since(r.seen)) {
		if err != nil {
			return fmt.Errorf("replica: %w", err)
		}
		r.take(e)
		r.seen = e.Seq
	}
	r.mu.Lock()
	r.whole = true
	r.mu.Unlock()
	return nil
}

// take takes notice of an entry.
func (r *Replica) take(e ledger.Entry) {
	s := segment{seq: e.Seq}
	switch e.Kind {
	case ledger.Segment:
		note, ok := ledger.Payload[record.SegmentNote](e)
		if !ok || note.File == "" {
			return
		}
		s.SegmentNote = note
	case ledger.Retention:
		if gone, ok := ledger.Payload[record.RemovalNote](e); ok {
			r.done(gone.File)
		}
		return
	case ledger.Seal:
		seal, ok := ledger.Payload[record.SealSpan](e)
		if !ok {
			return
		}
		s.keep, s.seal, s.To = &snapshot.Mark{Table: seal.Table, From: seal.From, To: seal.To}, true, e.Time
	default:
		_, m, ok := snapshot.MarkOf(e)
		if !ok {
			return
		}
		s.keep, s.To = &m, e.Time
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, s)
	if s.keep == nil {
		r.unsafe[s.File], r.bytes = s.Bytes, r.bytes+s.Bytes
	}
}

// done lets go of a segment: it is safe, or gone.
func (r *Replica) done(file string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n, ok := r.unsafe[file]; ok {
		delete(r.unsafe, file)
		r.bytes -= n
	}
}

// segments sends the recordings that wait.
func (r *Replica) segments(ctx context.Context) error {
	if err := r.follow(); err != nil {
		return err
	}
	for {
		s, ok := r.first()
		if !ok {
			return nil
		}
		if err := r.send(ctx, s); err != nil {
			return err
		}
		r.done(s.File)
		r.mu.Lock()
		r.waiting = r.waiting[1:]
		r.mu.Unlock()
		r.move(func(c *cursor) { c.Segments = s.seq })
	}
}

// first is what has waited longest; what is gone meanwhile need not be sent.
func (r *Replica) first() (segment, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.waiting) > 0 {
		s := r.waiting[0]
		if _, waits := r.unsafe[s.File]; waits || s.keep != nil {
			return s, true
		}
		r.waiting = r.waiting[1:]
	}
	return segment{}, false
}

// send makes one segment safe, or keeps longer what was sent.
func (r *Replica) send(ctx context.Context, s segment) error {
	if s.keep != nil {
		return r.lengthen(ctx, s)
	}
	sum, err := ledger.ParseDigest(s.SHA256)
	if err != nil {
		r.cfg.Log.Error("replica", "entry", s.seq, "err", err)
		return nil
	}
	path, err := record.Await(ctx, filepath.Join(r.cfg.Data, recordingsDir), s.File)
	if errors.Is(err, fs.ErrNotExist) {
		r.cfg.Log.Warn("replica: a recording that the ledger lists is gone", "file", s.File)
		return nil // retention was quicker, or it was removed: `vision verify` knows
	}
	if err != nil {
		return err
	}
	marked, sealed := r.recordings.Kept(s.Segment)
	t := thing{name: recordingsDir + "/" + s.File, size: s.Bytes, sum: sum, at: s.To,
		term: term(r.cfg.Terms, marked), hold: sealed,
		open: func() (io.ReadCloser, error) { return os.Open(path) }}
	if err := intact(path, t); err != nil {
		return r.damaged(s.File, err)
	}
	return r.vault.keep(ctx, t)
}

// term is how long a recording is locked: one that shows what people look at may be for longer.
func term(terms config.ReplicaKeep, marked bool) time.Duration {
	if marked {
		return max(terms.Alerts, terms.Recordings)
	}
	return terms.Recordings
}

// damaged says that a segment is not what the ledger lists: it is never sent as if it were.
func (r *Replica) damaged(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	r.cfg.Log.Error("replica: a recording is not what the ledger lists", "file", file, "err", err)
	r.cfg.Health.Set(health.ReplicaRefused, "", file, fmt.Sprintf("%s is not what the ledger lists, and is not sent: %v; run `vision verify`", file, err))
	return nil
}

// intact reports whether the file is what the ledger lists.
func intact(path string, t thing) error {
	sum, n, err := ledger.SumFile(path)
	switch {
	case err != nil:
		return err
	case n != t.size:
		return fmt.Errorf("it has %d bytes, listed %d", n, t.size)
	case sum != t.sum:
		return errors.New("its SHA-256 is another")
	}
	return nil
}

// lengthen keeps longer what was sent of a stretch.
func (r *Replica) lengthen(ctx context.Context, s segment) error {
	for _, cam := range r.recordings.Cameras() {
		if cam.Table != s.keep.Table {
			continue
		}
		for _, seg := range r.recordings.Segments(cam, s.keep.From, s.keep.To) {
			if err := r.lengthened(ctx, seg, s.seal); err != nil && !errors.Is(err, ErrAbsent) {
				return err // one that was not sent yet will be kept as it has to
			}
		}
	}
	return nil
}

func (r *Replica) lengthened(ctx context.Context, seg record.Segment, bySeal bool) error {
	name := recordingsDir + "/" + seg.File
	if !bySeal {
		return r.vault.extend(ctx, name, seg.To.Add(term(r.cfg.Terms, true)))
	}
	_, sealed := r.recordings.Kept(seg) // another seal may hold it
	return r.vault.hold(ctx, name, sealed)
}
