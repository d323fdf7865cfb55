package floor

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vision/stream/alert"
	"vision/validate/explain"
	"vision/validate/finding"
	"vision/validate/supervision"
)

// Status is the room as people see it: tables, who supervises them, and what the
// norm says against it.
type Status struct {
	Tables      []TableStatus `json:"tables"`
	Assignments []Assignment  `json:"assignments"`
	Findings    []Finding     `json:"findings"` // never nil

	records  []supervision.Record
	verdicts []supervision.Verdict
}

// TableStatus is one table.
type TableStatus struct {
	ID        string                `json:"id"`
	Game      string                `json:"game"`
	Variant   string                `json:"variant,omitempty"`
	Norm      string                `json:"norm"`
	Recording supervision.Recording `json:"recording"`
	Jefe      string                `json:"jefe,omitempty"`
	Duty
}

// Assignment is one jefe's tables, and whether the norm allows it now.
type Assignment struct {
	Jefe    string   `json:"jefe"`
	Tables  []string `json:"tables"`
	Allowed bool     `json:"allowed"`
}

// Finding is a breach of the norm that holds now.
type Finding struct {
	supervision.Finding
	Norm     string    `json:"norm"`
	Severity string    `json:"severity"`
	ES       string    `json:"es"`
	EN       string    `json:"en"`
	Since    time.Time `json:"since,omitzero"`
}

// key tells findings apart; what the numbers in them are does not matter.
func (x Finding) key() string {
	return strings.Join([]string{Entry, x.Norm, string(x.Code), x.Jefe, x.Table, x.Role}, "/")
}

// keyOf takes the time off an alert's id.
func keyOf(id string) (string, bool) {
	i := strings.LastIndexByte(id, '/')
	if i < 0 {
		return "", false
	}
	return id[:i], strings.HasPrefix(id, Entry+"/")
}

// alert is the finding as people get it. What concerns a jefe and no single
// table stands at the first of his tables.
func (x Finding) alert(st Status, now time.Time) alert.Alert {
	a := alert.Alert{ID: fmt.Sprintf("%s/%d", x.key(), now.UnixNano()), Kind: Entry, Table: x.Table, Norm: x.Norm, Code: string(x.Code),
		Severity: x.Severity, ES: x.ES, EN: x.EN, Rule: x.Rule, Probability: 1, At: now}
	if x.Limit != nil {
		a.Expected, a.Observed = *x.Limit, *x.Actual
	}
	for _, t := range st.Tables {
		if a.Table == "" && x.Jefe != "" && t.Jefe == x.Jefe {
			a.Table = t.ID
		}
		if t.ID == a.Table {
			a.Game = t.Game
		}
	}
	return a
}

// judge asks the norm, or the norms where tables are under several.
func (f *Floor) judge(s state) (Status, error) {
	st := Status{Findings: []Finding{}, Tables: []TableStatus{}, Assignments: []Assignment{}}
	byNorm := map[string]*supervision.Record{}
	for _, t := range f.cfg.Tables {
		d := s.duty(&t)
		st.Tables = append(st.Tables, TableStatus{ID: t.ID, Game: t.Game, Variant: t.Variant, Norm: t.Norm, Recording: f.cfg.Recording(t.ID), Duty: d})
		rec := byNorm[t.Norm]
		if rec == nil {
			rec = &supervision.Record{Schema: supervision.Schema, ID: f.cfg.Now().UTC().Format(time.RFC3339Nano), Norm: t.Norm,
				Options: f.cfg.Options, Tables: []supervision.Table{}, Assignments: []supervision.Assignment{}}
			byNorm[t.Norm] = rec
		}
		rec.Tables = append(rec.Tables, supervision.Table{ID: t.ID, Game: t.Game, Variant: t.Variant, Open: d.Open,
			Recording: st.Tables[len(st.Tables)-1].Recording, Position: t.Position, Adjacent: t.Adjacent, Staff: d.Staff, Waived: d.Waived})
	}
	for _, norm := range slices.Sorted(maps.Keys(byNorm)) {
		if err := f.judgeNorm(s, byNorm[norm], &st); err != nil {
			return Status{}, err
		}
	}
	st.assign(s)
	return st, nil
}

// judgeNorm adds what one norm says of its tables.
func (f *Floor) judgeNorm(s state, rec *supervision.Record, st *Status) error {
	for _, a := range s.Assignments {
		mine := supervision.Assignment{Jefe: a.Jefe}
		for _, t := range rec.Tables {
			if slices.Contains(a.Tables, t.ID) {
				mine.Tables = append(mine.Tables, t.ID)
			}
		}
		if len(mine.Tables) > 0 {
			rec.Assignments = append(rec.Assignments, mine)
		}
	}
	v, err := supervision.Check(f.cfg.Books, rec)
	if err != nil {
		return err
	}
	v.Findings = slices.DeleteFunc(v.Findings, func(x supervision.Finding) bool { return f.unsaidStaff(s, rec, x) })
	st.records, st.verdicts = append(st.records, *rec), append(st.verdicts, v)
	for _, x := range v.Findings {
		out := Finding{Finding: x, Norm: rec.Norm, Severity: severity(x)}
		c := explain.ChargeOf(rec, x.Jefe)
		out.ES, out.EN = explain.Duty(explain.ES, &x, c), explain.Duty(explain.EN, &x, c)
		st.Findings = append(st.Findings, out)
	}
	return nil
}

// unsaidStaff tells whether a finding speaks of staff that nobody has stated.
func (f *Floor) unsaidStaff(s state, rec *supervision.Record, x supervision.Finding) bool {
	if x.Code != finding.StaffMissing {
		return false
	}
	if x.Table != "" {
		return s.duty(f.table(x.Table)).Staff == nil
	}
	for _, t := range rec.Tables { // of the room: one statement is enough
		if s.duty(f.table(t.ID)).Staff != nil {
			return false
		}
	}
	return true
}

// severity: whose supervision the norm forbids is critical.
func severity(x supervision.Finding) string {
	k, ok := alert.Find(string(x.Code))
	if !ok {
		return "critical"
	}
	return k.Severity
}

// assign fills in who is in charge of what.
func (st *Status) assign(s state) {
	for _, a := range s.Assignments {
		allowed := !slices.ContainsFunc(st.Findings, func(x Finding) bool { return x.Jefe == a.Jefe })
		st.Assignments = append(st.Assignments, Assignment{a.Jefe, slices.Clone(a.Tables), allowed})
		for i := range st.Tables {
			if slices.Contains(a.Tables, st.Tables[i].ID) {
				st.Tables[i].Jefe = a.Jefe
			}
		}
	}
}

// since gives every finding the time from which it has held.
func (st *Status) since(before Status, now time.Time) {
	for i := range st.Findings {
		x := &st.Findings[i]
		x.Since = now
		for _, old := range before.Findings {
			if old.key() == x.key() && !old.Since.IsZero() {
				x.Since = old.Since
			}
		}
	}
}

func sameFindings(a, b []Finding) bool {
	return slices.EqualFunc(a, b, func(x, y Finding) bool { return x.key() == y.key() && x.ES == y.ES && x.Rule == y.Rule })
}

func sameRecordings(a, b []TableStatus) bool {
	return slices.EqualFunc(a, b, func(x, y TableStatus) bool { return cmp.Compare(x.Recording, y.Recording) == 0 })
}
