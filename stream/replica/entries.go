package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vision/stream/ledger"
)

// maxStretch is from which size on a stretch of the ledger is sent, in bytes.
const maxStretch = 4 << 20

// follows sends whenever the ledger has grown.
func (r *Replica) follows(ctx context.Context, dir string, send func(context.Context) error) error {
	return r.ledger.Follow(ctx, r.cfg.Pause, func(ctx context.Context) error { return r.until(ctx, dir, send) })
}

// entries sends what the ledger has that is not safe, and the checkpoints.
func (r *Replica) entries(ctx context.Context) error {
	for {
		r.mu.Lock()
		after := r.cursor.Entries
		r.mu.Unlock()
		list, err := r.stretch(after)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return r.checkpoints(ctx)
		}
		if err := r.sendEntries(ctx, list); err != nil {
			return err
		}
	}
}

func (r *Replica) sendEntries(ctx context.Context, list []ledger.Entry) error {
	r.mu.Lock()
	r.since = list[0].Time
	r.mu.Unlock()
	for _, e := range list {
		if err := r.acta(ctx, e); err != nil {
			return err
		}
	}
	s := r.ledger.Stretch(list)
	b, err := s.Encode()
	if err != nil {
		return err
	}
	at := list[len(list)-1].Time
	if err := r.vault.keep(ctx, small(stretchName(s.From, s.To), b, at, r.cfg.Terms.Ledger)); err != nil {
		return err
	}
	r.move(func(c *cursor) {
		c.Entries = s.To
		r.since = time.Time{} // move holds the lock
	})
	return nil
}

// acta sends an acta as it is handed out, for its own term.
func (r *Replica) acta(ctx context.Context, e ledger.Entry) error {
	if e.Kind != ledger.Acta {
		return nil
	}
	line, err := e.Line()
	if err != nil {
		return err
	}
	return r.vault.keep(ctx, small(actaName(e.Seq), append(line, '\n'), e.Time, r.cfg.Terms.Actas))
}

func actaName(seq uint64) string { return fmt.Sprintf("%s/%020d.json", actasDir, seq) }

// stretch reads what follows an entry. A line that cannot be read is passed over: that it
// is damaged is for `vision verify` to say.
func (r *Replica) stretch(after uint64) (list []ledger.Entry, err error) {
	size := 0
	for e, err := range r.ledger.Since(after) {
		if errors.Is(err, ledger.ErrLine) {
			r.cfg.Log.Warn("replica: a line of the ledger is left out", "err", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		if size += len(e.Payload); size > maxStretch {
			break
		}
	}
	return list, nil
}

func stretchName(from, to uint64) string {
	return fmt.Sprintf("%s/%020d-%020d.jsonl", ledgerDir, from, to)
}

// tail is how far files that only grow, one a day, were sent.
type tail struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
}

// checkpoints sends the lines of the files of checkpoints that are new.
func (r *Replica) checkpoints(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(r.cfg.Data, checkpointDir, "*.jsonl"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, path := range files {
		r.mu.Lock()
		at := r.cursor.Checkpoints
		r.mu.Unlock()
		day := filepath.Base(path[:len(path)-len(".jsonl")])
		if day < at.File {
			continue
		}
		if day > at.File {
			at = tail{File: day}
		}
		b, err := lines(path, at.Offset)
		if err != nil {
			return err
		}
		if len(b) == 0 {
			continue
		}
		name := fmt.Sprintf("%s/%s/%012d.jsonl", checkpointDir, day, at.Offset)
		if err := r.vault.keep(ctx, small(name, b, time.Time{}, r.cfg.Terms.Ledger)); err != nil {
			return err
		}
		r.move(func(c *cursor) { c.Checkpoints = tail{day, at.Offset + int64(len(b))} })
	}
	return nil
}

// lines are the whole lines of a file from an offset on.
func lines(path string, from int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.NewSectionReader(f, from, maxStretch))
	if err != nil {
		return nil, err
	}
	return b[:bytes.LastIndexByte(b, '\n')+1], nil
}
