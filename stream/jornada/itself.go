package jornada

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/room"
	"vision/validate/round"
)

// Steps that come by themselves: who is in charge, what is recorded, which rounds are played.

// Table is a table of the room as the supervision has it.
type Table struct {
	room.Table
	Jefe string
}

// Room takes up how the room is by now: shifts that begin and end, other tables of a jefe
// that open and close, recordings that fail and come back.
func (b *Book) Room(ctx context.Context, tables []Table) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for _, t := range tables {
		s := b.tables[t.ID]
		if s == nil {
			continue
		}
		var steps []Event
		if t.Recording != "" && t.Recording != b.tapes[t.ID] {
			steps = append(steps, taped(t))
			b.tapes[t.ID] = t.Recording
		}
		if shift := shiftOf(t, tables); !same(shift, b.shifts[t.ID]) {
			switch was := b.shifts[t.ID]; {
			case shift != nil:
				steps = append(steps, shift)
				b.shifts[t.ID] = shift
			case was != nil:
				steps = append(steps, Event{"type": "shift_end", "jefe": was["jefe"]})
				delete(b.shifts, t.ID)
			}
		}
		for _, e := range steps {
			errs = append(errs, b.step(ctx, s, "", e, nil, false))
		}
	}
	return errors.Join(errs...)
}

func taped(t Table) Event {
	switch t.Recording {
	case room.RecordingOK:
		return Event{"type": "recording_restored"}
	case room.RecordingDegraded:
		return Event{"type": "recording_lost", "state": "degraded"}
	}
	return Event{"type": "recording_lost"}
}

// shiftOf is the shift of a table's jefe with all that he has; nil where nobody has it.
// Neighbours that others have are left out: only tables of one jefe are compared.
func shiftOf(t Table, all []Table) Event {
	if t.Jefe == "" {
		return nil
	}
	list, others := []any{}, map[string]bool{}
	for _, o := range all {
		others[o.ID] = o.Jefe != t.Jefe
	}
	for _, o := range all {
		if others[o.ID] {
			continue
		}
		x := map[string]any{"id": o.ID, "game": o.Game, "open": o.Open, "recording": o.Recording}
		if o.Variant != "" {
			x["variant"] = o.Variant
		}
		if o.Position != nil {
			x["position"] = *o.Position
		}
		near := slices.DeleteFunc(slices.Clone(o.Adjacent), func(id string) bool { return others[id] })
		if len(near) > 0 {
			x["adjacent"] = near
		}
		list = append(list, x)
	}
	return Event{"type": "shift_start", "jefe": t.Jefe, "tables": list}
}

// same reports whether two shifts are the same, whenever they were noted.
func same(a, b Event) bool {
	text := func(e Event) string {
		if e == nil {
			return ""
		}
		s, _ := json.Marshal([]any{e["jefe"], e["tables"]})
		return string(s)
	}
	return text(a) == text(b)
}

// Played takes up a round that has ended. unverifiable says why nobody can know whether it
// was correct, "" where that is known.
func (b *Book) Played(ctx context.Context, table string, rec *round.Record, v *round.Verdict,
	unverifiable string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.tables[table]
	if s == nil {
		return fmt.Errorf("%w: %q", ErrUnknown, table)
	}
	var in, out, pozo money.Cents
	for _, e := range rec.Events {
		switch e.Type {
		case round.Collect:
			in += e.Amount
		case round.Pay:
			out += e.Amount
		case round.Commission:
			pozo += e.Amount
		}
	}
	if slices.ContainsFunc(s.events, func(e Event) bool { return e.kind() == "round" && e["ref"] == rec.ID }) {
		return nil // a start gives a round out again that it had begun to
	}
	e := Event{"type": "round", "ref": rec.ID, "void": v.Void, "money": map[string]any{"in": in, "out": out, "pozo": pozo}}
	if unverifiable != "" {
		e["verifiable"], e["reason"] = false, "other"
		delete(e, "money") // what was not seen is not counted
	} else if len(v.Findings) > 0 {
		list := []any{}
		for _, f := range v.Findings {
			list = append(list, map[string]any{"code": f.Code, "outcome": "open"})
		}
		e["findings"] = list
	}
	return b.step(ctx, s, "", e, dealt(rec), false)
}

// Restore takes up the entries of the newest jornada of a table, oldest first. It shows
// nothing and writes nothing.
func (b *Book) Restore(table string, payloads []json.RawMessage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.tables[table]
	if s == nil {
		return nil // configured no longer
	}
	n := blank(s.place)
	for i, raw := range payloads {
		var x entry
		if err := json.Unmarshal(raw, &x); err != nil {
			return fmt.Errorf("session of table %s: step %d: %w", table, i+1, err)
		}
		if len(x.Refused) > 0 {
			continue
		}
		if x.Date != n.day {
			n = blank(s.place)
			n.day, n.carry, n.tape = x.Date, x.Carry, x.Tape
		}
		if x.Read {
			n.read[len(n.events)] = true
		}
		if x.Float != nil {
			n.floats[len(n.events)] = x.Float
		}
		n.put(x.Event, x.By, x.Cards)
		if x.With != nil {
			n.put(x.With, "", nil)
		}
		for _, f := range x.Findings {
			n.known[f.Key] = true
		}
		for _, e := range []Event{x.Event, x.With} {
			if e.kind() == "shift_start" {
				b.shifts[table] = e
			}
		}
		if x.Event.kind() == "shift_end" {
			delete(b.shifts, table)
		}
	}
	if n.day == "" {
		return nil
	}
	var err error
	if n.ruling, err = b.judge(n); err != nil {
		return fmt.Errorf("session of table %s: %w", table, err)
	}
	b.tables[table] = n
	b.inForce(n)
	return nil
}
