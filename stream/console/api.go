package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/pion/webrtc/v4"

	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/notice"
	"vision/stream/record"
	"vision/stream/share"
	"vision/validate/finding"
)

func (s *Server) me(w http.ResponseWriter, _ *http.Request, a *Account) {
	may := func(r Right) bool { return a.May(r, account.Object{}) == nil }
	all := func(r Right) bool { return a.May(r, account.House) == nil }
	reply(w, map[string]any{
		"user": a.User, "role": a.Role, "language": s.cfg.Language, "tour": s.cfg.Demonstration,
		"acknowledge": may(Acknowledge), "announce": may(Announce), "export": may(Export), "supervise": may(Supervise),
		"assign": may(Assign), "technical": may(Technical), "audit": may(Audit),
		"tune": all(Tune), "install": all(Install), "administer": all(Administer),
		"ice_servers": append([]webrtc.ICEServer{}, s.cfg.ICE...), "outcomes": alert.Outcomes,
		"codes": alert.Catalogue(),
	})
}

// catalogue is everything that people can be notified of.
func (s *Server) catalogue(w http.ResponseWriter, _ *http.Request, _ *Account) {
	reply(w, alert.Catalogue())
}

// thresholds are those in force.
func (s *Server) thresholds(w http.ResponseWriter, _ *http.Request, _ *Account) {
	reply(w, s.cfg.Limits.Now())
}

// setThresholds puts others in force; who did it and what they are is in the ledger
// first.
func (s *Server) setThresholds(w http.ResponseWriter, r *http.Request, a *Account) {
	var in alert.Thresholds
	if !read(w, r, &in, `{"budget":1,"escalate":60}`) {
		return
	}
	if err := in.Check(); err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	if !s.act(w, r, Act{User: a.User, Action: "thresholds", Text: in.String()}) {
		return
	}
	err := s.cfg.Limits.Set(a.User, in)
	if errors.Is(err, share.ErrAway) || errors.Is(err, share.ErrChanged) {
		s.audit(r, a.User, "thresholds_kept", err.Error())
	}
	respond(w, in, err)
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
func (s *Server) rates(w http.ResponseWriter, _ *http.Request, a *Account) {
	out := []Rates{}
	if s.cfg.Rates != nil {
		for _, r := range s.cfg.Rates() {
			if sees(a, r.Table) {
				out = append(out, r)
			}
		}
	}
	reply(w, out)
}

func (s *Server) tables(w http.ResponseWriter, _ *http.Request, a *Account) {
	out := []Table{}
	for _, t := range s.cfg.Tables() {
		if sees(a, t.ID) {
			out = append(out, t)
		}
	}
	reply(w, out)
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
		w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
		s.refused(r, Act{Action: "token_limited", Object: table, Text: hostOf(r)})
		refuse(w, http.StatusTooManyRequests, "too many wrong tokens from this address; wait %v", wait.Round(time.Second))
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
	} else if !s.may(w, r, See, s.tableObject(r.PathValue("table"))) {
		return
	}
	if !known {
		refuse(w, http.StatusNotFound, "no table %q", r.PathValue("table"))
		return
	}
	reply(w, map[string]any{"table": t, "calls": Calls(t.Norm, t.Game), "language": s.cfg.Language})
}

func (s *Server) alerts(w http.ResponseWriter, r *http.Request, a *Account) {
	q := r.URL.Query()
	reply(w, s.cfg.Desk.List(func(x *alert.Alert) bool {
		return sees(a, x.Table) &&
			(q.Get("table") == "" || q.Get("table") == x.Table) &&
			(q.Get("code") == "" || q.Get("code") == x.Code) &&
			(q.Get("open") == "" || (x.Ack == nil) == (q.Get("open") == "true"))
	}))
}

func (s *Server) acknowledge(w http.ResponseWriter, r *http.Request, a *Account) {
	var in struct {
		Outcome alert.Outcome `json:"outcome"`
		Note    string        `json:"note"`
	}
	if !read(w, r, &in, `{"outcome":…,"note":…}`) {
		return
	}
	id := r.PathValue("id")
	// Who acknowledges has done so even when the browser goes away meanwhile.
	done, err := s.cfg.Desk.Acknowledge(context.WithoutCancel(r.Context()), id, a.User, in.Outcome, in.Note)
	if err != nil && !slices.Contains(alert.Outcomes, in.Outcome) {
		err = &Refusal{Problem: err}
	}
	respond(w, done, err)
}

// read takes a small JSON body; what it wants is said to who sends another.
func read(w http.ResponseWriter, r *http.Request, v any, want string) bool {
	err := decode(w, r, 16<<10, v)
	if err != nil {
		refuse(w, http.StatusBadRequest, "body: %v; want %s", err, want)
	}
	return err == nil
}

func (s *Server) health(w http.ResponseWriter, r *http.Request, a *Account) {
	cams := []CameraHealth{}
	for _, c := range s.cfg.Cameras() {
		if sees(a, c.Table) {
			cams = append(cams, c)
		}
	}
	kept := slices.DeleteFunc(s.cfg.Archive.Usage(), func(u record.Usage) bool { return !sees(a, u.Table) })
	reply(w, map[string]any{"problems": problemsFor(a, s.cfg.Board.Present()), "machine": s.cfg.Machine(r.Context()),
		"cameras": cams, "storage": append([]record.Usage{}, kept...)})
}

func (s *Server) preview(w http.ResponseWriter, r *http.Request, _ *Account) {
	name := r.PathValue("camera")
	if h, ok := s.cfg.Preview(name); ok {
		h.ServeHTTP(w, r)
		return
	}
	s.notYours(w, r, "no camera %q of yours", name)
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
