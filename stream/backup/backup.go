// Package backup copies a node's data folder to another place while the node goes on
// writing, so that the copy is what the folder was at one moment: its ledger whole up to
// an entry, and exactly the recordings that the ledger lists there.
//
// What the node makes again by itself (index, past) and what only holds while it
// runs (sessions) is left out, as is a segment that is being written. A copy that is there
// already is brought up to date; recordings that retention removed since go from it, too.
package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vision/internal/durable"
	"vision/stream/checkpoint"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/verify"
)

// beside are the files and folders of the data folder that are copied as they are; each
// file of them is replaced as a whole whenever it is written.
var beside = []string{"ledger.key", "accounts.json", "thresholds.json", "calibrations", "tls", "witness.key", "witness"}

// Copied says what a copy has.
type Copied struct {
	Head     ledger.Head `json:"head"`     // of the ledger when it was copied
	Segments int         `json:"segments"` // all that it has
	New      int         `json:"new"`      // of them, those that were not there before
	Bytes    int64       `json:"bytes"`    // of the new ones
}

// Copy brings the folder dest up to date with the data folder of a node, which may run.
// progress, if not nil, is called after each recording that was looked at. After an error
// the next call makes the copy whole.
func Copy(ctx context.Context, data, dest string, progress func(done, all int)) (Copied, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	c := &copier{ctx: ctx, data: data, dest: dest, progress: progress}
	// Recordings first: they take long, and retention may remove one while they are copied.
	// Then the ledger, which says what there has to be; then what came meanwhile.
	for _, do := range []func() error{c.check, c.finished, c.checkpoints, c.ledger, c.listed, c.beside} {
		if err := do(); err != nil {
			return c.did, fmt.Errorf("backup: %w", err)
		}
	}
	return c.did, nil
}

// copier is one copy being made.
type copier struct {
	ctx        context.Context
	data, dest string
	progress   func(done, all int)
	did        Copied
}

// check refuses what is no data folder, a copy into itself, and one among another ledger's.
func (c *copier) check() error {
	pub, err := ledger.ReadPublicKey(filepath.Join(c.data, verify.LedgerDir, ledger.PublicKeyFile))
	if err != nil {
		return fmt.Errorf("%s holds no ledger; give the data folder of vision.yaml: %w", c.data, err)
	}
	from, err := filepath.Abs(c.data)
	if err != nil {
		return err
	}
	to, err := filepath.Abs(c.dest)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(from, to); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
		return fmt.Errorf("%s lies in the data folder; choose another place, on another disk", c.dest)
	}
	have, err := ledger.ReadPublicKey(filepath.Join(c.dest, verify.LedgerDir, ledger.PublicKeyFile))
	switch {
	case err == nil && !have.Equal(pub):
		return fmt.Errorf("%s is the copy of another ledger (key %s); choose another place", c.dest, ledger.Fingerprint(have))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return durable.Folder(c.dest) // the ledger's key will be in it
}

// finished copies the recordings that are finished now and not there yet.
func (c *copier) finished() error {
	files, err := filepath.Glob(filepath.Join(c.data, verify.RecordingsDir, "*", "*", "*"))
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f string) bool { return !record.Finished(f) })
	for i, f := range files {
		rel, err := filepath.Rel(c.data, f)
		if err != nil {
			return err
		}
		if err := c.segment(rel); err != nil && !errors.Is(err, fs.ErrNotExist) { // retention was quicker
			return err
		}
		c.progress(i+1, len(files))
	}
	return nil
}

// segment copies a recording unless it is there: a finished one never changes.
func (c *copier) segment(rel string) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	st, err := os.Stat(filepath.Join(c.data, rel))
	if err != nil {
		return err
	}
	if have, err := os.Stat(filepath.Join(c.dest, rel)); err == nil && have.Size() == st.Size() {
		return nil
	}
	if err := c.file(rel); err != nil {
		return err
	}
	c.did.New++
	c.did.Bytes += st.Size()
	return nil
}

// checkpoints copies those of the ledger: before it, so that none speaks of an entry that
// the copy has not.
func (c *copier) checkpoints() error {
	files, err := filepath.Glob(filepath.Join(c.data, checkpoint.Dir, "*.jsonl"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := c.lines(filepath.Join(checkpoint.Dir, filepath.Base(f))); err != nil {
			return err
		}
	}
	return nil
}

// ledger copies the ledger. Its head first: what that names is in the files that are read
// after it, and entries behind it are no fault, as after a crash.
func (c *copier) ledger() error {
	dir := filepath.Join(c.data, verify.LedgerDir)
	head, err := os.ReadFile(filepath.Join(dir, ledger.HeadFile))
	if err != nil {
		return err
	}
	names, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		if !n.Type().IsRegular() || n.Name() == "lock" || n.Name() == ledger.HeadFile || strings.HasSuffix(n.Name(), ".tmp") {
			continue
		}
		if err := c.lines(filepath.Join(verify.LedgerDir, n.Name())); err != nil {
			return err
		}
	}
	// Written last: a copy that was broken off must not have a head beyond its entries.
	to := filepath.Join(c.dest, verify.LedgerDir)
	if err := durable.Write(filepath.Join(to, ledger.HeadFile), head, 0o600); err != nil {
		return err
	}
	pub, err := ledger.ReadPublicKey(filepath.Join(to, ledger.PublicKeyFile))
	if err != nil {
		return err
	}
	c.did.Head, err = ledger.ReadHead(to, pub)
	return err
}

// lines copies the lines of a file that are whole: one that is being written has no end.
func (c *copier) lines(rel string) error {
	b, err := os.ReadFile(filepath.Join(c.data, rel))
	if err != nil {
		return err
	}
	to := filepath.Join(c.dest, rel)
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	if have, err := os.Stat(to); err == nil && have.Size() == int64(len(b)) {
		return nil // files of a ledger only grow
	}
	if err := durable.Folder(filepath.Dir(to)); err != nil {
		return err
	}
	return durable.Write(to, b, 0o600)
}

// listed makes the recordings of the copy those that its ledger lists.
func (c *copier) listed() error {
	want := record.NewVerifier()
	for e, err := range ledger.Read(filepath.Join(c.dest, verify.LedgerDir), 0) {
		if err != nil {
			return err
		}
		want.Entry(e)
	}
	recordings := filepath.Join(c.dest, verify.RecordingsDir)
	if err := durable.Folder(recordings); err != nil {
		return err
	}
	if err := record.WriteSeals(recordings, want.Seals()); err != nil {
		return err
	}
	files := want.Listed()
	for _, name := range files {
		if err := c.late(name); err != nil {
			return err
		}
	}
	c.did.Segments = len(files)
	have, err := filepath.Glob(filepath.Join(recordings, "*", "*", "*"))
	if err != nil {
		return err
	}
	for _, f := range have {
		rel, err := filepath.Rel(recordings, f)
		if err != nil {
			return err
		}
		if _, listed := slices.BinarySearch(files, filepath.ToSlash(rel)); !listed {
			if err := os.Remove(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// late copies a recording that is listed, where it is not there yet. One that is nowhere, of the
// copy as of the data folder, is for `vision verify` to name.
func (c *copier) late(file string) error {
	_, err := record.Await(c.ctx, filepath.Join(c.data, verify.RecordingsDir), file)
	if err == nil {
		err = c.segment(filepath.Join(verify.RecordingsDir, filepath.FromSlash(file)))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// beside copies what else is kept.
func (c *copier) beside() error {
	for _, name := range beside {
		err := filepath.WalkDir(filepath.Join(c.data, name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, ".tmp") {
				return err
			}
			rel, err := filepath.Rel(c.data, path)
			if err != nil {
				return err
			}
			return c.file(rel)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// file copies one file: on the disk wholly, or not at all.
func (c *copier) file(rel string) error {
	to := filepath.Join(c.dest, rel)
	in, err := os.Open(filepath.Join(c.data, rel))
	if err != nil {
		return err
	}
	defer in.Close()
	if err := durable.Folder(filepath.Dir(to)); err != nil {
		return err
	}
	return durable.Fill(to, 0o600, func(out *os.File) error {
		_, err := io.Copy(out, in)
		return err
	})
}
