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
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

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
	ES       string       `json:"es"`
	EN       string       `json:"en"`
	Amount   int64        `json:"amount,omitempty"` // cents by which something differs
	Key      string       `json:"key"`              // tells findings of one session apart
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

// Ledger takes an entry to the disk before it returns.
type Ledger interface {
	Append(ctx context.Context, kind, table string, payload any) error
}

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
	Ledger Ledger
	Desk   *alert.Desk
	Now    func() time.Time // nil = time.Now
	Zone   *time.Location   // in which a jornada begins at 00:00; nil = time.Local
	// Limits is notified of the limits in force at a table, in cents; max 0 where none was said.
	Limits func(table string, low, high int64)
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

// sheet is the record of one table.
type sheet struct {
	place  Place
	day    string // of the record; "" before the first opening
	carry  json.RawMessage
	tape   room.Recording // when the record began
	events []Event
	by     []string // who said each, with the second person after "+"
	ruling Ruling
	open   bool
	known  map[string]bool // findings that are alerts
	low    int64           // minimum in force since the opening, cents; 0 is not known
	talla  *Talla          // since its beginning; nil: none was begun
	read   map[int]bool    // ends of tallas whose counts are of the readers
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
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	b := &Book{cfg: cfg, tables: map[string]*sheet{}, shifts: map[string]Event{}, tapes: map[string]room.Recording{}}
	for _, p := range cfg.Tables {
		b.tables[p.ID] = &sheet{place: p, known: map[string]bool{}, read: map[int]bool{}}
		b.tapes[p.ID] = room.RecordingOK
	}
	return b
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
}

// Step is an event with who said it.
type Step struct {
	Event Event  `json:"event"`
	By    string `json:"by,omitempty"` // "" where it came by itself; "ana + luis" where two confirmed
}

// Status is a table's session.
func (b *Book) Status(table string) (Status, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.tables[table]
	if s == nil {
		return Status{}, fmt.Errorf("%w: %q", ErrUnknown, table)
	}
	return s.status(), nil
}

func (s *sheet) status() Status {
	st := Status{Table: s.place.ID, Date: s.day, Open: s.open, Steps: []Step{}, Findings: s.ruling.Findings,
		Summary: s.ruling.Summary, Talla: s.talla.clone()}
	if st.Findings == nil {
		st.Findings = []Finding{}
	}
	for i, e := range s.events {
		st.Steps = append(st.Steps, Step{e, s.by[i]})
	}
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

// movesMoney reports whether money is moved or counted at a step: two persons stand by it.
func movesMoney(e Event) bool {
	_, counted := e["float"]
	return counted || slices.Contains([]string{"fill", "credit", "count"}, e.kind())
}

// refusable are the findings for which a step is refused: it would put something into
// force that the norm does not allow.
var refusable = map[string][]finding.Code{
	"open":           {finding.LimitRatioWrong, finding.LimitChangeNotAllowed},
	"limits_changed": {finding.LimitRatioWrong, finding.LimitChangeNotAllowed, finding.LimitChangeRepeated},
	"game_change":    {finding.GameChangeRepeated, finding.GameChangeWithoutClose},
}

// said are the steps that people say; the others come by themselves.
var said = []string{
	"open", "limits_shown", "limits_change_announced", "limits_changed", "first_round_announced", "last_rounds_announced", "game_change",
	"cloth_opened", "cloth_closed", "fill", "credit", "count", "change", "shuffle", "cut", "cut_card", "talla_begin", "talla_end",
	"control_requested", "deck_control", "deck_changed", "dice_changed", "shoe_changed", "session_charged", "meter", "close",
}

// Add takes a step that a person says. second is who confirmed it beside him, where money
// moves; the caller has proved both.
func (b *Book) Add(ctx context.Context, table, by, second string, e Event) (Status, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.tables[table]
	switch {
	case s == nil:
		return Status{}, fmt.Errorf("%w: %q", ErrUnknown, table)
	case !slices.Contains(said, e.kind()):
		return Status{}, &MalformedError{fmt.Sprintf("type %q: want one of %v", e.kind(), said)}
	case movesMoney(e) && (second == "" || second == by):
		return Status{}, ErrSecond
	}
	who := by
	if second != "" {
		who += " + " + second
	}
	if err := b.step(ctx, s, who, e, nil, true); err != nil {
		return Status{}, err
	}
	return s.status(), nil
}

// step judges the session with one step more, and takes it into ledger and sheet. A step
// that comes by itself is never refused; before the first opening it is not kept. cards are
// those of a round.
func (b *Book) step(ctx context.Context, s *sheet, who string, e Event, cards []string, person bool) error {
	next := s.clone()
	now := b.cfg.Now().In(b.cfg.Zone)
	if e.kind() == "open" && !s.open && s.day != now.Format(time.DateOnly) {
		next = b.fresh(s, now)
	}
	if next.day == "" {
		if person {
			return &MalformedError{"the table has not been opened: say \"open\" first"}
		}
		return nil
	}
	e["t"] = next.seconds(now, b.cfg.Zone)
	if next.talla.counts(e) {
		next.read[len(next.events)] = true
	}
	next.put(e, who, cards)
	if e.kind() == "open" {
		if shift, ok := b.shifts[s.place.ID]; ok {
			more := Event{}
			for k, v := range shift {
				more[k] = v
			}
			more["t"] = e["t"]
			next.put(more, "", nil)
		}
	}
	var err error
	if next.ruling, err = b.judge(next); err != nil {
		return &MalformedError{err.Error()}
	}
	if no := next.against(s, refusable[e.kind()]); person && len(no) > 0 {
		refused := entry{Date: next.day, Event: e, By: who, Refused: no}
		if err := b.cfg.Ledger.Append(ctx, Entry, s.place.ID, refused); err != nil {
			return fmt.Errorf("session: %w", err)
		}
		b.cfg.Said(s.place.ID, now)
		return &Forbidden{no}
	}
	for i := len(s.kept(next)); i < len(next.events); i++ {
		x := entry{Date: next.day, Event: next.events[i], By: next.by[i], Carry: next.carry, Tape: next.tape,
			Read: next.read[i]}
		if next.events[i].kind() == "round" {
			x.Cards = cards
		}
		if i == len(next.events)-1 {
			x.Findings = next.news(s)
			if e.kind() == "close" {
				x.Summary, x.Next = next.ruling.Summary, next.ruling.Next
			}
		}
		if err := b.cfg.Ledger.Append(ctx, Entry, s.place.ID, x); err != nil {
			return fmt.Errorf("session: %w", err)
		}
	}
	*s = *next
	if person {
		b.cfg.Said(s.place.ID, now)
	}
	b.inForce(s)
	return b.raise(ctx, s)
}

// kept are the events of a sheet that the next one has already: none where it is fresh.
func (s *sheet) kept(next *sheet) []Event {
	if next.day != s.day {
		return nil
	}
	return s.events
}

// entry is the payload of a ledger entry: one step, and what the norm said after it.
type entry struct {
	Date     string          `json:"date"`
	Event    Event           `json:"event"`
	By       string          `json:"by,omitempty"`
	Refused  []Finding       `json:"refused,omitempty"`  // why it was not taken
	Findings []Finding       `json:"findings,omitempty"` // that it made
	Summary  json.RawMessage `json:"summary,omitempty"`  // of the session, where it closes the table
	Next     json.RawMessage `json:"next,omitempty"`
	Carry    json.RawMessage `json:"carry,omitempty"` // with which the record began
	Cards    []string        `json:"cards,omitempty"` // of a round, "??" where one was not read
	Read     bool            `json:"read,omitempty"`  // the counts of a talla's end are of the readers
	Tape     room.Recording  `json:"recording,omitempty"`
}

func (s *sheet) clone() *sheet {
	c := *s
	c.events, c.by, c.known = slices.Clone(s.events), slices.Clone(s.by), map[string]bool{}
	for k := range s.known {
		c.known[k] = true
	}
	c.talla, c.read = s.talla.clone(), maps.Clone(s.read)
	return &c
}

// fresh is the sheet of a new jornada, with what the one before carries over.
func (b *Book) fresh(s *sheet, now time.Time) *sheet {
	n := &sheet{place: s.place, day: now.Format(time.DateOnly), tape: b.tapes[s.place.ID], known: map[string]bool{},
		read: map[int]bool{}}
	var next struct {
		DiceSets []string `json:"dice_sets"`
	}
	if json.Unmarshal(s.ruling.Next, &next) == nil && len(next.DiceSets) > 0 {
		n.carry, _ = json.Marshal(map[string]any{"last_dice_sets": next.DiceSets})
	}
	return n
}

// seconds is a time of the record: from 00:00 of its date, never less than before.
func (s *sheet) seconds(now time.Time, zone *time.Location) int64 {
	midnight, _ := time.ParseInLocation(time.DateOnly, s.day, zone)
	t := int64(now.Sub(midnight) / time.Second)
	if n := len(s.events); n > 0 {
		if last, ok := number(s.events[n-1]["t"]); ok {
			t = max(t, last)
		}
	}
	return max(t, 0)
}

func number(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), true
	}
	return 0, false
}

func (s *sheet) put(e Event, who string, cards []string) {
	s.events, s.by = append(s.events, e), append(s.by, who)
	s.follow(e, cards)
	switch e.kind() {
	case "open":
		s.open = true
	case "close":
		s.open = false
	}
}

// judge asks the norm about the record.
func (b *Book) judge(s *sheet) (Ruling, error) {
	rec := map[string]any{
		"schema": "session/1", "id": s.id(), "norm": s.place.Norm, "table": s.place.ID, "date": s.day, "game": s.place.Game, "events": s.events,
	}
	if s.place.Variant != "" {
		rec["variant"] = s.place.Variant
	}
	if s.tape != "" {
		rec["recording"] = s.tape
	}
	if len(s.place.Options) > 0 {
		rec["options"] = s.place.Options
	}
	if len(s.carry) > 0 {
		rec["carry"] = s.carry
	}
	raw, err := json.Marshal(rec)
	if err != nil {
		return Ruling{}, fmt.Errorf("session: %w", err)
	}
	return b.cfg.Judge(raw)
}

func (s *sheet) id() string { return s.place.ID + "-" + s.day }

// news are the findings that did not hold before.
func (s *sheet) news(before *sheet) (out []Finding) {
	for _, f := range s.ruling.Findings {
		if s.day != before.day || !slices.ContainsFunc(before.ruling.Findings, func(o Finding) bool {
			return o.Key == f.Key
		}) {
			out = append(out, f)
		}
	}
	return out
}

// against are the news of some codes.
func (s *sheet) against(before *sheet, codes []finding.Code) (out []Finding) {
	return slices.DeleteFunc(s.news(before), func(f Finding) bool { return !slices.Contains(codes, f.Code) })
}

// shown is how long before a step was said its recording begins: it is said after it is done.
const shown = 20 * time.Second

// raise makes alerts of what is new.
func (b *Book) raise(ctx context.Context, s *sheet) error {
	var errs []error
	for _, f := range s.ruling.Findings {
		// What could not be observed accuses nobody, as in a round; what the room knows too its
		// supervision raises.
		if s.known[f.Key] || f.Code == finding.NotObservable || finding.Of(f.Code).Room.Severity != "" || s.asRead(f) {
			continue
		}
		now := b.cfg.Now()
		var clip *alert.Clip
		if s.place.Camera != "" {
			clip = &alert.Clip{Camera: s.place.Camera, From: now.Add(-shown), To: now}
		}
		err := b.cfg.Desk.Raise(ctx, alert.Alert{
			ID: strings.Join([]string{Entry, s.id(), f.Key}, "/"), Kind: Entry, Table: s.place.ID, Game: s.place.Game,
			Norm: s.place.Norm, Code: string(f.Code), Severity: f.Severity, Amount: f.Amount, ES: f.ES, EN: f.EN, Rule: f.Rule,
			Probability: 1, At: now, Clip: clip,
		})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		s.known[f.Key] = true
	}
	return errors.Join(errs...)
}

// inForce tells the limits in force.
func (b *Book) inForce(s *sheet) {
	for i := len(s.events) - 1; i >= 0 && s.open; i-- {
		e := s.events[i]
		limits := e
		switch e.kind() {
		case "open":
			m, ok := e["limits"].(map[string]any)
			if !ok {
				return
			}
			limits = m
		case "limits_changed":
		case "game_change":
			return
		default:
			continue
		}
		low, _ := number(limits["min"])
		high, _ := number(limits["max"])
		s.low = low
		b.cfg.Limits(s.place.ID, low, high)
		return
	}
}
