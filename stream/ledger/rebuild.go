package ledger

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"vision/internal/durable"
)

// Rebuild writes a ledger anew of the stretches of it that were kept elsewhere.
type Rebuild struct {
	dir  string
	file *os.File
	w    *bufio.Writer
	day  string
	last Head
	head []byte
}

// NewRebuild begins in a folder, which must hold no ledger.
func NewRebuild(dir string, key ed25519.PublicKey) (*Rebuild, error) {
	if err := durable.Folder(dir); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if _, err := os.Stat(filepath.Join(dir, HeadFile)); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("ledger %s: there is one already; choose an empty folder", dir)
	}
	if err := writePublic(dir, key); err != nil {
		return nil, err
	}
	return &Rebuild{dir: dir}, nil
}

// Add writes the stretch's entries that are not there yet. What is there twice has to be
// the same.
func (r *Rebuild) Add(s Stretch) error {
	for _, e := range s.Entries {
		switch {
		case e.Seq == r.last.Seq && e.Hash != r.last.Hash, e.Seq == r.last.Seq+1 && e.Prev != r.last.Hash:
			return fmt.Errorf("ledger entry %d: it is not chained to what stands before it: there are two pasts", e.Seq)
		case e.Seq <= r.last.Seq:
			continue
		}
		if err := r.write(e); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		r.last = Head{e.Seq, e.Hash}
	}
	if s.To == r.last.Seq {
		r.head = s.head
	}
	return nil
}

func (r *Rebuild) write(e Entry) error {
	if day := e.Time.UTC().Format("20060102"); r.file == nil || day > r.day {
		if err := r.flush(); err != nil {
			return err
		}
		f, err := os.OpenFile(filepath.Join(r.dir, fileName(e.Seq, e.Time)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		r.file, r.w, r.day = f, bufio.NewWriterSize(f, 1<<20), day
	}
	line, err := e.Line()
	if err != nil {
		return err
	}
	_, err = r.w.Write(append(line, '\n'))
	return err
}

func (r *Rebuild) flush() error {
	if r.file == nil {
		return nil
	}
	err := errors.Join(r.w.Flush(), r.file.Sync(), r.file.Close())
	r.file = nil
	return err
}

// Close finishes the ledger and gives the head that it has.
func (r *Rebuild) Close() (Head, error) {
	if err := r.flush(); err != nil {
		return Head{}, fmt.Errorf("ledger: %w", err)
	}
	if r.last.Seq == 0 {
		return Head{}, fmt.Errorf("ledger %s: not one entry of it was found", r.dir)
	}
	slot := append(bytes.Repeat([]byte(" "), headSlot-1), '\n')
	copy(slot, r.head)
	if err := durable.Write(filepath.Join(r.dir, HeadFile), bytes.Repeat(slot, 2), 0o600); err != nil {
		return Head{}, fmt.Errorf("ledger head: %w", err)
	}
	return r.last, nil
}
