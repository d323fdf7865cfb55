package console

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

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
				return out, refusal(http.StatusBadRequest, "%s %q: want a time of RFC 3339", name, v)
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
				return out, refusal(http.StatusBadRequest, "%s %q: want %d to %d", n.name, v, n.min, n.max)
			}
		}
	}
	if out.Card = q.Get("card"); out.Card != "" && !aCard.MatchString(out.Card) {
		return out, refusal(http.StatusBadRequest, "card %q: want a rank, or rank and suit, like K or Td", out.Card)
	}
	if v := q.Get("amount"); v != "" {
		if out.Amount, err = strconv.ParseInt(v, 10, 64); err != nil || out.Amount < 0 {
			return out, refusal(http.StatusBadRequest, "amount %q: want cents", v)
		}
	}
	if v := q.Get("reviewed"); v != "" {
		out.Reviewed = new(v == "true")
	}
	return out, nil
}

// review is the queue of alerts, past ones too, with what the caller has looked at.
func (s *Server) review(r *http.Request, a *Account) (any, error) {
	q, err := asked(r.URL.Query())
	if err != nil {
		return nil, err
	}
	q.Reviewer = a.User
	return s.cfg.Index.Alerts(r.Context(), within(a, q))
}

func (s *Server) rounds(r *http.Request, _ *Account) (any, error) {
	table := r.PathValue("table")
	q, err := asked(r.URL.Query())
	if err != nil {
		return nil, err
	}
	q.Table = table
	if r.URL.Query().Get("limit") == "" {
		q.Limit = 20
	}
	list, err := s.cfg.Index.Rounds(r.Context(), q)
	if err != nil {
		return nil, refusal(http.StatusInternalServerError, "rounds of %s: %v", table, err)
	}
	return list, nil
}

// search finds rounds of all of the caller's tables.
func (s *Server) search(r *http.Request, a *Account) (any, error) {
	q, err := asked(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return s.cfg.Index.Rounds(r.Context(), within(a, q))
}

// round is one round with its record and verdict, as the ledger has them.
func (s *Server) round(r *http.Request, _ *Account) (any, error) {
	table := r.PathValue("table")
	o, err := s.cfg.Index.Round(r.Context(), table, r.PathValue("round"))
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
	if errors.Is(err, sql.ErrNoRows) {
		err = refusal(http.StatusNotFound, "no round %q of %s", r.PathValue("round"), table)
	}
	return out, err
}

// act puts what a person did into the ledger before it answers.
func (s *Server) act(r *http.Request, act Act) error { return s.cfg.Audit(r.Context(), act) }

type reviewedBody struct {
	Reviewed bool `json:"reviewed"`
}

func (s *Server) reviewed(r *http.Request, a *Account, in reviewedBody) (any, error) {
	action := index.ActUnreviewed
	if in.Reviewed {
		action = index.ActReviewed
	}
	return in, s.act(r, Act{User: a.User, Action: action, Object: r.PathValue("id"), Table: s.tableOfAlert(r)})
}

func (s *Server) notes(r *http.Request, _ *Account) (any, error) {
	return s.cfg.Index.Notes(r.Context(), r.PathValue("id"))
}

// maxNote is the longest note, in bytes.
const maxNote = 4000

type noteBody struct {
	Text string `json:"text"`
}

func (s *Server) addNote(r *http.Request, a *Account, in noteBody) (any, error) {
	if in.Text == "" || len(in.Text) > maxNote {
		return nil, refusal(http.StatusBadRequest, "text of %d bytes: want 1 to %d", len(in.Text), maxNote)
	}
	act := Act{User: a.User, Action: index.ActNote, Object: r.PathValue("id"), Text: in.Text, Table: s.tableOfAlert(r)}
	return index.Note{Person: a.User, Time: time.Now().UTC(), Text: in.Text}, s.act(r, act)
}

// maxClip and maxTimeline are the longest stretches that one request may ask for.
const (
	maxClip     = 10 * time.Minute
	maxTimeline = 25 * time.Hour
)

// stretch reads which camera and what time a request is about.
func (s *Server) stretch(r *http.Request, limit time.Duration) (camera, table string, from, to time.Time, err error) {
	q := r.URL.Query()
	camera = q.Get("camera")
	t, _ := s.tableWith(camera)
	if err = s.may(r, See, s.cameraObject(camera)); err != nil {
		return
	}
	from, err1 := time.Parse(time.RFC3339Nano, q.Get("from"))
	to, err2 := time.Parse(time.RFC3339Nano, q.Get("to"))
	if err1 != nil || err2 != nil || !to.After(from) || to.Sub(from) > limit {
		err = refusal(http.StatusBadRequest, "from and to: want two RFC 3339 times in order, at most %v apart", limit)
	}
	return camera, t.ID, from, to, err
}

// clip is a stretch of recording; its headers say which time of day it begins and
// ends at, so that a player can place it. Where nothing is recorded, as always beyond
// the live end, there is no content, which is no error.
func (s *Server) clip(w http.ResponseWriter, r *http.Request, a *Account) {
	camera, table, from, to, err := s.stretch(r, maxClip)
	away := r.URL.Query().Has("download")
	if err == nil && away {
		err = s.may(r, Export, s.cameraObject(camera))
	}
	if err != nil {
		deny(w, err)
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
		if err := s.act(r, Act{User: a.User, Action: "export", Object: table + "/" + camera, Text: span, Table: table}); err != nil {
			deny(w, err)
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

type markBody struct {
	Camera string    `json:"camera"`
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
}

// mark sets a mark in a camera's recording, or takes one's own back.
func (s *Server) mark(action string) handler {
	const want = `{"camera":"bj1","at":"2026-11-21T20:00:00Z","text":"…"}`
	return takes(want, func(r *http.Request, a *Account, in markBody) (any, error) {
		t, _ := s.tableWith(in.Camera)
		if err := s.may(r, Acknowledge, s.cameraObject(in.Camera)); err != nil {
			return nil, err
		}
		if in.At.IsZero() || len(in.Text) > maxNote {
			return nil, refusal(http.StatusBadRequest, "mark: want a time, and text of at most %d bytes", maxNote)
		}
		m := index.Mark{Camera: in.Camera, At: in.At, Person: a.User, Text: in.Text}
		return m, s.act(r, Act{User: a.User, Action: action, Object: m.Object(), Text: in.Text, Table: t.ID})
	})
}

// timeline is what there is of a camera: recorded spans and gaps, and what
// happened at its table meanwhile.
func (s *Server) timeline(r *http.Request, _ *Account) (any, error) {
	camera, table, from, to, err := s.stretch(r, maxTimeline)
	if err != nil {
		return nil, err
	}
	q := index.Query{Table: table, From: from, To: to, Limit: 5000, Oldest: true}
	rounds, err1 := s.cfg.Index.Rounds(r.Context(), q)
	alerts, err2 := s.cfg.Index.Alerts(r.Context(), q)
	marks, err3 := s.cfg.Index.Marks(r.Context(), index.Query{Camera: camera, From: from, To: to, Limit: 5000})
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	spans := append([]record.Span{}, s.cfg.Timeline(camera, from, to)...) // never null
	return map[string]any{"camera": camera, "table": table, "from": from, "to": to, "spans": spans, "rounds": rounds, "alerts": alerts, "marks": marks}, nil
}

// auditTrail is what people did, newest first. An account that is limited to tables is
// shown what belongs to these, and what it did itself.
func (s *Server) auditTrail(r *http.Request, a *Account) (any, error) {
	q, err := asked(r.URL.Query())
	if err != nil {
		return nil, err
	}
	q.Kind = cmp.Or(q.Kind, ledger.Operator)
	if q = within(a, q); q.Tables != nil {
		q.Own = a.User
	}
	return s.cfg.Index.Entries(r.Context(), q)
}
