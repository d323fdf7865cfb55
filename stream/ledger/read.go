package ledger

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"
	"time"

	"vision/internal/backoff"
)

// Since yields the acknowledged entries after seq, oldest first, up to the head
// at the time of the call. An error ends the iteration. A reader that resumes where
// it ended does not read the file again.
func (l *Ledger) Since(seq uint64) iter.Seq2[Entry, error] {
	last := l.Head().Seq
	return func(yield func(Entry, error) bool) {
		if last <= seq {
			return
		}
		at := l.marks.take(seq)
		whole := false
		read(l.dir, seq, &at, func(e Entry, err error) bool {
			if e.Seq > last || !yield(e, err) {
				return false
			}
			whole = err == nil && e.Seq == last
			return !whole
		})
		if whole {
			l.marks.put(last, at)
		}
	}
}

// Read yields the entries after seq of the ledger in dir, without opening it for
// writing and without checking signatures or the chain (Verify does). A line
// that is no entry is yielded as an error that wraps ErrLine, and reading goes on
// after it; any other error is the last. An unfinished last line is the end.
func Read(dir string, seq uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { read(dir, seq, &place{}, yield) }
}

// Legible yields valid entries alone; Verify reports the others.
func Legible(entries iter.Seq2[Entry, error]) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for e, err := range entries {
			if !errors.Is(err, ErrLine) && !yield(e, err) {
				return
			}
		}
	}
}

// Has reports whether the ledger has an entry, validly signed.
func (l *Ledger) Has(h Head) bool {
	for e, err := range l.Since(h.Seq - 1) {
		return err == nil && e.Seq == h.Seq && e.Hash == h.Hash && e.Verified(l.Public())
	}
	return false
}

// Follow calls do at once, and again whenever the ledger has grown, with a pause between in which
// entries come together. It ends with ctx, whose error it returns, or with an error of do.
func (l *Ledger) Follow(ctx context.Context, pause time.Duration, do func(context.Context) error) error {
	for {
		changed := l.Changed()
		if err := do(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
		if err := backoff.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// place is where in the ledger somebody has read to.
type place struct {
	path   string
	offset int64
}

// bookmarks remember where the lines after an entry begin. The files only grow,
// so that a place stays what it is.
type bookmarks struct {
	mu    sync.Mutex
	after map[uint64]place
}

// maxMarks is more than there are readers.
const maxMarks = 16

func (b *bookmarks) take(seq uint64) place {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.after[seq]
}

func (b *bookmarks) put(seq uint64, at place) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.after == nil || len(b.after) >= maxMarks {
		b.after = map[uint64]place{}
	}
	b.after[seq] = at
}

// forget is for when files were repaired.
func (b *bookmarks) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.after)
}

// read yields the entries after seq, from a place on where that is known, and
// leaves in at the end of the newest line that was yielded.
func read(dir string, seq uint64, at *place, yield func(Entry, error) bool) {
	files, err := list(dir)
	if err != nil {
		yield(Entry{}, err)
		return
	}
	for i, f := range files {
		if i+1 < len(files) && files[i+1].first <= seq+1 && f.path != at.path {
			continue // all of it is older
		}
		from := int64(0)
		if at.path != "" {
			if f.path < at.path {
				continue
			}
			if f.path == at.path {
				from = at.offset
			}
		}
		if !readFile(f.path, from, seq, at, yield) {
			return
		}
	}
}

func readFile(path string, from int64, seq uint64, at *place, yield func(Entry, error) bool) bool {
	n := 0
	_, err := scanLines(path, from, func(line []byte, end int64) error {
		n++
		if s, ok := claimed(line); ok && s <= seq {
			return nil // not requested: its content does not matter
		}
		e, err := Parse(line)
		if err != nil {
			e, err = Entry{}, fmt.Errorf("ledger: %s line %d (from byte %d): %w", path, n, from, err)
		}
		if err == nil && e.Seq <= seq {
			return nil
		}
		*at = place{path, end}
		if !yield(e, err) {
			return errStop
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStop) {
		yield(Entry{}, fmt.Errorf("ledger: %w", err))
	}
	return err == nil
}

var errStop = errors.New("stop")

// scanLines calls f with every whole line of path from an offset on, which is f's
// to keep, and with the offset after it; it returns the number of bytes after the
// last newline.
func scanLines(path string, from int64, f func(line []byte, end int64) error) (torn int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return 0, err
	}
	r := bufio.NewReaderSize(file, 256<<10)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return len(line), nil
		}
		if err != nil {
			return 0, err
		}
		from += int64(len(line))
		if err := f(line[:len(line)-1], from); err != nil {
			return 0, err
		}
	}
}

// claimed is the seq with which a line begins, whatever else it holds.
func claimed(line []byte) (seq uint64, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"seq":`))
	if !ok {
		return 0, false
	}
	for i, c := range rest[:min(len(rest), 20)] {
		if c < '0' || c > '9' {
			return seq, i > 0
		}
		seq = seq*10 + uint64(c-'0')
	}
	return 0, false
}
