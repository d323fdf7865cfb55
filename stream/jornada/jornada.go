// Package jornada keeps what happens at the tables between the rounds: opening, limits,
// float, fills and credits, packs and dice, last hands, closing (the contract's session/1).
// People say it at the console, two of them where money moves; shifts, recordings and rounds
// come by themselves. Every step is in the ledger before anyone sees it; the norm judges the
// session as a whole after each, and what it finds is an alert. What it forbids is refused
// with its article.
//
// It judges nothing itself: Judge is validate/session.
package jornada

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"vision/internal/text"
	"vision/stream/alert"
	"vision/validate/finding"
	"vision/validate/room"
)

// Entry is the kind of ledger entry that this package writes and reads back.
const Entry = "session"

// Errors that callers tell apart.
var (
	ErrUnknown = errors.New("no such table")
	ErrSecond  = errors.New("money moves before two: a second person has to confirm with his own password")
)

// MalformedError is a step that makes no sense whatever the norm.
type MalformedError struct{ Problem string }

func (e *MalformedError) Error() string { return e.Problem }

// Forbidden is a step that the norm does not allow.
type Forbidden struct{ Findings []Finding }

func (e *Forbidden) Error() string {
	var out []string
	for _, f := range e.Findings {
		out = append(out, f.ES+" ("+f.Rule+")")
	}
	return strings.Join(out, "; ")
}

// Finding is what the norm says against a session.
type Finding struct {
	Code     finding.Code `json:"code"`
	Severity string       `json:"severity"`
	Event    int          `json:"event"` // index of the step that it is about
	Rule     string       `json:"rule"`
	text.Localized
	Amount int64  `json:"amount,omitempty"` // cents by which something differs
	Key    string `json:"key"`              // tells findings of one session apart
}

// Ruling is what the norm says to a session.
type Ruling struct {
	Findings []Finding       `json:"findings"`
	Summary  json.RawMessage `json:"summary"`
	Next     json.RawMessage `json:"next"` // the carry of the next session
}

// Judge says what the norm says to a record (session/1 as JSON). Its error tells what in the
// record makes no sense, and how to mend it.
type Judge func(record []byte) (Ruling, error)

// Place is a table as it is configured.
type Place struct {
	ID, Game, Norm, Variant string
	Camera                  string         // whose recording shows what is said; "" = none does
	Options                 map[string]any // of the session record
}

// Config of a Book.
type Config struct {
	Tables []Place
	Judge  Judge
	Ledger alert.Ledger
	Desk   *alert.Desk
	Now    func() time.Time // nil = time.Now
	Zone   *time.Location   // in which a jornada begins at 00:00; nil = time.Local
	// Limits is notified of the limits in force at a table, in cents; max 0 where none was said.
	Limits func(table string, low, high int64)
	// Float is what the cameras read of a table's float now, and whether they do; nil: none is read.
	Float func(table string) (Float, bool)
	// Said is notified of every step that a person said, refused or not, once it is in the
	// ledger: the recording shows what it is about.
	Said func(table string, at time.Time)
	Log  *slog.Logger
}

// Book has the session of every table. Its methods may be called by many.
type Book struct {
	cfg Config

	mu     sync.Mutex
	tables map[string]*sheet
	shifts map[string]Event // the newest shift_start of each table with a jefe
	tapes  map[string]room.Recording
}

// Event is one step of session/1: its fields by name, "type" and "t" among them.
type Event map[string]any

// kind is the event's type.
func (e Event) kind() string { s, _ := e["type"].(string); return s }

// New makes a book in which no table is open.
func New(cfg Config) *Book {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Zone == nil {
		cfg.Zone = time.Local
	}
	if cfg.Limits == nil {
		cfg.Limits = func(string, int64, int64) {}
	}
	if cfg.Said == nil {
		cfg.Said = func(string, time.Time) {}
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	b := &Book{cfg: cfg, tables: map[string]*sheet{}, shifts: map[string]Event{}, tapes: map[string]room.Recording{}}
	b.SetTables(cfg.Tables)
	return b
}

// SetTables has the sessions of other tables than before: of those that stay, what was said
// holds on, and what is configured anew counts from the next step.
func (b *Book) SetTables(tables []Place) {
	b.mu.Lock()
	defer b.mu.Unlock()
	there := map[string]bool{}
	for _, p := range tables {
		there[p.ID] = true
		if s := b.tables[p.ID]; s != nil {
			s.place = p
			continue
		}
		b.tables[p.ID] = blank(p)
		b.tapes[p.ID] = room.RecordingOK
	}
	for id := range b.tables {
		if !there[id] {
			delete(b.tables, id)
			delete(b.shifts, id)
			delete(b.tapes, id)
		}
	}
}

// Status is a table's session as people see it.
type Status struct {
	Table    string          `json:"table"`
	Date     string          `json:"date,omitempty"`
	Open     bool            `json:"open"`
	Steps    []Step          `json:"steps"`
	Findings []Finding       `json:"findings"`
	Summary  json.RawMessage `json:"summary,omitempty"`
	Talla    *Talla          `json:"talla,omitempty"`
	Float    *Float          `json:"float,omitempty"` // as it is read now; absent where it is not
}

// Step is an event with who said it, and what was read of the float where it moves or counts money.
type Step struct {
	Event Event  `json:"event"`
	By    string `json:"by,omitempty"` // "" where it came by itself; "ana + luis" where two confirmed
	Float *Float `json:"float,omitempty"`
}

// Status is a table's session.
func (b *Book) Status(table string) (Status, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.tables[table]
	if s == nil {
		return Status{}, fmt.Errorf("%w: %q", ErrUnknown, table)
	}
	return b.status(s), nil
}

func (b *Book) status(s *sheet) Status {
	st := Status{Table: s.place.ID, Date: s.day, Open: s.open, Steps: []Step{}, Findings: s.ruling.Findings,
		Summary: s.ruling.Summary, Talla: s.talla.clone()}
	if st.Findings == nil {
		st.Findings = []Finding{}
	}
	for i, e := range s.events {
		st.Steps = append(st.Steps, Step{e, s.by[i], s.floats[i]})
	}
	st.Float = b.float(s)
	return st
}

// Minimum is the minimum that was said to be in force at a table that is open, in cents;
// false where nobody has said one.
func (b *Book) Minimum(table string) (int64, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.tables[table]
	if s == nil || !s.open || s.low == 0 {
		return 0, false
	}
	return s.low, true
}
