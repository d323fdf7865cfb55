package node

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"vision/internal/durable"
	"vision/stream/alert"
	"vision/stream/ledger"
)

// past is what a restart goes on from, as the ledger tells it up to an entry: the
// alerts that lie on the desk, the recordings that show alerts, each table's newest
// snapshot, and who supervised what. It follows from the entries alone, so that it
// may be kept and gone on from: then a start need not read the whole ledger.
type past struct {
	head      ledger.Head // of what it tells
	desk      *alert.Desk
	marks     map[string]marked // by alert
	snapshots map[string]json.RawMessage
	floor     json.RawMessage
	bad       damaged // what could not be read, of all that it tells
	repairs   []ledger.Entry
	unsaved   int // entries since it was kept
}

// marked is a stretch of a table's recording that shows an alert.
type marked struct {
	Table string    `json:"table"`
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
}

func newPast() *past {
	return &past{desk: alert.NewDesk(alert.Config{}), marks: map[string]marked{}, snapshots: map[string]json.RawMessage{}}
}

// add takes the next entry in.
func (p *past) add(e ledger.Entry) {
	p.head = ledger.Head{Seq: e.Seq, Hash: e.Hash}
	p.unsaved++
	switch e.Kind {
	case ledger.Snapshot:
		p.snapshots[e.Table] = e.Payload
	case ledger.Supervision:
		p.floor = e.Payload // the newest has all that was said
	case ledger.Repair:
		p.repairs = append(p.repairs, e)
	case ledger.Alert:
		if err := p.desk.Restore(string(e.Kind), e.Payload); err != nil {
			p.bad.add(fmt.Errorf("entry %d: %w", e.Seq, err))
			return
		}
		var a alert.Alert // marked here: the desk forgets old ones
		if json.Unmarshal(e.Payload, &a) == nil && a.Clip != nil {
			p.marks[a.ID] = marked{a.Table, a.Clip.From.Add(-alertRoll), a.Clip.To.Add(alertRoll)}
		}
	}
}

// follow takes in what the ledger holds beyond it. A line that cannot be read is
// named and passed over: the others still count.
func (p *past) follow(l *ledger.Ledger) error {
	for e, err := range l.Since(p.head.Seq) {
		switch {
		case errors.Is(err, ledger.ErrLine):
			p.bad.add(err)
		case err != nil:
			return fmt.Errorf("ledger: %w; `vision verify` says more", err)
		default:
			p.add(e)
		}
	}
	return nil
}

// tidy drops the marks of recordings that are gone by their age.
func (p *past) tidy(before time.Time) {
	maps.DeleteFunc(p.marks, func(_ string, m marked) bool { return m.To.Before(before) })
}

// The file of a past: one line of JSON, one of its signature.
const (
	pastFile    = "checkpoint"
	pastSchema  = "vision-checkpoint/1"
	pastContext = "vision checkpoint v1\n"
)

// keptPast is the file's first line.
type keptPast struct {
	Schema    string                     `json:"schema"`
	Head      string                     `json:"head"` // SEQ:SHA256 of the entry up to which it tells
	Alerts    []alert.Alert              `json:"alerts"`
	Marks     map[string]marked          `json:"marks"`
	Snapshots map[string]json.RawMessage `json:"snapshots"`
	Floor     json.RawMessage            `json:"floor,omitempty"`
	Bad       damaged                    `json:"bad"`
}

// save keeps the past in a folder, signed with the ledger's key.
func (p *past) save(dir string, l *ledger.Ledger) error {
	body, err := json.Marshal(keptPast{pastSchema, p.head.String(), p.desk.List(nil), p.marks, p.snapshots, p.floor, p.bad})
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	sig := base64.StdEncoding.EncodeToString(l.Sign(pastContext, body))
	if err := durable.Write(filepath.Join(dir, pastFile), fmt.Appendf(nil, "%s\n%s\n", body, sig), 0o640); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	p.unsaved = 0
	return nil
}

// errPast wraps why a kept past does not count.
var errPast = errors.New("the checkpoint does not count")

// loadPast reads a kept past. It counts if it is signed with the ledger's key and
// the entry up to which it tells stands in the ledger with the hash it names:
// by the chain, then, so does everything before.
func loadPast(dir string, l *ledger.Ledger) (*past, error) {
	raw, err := os.ReadFile(filepath.Join(dir, pastFile))
	if err != nil {
		return nil, err
	}
	body, rest, _ := bytes.Cut(raw, []byte("\n"))
	sig, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(rest)))
	if err != nil || !l.Signed(pastContext, body, sig) {
		return nil, fmt.Errorf("%w: it is not signed with the ledger's key", errPast)
	}
	var k keptPast
	if err := json.Unmarshal(body, &k); err != nil || k.Schema != pastSchema {
		return nil, fmt.Errorf("%w: it is of another version", errPast)
	}
	head, err := ledger.ParseHead(k.Head)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPast, err)
	}
	if err := stands(l, head); err != nil {
		return nil, err
	}
	p := newPast()
	p.head, p.floor, p.bad = head, k.Floor, k.Bad
	if k.Marks != nil {
		p.marks = k.Marks
	}
	if k.Snapshots != nil {
		p.snapshots = k.Snapshots
	}
	for _, a := range k.Alerts {
		b, err := json.Marshal(a)
		if err == nil {
			err = p.desk.Restore(alert.Entry, b)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errPast, err)
		}
	}
	return p, nil
}

// stands tells whether the ledger has this entry, validly signed.
func stands(l *ledger.Ledger, h ledger.Head) error {
	if h.Seq == 0 || h.Seq > l.Head().Seq {
		return fmt.Errorf("%w: the ledger ends at entry %d, before %d", errPast, l.Head().Seq, h.Seq)
	}
	for e, err := range l.Since(h.Seq - 1) {
		if err != nil || e.Seq != h.Seq || e.Hash != h.Hash || !e.Verified(l.Public()) {
			break
		}
		return nil
	}
	return fmt.Errorf("%w: entry %d of the ledger is another", errPast, h.Seq)
}

// openPast reads the kept past and what the ledger holds beyond it; without one
// that counts, the whole ledger.
func (n *Node) openPast() (*past, error) {
	p, err := loadPast(n.cfg.Data, n.ledger)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			n.log.Warn("the whole ledger is read", "why", err)
		}
		p = newPast()
	}
	return p, p.follow(n.ledger)
}

// How often the past is kept: after so many entries, and at the end. A start after
// a kill reads that many entries at most, and what stands in their file before them.
const keepEvery = 2000

// keepPast follows the ledger and keeps the past now and then.
func (n *Node) keepPast(ctx context.Context) error {
	for {
		changed := n.ledger.Changed()
		if err := n.past.follow(n.ledger); err != nil {
			n.log.Error("checkpoint", "err", err)
		}
		if n.past.unsaved >= keepEvery {
			n.savePast()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
		select { // together with what follows at once
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(headEvery):
		}
	}
}

// savePast keeps the past. Where that fails a start takes longer, and nothing else.
func (n *Node) savePast() {
	n.past.tidy(time.Now().Add(-max(n.cfg.Record.Keep, n.cfg.Record.KeepAlerts)))
	if err := n.past.save(n.cfg.Data, n.ledger); err != nil {
		n.log.Error("checkpoint", "err", err)
	}
}

// endPast takes in the last entries and keeps the past, before the ledger closes.
func (n *Node) endPast() {
	if n.past == nil || n.past.follow(n.ledger) != nil || n.past.unsaved == 0 {
		return
	}
	n.savePast()
}
