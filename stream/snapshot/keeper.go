// Package snapshot keeps what a restart goes on from, so that a start need not read the
// whole ledger.
package snapshot

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"time"

	"vision/internal/durable"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/stream/record"
)

// State is what a restart goes on from, as the ledger tells it up to an entry: the
// alerts that lie on the desk, the recordings that show alerts and those that are sealed,
// what each table goes on from, and who supervised what. It follows from the entries alone, so that it
// may be kept and gone on from: then a start need not read the whole ledger.
type State struct {
	Head    ledger.Head        // of what it tells
	Marks   map[string]Mark    // by alert, and by entry of a session
	Tables  map[string]*Resume // what each goes on from
	Floor   json.RawMessage
	Seals   []record.SealSpan
	Bad     Damage         // what could not be read, of all that it tells
	Repairs []ledger.Entry // of what was read in this run

	desk    *alert.Desk
	unsaved int // entries since it was kept
}

// Alerts are those that lie on the desk.
func (p *State) Alerts() []alert.Alert { return p.desk.List(nil) }

// Damage names lines of the ledger that could not be read.
type Damage struct {
	Count int    `json:"count"`
	First string `json:"first,omitempty"`
}

// Add counts one more.
func (d *Damage) Add(err error) {
	if d.Count++; d.First == "" {
		d.First = err.Error()
	}
}

// Mark is a stretch of a table's recording that shows an alert or a step of the session.
type Mark struct {
	Table string    `json:"table"`
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
}

// StepMark is the stretch that shows what a person said of a table's session at a time.
func StepMark(table string, at time.Time) Mark {
	from, to := alert.Clip{From: at, To: at}.Rolled()
	return Mark{table, from, to}
}

// MarkOf is the stretch of recording that an entry shows, under the name of its alert or step of a
// session; false where it shows none.
func MarkOf(e ledger.Entry) (id string, m Mark, ok bool) {
	switch e.Kind {
	case ledger.Alert:
		if a, ok := ledger.Payload[alert.Alert](e); ok && a.Clip != nil {
			from, to := a.Clip.Rolled()
			return a.ID, Mark{a.Table, from, to}, true
		}
	case ledger.Session:
		if said, ok := ledger.Payload[struct{ By string }](e); ok && said.By != "" {
			return fmt.Sprintf("%s/%d", e.Kind, e.Seq), StepMark(e.Table, e.Time), true
		}
	}
	return "", Mark{}, false
}

func newPast() *State {
	return &State{desk: alert.NewDesk(alert.Config{}), Marks: map[string]Mark{}, Tables: map[string]*Resume{}}
}

// add takes the next entry in.
func (p *State) add(e ledger.Entry) {
	p.Head = ledger.Head{Seq: e.Seq, Hash: e.Hash}
	p.unsaved++
	switch e.Kind {
	case ledger.Snapshot, ledger.Sensor, ledger.Round, ledger.Verdict, ledger.Judged:
		l := p.Tables[e.Table]
		if l == nil {
			l = &Resume{}
			p.Tables[e.Table] = l
		}
		l.Add(e)
	case ledger.Supervision:
		p.Floor = e.Payload // the newest has all that was said
	case ledger.Seal:
		var n record.SealSpan
		if err := json.Unmarshal(e.Payload, &n); err != nil {
			p.Bad.Add(fmt.Errorf("entry %d: %w", e.Seq, err))
			return
		}
		p.Seals = n.Into(p.Seals)
	case ledger.Repair:
		p.Repairs = append(p.Repairs, e)
	case ledger.Alert:
		if err := p.desk.Restore(string(e.Kind), e.Payload); err != nil {
			p.Bad.Add(fmt.Errorf("entry %d: %w", e.Seq, err))
			return
		}
	}
	if id, m, ok := MarkOf(e); ok { // of an alert, too: the desk forgets old ones
		p.Marks[id] = m
	}
}

// follow takes in what the ledger holds beyond it. A line that cannot be read is
// named and passed over: the others still count.
func (p *State) follow(l *ledger.Ledger) error {
	for e, err := range l.Since(p.Head.Seq) {
		switch {
		case errors.Is(err, ledger.ErrLine):
			p.Bad.Add(err)
		case err != nil:
			return fmt.Errorf("ledger: %w; `vision verify` says more", err)
		default:
			p.add(e)
		}
	}
	return nil
}

// tidy drops the marks of recordings that are gone by their age.
func (p *State) tidy(before time.Time) {
	maps.DeleteFunc(p.Marks, func(_ string, m Mark) bool { return m.To.Before(before) })
}

// The file of a past: one line of JSON, one of its signature.
const (
	pastFile    = "past"
	pastSchema  = "vision-past/3"
	pastContext = "vision past v1\n"
)

// keptPast is the file's first line.
type keptPast struct {
	Schema string             `json:"schema"`
	Head   string             `json:"head"` // SEQ:SHA256 of the entry up to which it tells
	Alerts []alert.Alert      `json:"alerts"`
	Marks  map[string]Mark    `json:"marks"`
	Tables map[string]*Resume `json:"tables"`
	Floor  json.RawMessage    `json:"floor,omitempty"`
	Seals  []record.SealSpan  `json:"seals,omitempty"`
	Bad    Damage             `json:"bad"`
}

// save keeps the past in a folder, signed with the ledger's key.
func (p *State) save(dir string, l *ledger.Ledger) error {
	body, err := json.Marshal(keptPast{pastSchema, p.Head.String(), p.desk.List(nil), p.Marks, p.Tables, p.Floor,
		p.Seals, p.Bad})
	if err != nil {
		return fmt.Errorf("past: %w", err)
	}
	sig := base64.StdEncoding.EncodeToString(l.Sign(pastContext, body))
	if err := durable.Write(filepath.Join(dir, pastFile), fmt.Appendf(nil, "%s\n%s\n", body, sig), 0o600); err != nil {
		return fmt.Errorf("past: %w", err)
	}
	p.unsaved = 0
	return nil
}

// ErrRefused wraps why a kept past does not count.
var ErrRefused = errors.New("the kept past does not count")

// load reads a kept past. It counts if it is signed with the ledger's key and
// the entry up to which it tells is in the ledger with the hash it names:
// by the chain, then, so does everything before.
func load(dir string, l *ledger.Ledger) (*State, error) {
	raw, err := os.ReadFile(filepath.Join(dir, pastFile))
	if err != nil {
		return nil, err
	}
	body, rest, _ := bytes.Cut(raw, []byte("\n"))
	sig, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(rest)))
	if err != nil || !l.Signed(pastContext, body, sig) {
		return nil, fmt.Errorf("%w: it is not signed with the ledger's key", ErrRefused)
	}
	var k keptPast
	if err := json.Unmarshal(body, &k); err != nil || k.Schema != pastSchema {
		return nil, fmt.Errorf("%w: it is of another version", ErrRefused)
	}
	head, err := ledger.ParseHead(k.Head)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if !l.Has(head) {
		return nil, fmt.Errorf("%w: entry %d of the ledger is another, or gone", ErrRefused, head.Seq)
	}
	p := newPast()
	p.Head, p.Floor, p.Seals, p.Bad = head, k.Floor, k.Seals, k.Bad
	if k.Marks != nil {
		p.Marks = k.Marks
	}
	if k.Tables != nil {
		p.Tables = k.Tables
	}
	for _, a := range k.Alerts {
		b, err := json.Marshal(a)
		if err == nil {
			err = p.desk.Restore(alert.Entry, b)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRefused, err)
		}
	}
	return p, nil
}

// Keeper follows a ledger and keeps its past now and then.
type Keeper struct {
	*State
	dir    string
	ledger *ledger.Ledger
	marks  time.Duration
	log    *slog.Logger
}

// Open reads the past that is kept in a folder and what the ledger holds beyond it;
// without one that counts, the whole ledger. Marks of recordings are kept for so long.
func Open(dir string, l *ledger.Ledger, marks time.Duration, log *slog.Logger) (*Keeper, error) {
	p, err := load(dir, l)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Warn("the whole ledger is read", "why", err)
		}
		p = newPast()
	}
	return &Keeper{p, dir, l, marks, log}, p.follow(l)
}

// How often the past is kept: after so many entries, and at the end. A start after
// a kill reads that many entries at most, and what is in their file before them.
const keepEvery = 2000

// pause is how long entries are let come together.
const pause = time.Second

// Run follows the ledger until ctx ends.
func (k *Keeper) Run(ctx context.Context) error {
	return k.ledger.Follow(ctx, pause, func(context.Context) error {
		if err := k.follow(k.ledger); err != nil {
			k.log.Error("ledger not followed", "err", err)
		}
		if k.unsaved >= keepEvery {
			k.keep()
		}
		return nil
	})
}

// keep writes the state. Where that fails a start takes longer, and nothing else.
func (k *Keeper) keep() {
	k.tidy(time.Now().Add(-k.marks))
	if err := k.save(k.dir, k.ledger); err != nil {
		k.log.Error("snapshot not written", "err", err)
	}
}

// Close takes in the last entries and keeps the past, before the ledger closes.
func (k *Keeper) Close() {
	if k.follow(k.ledger) != nil || k.unsaved == 0 {
		return
	}
	k.keep()
}
