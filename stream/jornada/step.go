package jornada

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vision/stream/alert"
	"vision/validate/finding"
	"vision/validate/room"
)

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
	return b.status(s), nil
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
	read, at := next.talla.counts(e), len(next.events)
	if read {
		next.read[at] = true
	}
	next.put(e, who, cards)
	with := b.shiftAt(e, s.place.ID)
	if with != nil {
		next.put(with, "", nil)
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
	x := entry{Date: next.day, Event: e, With: with, By: who, Carry: next.carry, Tape: next.tape, Cards: cards,
		Read: read, Findings: next.news(s)}
	if movesMoney(e) {
		x.Float = b.float(next)
		next.floats[at] = x.Float
	}
	if e.kind() == "close" {
		x.Summary, x.Next = next.ruling.Summary, next.ruling.Next
	}
	if err := b.cfg.Ledger.Append(ctx, Entry, s.place.ID, x); err != nil {
		return fmt.Errorf("session: %w", err)
	}
	before := *s
	*s = *next
	if person {
		b.cfg.Said(s.place.ID, now)
	}
	b.inForce(s)
	return errors.Join(b.raise(ctx, s), b.compare(ctx, s, &before, x.Float, e, now))
}

// shiftAt is the shift that runs at a table when it is opened, as a step of its own; nil
// where e opens nothing or nobody has the table.
func (b *Book) shiftAt(e Event, table string) Event {
	shift, ok := b.shifts[table]
	if e.kind() != "open" || !ok {
		return nil
	}
	with := maps.Clone(shift)
	with["t"] = e["t"]
	return with
}

// entry is the payload of a ledger entry: one step, and what the norm said after it.
type entry struct {
	Date     string          `json:"date"`
	Event    Event           `json:"event"`
	With     Event           `json:"with,omitempty"` // the shift that runs when a table is opened
	By       string          `json:"by,omitempty"`
	Refused  []Finding       `json:"refused,omitempty"`  // why it was not taken
	Findings []Finding       `json:"findings,omitempty"` // that it made
	Summary  json.RawMessage `json:"summary,omitempty"`  // of the session, where it closes the table
	Next     json.RawMessage `json:"next,omitempty"`
	Carry    json.RawMessage `json:"carry,omitempty"` // with which the record began
	Cards    []string        `json:"cards,omitempty"` // of a round, "??" where one was not read
	Read     bool            `json:"read,omitempty"`  // the counts of a talla's end are of the readers
	Tape     room.Recording  `json:"recording,omitempty"`
	Float    *Float          `json:"float,omitempty"` // as it was read when money was moved or counted
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
		err := b.cfg.Desk.Raise(ctx, alert.Alert{
			ID: strings.Join([]string{Entry, s.id(), f.Key}, "/"), Kind: Entry, Table: s.place.ID, Game: s.place.Game,
			Norm: s.place.Norm, Code: string(f.Code), Severity: f.Severity, Amount: f.Amount,
			Localized: f.Localized, Rule: f.Rule,
			Probability: 1, At: now, Clip: s.clip(now),
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
