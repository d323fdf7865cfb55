package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/pion/webrtc/v4"

	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/notice"
	"vision/stream/record"
	"vision/stream/statestore"
	"vision/validate/finding"
)

func (s *Server) me(_ *http.Request, a *Account) (any, error) {
	may := func(r Right) bool { return a.May(r, account.Object{}) == nil }
	all := func(r Right) bool { return a.May(r, account.House) == nil }
	return map[string]any{
		"user": a.User, "role": a.Role, "language": s.cfg.Language, "tour": s.cfg.Demonstration,
		"acknowledge": may(Acknowledge), "announce": may(Announce), "export": may(Export), "supervise": may(Supervise),
		"assign": may(Assign), "technical": may(Technical), "audit": may(Audit),
		"tune": all(Tune), "install": all(Install), "administer": all(Administer),
		"ice_servers": append([]webrtc.ICEServer{}, s.cfg.ICE...), "outcomes": alert.Outcomes,
		"codes": alert.Catalogue(),
	}, nil
}

// catalogue is everything that people can be notified of.
func (s *Server) catalogue(*http.Request, *Account) (any, error) { return alert.Catalogue(), nil }

// thresholds are those in force.
func (s *Server) thresholds(*http.Request, *Account) (any, error) { return s.cfg.Limits.Now(), nil }

// setThresholds puts others in force; who did it and what they are is in the ledger
// first.
func (s *Server) setThresholds(r *http.Request, a *Account, in alert.Thresholds) (any, error) {
	if err := in.Check(); err != nil {
		return nil, &Refusal{Problem: err}
	}
	if err := s.act(r, Act{User: a.User, Action: "thresholds", Text: in.String()}); err != nil {
		return nil, err
	}
	err := s.cfg.Limits.Set(a.User, in)
	if errors.Is(err, statestore.ErrAway) || errors.Is(err, statestore.ErrChanged) {
		s.audit(r, a.User, "thresholds_kept", err.Error())
	}
	return in, err
}

// Rates is how a table's findings are judged: what follows from the budget, and how often it errs.
type Rates struct {
	Table     string                    `json:"table"`
	Rounds    int                       `json:"rounds"`    // verified ones, by which its rates are corrected
	Threshold float64                   `json:"threshold"` // probability from which a finding is an alert
	Found     float64                   `json:"found"`     // share of the mistakes that are alerts then, as measured
	By        map[finding.Class]float64 `json:"found_by"`  // the same, by class
	Classes   []ClassRate               `json:"classes"`
}

// ClassRate is how often a table errs in a class of mistakes, per 1,000 rounds.
type ClassRate struct {
	Class     finding.Class `json:"class"`
	Stated    float64       `json:"stated"`
	Rate      float64       `json:"rate"` // as decided alerts correct it
	Low       float64       `json:"low"`  // of an interval of 95 %
	High      float64       `json:"high"`
	Confirmed int           `json:"confirmed"` // alerts
	False     int           `json:"false"`
}

// rates are those of the tables that the sender sees.
func (s *Server) rates(_ *http.Request, a *Account) (any, error) {
	if s.cfg.Rates == nil {
		return []Rates{}, nil
	}
	return visible(a, s.cfg.Rates(), func(r Rates) string { return r.Table }), nil
}

func (s *Server) tables(_ *http.Request, a *Account) (any, error) {
	return visible(a, s.cfg.Tables(), func(t Table) string { return t.ID }), nil
}

// sensor passes on calls: from a terminal or sensor with the table's token, or
// from an account that may speak for the croupier.
func (s *Server) sensor(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("table")
	_, known := s.table(id)
	if known && May(r.Context(), Announce, account.Of(id)) == nil || s.hasToken(w, r, id) {
		s.cfg.Sensor(w, r, id)
	}
}

// hasToken reports whether a request has a table's token, and answers it where not. Wrong ones
// are in the ledger; after some of them a network has to wait, longer than guessing takes.
func (s *Server) hasToken(w http.ResponseWriter, r *http.Request, table string) bool {
	from, now := network(hostOf(r)), time.Now()
	one := from + " " + short(table, longestName)
	if wait := max(s.tokens.wait(one, now), s.wrong.wait(from, now)); wait > 0 {
		s.refused(r, Act{Action: "token_limited", Object: table, Text: hostOf(r)})
		deny(w, tooMany(wait, time.Second, "too many wrong tokens from this address; wait %v"))
		return false
	}
	if s.cfg.Token(w, r, table) {
		return true
	}
	s.tokens.allow(one, now)
	s.wrong.allow(from, now)
	s.refused(r, Act{Action: "token_refused", Object: table, Text: hostOf(r)})
	return false
}

// calls is what the terminal page shows, to who sees the table and to the terminal with
// the table's token.
func (s *Server) calls(w http.ResponseWriter, r *http.Request) {
	t, known := s.table(r.PathValue("table"))
	if who(r.Context()) == nil {
		if !s.hasToken(w, r, r.PathValue("table")) {
			return
		}
	} else if err := s.may(r, See, s.tableObject(r.PathValue("table"))); err != nil {
		deny(w, err)
		return
	}
	if !known {
		refuse(w, http.StatusNotFound, "no table %q", r.PathValue("table"))
		return
	}
	reply(w, map[string]any{"table": t, "calls": Calls(t.Norm, t.Game), "language": s.cfg.Language})
}

func (s *Server) alerts(r *http.Request, a *Account) (any, error) {
	q := r.URL.Query()
	return s.cfg.Desk.List(func(x *alert.Alert) bool {
		return sees(a, x.Table) &&
			(q.Get("table") == "" || q.Get("table") == x.Table) &&
			(q.Get("code") == "" || q.Get("code") == x.Code) &&
			(q.Get("open") == "" || (x.Ack == nil) == (q.Get("open") == "true"))
	}), nil
}

type ackBody struct {
	Outcome alert.Outcome `json:"outcome"`
	Note    string        `json:"note"`
}

func (s *Server) acknowledge(r *http.Request, a *Account, in ackBody) (any, error) {
	id := r.PathValue("id")
	// Who acknowledges has done so even when the browser goes away meanwhile.
	done, err := s.cfg.Desk.Acknowledge(context.WithoutCancel(r.Context()), id, a.User, in.Outcome, in.Note)
	if err != nil && !slices.Contains(alert.Outcomes, in.Outcome) {
		err = &Refusal{Problem: err}
	}
	return done, err
}

func (s *Server) health(r *http.Request, a *Account) (any, error) {
	return map[string]any{"problems": problemsFor(a, s.cfg.Board.Present()), "machine": s.cfg.Machine(r.Context()),
		"cameras": visible(a, s.cfg.Cameras(), func(c CameraHealth) string { return c.Table }),
		"storage": visible(a, s.cfg.Archive.Usage(), func(u record.Usage) string { return u.Table })}, nil
}

func (s *Server) preview(w http.ResponseWriter, r *http.Request, _ *Account) {
	name := r.PathValue("camera")
	if h, ok := s.cfg.Preview(name); ok {
		h.ServeHTTP(w, r)
		return
	}
	deny(w, s.notYours(r, "no camera %q of yours", name))
}

// events streams the notices as server-sent events (WHATWG HTML §9.2): the
// fallback for those who have no data channel.
func (s *Server) events(w http.ResponseWriter, r *http.Request, a *Account) {
	c := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	var sub *notice.Sub
	if a.IsMachine() {
		sub = s.cfg.Hub.SubscribeOwn()
	} else {
		sub = s.cfg.Hub.Subscribe(func(m notice.Message) (notice.Message, bool) { return Notice(r.Context(), m) })
	}
	defer sub.Close()
	if c.Flush() != nil {
		return
	}
	for {
		ctx, cancel := context.WithTimeout(r.Context(), 15*time.Second)
		m, err := sub.Next(ctx)
		cancel()
		switch {
		case r.Context().Err() != nil:
			return
		case err != nil: // nothing for a while: a comment keeps proxies from closing
			_, err = io.WriteString(w, ":\n\n")
		default:
			var b []byte
			if b, err = json.Marshal(m); err == nil {
				_, err = fmt.Fprintf(w, "data: %s\n\n", b)
			}
		}
		if err != nil || c.Flush() != nil {
			return
		}
	}
}
