package console

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"vision/stream/account"
	"vision/stream/floor"
	"vision/validate/room"
)

// supervision is who supervises which tables and what the norm says to it. All
// who see tables may know: the wall's banner shows it.
func (s *Server) supervision(w http.ResponseWriter, _ *http.Request, a *Account) {
	st := supervisionFor(a, s.cfg.Floor.Status())
	names := map[string]called{}
	for _, t := range s.cfg.Tables() {
		if !sees(a, t.ID) {
			continue
		}
		names[t.ID] = called{t.Name, t.GameES, t.GameEN, t.GameCA}
	}
	reply(w, struct {
		floor.Status
		Jefes []string          `json:"jefes"` // who may have tables under them
		Roles []string          `json:"roles"` // of staff
		Names map[string]called `json:"names"` // of the tables, by their codes
	}{st, s.jefes(st, a), room.Roles, names})
}

// called is what people call a table and its game.
type called struct {
	Name   string `json:"name"`
	GameES string `json:"game_es"`
	GameEN string `json:"game_en"`
	GameCA string `json:"game_ca"`
}

// jefes are the accounts of that role, whoever has tables now, and who asks,
// where that account may take tables.
func (s *Server) jefes(st floor.Status, asks *Account) []string {
	out := append([]string{}, s.cfg.Accounts.Jefes()...)
	add := func(user string) {
		if !slices.Contains(out, user) {
			out = append(out, user)
		}
	}
	for _, a := range st.Assignments {
		add(a.Jefe)
	}
	if asks.May(Supervise, account.Object{}) == nil {
		add(asks.User)
	}
	return out
}

type assignBody struct {
	Jefe   string   `json:"jefe,omitempty"`
	Tables []string `json:"tables"`
	Relief bool     `json:"relief,omitempty"` // tables of other jefes are taken over
}

// supervisionCheck says what the norm would say, before anybody decides.
func (s *Server) supervisionCheck(w http.ResponseWriter, r *http.Request, a *Account) {
	var in assignBody
	if !read(w, r, &in, `{"jefe":"ana","tables":["R1","R2"]}`) || !s.mayAll(w, r, Supervise, in.Tables) {
		return
	}
	err := s.cfg.Floor.Check(in.Jefe, in.Tables)
	var no *floor.Forbidden
	switch {
	case err == nil:
		reply(w, map[string]any{"allowed": true, "findings": []floor.Finding{}})
	case errors.As(err, &no):
		reply(w, map[string]any{"allowed": false, "findings": findingsFor(a, no.Findings, map[string]bool{in.Jefe: true})})
	default:
		deny(w, err)
	}
}

// assign puts tables under a jefe. A jefe takes and gives up tables of his own, and relieves another
// where he says so; whoever may assign does so for anybody.
func (s *Server) assign(w http.ResponseWriter, r *http.Request, a *Account) {
	var in assignBody
	if !read(w, r, &in, `{"tables":["R1","R2"]}`) {
		return
	}
	jefe := r.PathValue("jefe")
	right, over := Assign, a.May(Assign, account.Object{}) == nil
	if !over {
		if jefe != a.User || in.Jefe != "" && in.Jefe != jefe {
			refuse(w, http.StatusForbidden, "the role %s takes tables for itself only", a.Role)
			return
		}
		right = Supervise
	}
	changed := changedTables(s.cfg.Floor.Status(), jefe, in.Tables)
	if !s.may(
		w,
		r,
		right,
		object{Object: account.Of(slices.Concat(changed, in.Tables)...), id: strings.Join(in.Tables, ",")},
	) {
		return
	}
	if len(in.Tables) > 0 && !s.mayHave(jefe, in.Tables) {
		refuse(w, http.StatusNotFound, "no account %q that may have these tables under it; an administrator changes accounts at /users", jefe)
		return
	}
	st, err := s.cfg.Floor.Assign(context.WithoutCancel(r.Context()), a.User, jefe, in.Tables, over || in.Relief)
	respond(w, supervisionFor(a, st), err)
}

// mayHave reports whether a person may have these tables: a name that nobody bears must not
// stand for a jefe de mesa. Who comes by the house's identity provider may not have
// an account here yet.
func (s *Server) mayHave(jefe string, tables []string) bool {
	a, ok := s.cfg.Accounts.Find(jefe)
	if !ok {
		return s.cfg.Provider != nil
	}
	return a.May(Supervise, account.Of(tables...)) == nil
}

// duty opens or closes a table and says who works there.
func (s *Server) duty(w http.ResponseWriter, r *http.Request, a *Account) {
	var in room.Duty
	if !read(w, r, &in, `{"open":true,"staff":{"croupier":1}}`) {
		return
	}
	st, err := s.cfg.Floor.SetDuty(context.WithoutCancel(r.Context()), a.User, r.PathValue("table"), in)
	respond(w, supervisionFor(a, st), err)
}
