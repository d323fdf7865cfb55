package console

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"vision/stream/alert"
	"vision/stream/index"
	"vision/stream/ledger"
	"vision/stream/record"
)

// aCard is a rank with or without a suit, as records have it.
var aCard = regexp.MustCompile(`^[2-9TJQKA][cdhs]?$`)

// asked reads the parameters that questions about the past share. Its error is
// the sender's.
func asked(q url.Values) (out index.Query, err error) {
	out = index.Query{Table: q.Get("table"), Code: q.Get("code"), Severity: q.Get("severity"), State: q.Get("state"), Person: q.Get("person"),
		Kind: ledger.Kind(q.Get("kind")), Findings: q.Get("findings") == "true"}
	times := map[string]*time.Time{"from": &out.From, "to": &out.To}
	for name, t := range times {
		if v := q.Get(name); v != "" {
			if *t, err = time.Parse(time.RFC3339Nano, v); err != nil {
				return out, fmt.Errorf("%s %q: want a time of RFC 3339", name, v)
			}
		}
	}
	out.Limit = 100
	for _, n := range []struct {
		name     string
		to       *int
		min, max int
	}{{"limit", &out.Limit, 1, 1000}, {"offset", &out.Offset, 0, 1e9}, {"seat", &out.Seat, 1, 99}} {
		if v := q.Get(n.name); v != "" {
			if *n.to, err = strconv.Atoi(v); err != nil || *n.to < n.min || *n.to > n.max {
				return out, fmt.Errorf("%s %q: want %d to %d", n.name, v, n.min, n.max)
			}
		}
	}
	if out.Card = q.Get("card"); out.Card != "" && !aCard.MatchString(out.Card) {
		return out, fmt.Errorf("card %q: want a rank, or rank and suit, like K or Td", out.Card)
	}
	if v := q.Get("amount"); v != "" {
		if out.Amount, err = strconv.ParseInt(v, 10, 64); err != nil || out.Amount < 0 {
			return out, fmt.Errorf("amount %q: want cents", v)
		}
	}
	if v := q.Get("reviewed"); v != "" {
		is := v == "true"
		out.Reviewed = &is
	}
	return out, nil
}

// review is the queue of alerts, past ones too, with what the caller has looked at.
func (s *Server) review(w http.ResponseWriter, r *http.Request, a *Account) {
	q, err := asked(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	q.Reviewer = a.User
	if len(a.Tables) > 0 {
		q.Tables = a.Tables
	}
	list, err := s.cfg.Index.Alerts(r.Context(), q)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	reply(w, list)
}

func (s *Server) rounds(w http.ResponseWriter, r *http.Request, a *Account) {
	t, ok := s.table(r.PathValue("table"), a)
	if !ok {
		s.notYours(w, r, "no table %q of yours", r.PathValue("table"))
		return
	}
	q, err := asked(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	q.Table = t.ID
	if r.URL.Query().Get("limit") == "" {
		q.Limit = 20
	}
	list, err := s.cfg.Index.Rounds(r.Context(), q)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "rounds of %s: %v", t.ID, err)
		return
	}
	reply(w, list)
}

// search finds rounds of all of the caller's tables.
func (s *Server) search(w http.ResponseWriter, r *http.Request, a *Account) {
	q, err := asked(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	if len(a.Tables) > 0 {
		q.Tables = a.Tables
	}
	list, err := s.cfg.Index.Rounds(r.Context(), q)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	reply(w, list)
}

// round is one round with its record and verdict, as the ledger has them.
func (s *Server) round(w http.ResponseWriter, r *http.Request, a *Account) {
	t, ok := s.table(r.PathValue("table"), a)
	if !ok {
		s.notYours(w, r, "no table %q of yours", r.PathValue("table"))
		return
	}
	o, err := s.cfg.Index.Round(r.Context(), t.ID, r.PathValue("round"))
	out := struct {
		index.Round
		Record  json.RawMessage `json:"record,omitempty"`
		Verdict json.RawMessage `json:"verdict,omitempty"`
	}{Round: o}
	for seq, to := range map[uint64]*json.RawMessage{o.Round: &out.Record, o.Verdict: &out.Verdict} {
		if err == nil && seq > 0 {
			var e index.Entry
			e, err = s.cfg.Index.Entry(r.Context(), seq)
			*to = e.Payload
		}
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		refuse(w, http.StatusNotFound, "no round %q of %s", r.PathValue("round"), t.ID)
	case err != nil:
		refuse(w, http.StatusInternalServerError, "%v", err)
	default:
		reply(w, out)
	}
}

// seenAlert finds an alert that the caller may see, on the desk or in the past.
func (s *Server) seenAlert(w http.ResponseWriter, r *http.Request, a *Account) (string, bool) {
	id := r.PathValue("id")
	table := ""
	old, err := s.cfg.Desk.Get(id)
	if table = old.Table; errors.Is(err, alert.ErrUnknown) {
		var past index.Alert
		past, err = s.cfg.Index.Alert(r.Context(), id)
		table = past.Table
	}
	if err != nil || table != "" && !a.Sees(table) {
		s.notYours(w, r, "no alert %q of yours", id)
		return "", false
	}
	return id, true
}

// act puts what a person did into the ledger before it answers.
func (s *Server) act(w http.ResponseWriter, r *http.Request, act Act) bool {
	if err := s.cfg.Audit(r.Context(), act); err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return false
	}
	return true
}

func (s *Server) reviewed(w http.ResponseWriter, r *http.Request, a *Account) {
	var in struct {
		Reviewed bool `json:"reviewed"`
	}
	id, ok := s.seenAlert(w, r, a)
	if !ok || !read(w, r, &in, `{"reviewed":true}`) {
		return
	}
	action := index.ActUnreviewed
	if in.Reviewed {
		action = index.ActReviewed
	}
	if s.act(w, r, Act{User: a.User, Action: action, Object: id}) {
		reply(w, in)
	}
}

func (s *Server) notes(w http.ResponseWriter, r *http.Request, a *Account) {
	id, ok := s.seenAlert(w, r, a)
	if !ok {
		return
	}
	list, err := s.cfg.Index.Notes(r.Context(), id)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	reply(w, list)
}

// maxNote is the longest note, in bytes.
const maxNote = 4000

func (s *Server) addNote(w http.ResponseWriter, r *http.Request, a *Account) {
	var in struct {
		Text string `json:"text"`
	}
	id, ok := s.seenAlert(w, r, a)
	if !ok || !read(w, r, &in, `{"text":"…"}`) {
		return
	}
	if in.Text == "" || len(in.Text) > maxNote {
		refuse(w, http.StatusBadRequest, "text of %d bytes: want 1 to %d", len(in.Text), maxNote)
		return
	}
	if s.act(w, r, Act{User: a.User, Action: index.ActNote, Object: id, Text: in.Text}) {
		reply(w, index.Note{Person: a.User, Time: time.Now().UTC(), Text: in.Text})
	}
}

// maxClip and maxTimeline are the longest stretches that one request may ask for.
const (
	maxClip     = 10 * time.Minute
	maxTimeline = 25 * time.Hour
)

// stretch reads which camera and what time a request is about.
func (s *Server) stretch(
	w http.ResponseWriter,
	r *http.Request,
	a *Account,
	limit time.Duration,
) (camera, table string, from, to time.Time, ok bool) {
	q := r.URL.Query()
	camera = q.Get("camera")
	list := s.cfg.Tables()
	i := slices.IndexFunc(list, func(t Table) bool {
		return a.Sees(t.ID) && slices.ContainsFunc(t.Cameras, func(c Camera) bool { return c.Name == camera })
	})
	if i < 0 {
		s.notYours(w, r, "no camera %q of yours", camera)
		return
	}
	from, err1 := time.Parse(time.RFC3339Nano, q.Get("from"))
	to, err2 := time.Parse(time.RFC3339Nano, q.Get("to"))
	if err1 != nil || err2 != nil || !to.After(from) || to.Sub(from) > limit {
		refuse(w, http.StatusBadRequest, "from and to: want two RFC 3339 times in order, at most %v apart", limit)
		return
	}
	return camera, list[i].ID, from, to, true
}

// clip is a stretch of recording; its headers say which time of day it begins and
// ends at, so that a player can place it. Where nothing is recorded, as always beyond
// the live end, there is no content, which is no error.
func (s *Server) clip(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, table, from, to, ok := s.stretch(w, r, a, maxClip)
	if !ok {
		return
	}
	away := r.URL.Query().Has("download")
	if away && !a.May(Export) {
		refuse(w, http.StatusForbidden, "the role %s may not do this", a.Role)
		return
	}
	clip, err := s.cfg.Clip(camera, from, to)
	if errors.Is(err, record.ErrNoRecording) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, "clip of %s: %v", camera, err)
		return
	}
	defer clip.Close()
	h := w.Header()
	if away { // what leaves the house is in the audit trail
		span := from.UTC().Format(time.RFC3339) + " – " + to.UTC().Format(time.RFC3339)
		if !s.act(w, r, Act{User: a.User, Action: "export", Object: table + "/" + camera, Text: span}) {
			return
		}
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": camera + "-" + from.UTC().Format("20060102T150405Z") + ".mp4"}))
	}
	h.Set("Content-Type", "video/mp4")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Clip-Start", clip.Start.UTC().Format(time.RFC3339Nano))
	h.Set("X-Clip-End", clip.End.UTC().Format(time.RFC3339Nano))
	http.ServeContent(w, r, "", time.Time{}, clip)
}

// mark sets a mark in a camera's recording, or takes one's own back.
func (s *Server) mark(action string) handler {
	return func(w http.ResponseWriter, r *http.Request, a *Account) {
		var in struct {
			Camera string    `json:"camera"`
			At     time.Time `json:"at"`
			Text   string    `json:"text"`
		}
		if !read(w, r, &in, `{"camera":"bj1","at":"2026-11-21T20:00:00Z","text":"…"}`) {
			return
		}
		mine := func(t Table) bool {
			return a.Sees(t.ID) && slices.ContainsFunc(t.Cameras, func(c Camera) bool { return c.Name == in.Camera })
		}
		if !slices.ContainsFunc(s.cfg.Tables(), mine) {
			s.notYours(w, r, "no camera %q of yours", in.Camera)
			return
		}
		if in.At.IsZero() || len(in.Text) > maxNote {
			refuse(w, http.StatusBadRequest, "mark: want a time, and text of at most %d bytes", maxNote)
			return
		}
		m := index.Mark{Camera: in.Camera, At: in.At, Person: a.User, Text: in.Text}
		if s.act(w, r, Act{User: a.User, Action: action, Object: m.Object(), Text: in.Text}) {
			reply(w, m)
		}
	}
}

// timeline is what there is of a camera: recorded spans and gaps, and what
// happened at its table meanwhile.
func (s *Server) timeline(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, table, from, to, ok := s.stretch(w, r, a, maxTimeline)
	if !ok {
		return
	}
	q := index.Query{Table: table, From: from, To: to, Limit: 5000, Oldest: true}
	rounds, err1 := s.cfg.Index.Rounds(r.Context(), q)
	alerts, err2 := s.cfg.Index.Alerts(r.Context(), q)
	marks, err3 := s.cfg.Index.Marks(r.Context(), index.Query{Camera: camera, From: from, To: to, Limit: 5000})
	if err := errors.Join(err1, err2, err3); err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	spans := s.cfg.Timeline(camera, from, to)
	if spans == nil {
		spans = []record.Span{}
	}
	reply(w, map[string]any{"camera": camera, "table": table, "from": from, "to": to, "spans": spans, "rounds": rounds, "alerts": alerts, "marks": marks})
}

// auditTrail is what people did, newest first.
func (s *Server) auditTrail(w http.ResponseWriter, r *http.Request, _ *Account) {
	q, err := asked(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, "%v", err)
		return
	}
	if q.Kind == "" {
		q.Kind = ledger.Operator
	}
	list, err := s.cfg.Index.Entries(r.Context(), q)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	reply(w, list)
}
