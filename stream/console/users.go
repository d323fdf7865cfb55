package console

import (
	"errors"
	"net/http"
	"slices"

	"vision/stream/account"
)

// What an administrator does with the accounts of others. Everything is in the
// ledger before it is answered.

// User is an account with the number of its sessions.
type User struct {
	account.State
	Sessions int `json:"sessions"`
}

func (s *Server) users(w http.ResponseWriter, r *http.Request, _ *Account) {
	out := []User{}
	for _, st := range s.cfg.Accounts.List() {
		list, err := s.sessionsOf(r.Context(), st.User, "")
		if err != nil {
			deny(w, err)
			return
		}
		out = append(out, User{st, len(list)})
	}
	tables := []string{}
	for _, t := range s.cfg.Tables() {
		tables = append(tables, t.ID)
	}
	reply(w, map[string]any{"users": out, "roles": account.Roles, "tables": tables})
}

type userBody struct {
	User     string   `json:"user,omitempty"`
	Role     string   `json:"role"`
	Tables   []string `json:"tables,omitempty"`
	Disabled bool     `json:"disabled,omitempty"`
}

const userWant = `{"user":"…","role":"jefe","tables":["BJ1"]}`

// knownTables refuses tables that are not there: a jefe of none would see all.
func (s *Server) knownTables(w http.ResponseWriter, tables []string) bool {
	have := s.cfg.Tables()
	for _, id := range tables {
		if !slices.ContainsFunc(have, func(t Table) bool { return t.ID == id }) {
			refuse(w, http.StatusBadRequest, "no table %q", id)
			return false
		}
	}
	return true
}

// badUser answers for what cannot be done to an account; what is no conflict is at fault.
func badUser(w http.ResponseWriter, err error) {
	if statusOf(err) == http.StatusInternalServerError {
		err = &Refusal{Problem: err}
	}
	deny(w, err)
}

// addUser makes an account; its first password is in the answer, and nowhere else.
func (s *Server) addUser(w http.ResponseWriter, r *http.Request, a *Account) {
	var in userBody
	if !read(w, r, &in, userWant) || !s.knownTables(w, in.Tables) {
		return
	}
	password, err := s.cfg.Accounts.Add(
		a.User,
		Account{User: in.User, Role: in.Role, Tables: in.Tables, Disabled: in.Disabled},
	)
	if err != nil {
		badUser(w, err)
		return
	}
	if s.act(w, r, Act{User: a.User, Action: "user_added", Object: in.User, Text: in.Role}) {
		reply(w, map[string]string{"user": in.User, "password": password})
	}
}

// changeUser gives an account another role or tables, or shuts it. Its sessions end.
func (s *Server) changeUser(w http.ResponseWriter, r *http.Request, a *Account) {
	var in userBody
	user := r.PathValue("user")
	if !read(w, r, &in, userWant) || !s.knownTables(w, in.Tables) {
		return
	}
	if err := s.cfg.Accounts.Change(a.User, user, in.Role, in.Tables, in.Disabled); err != nil {
		badUser(w, err)
		return
	}
	text := in.Role
	if in.Disabled {
		text += ", shut"
	}
	s.after(w, r, user, Act{User: a.User, Action: "user_changed", Object: user, Text: text}, map[string]bool{"changed": true})
}

func (s *Server) removeUser(w http.ResponseWriter, r *http.Request, a *Account) {
	user := r.PathValue("user")
	if err := s.cfg.Accounts.Remove(a.User, user); err != nil {
		badUser(w, err)
		return
	}
	s.after(w, r, user, Act{User: a.User, Action: "user_removed", Object: user}, map[string]bool{"removed": true})
}

type resetBody struct {
	Password bool `json:"password,omitempty"`
	Factor   bool `json:"factor,omitempty"`
}

// resetUser helps somebody who has lost password or authenticator: a new password
// to be changed at once, the second factor taken away. The sessions end.
func (s *Server) resetUser(w http.ResponseWriter, r *http.Request, a *Account) {
	var in resetBody
	user, out := r.PathValue("user"), map[string]string{"user": r.PathValue("user")}
	if !read(w, r, &in, `{"password":true,"factor":true}`) {
		return
	}
	st, ok := s.cfg.Accounts.State(user)
	switch {
	case !ok:
		badUser(w, account.ErrUnknown)
		return
	case !in.Password && !in.Factor, in.Password && st.Issuer != "":
		refuse(w, http.StatusBadRequest, "want password or factor; the identity provider keeps the passwords of its own")
		return
	}
	var errs []error
	text := ""
	if in.Factor && st.Factor {
		errs = append(errs, s.cfg.Accounts.DropFactor(a.User, user))
		text = "factor"
	}
	if in.Password {
		password, err := s.cfg.Accounts.Reset(a.User, user)
		errs = append(errs, err)
		out["password"] = password
		text += " password"
	}
	if err := errors.Join(errs...); err != nil {
		deny(w, err)
		return
	}
	s.after(w, r, user, Act{User: a.User, Action: "user_reset", Object: user, Text: text}, out)
}

// endUser ends all sessions and tokens of somebody.
func (s *Server) endUser(w http.ResponseWriter, r *http.Request, a *Account) {
	user := r.PathValue("user")
	if _, ok := s.cfg.Accounts.State(user); !ok {
		badUser(w, account.ErrUnknown)
		return
	}
	s.after(w, r, user, Act{User: a.User, Action: "sessions_ended", Object: user}, map[string]bool{"ended": true})
}

// after ends somebody's sessions, notes what was done, and answers. Who does it to
// the own account stays.
func (s *Server) after(w http.ResponseWriter, r *http.Request, user string, act Act, answer any) {
	but := ""
	if user == act.User {
		but = s.session(r.Context())
	}
	if err := s.endSessions(r.Context(), user, but); err != nil {
		deny(w, err)
		return
	}
	if s.act(w, r, act) {
		reply(w, answer)
	}
}
