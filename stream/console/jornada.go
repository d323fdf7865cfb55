package console

import (
	"context"
	"net/http"
	"time"

	"vision/stream/account"
	"vision/stream/jornada"
)

// tableSession is what happened at a table between its rounds, and what the norm says to it.
func (s *Server) tableSession(r *http.Request, _ *Account) (any, error) {
	st, err := s.cfg.Jornadas.Status(r.PathValue("table"))
	if err != nil {
		return nil, refusal(http.StatusNotFound, "%v", err)
	}
	return st, nil
}

type stepBody struct {
	Event  jornada.Event `json:"event"`
	Second *struct {
		User     string `json:"user"`
		Password string `json:"password"`
	} `json:"second"`
}

// sessionStep takes a step of a table's session. Where money moves a second person
// confirms it with his own password.
func (s *Server) sessionStep(r *http.Request, a *Account, in stepBody) (any, error) {
	table, second := r.PathValue("table"), ""
	if in.Second != nil {
		key := "second " + a.User + " " + short(in.Second.User, longestName)
		if ok, wait := s.limit.allow(key, time.Now()); !ok {
			return nil, tooMany(wait, time.Second, "too many attempts; wait %v")
		}
		other, ok := s.cfg.Accounts.Login(in.Second.User, in.Second.Password)
		if of := account.Of(table); !ok || other.May(Acknowledge, of) != nil && other.May(Supervise, of) != nil {
			s.refused(r, Act{User: in.Second.User, Action: "second_failed", Object: table})
			return nil, refusal(http.StatusForbidden, "second person: the password is wrong, or the account may not confirm at this table: management, surveillance and who has the table may")
		}
		s.limit.forgive(key)
		second = other.User
	}
	return s.cfg.Jornadas.Add(context.WithoutCancel(r.Context()), table, a.User, second, in.Event)
}
