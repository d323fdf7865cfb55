package floor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vision/validate/supervision"
)

// Errors that callers tell apart.
var (
	ErrUnknown = errors.New("no such table")
	ErrTaken   = errors.New("under another jefe de mesa")
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
// unless takeOver allows it. What the norm forbids fails with *Forbidden; giving
// tables up never does.
func (f *Floor) Assign(ctx context.Context, by, jefe string, tables []string, takeOver bool) (Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, st, err := f.assigned(jefe, tables, takeOver)
	if err != nil {
		return Status{}, err
	}
	if err := f.note(ctx, by, "assign", s, st); err != nil {
		return Status{}, err
	}
	f.accept(ctx, s, st)
	return st, nil
}

// Check says what the norm would say to an assignment, without making it.
func (f *Floor) Check(jefe string, tables []string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, _, err := f.assigned(jefe, tables, true)
	return err
}

// assigned is the state after an assignment, judged.
func (f *Floor) assigned(jefe string, tables []string, takeOver bool) (state, Status, error) {
	if jefe == "" || len(jefe) > 64 {
		return state{}, Status{}, &MalformedError{"jefe: want a name of 1 to 64 characters"}
	}
	s := f.state.clone()
	tables = slices.Compact(slices.Sorted(slices.Values(tables)))
	for _, id := range tables {
		if f.table(id) == nil {
			return state{}, Status{}, fmt.Errorf("%w: %q", ErrUnknown, id)
		}
	}
	for i := range s.Assignments {
		a := &s.Assignments[i]
		if a.Jefe == jefe {
			continue
		}
		kept := slices.DeleteFunc(a.Tables, func(id string) bool { return slices.Contains(tables, id) })
		if len(kept) < len(f.state.of(a.Jefe)) && !takeOver {
			return state{}, Status{}, fmt.Errorf("%w: %s", ErrTaken, a.Jefe)
		}
		a.Tables = kept
	}
	before := f.state.of(jefe)
	i := slices.IndexFunc(s.Assignments, func(a supervision.Assignment) bool { return a.Jefe == jefe })
	if i < 0 {
		s.Assignments = append(s.Assignments, supervision.Assignment{Jefe: jefe})
		i = len(s.Assignments) - 1
	}
	s.Assignments[i].Tables = tables
	s.Assignments = slices.DeleteFunc(s.Assignments, func(a supervision.Assignment) bool { return len(a.Tables) == 0 })
	s.Used = s.Used || len(tables) > 0
	more := slices.ContainsFunc(tables, func(id string) bool { return !slices.Contains(before, id) })
	st, err := f.allowed(s, func(x Finding) bool { return more && x.Jefe == jefe })
	return s, st, err
}

// SetDuty opens or closes a table and says who works there. Opening a table is
// refused with *Forbidden where its jefe may not have it; closing one and
// stating staff are facts and never refused: what they break is an alert.
func (f *Floor) SetDuty(ctx context.Context, by, table string, d Duty) (Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.table(table)
	if t == nil {
		return Status{}, fmt.Errorf("%w: %q", ErrUnknown, table)
	}
	if err := d.check(); err != nil {
		return Status{}, err
	}
	s := f.state.clone()
	s.Duty[table] = d
	opened := d.Open && !f.state.duty(t).Open
	var st Status
	var err error
	if opened {
		st, err = f.allowed(s, nil)
	} else if st, err = f.judge(s); err == nil {
		st.since(f.status, f.cfg.Now())
	}
	if err != nil {
		return Status{}, err
	}
	if err := f.note(ctx, by, "duty", s, st); err != nil {
		return Status{}, err
	}
	f.accept(ctx, s, st)
	return st, nil
}

func (d Duty) check() error {
	for role, n := range d.Staff {
		if !slices.Contains(supervision.Roles, role) {
			return &MalformedError{fmt.Sprintf("staff: unknown role %q; roles are %v", role, supervision.Roles)}
		}
		if n < 0 || n > 100 {
			return &MalformedError{fmt.Sprintf("staff.%s: %d is no number of persons", role, n)}
		}
	}
	for _, role := range d.Waived {
		if role != "subjefe" && role != "extremo" {
			return &MalformedError{fmt.Sprintf("waived: %q cannot be dispensed with; want subjefe or extremo", role)}
		}
	}
	return nil
}

// allowed judges a state and refuses it for whatever forbids somebody's tables
// and is new, and for what always counts.
func (f *Floor) allowed(s state, always func(Finding) bool) (Status, error) {
	st, err := f.judge(s)
	if err != nil {
		return Status{}, err
	}
	var against []Finding
	for _, x := range st.Findings {
		known := slices.ContainsFunc(f.status.Findings, func(old Finding) bool { return old.key() == x.key() })
		if x.Jefe != "" && (!known || always != nil && always(x)) {
			against = append(against, x)
		}
	}
	if len(against) > 0 {
		return Status{}, &Forbidden{against}
	}
	st.since(f.status, f.cfg.Now())
	return st, nil
}

// step is the payload of a ledger entry: what was done, all that holds since,
// and what was judged, so that `vision check` can judge it again.
type step struct {
	By       string                `json:"by,omitempty"` // "" is the node itself
	Action   string                `json:"action"`       // "assign", "duty", "verdict"
	State    state                 `json:"state"`
	Records  []supervision.Record  `json:"records"`
	Verdicts []supervision.Verdict `json:"verdicts"`
}

func (f *Floor) note(ctx context.Context, by, action string, s state, st Status) error {
	if err := f.cfg.Ledger.Append(ctx, Entry, "", step{by, action, s, st.records, st.verdicts}); err != nil {
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
	var was struct {
		State state `json:"state"`
	}
	if err := json.Unmarshal(payload, &was); err != nil {
		return fmt.Errorf("ledger entry %s: %w", kind, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.state.clone()
	for id, d := range was.State.Duty {
		if f.table(id) != nil && d.check() == nil {
			s.Duty[id] = d
		}
	}
	s.Assignments, s.Used = nil, was.State.Used
	for _, a := range was.State.Assignments {
		a.Tables = slices.DeleteFunc(a.Tables, func(id string) bool { return f.table(id) == nil })
		if len(a.Tables) > 0 && a.Jefe != "" {
			s.Assignments = append(s.Assignments, a)
		}
	}
	st, err := f.judge(s)
	if err != nil {
		return fmt.Errorf("ledger entry %s: %w", kind, err)
	}
	st.since(f.status, f.cfg.Now())
	f.state, f.status = s, st
	return nil
}
