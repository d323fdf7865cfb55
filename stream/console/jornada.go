package console

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"vision/stream/account"
	"vision/stream/jornada"
)

// tableSession is what happened at a table between its rounds, and what the norm says to it.
func (s *Server) tableSession(w http.ResponseWriter, r *http.Request, _ *Account) {
	st, err := s.cfg.Jornadas.Status(r.PathValue("table"))
	if err != nil {
		refuse(w, http.StatusNotFound, "%v", err)
		return
	}
	reply(w, st)
}

// sessionStep takes a step of a table's session. Where money moves a second person
// confirms it with his own password.
func (s *Server) sessionStep(w http.ResponseWriter, r *http.Request, a *Account) {
	table := r.PathValue("table")
	var in struct {
		Event  jornada.Event `json:"event"`
		Second *struct {
			User     string `json:"user"`
			Password string `json:"password"`
		} `json:"second"`
	}
	if !read(w, r, &in, `{"event":{"type":"fill","amount":100000},"second":{"user":"…","password":"…"}}`) {
		return
	}
	second := ""
	if in.Second != nil {
		key := "second " + a.User + " " + short(in.Second.User, longestName)
		if ok, wait := s.limit.allow(key, time.Now()); !ok {
			w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
			refuse(w, http.StatusTooManyRequests, "too many attempts; wait %v", wait.Round(time.Second))
			return
		}
		other, ok := s.cfg.Accounts.Login(in.Second.User, in.Second.Password)
		if of := account.Of(table); !ok || other.May(Acknowledge, of) != nil && other.May(Supervise, of) != nil {
			s.refused(r, Act{User: in.Second.User, Action: "second_failed", Object: table})
			refuse(w, http.StatusForbidden, "second person: the password is wrong, or the account may not confirm at this table: management, surveillance and who has the table may")
			return
		}
		s.limit.forgive(key)
		second = other.User
	}
	st, err := s.cfg.Jornadas.Add(context.WithoutCancel(r.Context()), table, a.User, second, in.Event)
	respond(w, st, err)
}
