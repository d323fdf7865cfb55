package console

import (
	"errors"
	"net/http"

	"vision/stream/account"
)

// What an administrator does with the accounts of others. Everything is in the
// ledger before it is answered.

// User is an account with the number of its sessions.
type User struct {
	account.State
	Sessions int `json:"sessions"`
}

func (s *Server) users(r *http.Request, _ *Account) (any, error) {
	out := []User{}
	for _, st := range s.cfg.Accounts.List() {
		list, err := s.sessionsOf(r.Context(), st.User, "")
		if err != nil {
			return nil, err
		}
		out = append(out, User{st, len(list)})
	}
	tables := []string{}
	for _, t := range s.cfg.Tables() {
		tables = append(tables, t.ID)
	}
	return map[string]any{"users": out, "roles": account.Roles, "tables": tables}, nil
}

type userBody struct {
	User     string   `json:"user,omitempty"`
	Role     string   `json:"role"`
	Tables   []string `json:"tables,omitempty"`
	Disabled bool     `json:"disabled,omitempty"`
}

const userWant = `{"user":"…","role":"jefe","tables":["BJ1"]}`

// knownTables refuses tables that are not there: a jefe of none would see all.
func (s *Server) knownTables(tables []string) error {
	for _, id := range tables {
		if _, ok := s.table(id); !ok {
			return refusal(http.StatusBadRequest, "no table %q", id)
		}
	}
	return nil
}

// badUser is for what cannot be done to an account; what is no conflict is at fault.
func badUser(err error) error {
	if err != nil && statusOf(err) == http.StatusInternalServerError {
		return &Refusal{Problem: err}
	}
	return err
}

// addUser makes an account; its first password is in the answer, and nowhere else.
func (s *Server) addUser(r *http.Request, a *Account, in userBody) (any, error) {
	if err := s.knownTables(in.Tables); err != nil {
		return nil, err
	}
	made := Account{User: in.User, Role: in.Role, Tables: in.Tables, Disabled: in.Disabled}
	password, err := s.cfg.Accounts.Add(a.User, made)
	if err != nil {
		return nil, badUser(err)
	}
	return map[string]string{"user": in.User, "password": password},
		s.act(r, Act{User: a.User, Action: "user_added", Object: in.User, Text: in.Role})
}

// changeUser gives an account another role or tables, or shuts it. Its sessions end.
func (s *Server) changeUser(r *http.Request, a *Account, in userBody) (any, error) {
	user := r.PathValue("user")
	if err := s.knownTables(in.Tables); err != nil {
		return nil, err
	}
	if err := s.cfg.Accounts.Change(a.User, user, in.Role, in.Tables, in.Disabled); err != nil {
		return nil, badUser(err)
	}
	text := in.Role
	if in.Disabled {
		text += ", shut"
	}
	return map[string]bool{"changed": true}, s.after(r, user, Act{User: a.User, Action: "user_changed", Object: user, Text: text})
}

func (s *Server) removeUser(r *http.Request, a *Account) (any, error) {
	user := r.PathValue("user")
	if err := s.cfg.Accounts.Remove(a.User, user); err != nil {
		return nil, badUser(err)
	}
	return map[string]bool{"removed": true}, s.after(r, user, Act{User: a.User, Action: "user_removed", Object: user})
}

type resetBody struct {
	Password bool `json:"password,omitempty"`
	Factor   bool `json:"factor,omitempty"`
}

// resetUser helps somebody who has lost password or authenticator: a new password
// to be changed at once, the second factor taken away. The sessions end.
func (s *Server) resetUser(r *http.Request, a *Account, in resetBody) (any, error) {
	user, out := r.PathValue("user"), map[string]string{"user": r.PathValue("user")}
	st, ok := s.cfg.Accounts.State(user)
	switch {
	case !ok:
		return nil, account.ErrUnknown
	case !in.Password && !in.Factor, in.Password && st.Issuer != "":
		return nil, refusal(http.StatusBadRequest, "want password or factor; the identity provider keeps the passwords of its own")
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
		return nil, err
	}
	return out, s.after(r, user, Act{User: a.User, Action: "user_reset", Object: user, Text: text})
}

// endUser ends all sessions and tokens of somebody.
func (s *Server) endUser(r *http.Request, a *Account) (any, error) {
	user := r.PathValue("user")
	if _, ok := s.cfg.Accounts.State(user); !ok {
		return nil, account.ErrUnknown
	}
	return map[string]bool{"ended": true}, s.after(r, user, Act{User: a.User, Action: "sessions_ended", Object: user})
}

// after ends somebody's sessions and notes what was done. Who does it to the own account stays.
func (s *Server) after(r *http.Request, user string, act Act) error {
	but := ""
	if user == act.User {
		but = s.session(r.Context())
	}
	if err := s.endSessions(r.Context(), user, but); err != nil {
		return err
	}
	return s.act(r, act)
}
