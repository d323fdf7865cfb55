package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"vision/stream/ledger"
)

// What a Difference is.
const (
	RowsMissing = "missing" // the ledger makes them, the index does not have them
	RowsAdded   = "added"   // no entry of the ledger makes them
	RowsAltered = "altered" // other values than the ledger makes
	Unreadable  = "unreadable"
	Outdated    = "outdated" // of another version of this program: not compared, and no fault
)

// Difference is what an index has otherwise than the ledger makes it.
type Difference struct {
	What   string   `json:"what"`
	Table  string   `json:"table,omitempty"` // "schema": tables, indexes and triggers themselves
	Rows   int      `json:"rows,omitempty"`
	Keys   []string `json:"keys,omitempty"` // of the first rows
	Detail string   `json:"detail,omitempty"`
}

// String is the difference as a sentence that says how to mend it.
func (d Difference) String() string {
	switch d.What {
	case Outdated:
		return d.Detail + "; it was not compared: the next start of the node builds it anew"
	case Unreadable:
		return "the index cannot be read: " + d.Detail + "; " + rebuildIt
	}
	s := fmt.Sprintf("table %s: %d rows %s", d.Table, d.Rows, d.What)
	if d.Rows == 1 {
		s = fmt.Sprintf("table %s: 1 row %s", d.Table, d.What)
	}
	more := ""
	if d.Rows > len(d.Keys) {
		more = ", …"
	}
	return s + " (" + strings.Join(d.Keys, ", ") + more + "); the ledger counts: " + rebuildIt
}

const rebuildIt = "stop the node, put the index aside and start it: it is built anew from the ledger"

// maxKeys bounds the rows that a difference names.
const maxKeys = 5

// Compare builds an index of a ledger's entries, which entries yields after a number, and
// compares that at path with it. The index may be in use; of a ledger that goes on growing
// counts what the index has taken in. Without a file there is no difference. The file is
// not changed. The copy is made in the folder for temporary files and takes as much room.
func Compare(
	ctx context.Context, path string, entries func(after uint64) iter.Seq2[ledger.Entry, error],
) (out []Difference, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "vision-verify-")
	if err != nil {
		return nil, fmt.Errorf("index: a place for comparing it: %w; set TMPDIR", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	x := &Index{path: filepath.Join(dir, "made")}
	defer func() { err = errors.Join(err, x.Close()) }()
	if err := x.connect(ctx); err != nil {
		return nil, err
	}
	// Nobody reads the copy after a crash.
	if _, err := x.write.ExecContext(ctx, "PRAGMA trusted_schema = OFF; PRAGMA synchronous = OFF"); err != nil {
		return nil, fmt.Errorf("index %s: %w", x.path, err)
	}
	address, err := readable(path, dir)
	if err != nil {
		return nil, err
	}
	if _, err := x.write.ExecContext(ctx, "ATTACH ? AS had", address); err != nil {
		return unreadable(ctx, err)
	}
	c := comparison{ctx: ctx, made: x, entries: entries}
	if err := c.run(); err != nil {
		return unreadable(ctx, err)
	}
	return c.out, nil
}

// errMade is wrapped by errors about the copy, not about the index that is compared.
var errMade = errors.New("building an index of the ledger")

func unreadable(ctx context.Context, err error) ([]Difference, error) {
	if ctx.Err() != nil || errors.Is(err, errMade) {
		return nil, err
	}
	return []Difference{{What: Unreadable, Detail: err.Error()}}, nil
}

// readable is the address by which the index at path is read and stays as it is. While a node
// has it open, or after a kill, its shared memory lies beside it. A log of writes alone came
// by a copy: reading it would make files in the folder, so that it is copied to dir. Of a file
// that lies alone all is in it.
func readable(path, dir string) (string, error) {
	there := func(suffix string) bool { _, err := os.Stat(path + suffix); return err == nil }
	how := "immutable=1"
	switch {
	case there("-shm"):
		how = "mode=ro"
	case there("-wal"):
		had := filepath.Join(dir, "had")
		for _, suffix := range []string{"", "-wal"} {
			if err := copyFile(had+suffix, path+suffix); err != nil {
				return "", fmt.Errorf("index: %w", err)
			}
		}
		path, how = had, "mode=rw"
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + how, nil
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// comparison compares the attached database "had" with the main one.
type comparison struct {
	ctx     context.Context
	made    *Index
	entries func(after uint64) iter.Seq2[ledger.Entry, error]
	tx      *sql.Tx
	out     []Difference
}

func (c *comparison) run() error {
	var newest uint64
	const ask = "SELECT coalesce(max(seq), 0) FROM had.entries"
	if err := c.made.write.QueryRowContext(c.ctx, ask).Scan(&newest); err != nil && !strings.Contains(err.Error(), "no such table") {
		return err
	}
	if err := c.made.take(c.ctx, upTo(newest, c.entries(0))); err != nil {
		return fmt.Errorf("%w: %w", errMade, err)
	}
	var err error
	if c.tx, err = c.made.write.BeginTx(c.ctx, nil); err != nil {
		return err
	}
	defer c.tx.Rollback() // the copy goes anyway
	tables, err := c.schema()
	if err != nil || len(tables) == 0 {
		return err
	}
	// From here on the index is seen as it is now, whatever a node writes meanwhile.
	now := newest
	if tables["entries"] {
		if err := c.tx.QueryRowContext(c.ctx, ask).Scan(&now); err != nil {
			return err
		}
	}
	for e, err := range ledger.Legible(upTo(now, c.entries(newest))) {
		if err == nil {
			err = addEntry(c.ctx, c.tx, e)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errMade, err)
		}
	}
	for name, sound := range tables {
		if sound {
			if err := c.table(name); err != nil {
				return err
			}
		}
	}
	return c.integrity()
}

// upTo ends entries after one.
func upTo(last uint64, entries iter.Seq2[ledger.Entry, error]) iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		for e, err := range entries {
			if e.Seq > last || !yield(e, err) {
				return
			}
		}
	}
}

// schema compares what the tables are and names them, with whether they are as they ought to
// be; none where the index is of another version.
func (c *comparison) schema() (map[string]bool, error) {
	differ, err := c.differences("schema", "sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'", []string{"type", "name"}, []string{"tbl_name", "sql"})
	if err != nil {
		return nil, err
	}
	var have int
	if err := c.tx.QueryRowContext(c.ctx, "PRAGMA had.user_version").Scan(&have); err != nil {
		return nil, err
	}
	if have != version && len(differ) > 0 {
		c.out = append(c.out, Difference{What: Outdated, Detail: fmt.Sprintf("the index is of version %d, this program's is %d", have, version)})
		return nil, nil
	}
	if have != version {
		differ = append(differ, Difference{What: RowsAltered, Table: "schema", Rows: 1, Keys: []string{fmt.Sprintf("user_version=%d", have)}})
	}
	c.out = append(c.out, differ...)
	tables := map[string]bool{}
	err = c.each(`SELECT m.name, EXISTS (SELECT 1 FROM had.sqlite_schema h WHERE h.type = 'table' AND h.name = m.name AND h.sql = m.sql)
		FROM main.sqlite_schema m WHERE m.type = 'table'`, func(rows *sql.Rows) error {
		var name string
		var sound bool
		err := rows.Scan(&name, &sound)
		tables[name] = sound
		return err
	})
	return tables, err
}

// table compares a table's rows.
func (c *comparison) table(name string) error {
	var keys, others []string
	err := c.each("SELECT name, pk FROM main.pragma_table_info(?)", func(rows *sql.Rows) error {
		var column string
		var pk int
		err := rows.Scan(&column, &pk)
		if pk > 0 {
			keys = append(keys, column)
		} else {
			others = append(others, column)
		}
		return err
	}, name)
	if err != nil {
		return err
	}
	differ, err := c.differences(name, name, keys, others)
	c.out = append(c.out, differ...)
	return err
}

// differences compares the rows of a table of both databases by their key.
func (c *comparison) differences(name, from string, keys, others []string) (out []Difference, err error) {
	label := make([]string, len(keys))
	for i, k := range keys {
		label[i] = "'" + k + "=' || quote(a." + k + ")"
	}
	same := equal(keys, "=")
	a, b := "(SELECT * FROM main."+from+") a", "(SELECT * FROM had."+from+") b"
	none := "SELECT " + strings.Join(label, " || ' ' || ") + " FROM %s WHERE NOT EXISTS (SELECT 1 FROM %s WHERE " + same + ")"
	flip := strings.NewReplacer(") a", ") b", ") b", ") a")
	for _, q := range []struct{ what, query string }{
		{RowsMissing, fmt.Sprintf(none, a, b)},
		{RowsAdded, fmt.Sprintf(none, flip.Replace(b), flip.Replace(a))},
		{RowsAltered, "SELECT " + strings.Join(label, " || ' ' || ") + " FROM " + a + " JOIN " + b + " ON " + same + " WHERE NOT (" + equal(others, "IS") + ")"},
	} {
		d, err := c.rows(q.query)
		if err != nil {
			return nil, err
		}
		if d.Rows > 0 {
			d.What, d.Table = q.what, name
			out = append(out, d)
		}
	}
	return out, nil
}

func equal(columns []string, how string) string {
	if len(columns) == 0 {
		return "TRUE"
	}
	terms := make([]string, len(columns))
	for i, c := range columns {
		terms[i] = "a." + c + " " + how + " b." + c
	}
	return strings.Join(terms, " AND ")
}

// rows counts what a query finds and keeps the first of it.
func (c *comparison) rows(query string) (d Difference, err error) {
	err = c.each(query, func(rows *sql.Rows) error {
		if d.Rows++; d.Rows > maxKeys {
			return nil
		}
		var key string
		err := rows.Scan(&key)
		d.Keys = append(d.Keys, key)
		return err
	})
	return d, err
}

func (c *comparison) each(query string, do func(*sql.Rows) error, args ...any) error {
	return each(c.ctx, c.tx, query, args, do)
}

// integrity looks for what the rows do not show: an index of SQLite's own that leaves some out.
func (c *comparison) integrity() error {
	var said string
	if err := c.tx.QueryRowContext(c.ctx, "PRAGMA had.integrity_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		c.out = append(c.out, Difference{What: Unreadable, Detail: said})
	}
	return nil
}
