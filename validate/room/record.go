// Package room has the words in which it is written down which tables of a gaming room
// are open, who works there, under which jefe de mesa they stand, and what a norm says
// to it (the contract's supervision/1), as package round has those of a round. It judges
// nothing: validate/supervision does.
package room

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"vision/validate/finding"
	"vision/validate/round"
)

// Schema is the version of the record that this package reads.
const Schema = "supervision/1"

// Record is the state of a gaming room: its tables and who is in charge of them.
type Record struct {
	Schema      string       `json:"schema"`
	ID          string       `json:"id"`
	Norm        string       `json:"norm"` // code of the norm in force, "cantabria-2010"
	Options     Options      `json:"options"`
	Tables      []Table      `json:"tables"`
	Assignments []Assignment `json:"assignments"`

	AuthorisedMin map[string]int `json:"authorised_min,omitempty"` // by game, in cents
	WaivedMinimum []string       `json:"waived_minimum,omitempty"` // games whose authorisation dispenses with a table at the minimum
}

// Options are what the house decides.
type Options struct {
	StrictRecording bool `json:"strict_recording"`     // a degraded recording counts as none
	MaxTables       *int `json:"max_tables,omitempty"` // the house's own limit of tables per jefe; nil is none
}

// Table is one table of the room.
type Table struct {
	ID        string         `json:"id"`
	Game      string         `json:"game"`
	Variant   string         `json:"variant,omitempty"` // "" is the game's first variant
	Open      bool           `json:"open"`
	Recording Recording      `json:"recording"`
	Position  *int           `json:"position,omitempty"` // place in the row
	Adjacent  []string       `json:"adjacent,omitempty"` // tables beside it
	Staff     map[string]int `json:"staff,omitempty"`    // persons by role, without the jefe
	Waived    []string       `json:"waived,omitempty"`   // roles that the Dirección de juegos dispenses with
	Min       *int           `json:"min,omitempty"`      // minimum in force, in cents; nil is not known
}

// Recording is the state of a table's recording.
type Recording string

// The states of a recording.
const (
	RecordingOK       Recording = "ok"
	RecordingDegraded Recording = "degraded"
	RecordingDown     Recording = "down"
	RecordingNone     Recording = "none"
)

// Roles are the roles of staff in the order in which findings name them.
var Roles = []string{"subjefe", "croupier", "extremo", "stickman", "cambista", "auxiliar", "servidor"}

// Assignment is what one jefe de mesa is in charge of.
type Assignment struct {
	Jefe   string   `json:"jefe"`
	Tables []string `json:"tables"` // ids
}

// rawRecord tells fields that are missing from fields that are empty.
type rawRecord struct {
	Schema      string             `json:"schema"`
	ID          *string            `json:"id"`
	Norm        string             `json:"norm"`
	Options     json.RawMessage    `json:"options"`
	Tables      *[]json.RawMessage `json:"tables"`
	Assignments *[]json.RawMessage `json:"assignments"`

	AuthorisedMin map[string]*int `json:"authorised_min"`
	WaivedMinimum []string        `json:"waived_minimum"`
}

type rawTable struct {
	Table
	Open      *bool           `json:"open"`
	Recording *Recording      `json:"recording"`
	Staff     map[string]*int `json:"staff"`
}

// Parse reads one record strictly. Its error is a *round.Error.
func Parse(data []byte) (*Record, error) {
	var raw rawRecord
	if err := round.Strict(data, "", &raw); err != nil {
		return nil, err
	}
	rec := &Record{Schema: raw.Schema, Norm: raw.Norm}
	if raw.ID != nil {
		rec.ID = *raw.ID
	}
	if err := rec.read(&raw); err != nil {
		err.Record = rec.ID
		return nil, err
	}
	return rec, nil
}

// UnmarshalJSON reads a record as strictly as Parse does.
func (r *Record) UnmarshalJSON(b []byte) error {
	rec, err := Parse(b)
	if err == nil {
		*r = *rec
	}
	return err
}

func (r *Record) read(raw *rawRecord) *round.Error {
	switch {
	case raw.Schema != Schema:
		return round.Malformed("schema", "write "+Schema, "unknown schema %q", raw.Schema)
	case raw.ID == nil:
		return round.Malformed("id", "name the record", "missing")
	case raw.Tables == nil:
		return round.Malformed("tables", "list the tables of the room", "missing")
	case raw.Assignments == nil:
		return round.Malformed("assignments", "list who is in charge of which tables, or write []", "missing")
	}
	if raw.Options != nil {
		if err := strict(raw.Options, "options", &r.Options); err != nil {
			return err
		}
		if m := r.Options.MaxTables; m != nil && *m < 0 {
			return round.Malformed("options.max_tables", "write 0 or more", "%d is no number of tables", *m)
		}
	}
	least, err := numbers(raw.AuthorisedMin, "authorised_min", "write cents, 0 or more")
	if err != nil {
		return err
	}
	r.AuthorisedMin, r.WaivedMinimum = least, raw.WaivedMinimum
	known := map[string]bool{}
	for i, data := range *raw.Tables {
		t, err := readTable(data, fmt.Sprintf("tables[%d]", i))
		if err != nil {
			return err
		}
		if known[t.ID] {
			return round.Malformed(fmt.Sprintf("tables[%d].id", i), "an id names one table", "%q stands twice", t.ID)
		}
		known[t.ID] = true
		r.Tables = append(r.Tables, t)
	}
	for i, t := range r.Tables {
		if bad := Unknown(t.Adjacent, known); bad >= 0 {
			return round.Malformed(fmt.Sprintf("tables[%d].adjacent[%d]", i, bad), "name a table of the record", "unknown table %q", t.Adjacent[bad])
		}
	}
	return r.readAssignments(*raw.Assignments, known)
}

func readTable(data []byte, path string) (Table, *round.Error) {
	var raw rawTable
	if err := strict(data, path, &raw); err != nil {
		return Table{}, err
	}
	t := raw.Table
	states := []Recording{RecordingOK, RecordingDegraded, RecordingDown, RecordingNone}
	switch {
	case t.ID == "":
		return t, round.Malformed(path+".id", "name the table", "missing")
	case t.Game == "":
		return t, round.Malformed(path+".game", "write the game's code", "missing")
	case raw.Open == nil:
		return t, round.Malformed(path+".open", "write true or false", "missing")
	case raw.Recording == nil:
		return t, round.Malformed(path+".recording", "write ok, degraded, down or none", "missing")
	case !slices.Contains(states, *raw.Recording):
		return t, round.Malformed(path+".recording", "write ok, degraded, down or none", "unknown state %q", *raw.Recording)
	}
	if t.Min != nil && *t.Min < 0 {
		return t, round.Malformed(path+".min", "write cents, 0 or more", "%d is no amount", *t.Min)
	}
	t.Open, t.Recording = *raw.Open, *raw.Recording
	var err *round.Error
	if t.Staff, err = numbers(raw.Staff, path+".staff", "write how many persons, 0 or more"); err != nil {
		return t, err
	}
	for _, role := range slices.Sorted(maps.Keys(t.Staff)) {
		if !slices.Contains(Roles, role) {
			return t, round.Malformed(path+".staff."+role, fmt.Sprint("roles are ", Roles), "unknown role")
		}
	}
	for _, role := range t.Waived {
		if role != "subjefe" && role != "extremo" {
			return t, round.Malformed(path+".waived", "write subjefe or extremo", "%q cannot be dispensed with", role)
		}
	}
	return t, nil
}

// Unknown is the index of the first table that is not known; -1 when all are.
func Unknown(tables []string, known map[string]bool) int {
	return slices.IndexFunc(tables, func(id string) bool { return !known[id] })
}

// numbers reads numbers by name; none is negative, and null is no number.
func numbers(raw map[string]*int, path, fix string) (map[string]int, *round.Error) {
	if raw == nil {
		return nil, nil
	}
	out := make(map[string]int, len(raw))
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		n := raw[name]
		switch {
		case n == nil:
			return nil, round.Malformed(path+"."+name, fix, "null is no number")
		case *n < 0:
			return nil, round.Malformed(path+"."+name, fix, "%d is no number of 0 or more", *n)
		}
		out[name] = *n
	}
	return out, nil
}

func (r *Record) readAssignments(list []json.RawMessage, known map[string]bool) *round.Error {
	jefes := map[string]bool{}
	for i, data := range list {
		path := fmt.Sprintf("assignments[%d]", i)
		var a Assignment
		if err := strict(data, path, &a); err != nil {
			return err
		}
		if a.Jefe == "" {
			return round.Malformed(path+".jefe", "name the jefe", "missing")
		}
		if jefes[a.Jefe] {
			return round.Malformed(path+".jefe", "put all of a jefe's tables into one assignment", "%q stands twice", a.Jefe)
		}
		jefes[a.Jefe] = true
		if a.Tables == nil {
			return round.Malformed(path+".tables", "list the tables that he is in charge of, or write []", "missing")
		}
		for k, id := range a.Tables {
			if !known[id] {
				return round.Malformed(fmt.Sprintf("%s.tables[%d]", path, k), "name a table of the record", "unknown table %q", id)
			}
		}
		r.Assignments = append(r.Assignments, a)
	}
	return nil
}

func strict(data []byte, path string, v any) *round.Error {
	var bad *round.Error
	errors.As(round.Strict(data, path, v), &bad)
	return bad
}

// VerdictSchema is the version of the verdict that is written.
const VerdictSchema = "supervision-verdict/1"

// Verdict is what the norm says about one record.
type Verdict struct {
	Schema   string    `json:"schema"`
	ID       string    `json:"id"`
	Norm     string    `json:"norm"`
	Findings []Finding `json:"findings"` // assignments, then tables, then the room; never nil
}

// Finding is one breach. Limit and Actual are numbers of tables or persons, or amounts.
type Finding struct {
	Code   finding.Code `json:"code"`
	Jefe   string       `json:"jefe,omitempty"`
	Table  string       `json:"table,omitempty"`
	Role   string       `json:"role,omitempty"`
	Game   string       `json:"game,omitempty"`  // of a minimum that is not offered
	Limit  *int         `json:"limit,omitempty"` // tables, persons, or the authorised minimum in cents
	Actual *int         `json:"actual,omitempty"`
	Rule   string       `json:"rule"` // norm and article, never empty
}
