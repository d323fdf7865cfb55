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
func (s *Server) supervision(_ *http.Request, a *Account) (any, error) {
	st := supervisionFor(a, s.cfg.Floor.Status())
	names := map[string]called{}
	for _, t := range s.cfg.Tables() {
		if !sees(a, t.ID) {
			continue
		}
		names[t.ID] = called{t.Name, t.GameES, t.GameEN, t.GameCA}
	}
	return struct {
		floor.Status
		Jefes []string          `json:"jefes"` // who may have tables under them
		Roles []string          `json:"roles"` // of staff
		Names map[string]called `json:"names"` // of the tables, by their codes
	}{st, s.jefes(st, a), room.Roles, names}, nil
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
func (s *Server) supervisionCheck(r *http.Request, a *Account, in assignBody) (any, error) {
	if err := s.mayAll(r, Supervise, in.Tables); err != nil {
		return nil, err
	}
	err := s.cfg.Floor.Check(in.Jefe, in.Tables)
	var no *floor.Forbidden
	if errors.As(err, &no) {
		return map[string]any{"allowed": false, "findings": findingsFor(a, no.Findings, map[string]bool{in.Jefe: true})}, nil
	}
	return map[string]any{"allowed": true, "findings": []floor.Finding{}}, err
}

// assign puts tables under a jefe. A jefe takes and gives up tables of his own, and relieves another
// where he says so; whoever may assign does so for anybody.
func (s *Server) assign(r *http.Request, a *Account, in assignBody) (any, error) {
	jefe := r.PathValue("jefe")
	right, over := Assign, a.May(Assign, account.Object{}) == nil
	if !over {
		if jefe != a.User || in.Jefe != "" && in.Jefe != jefe {
			return nil, refusal(http.StatusForbidden, "the role %s takes tables for itself only", a.Role)
		}
		right = Supervise
	}
	changed := changedTables(s.cfg.Floor.Status(), jefe, in.Tables)
	of := object{Object: account.Of(slices.Concat(changed, in.Tables)...), id: strings.Join(in.Tables, ",")}
	if err := s.may(r, right, of); err != nil {
		return nil, err
	}
	if len(in.Tables) > 0 && !s.mayHave(jefe, in.Tables) {
		return nil, refusal(http.StatusNotFound, "no account %q that may have these tables under it; an administrator changes accounts at /users", jefe)
	}
	st, err := s.cfg.Floor.Assign(context.WithoutCancel(r.Context()), a.User, jefe, in.Tables, over || in.Relief)
	return supervisionFor(a, st), err
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
func (s *Server) duty(r *http.Request, a *Account, in room.Duty) (any, error) {
	st, err := s.cfg.Floor.SetDuty(context.WithoutCancel(r.Context()), a.User, r.PathValue("table"), in)
	return supervisionFor(a, st), err
}
