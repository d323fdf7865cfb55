package floor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vision/stream/alert"
	"vision/validate/room"
)

// Errors that callers tell apart.
var (
	ErrUnknown = errors.New("no such table")
	ErrTaken   = errors.New("under another jefe de mesa")
	// ErrElsewhere means that another machine judges the room now.
	ErrElsewhere = errors.New("another machine has just taken over the supervision; try again")
)

// Forbidden is a change that the norm does not allow.
type Forbidden struct{ Findings []Finding }

func (e *Forbidden) Error() string {
	var out []string
	for _, x := range e.Findings {
		out = append(out, x.ES+" ("+x.Rule+")")
	}
	return strings.Join(out, "; ")
}

// MalformedError is a change that makes no sense whatever the norm.
type MalformedError struct{ Problem string }

func (e *MalformedError) Error() string { return e.Problem }

// Assign puts tables under a jefe, in the place of those he had; none releases
// all. A table has one jefe: another's are taken over, which fails with ErrTaken
// unless takeOver allows it; the ledger's entry is then a relief, with the alerts that
// are left open. What the norm forbids fails with *Forbidden; giving tables up never does.
func (f *Floor) Assign(ctx context.Context, by, jefe string, tables []string, takeOver bool) (Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.cfg.Judges() {
		return Status{}, ErrElsewhere
	}
	s, st, err := f.assigned(jefe, tables, takeOver)
	if err != nil {
		return Status{}, err
	}
	what := step{By: by, Action: "assign", Relieved: f.relieved(jefe, tables)}
	if what.Relieved != nil {
		what.Action = "relief"
	}
	if err := f.note(ctx, what, s, st); err != nil {
		return Status{}, err
	}
	f.accept(ctx, s, st)
	return st, nil
}

// Relief is what a jefe takes over from another.
type Relief struct {
	From   string   `json:"from"`
	Tables []string `json:"tables"`
	Open   []string `json:"open"` // alerts of these tables that nobody has taken, by their IDs
}

// relieved is what a jefe takes over with tables.
func (f *Floor) relieved(jefe string, tables []string) (out []Relief) {
	for _, a := range f.state.Assignments {
		r := Relief{From: a.Jefe, Open: []string{}}
		for _, id := range a.Tables {
			if a.Jefe != jefe && slices.Contains(tables, id) {
				r.Tables = append(r.Tables, id)
			}
		}
		if r.Tables == nil {
			continue
		}
		open := func(x *alert.Alert) bool { return x.Ack == nil && slices.Contains(r.Tables, x.Table) }
		for _, x := range f.cfg.Desk.List(open) {
			r.Open = append(r.Open, x.ID)
		}
		out = append(out, r)
	}
	return out
}

// Check says what the norm would say to an assignment, without making it.
func (f *Floor) Check(jefe string, tables []string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, _, err := f.assigned(jefe, tables, true)
	return err
}

// assigned is the state after an assignment, judged.
func (f *Floor) assigned(jefe string, tables []string, takeOver bool) (room.State, Status, error) {
	if jefe == "" || len(jefe) > 64 {
		return room.State{}, Status{}, &MalformedError{"jefe: want a name of 1 to 64 characters"}
	}
	s := f.state.Clone()
	tables = slices.Compact(slices.Sorted(slices.Values(tables)))
	for _, id := range tables {
		if f.place(id) == nil {
			return room.State{}, Status{}, fmt.Errorf("%w: %q", ErrUnknown, id)
		}
	}
	for i := range s.Assignments {
		a := &s.Assignments[i]
		if a.Jefe == jefe {
			continue
		}
		kept := slices.DeleteFunc(a.Tables, func(id string) bool { return slices.Contains(tables, id) })
		if len(kept) < len(f.state.Of(a.Jefe)) && !takeOver {
			return room.State{}, Status{}, fmt.Errorf("%w: %s", ErrTaken, a.Jefe)
		}
		a.Tables = kept
	}
	before := f.state.Of(jefe)
	i := slices.IndexFunc(s.Assignments, func(a room.Assignment) bool { return a.Jefe == jefe })
	if i < 0 {
		s.Assignments = append(s.Assignments, room.Assignment{Jefe: jefe})
		i = len(s.Assignments) - 1
	}
	s.Assignments[i].Tables = tables
	s.Assignments = slices.DeleteFunc(s.Assignments, func(a room.Assignment) bool { return len(a.Tables) == 0 })
	s.Used = s.Used || len(tables) > 0
	gains := ""
	if slices.ContainsFunc(tables, func(id string) bool { return !slices.Contains(before, id) }) {
		gains = jefe
	}
	st, err := f.allowed(s, gains)
	return s, st, err
}

// SetDuty opens or closes a table and says who works there. Opening a table is
// refused with *Forbidden where its jefe may not have it; closing one and
// stating staff are facts and never refused: what they break is an alert.
func (f *Floor) SetDuty(ctx context.Context, by, table string, d room.Duty) (Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.cfg.Judges() {
		return Status{}, ErrElsewhere
	}
	t := f.place(table)
	if t == nil {
		return Status{}, fmt.Errorf("%w: %q", ErrUnknown, table)
	}
	if err := d.Check(); err != nil {
		return Status{}, &MalformedError{err.Error()}
	}
	s := f.state.Clone()
	s.Duty[table] = d
	var st Status
	var err error
	if opened := d.Open && !f.state.DutyOf(*t).Open; opened {
		st, err = f.allowed(s, "")
	} else if st, err = f.judge(s); err == nil {
		st.since(f.status, f.cfg.Now())
	}
	if err != nil {
		return Status{}, err
	}
	if err := f.note(ctx, step{By: by, Action: "duty"}, s, st); err != nil {
		return Status{}, err
	}
	f.accept(ctx, s, st)
	return st, nil
}

// allowed judges a state and refuses it for what the norm says against it; gains is the
// jefe who gets more tables by it.
func (f *Floor) allowed(s room.State, gains string) (Status, error) {
	st, err := f.judge(s)
	if err != nil {
		return Status{}, err
	}
	if against := f.cfg.Judge.Against(breaches(f.status), breaches(st), gains); len(against) > 0 {
		return Status{}, &Forbidden{st.told(against)}
	}
	st.since(f.status, f.cfg.Now())
	return st, nil
}

// breaches are what holds in a room, without the words in which it is told.
func breaches(st Status) (out []room.Breach) {
	for _, x := range st.Findings {
		out = append(out, x.Breach)
	}
	return out
}

// told are the findings that tell of these breaches.
func (st *Status) told(of []room.Breach) (out []Finding) {
	for _, x := range st.Findings {
		if slices.ContainsFunc(of, func(b room.Breach) bool { return b.Key() == x.Key() }) {
			out = append(out, x)
		}
	}
	return out
}

// step is the payload of a ledger entry: what was done, all that holds since,
// and what was judged, so that `vision check` can judge it again.
type step struct {
	By       string         `json:"by,omitempty"` // "" is the node itself
	Action   string         `json:"action"`       // "assign", "relief", "duty", "verdict", "tables" (others were configured)
	Relieved []Relief       `json:"relieved,omitempty"`
	State    room.State     `json:"state"`
	Records  []room.Record  `json:"records"`
	Verdicts []room.Verdict `json:"verdicts"`
}

// note writes a step and what holds since.
func (f *Floor) note(ctx context.Context, what step, s room.State, st Status) error {
	what.State, what.Records, what.Verdicts = s, st.records, st.verdicts
	if err := f.cfg.Ledger.Append(ctx, Entry, "", what); err != nil {
		return fmt.Errorf("supervision: %w", err)
	}
	return nil
}

// Restore replays one entry of the ledger at start-up; entries of other kinds
// are ignored. Tables that are no longer configured are left out. It shows
// nothing and writes nothing.
func (f *Floor) Restore(kind string, payload []byte) error {
	if kind != Entry {
		return nil
	}
	// The judged records are for readers of the ledger, and may be of an older
	// program's form.
	var was struct{ State room.State }
	if err := json.Unmarshal(payload, &was); err != nil {
		return fmt.Errorf("ledger entry %s: %w", kind, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.known(f.state.Clone(), was.State)
	st, err := f.judge(s)
	if err != nil {
		return fmt.Errorf("ledger entry %s: %w", kind, err)
	}
	st.since(f.status, f.cfg.Now())
	f.state, f.status = s, st
	return nil
}
