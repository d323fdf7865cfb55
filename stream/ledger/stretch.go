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

// Stretch is a part of a ledger as it is kept elsewhere: whole lines, one after the
// other, and behind them a line with the signed head that the last of them was.
type Stretch struct {
	From, To uint64 // its first and last entry
	Entries  []Entry
	head     []byte
}

// The last line of a stretch is {"head":…}; every other one begins with a number.
const (
	headOpen  = "\n{\"head\":"
	headClose = "}\n"
)

// Stretch makes one of entries of this ledger, which are acknowledged and in their order.
func (l *Ledger) Stretch(entries []Entry) Stretch {
	last := entries[len(entries)-1]
	head := bytes.TrimSpace(encodeHead(Head{last.Seq, last.Hash}, l.key))
	return Stretch{entries[0].Seq, last.Seq, entries, head}
}

// Encode is the stretch as it is kept.
func (s Stretch) Encode() ([]byte, error) {
	var out []byte
	for i, e := range s.Entries {
		line, err := e.Line()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, '\n')
		}
		out = append(out, line...)
	}
	out = append(out, headOpen...)
	out = append(out, s.head...)
	return append(out, headClose...), nil
}

// ParseStretch reads a stretch of the ledger of a key. It checks every line's signature,
// that the lines follow one another, and that the head is the last one's.
func ParseStretch(data []byte, key ed25519.PublicKey) (Stretch, error) {
	var s Stretch
	body, head, ok := bytes.Cut(data, []byte(headOpen))
	if !ok || !bytes.HasSuffix(head, []byte(headClose)) {
		return s, fmt.Errorf("%w: a stretch of the ledger that has no head", ErrLine)
	}
	s.head = bytes.TrimSuffix(head, []byte(headClose))
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		e, err := Parse(line)
		if err == nil {
			err = s.next(e, key)
		}
		if err != nil {
			return s, fmt.Errorf("ledger entry %d: %w", e.Seq, err)
		}
	}
	s.From = s.Entries[0].Seq
	last := s.Entries[len(s.Entries)-1]
	if h, ok := decodeHead(s.head, key); !ok || h != (Head{last.Seq, last.Hash}) {
		return s, fmt.Errorf("%w: the head behind entry %d is not its own", ErrLine, s.To)
	}
	return s, nil
}

// next takes in the entry that follows. Numbers may be left out: the ledger notes that
// itself, where it lost them.
func (s *Stretch) next(e Entry, key ed25519.PublicKey) error {
	switch n := len(s.Entries); {
	case !e.Verified(key):
		return errors.New("its signature is not of this key")
	case n > 0 && e.Seq <= s.To:
		return fmt.Errorf("it stands behind entry %d", s.To)
	case n > 0 && e.Seq == s.To+1 && e.Prev != s.Entries[n-1].Hash:
		return fmt.Errorf("it is not chained to entry %d", s.To)
	}
	s.Entries, s.To = append(s.Entries, e), e.Seq
	return nil
}

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
