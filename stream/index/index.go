// Package index answers questions about the ledger quickly, with SQLite. It holds
// nothing of its own: lost or spoilt, it is built again from the ledger.
package index

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"vision/stream/ledger"
)

//go:embed schema.sql
var schema string

// version changes with the schema and with what is filed of an entry; an index of another
// version is built anew.
const version = 6

// File is what the index is called in a node's data folder.
const File = "index.sqlite"

// Index is one SQLite file. Its methods may be called by many.
type Index struct {
	path   string
	ledger *ledger.Ledger
	write  *sql.DB // one connection
	read   *sql.DB
}

// Open opens the index at path and brings it up to the ledger's head. A file that
// is damaged, of another version, or of another ledger is built anew.
func Open(ctx context.Context, path string, l *ledger.Ledger) (*Index, error) {
	x := &Index{path: path, ledger: l}
	err := x.connect(ctx)
	if err == nil {
		err = x.CatchUp(ctx)
	}
	if err != nil && ctx.Err() == nil {
		err = x.Rebuild(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

// connect opens the file, or makes it.
func (x *Index) connect(ctx context.Context) error {
	if err := x.dial(ctx); err != nil {
		return fmt.Errorf("index %s: %w", x.path, err)
	}
	return nil
}

func (x *Index) dial(ctx context.Context) error {
	dsn := "file:" + (&url.URL{Path: x.path}).EscapedPath() + "?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)"
	f, err := os.OpenFile(x.path, os.O_RDWR|os.O_CREATE, 0o600) // SQLite takes a file's rights for its -wal and -shm
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if x.write, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	if x.read, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	x.write.SetMaxOpenConns(1)
	x.read.SetMaxOpenConns(4)
	var have int
	if err := x.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	switch have {
	case version:
		return x.check(ctx)
	case 0:
		_, err = x.write.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d;", version))
		return err
	}
	return fmt.Errorf("version %d, want %d", have, version)
}

// errForeign means that the index was made of another ledger.
var errForeign = errors.New("was not made of this ledger")

// check compares the newest indexed entry with the ledger's.
func (x *Index) check(ctx context.Context) error {
	seq, hash, err := x.head(ctx)
	if err != nil || seq == 0 {
		return err
	}
	if d, err := ledger.ParseDigest(hash); err != nil || !x.ledger.Has(ledger.Head{Seq: seq, Hash: d}) {
		return fmt.Errorf("entry %d: %w", seq, errForeign)
	}
	return nil
}

func (x *Index) head(ctx context.Context) (seq uint64, hash string, err error) {
	err = x.write.QueryRowContext(ctx, "SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1").Scan(&seq, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return seq, hash, err
}

// Close closes the file.
func (x *Index) Close() error {
	var errs []error
	for _, db := range []*sql.DB{x.read, x.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Rebuild makes the index again from nothing.
func (x *Index) Rebuild(ctx context.Context) error {
	_ = x.Close() // it is thrown away
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(x.path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("index %s: %w", x.path, err)
		}
	}
	if err := x.connect(ctx); err != nil {
		return err
	}
	return x.CatchUp(ctx)
}

// Run keeps up with the ledger until ctx ends. An error that stays is returned;
// the ledger is not harmed by it.
func (x *Index) Run(ctx context.Context) error { return x.ledger.Follow(ctx, 0, x.CatchUp) }

// batch is how many entries go into one transaction.
const batch = 500

// CatchUp indexes what the ledger holds beyond the index. Lines of the ledger
// that cannot be read are left out: verify names them.
func (x *Index) CatchUp(ctx context.Context) error {
	seq, _, err := x.head(ctx)
	if err != nil {
		return fmt.Errorf("index %s: %w", x.path, err)
	}
	return x.take(ctx, x.ledger.Since(seq))
}

// take indexes entries, many in one transaction.
func (x *Index) take(ctx context.Context, entries iter.Seq2[ledger.Entry, error]) error {
	var group []ledger.Entry
	for e, err := range ledger.Legible(entries) {
		if err != nil {
			return err
		}
		if group = append(group, e); len(group) == batch {
			if err := x.add(ctx, group); err != nil {
				return err
			}
			group = group[:0]
		}
	}
	return x.add(ctx, group)
}

func (x *Index) add(ctx context.Context, group []ledger.Entry) error {
	if len(group) == 0 {
		return nil
	}
	tx, err := x.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("index %s: %w", x.path, err)
	}
	for _, e := range group {
		if err := addEntry(ctx, tx, e); err != nil {
			return errors.Join(fmt.Errorf("index %s: entry %d: %w", x.path, e.Seq, err), tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("index %s: %w", x.path, err)
	}
	return nil
}

// nano is the form of times in the index; the zero time is 0.
func nano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromNano(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func text(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "null"
	}
	return string(raw)
}
