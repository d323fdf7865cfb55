package floor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vision/internal/text"
	"vision/stream/alert"
	"vision/validate/room"
)

// Status is the room as people see it: tables, who supervises them, and what the
// norm says against it.
type Status struct {
	Tables      []TableStatus `json:"tables"`
	Assignments []Assignment  `json:"assignments"`
	Findings    []Finding     `json:"findings"` // never nil

	state    room.State // that was judged
	records  []room.Record
	verdicts []room.Verdict
}

// TableStatus is one table.
type TableStatus struct {
	ID        string         `json:"id"`
	Game      string         `json:"game"`
	Variant   string         `json:"variant,omitempty"`
	Norm      string         `json:"norm"`
	Recording room.Recording `json:"recording"`
	Jefe      string         `json:"jefe,omitempty"`
	room.Duty
}

// Assignment is one jefe's tables, and whether the norm allows it now.
type Assignment struct {
	Jefe    string   `json:"jefe"`
	Tables  []string `json:"tables"`
	Allowed bool     `json:"allowed"`
}

// Finding is a breach of the norm that holds now.
type Finding struct {
	room.Breach
	Severity string `json:"severity"`
	text.Localized
	Since time.Time `json:"since,omitzero"`
}

// key tells findings apart; what the numbers in them are does not matter.
func (x Finding) key() string { return Entry + "/" + x.Key() }

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
	a := alert.Alert{ID: fmt.Sprintf("%s/%d", x.key(), now.UnixNano()), Kind: Entry, Table: x.Table, Norm: x.Norm,
		Code: string(x.Code), Severity: x.Severity, Localized: x.Localized, Rule: x.Rule, Probability: 1, At: now}
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

// judge has the norms judge a state of the room as it is recorded now.
func (f *Floor) judge(s room.State) (Status, error) {
	st := Status{Findings: []Finding{}, Tables: []TableStatus{}, Assignments: []Assignment{}}
	recording := map[string]room.Recording{}
	for _, p := range f.cfg.Tables {
		recording[p.ID] = f.cfg.Recording(p.ID)
		st.Tables = append(st.Tables, TableStatus{ID: p.ID, Game: p.Game, Variant: p.Variant, Norm: p.Norm,
			Recording: recording[p.ID], Duty: s.DutyOf(p)})
	}
	s.Minimum = f.minimums()
	rulings, err := f.cfg.Judge.Judge(f.cfg.Now().UTC().Format(time.RFC3339Nano), f.cfg.Tables, s, recording)
	if err != nil {
		return Status{}, err
	}
	for _, r := range rulings {
		st.records, st.verdicts = append(st.records, r.Record), append(st.verdicts, r.Verdict)
		for _, x := range r.Verdict.Findings {
			st.Findings = append(st.Findings, Finding{
				Breach: room.Breach{Finding: x, Norm: r.Record.Norm}, Severity: severity(x),
				Localized: text.Localize(func(lang string) string { return f.cfg.Say(lang, &r.Record, &x) }),
			})
		}
	}
	st.assign(s)
	return st, nil
}

// minimums are those in force, of the tables where they are known.
func (f *Floor) minimums() map[string]int {
	out := map[string]int{}
	for _, p := range f.cfg.Tables {
		if cents, ok := f.cfg.Minimum(p.ID); ok {
			out[p.ID] = cents
		}
	}
	return out
}

// severity: whose supervision the norm forbids is critical.
func severity(x room.Finding) string {
	k, ok := alert.Find(string(x.Code))
	if !ok {
		return "critical"
	}
	return k.Severity
}

// assign fills in who is in charge of what.
func (st *Status) assign(s room.State) {
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
	return slices.EqualFunc(a, b, func(x, y Finding) bool {
		return x.key() == y.key() && x.ES == y.ES && x.Rule == y.Rule
	})
}

func sameRecordings(a, b []TableStatus) bool {
	return slices.EqualFunc(a, b, func(x, y TableStatus) bool { return x.Recording == y.Recording })
}
