package console

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"vision/internal/health"
	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/floor"
	"vision/stream/index"
	"vision/stream/notice"
)

// What an account may see and do is decided by account.May alone. Here is what each request
// is about, and what a list or message keeps for an account that is limited to tables.

// May asks for a right of the sender of a request. Handlers that the console calls (WHEP,
// say) ask it.
func May(ctx context.Context, right Right, of account.Object) error { return who(ctx).May(right, of) }

// scope is what a route is about.
type scope int

const (
	// ofNone: nothing that belongs to a table, or a list that keeps only what is the sender's.
	ofNone   scope = iota
	ofHouse        // all tables at once
	ofTable        // {table}
	ofCamera       // {camera}, by its table
	ofAlert        // {id}, by its table
	inside         // the handler asks: query, body or the thing itself names the tables
)

// object is what a request is about, and how it names it.
type object struct {
	account.Object
	kind, id string
	err      error // it is not there
}

// object is what a request is about by the scope of its route.
func (s *Server) object(r *http.Request, sc scope) object {
	switch sc {
	case ofHouse:
		return object{Object: account.House}
	case ofTable:
		return s.tableObject(r.PathValue("table"))
	case ofCamera:
		return s.cameraObject(r.PathValue("camera"))
	case ofAlert:
		id := r.PathValue("id")
		table, err := s.alertTable(r.Context(), id)
		return object{account.Of(table), "alert", id, err}
	}
	return object{}
}

func (s *Server) tableObject(id string) object {
	if _, ok := s.table(id); !ok {
		return object{kind: "table", id: id, err: fs.ErrNotExist}
	}
	return object{account.Of(id), "table", id, nil}
}

// cameraObject is a camera, also that of a table which is being set up.
func (s *Server) cameraObject(camera string) object {
	of := object{kind: "camera", id: camera}
	if t, ok := s.tableWith(camera); ok {
		of.Object = account.Of(t.ID)
	} else if _, ok := s.draftOf(camera); ok {
		of.Draft = true
	} else {
		of.err = fs.ErrNotExist
	}
	return of
}

// table finds a table.
func (s *Server) table(id string) (Table, bool) {
	return one(s.cfg.Tables(), func(t Table) bool { return t.ID == id })
}

// tableWith finds the table of a camera.
func (s *Server) tableWith(camera string) (Table, bool) {
	return one(s.cfg.Tables(), func(t Table) bool {
		return slices.ContainsFunc(t.Cameras, func(c Camera) bool { return c.Name == camera })
	})
}

func one(list []Table, is func(Table) bool) (Table, bool) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i], true
	}
	return Table{}, false
}

// alertTable is the table of an alert, on the desk or in the past.
func (s *Server) alertTable(ctx context.Context, id string) (string, error) {
	now, err := s.cfg.Desk.Get(id)
	if !errors.Is(err, alert.ErrUnknown) {
		return now.Table, err
	}
	past, err := s.cfg.Index.Alert(ctx, id)
	return past.Table, err
}

// tableOfAlert is the table of the alert that a request names; it is there.
func (s *Server) tableOfAlert(r *http.Request) string {
	table, _ := s.alertTable(r.Context(), r.PathValue("id"))
	return table
}

// may says why a request about an object may not be granted. What is another's and what is not
// there are answered alike.
func (s *Server) may(r *http.Request, right Right, of object) error {
	a, err := who(r.Context()), of.err
	if err == nil {
		err = a.May(right, of.Object)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, account.ErrStranger):
		return refusal(http.StatusUnauthorized, "%v", err)
	case errors.Is(err, account.ErrRole):
		s.Refused(r, r.Method+" "+r.URL.Path)
		return refusal(http.StatusForbidden, "the role %s may not do this", a.Role)
	case errors.Is(err, account.ErrHouse):
		s.Refused(r, r.Method+" "+r.URL.Path)
		return refusal(http.StatusForbidden, "%v", err)
	case of.kind == "camera":
		return s.notYours(r, "no camera %q of yours", of.id)
	case of.kind == "alert":
		return s.notYours(r, "no alert %q of yours", of.id)
	}
	return s.notYours(r, "no table %q of yours", of.id)
}

// mayAll is may for several tables that a request names.
func (s *Server) mayAll(r *http.Request, right Right, tables []string) error {
	for _, id := range tables {
		if err := s.may(r, right, s.tableObject(id)); err != nil {
			return err
		}
	}
	return nil
}

// sees reports whether an account may see what belongs to these tables.
func sees(a *Account, tables ...string) bool { return a.May(See, account.Of(tables...)) == nil }

// visible are those of a list, by their tables, that an account may see; never nil.
func visible[T any](a *Account, list []T, table func(T) string) []T {
	out := []T{}
	for _, x := range list {
		if sees(a, table(x)) {
			out = append(out, x)
		}
	}
	return out
}

// limited are the tables that an account is limited to, nil where it sees the house.
func limited(a *Account) []string {
	if a.May(See, account.House) == nil {
		return nil
	}
	return append([]string{}, a.Tables...)
}

// within keeps a question about the past to the account's tables.
func within(a *Account, q index.Query) index.Query {
	q.Tables = limited(a)
	return q
}

// problemsFor are the problems as an account sees them. The details of the house's own may
// name any table: they are for who sees the house.
func problemsFor(a *Account, list []health.Problem) []health.Problem {
	out := visible(a, list, func(p health.Problem) string { return p.Table })
	for i, p := range out {
		if p.Table == "" && limited(a) != nil {
			out[i].Object, out[i].Detail = "", ""
		}
	}
	return out
}

// supervisionFor is the supervision as an account sees it: its own tables, who has them,
// and what the norm says to these.
func supervisionFor(a *Account, st floor.Status) floor.Status {
	if limited(a) == nil {
		return st
	}
	st.Tables = visible(a, st.Tables, func(t floor.TableStatus) string { return t.ID })
	has := map[string]bool{}
	list := []floor.Assignment{}
	for _, x := range st.Assignments {
		if x.Tables = visible(a, x.Tables, func(id string) string { return id }); len(x.Tables) > 0 {
			has[x.Jefe] = true
			list = append(list, x)
		}
	}
	st.Assignments = list
	st.Findings = append([]floor.Finding{}, findingsFor(a, st.Findings, has)...)
	return st
}

func findingsFor(a *Account, list []floor.Finding, jefes map[string]bool) []floor.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f floor.Finding) bool {
		return !sees(a, f.Table) || f.Table == "" && f.Jefe != "" && !jefes[f.Jefe]
	})
}

// Notice is a message as the sender of a request may see it; false where it may not.
func Notice(ctx context.Context, m notice.Message) (notice.Message, bool) {
	a := who(ctx)
	if a == nil || !sees(a, m.Table) {
		return m, false
	}
	if m.Table != "" || limited(a) == nil {
		return m, true
	}
	var err error
	switch m.Type {
	case "health":
		var list []health.Problem
		if err = json.Unmarshal(m.Body, &list); err == nil {
			m.Body, err = json.Marshal(problemsFor(a, list))
		}
	case "supervision":
		var st floor.Status
		if err = json.Unmarshal(m.Body, &st); err == nil {
			m.Body, err = json.Marshal(supervisionFor(a, st))
		}
	}
	return m, err == nil
}

// changedTables are those whose jefe would be another after an assignment.
func changedTables(st floor.Status, jefe string, tables []string) (out []string) {
	var had []string
	for _, x := range st.Assignments {
		if x.Jefe == jefe {
			had = x.Tables
		}
	}
	for _, id := range slices.Concat(had, tables) {
		if slices.Contains(had, id) != slices.Contains(tables, id) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
