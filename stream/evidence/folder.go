package evidence

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vision/stream/ledger"
	"vision/stream/record"
)

// New is a case with an id of its own.
func New(title, by string, tables []string, from, to time.Time, note string) Case {
	now := time.Now().UTC()
	return Case{ID: now.Format("20060102T150405") + "-" + rand.Text()[:6], Title: title, By: by, Made: now,
		Tables: slices.Compact(slices.Sorted(slices.Values(tables))), From: from.UTC(), To: to.UTC(), Note: note}
}

// Folder is a node's data folder while no node runs on it: cases can be made and
// written from it.
type Folder struct {
	ledger *ledger.Ledger
	store  *record.Store
}

// ErrNoFolder means that a folder is no node's data folder.
var ErrNoFolder = errors.New("is no data folder: it has no ledger and ledger.key")

// OpenFolder opens dir. While a node runs on it that fails.
func OpenFolder(dir string) (*Folder, error) {
	for _, name := range []string{"ledger", "ledger.key"} { // opening would make them
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("%s %w", dir, ErrNoFolder)
		}
	}
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{})
	if err != nil {
		return nil, err
	}
	s, err := record.Open(filepath.Join(dir, "recordings"), l, nil, record.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	seals := record.NewVerifier()
	for e, err := range l.Since(0) {
		if err == nil {
			seals.Entry(e)
		}
	}
	if err := s.Believe(seals.Seals()); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &Folder{l, s}, nil
}

// Close lets go of the folder.
func (f *Folder) Close() error { return f.ledger.Close() }

// Tables are those of which there are recordings.
func (f *Folder) Tables() (out []string) {
	for _, c := range f.store.Cameras() {
		out = append(out, c.Table)
	}
	return slices.Compact(out) // Cameras are sorted
}

// Make seals a case's time at its tables and notes it in the ledger.
func (f *Folder) Make(c Case) error {
	if err := c.Check(); err != nil {
		return fmt.Errorf("case: %w", err)
	}
	have := f.Tables()
	for _, t := range c.Tables {
		if !slices.Contains(have, t) {
			return fmt.Errorf("case: nothing was ever recorded of table %q; there are %v", t, have)
		}
	}
	for _, t := range c.Tables {
		if err := f.store.Seal(record.SealSpan{Table: t, From: c.From, To: c.To, By: c.By,
			Why: "case " + c.ID + ": " + c.Title}); err != nil {
			return err
		}
	}
	_, err := f.ledger.Append(ledger.Case, "", c)
	return err
}

// Find is a case that was made earlier.
func (f *Folder) Find(id string) (Case, error) {
	for e, err := range ledger.Legible(f.ledger.Since(0)) {
		if err != nil {
			return Case{}, err
		}
		if c, ok := ledger.Payload[Case](e); ok && e.Kind == ledger.Case && c.ID == id {
			return c, nil
		}
	}
	return Case{}, fmt.Errorf("no case %q in the ledger", id)
}

// Write notes who takes a case away, and writes its zip.
func (f *Folder) Write(ctx context.Context, c Case, by string, w io.Writer) error {
	act := map[string]string{"user": by, "action": "export", "object": c.ID, "text": c.Title}
	if _, err := f.ledger.Append(ledger.Operator, "", act); err != nil {
		return err
	}
	x := &Exporter{Ledger: f.ledger, Store: f.store}
	return x.Write(ctx, c, w)
}
