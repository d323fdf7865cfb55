package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vision/internal/backoff"
	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/stream/past"
	"vision/stream/record"
)

// segment is one of the recordings that has to be sent, or a word about those that were.
type segment struct {
	seq uint64 // of the entry
	record.SegmentNote
	keep *span // not a recording: what was sent of a span of a table is kept longer
}

// span is a span of a table whose recordings are kept longer than others.
type span struct {
	table    string
	from, to time.Time
	seal     bool // a seal came or went
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
	for e, err := range r.ledger.Since(r.seen) {
		if errors.Is(err, ledger.ErrLine) {
			continue
		}
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
		if json.Unmarshal(e.Payload, &s.SegmentNote) != nil || s.File == "" {
			return
		}
	case ledger.Retention:
		var gone record.RemovalNote
		if json.Unmarshal(e.Payload, &gone) == nil {
			r.done(gone.File)
		}
		return
	case ledger.Seal:
		var seal record.SealSpan
		if json.Unmarshal(e.Payload, &seal) != nil {
			return
		}
		s.keep, s.To = &span{seal.Table, seal.From, seal.To, true}, e.Time
	case ledger.Alert:
		var a alert.Alert
		if json.Unmarshal(e.Payload, &a) != nil || a.Clip == nil {
			return
		}
		from, to := a.Clip.Rolled()
		s.keep, s.To = &span{table: a.Table, from: from, to: to}, e.Time
	case ledger.Session:
		var said struct{ By string }
		if json.Unmarshal(e.Payload, &said) != nil || said.By == "" {
			return
		}
		m := past.StepMark(e.Table, e.Time)
		s.keep, s.To = &span{table: m.Table, from: m.From, to: m.To}, e.Time
	default:
		return
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

// runSegments sends the recordings.
func (r *Replica) runSegments(ctx context.Context) error {
	return r.follows(ctx, recordingsDir, r.segments)
}

// segments sends what waits.
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
		return r.lengthen(ctx, *s.keep)
	}
	sum, err := sumOf(s.SHA256)
	if err != nil {
		r.cfg.Log.Error("replica", "entry", s.seq, "err", err)
		return nil
	}
	path, err := r.find(ctx, s.File)
	if errors.Is(err, fs.ErrNotExist) {
		r.cfg.Log.Warn("replica: a recording that the ledger lists is gone", "file", s.File)
		return nil // retention was quicker, or it was removed: `vision verify` knows
	}
	if err != nil {
		return err
	}
	marked, sealed := r.recordings.Kept(s.Segment)
	t := thing{name: recordingsDir + "/" + s.File, size: s.Bytes, sum: sum, at: s.To, term: r.term(marked), hold: sealed,
		open: func() (io.ReadCloser, error) { return os.Open(path) }}
	if err := intact(path, t); err != nil {
		return r.damaged(s.File, err)
	}
	return r.vault.keep(ctx, t)
}

func (r *Replica) term(marked bool) time.Duration {
	if marked {
		return max(r.cfg.Terms.Alerts, r.cfg.Terms.Recordings)
	}
	return r.cfg.Terms.Recordings
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
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum, n, err := digest(f)
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

const (
	nameEvery = 20 * time.Millisecond
	nameTries = 250 // five seconds
)

// find is where a listed segment lies. It is listed a moment before it gets its name.
func (r *Replica) find(ctx context.Context, file string) (path string, err error) {
	path = filepath.Join(r.cfg.Data, recordingsDir, filepath.FromSlash(file))
	for range nameTries {
		if _, err = os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
		if _, open := os.Stat(record.Unfinished(path)); open != nil {
			_, err = os.Stat(path) // it may have got its name between the two looks
			return path, err
		}
		if err := backoff.Sleep(ctx, nameEvery); err != nil {
			return "", err
		}
	}
	return path, err
}

// lengthen keeps longer what was sent of a span.
func (r *Replica) lengthen(ctx context.Context, s span) error {
	for _, cam := range r.recordings.Cameras() {
		if cam.Table != s.table {
			continue
		}
		for _, seg := range r.recordings.Segments(cam, s.from, s.to) {
			if err := r.lengthened(ctx, seg, s); err != nil && !errors.Is(err, ErrAbsent) {
				return err // one that was not sent yet will be kept as it has to
			}
		}
	}
	return nil
}

func (r *Replica) lengthened(ctx context.Context, seg record.Segment, s span) error {
	name := recordingsDir + "/" + seg.File
	if !s.seal {
		return r.vault.extend(ctx, name, seg.To.Add(r.term(true)))
	}
	_, sealed := r.recordings.Kept(seg) // another seal may hold it
	return r.vault.hold(ctx, name, sealed)
}
