package sensor

import (
	"bytes"
	"cmp"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"vision/internal/fact"
)

// Limits of one request.
const (
	maxBody   = 256 << 10
	maxEvents = 500
	// within is how long a request may take until what is left of it is to be sent again:
	// senders wait no longer.
	within = 10 * time.Second
)

// HTTP answers POST /api/v1/tables/{table}/events: one event or an array of them.
type HTTP struct {
	in    Intake
	token func(table string) string

	mu    sync.Mutex
	paces map[string]*rate.Limiter // of the tables of which somebody has said something
}

// NewHTTP takes events into in. token is a table's own; one without ("") takes events of
// logged-in people only.
func NewHTTP(in Intake, token func(table string) string) *HTTP {
	in.defaults()
	return &HTTP{in: in, token: token, paces: map[string]*rate.Limiter{}}
}

// pace is that of a table.
func (h *HTTP) pace(table string) *rate.Limiter {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.paces[table]
	if p == nil {
		p = newPace()
		h.paces[table] = p
	}
	return p
}

// Serve answers one request for a table, of a sender who is Known or has logged in and may speak
// for its croupier.
func (h *HTTP) Serve(w http.ResponseWriter, r *http.Request, table string) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		var big *http.MaxBytesError
		if errors.As(err, &big) {
			answer(w, http.StatusRequestEntityTooLarge, 0, fmt.Errorf("body over %d bytes: send fewer events at once", maxBody))
		}
		return
	}
	begun := time.Now()
	events, err := parseBody(body)
	if err != nil {
		h.in.Malformed("http "+table, err)
		answer(w, http.StatusBadRequest, 0, err)
		return
	}
	if !h.pace(table).AllowN(time.Now(), len(events)) {
		h.in.Flooding("http " + table)
		w.Header().Set("Retry-After", "5")
		answer(w, http.StatusTooManyRequests, 0, fmt.Errorf("%w: a table takes %d a second; send them again later, with the same ids",
			ErrFlood, time.Second/paceEvery))
		return
	}
	taken, status, errs := 0, http.StatusAccepted, []error(nil)
	for i, e := range events {
		err := h.take(table, e, begun)
		if errors.Is(err, ErrLater) { // what follows it would overtake it
			w.Header().Set("Retry-After", "1")
			status = http.StatusServiceUnavailable
			errs = append(errs, fmt.Errorf("event %d: %w; send it and those after it again, with the same ids", i, err))
			break
		}
		if err != nil {
			status = http.StatusBadRequest
			errs = append(errs, fmt.Errorf("event %d: %w", i, err))
			continue
		}
		taken++
	}
	answer(w, status, taken, errors.Join(errs...))
}

// take takes one event of a request for a table that has begun at a time.
func (h *HTTP) take(table string, e fact.Sensed, begun time.Time) error {
	e.Source = cmp.Or(e.Source, "http")
	if e.Table != "" && e.Table != table {
		err := fmt.Errorf("%w: table %q in a request for table %q", ErrForm, clip(e.Table), table)
		h.in.Malformed(e.Source, err)
		return err
	}
	if time.Since(begun) > within {
		err := fmt.Errorf("%w: the events before it took too long", ErrLater)
		h.in.Refused(e.Source, err)
		return err
	}
	e.Table = table
	return h.in.take(e)
}

// Known reports whether a request has the table's token, and answers it where not. A table
// that is not there is answered alike.
func (h *HTTP) Known(w http.ResponseWriter, r *http.Request, table string) bool {
	tok, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	want := h.token(table)
	if ok && want != "" && subtle.ConstantTimeCompare([]byte(tok), []byte(want)) == 1 {
		return true
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="vision terminal"`)
	answer(w, http.StatusUnauthorized, 0, fmt.Errorf("%w: send the table's token as Authorization: Bearer …", ErrAuth))
	return false
}

// posted is an event as it is sent; what the server knows better is not taken.
type posted struct {
	Table  string         `json:"table"`
	Source string         `json:"source"`
	ID     string         `json:"id"`
	Time   time.Time      `json:"time"`
	Kind   string         `json:"kind"`
	Args   map[string]any `json:"args"`
}

func parseBody(b []byte) ([]fact.Sensed, error) {
	var list []posted
	one := !bytes.HasPrefix(bytes.TrimSpace(b), []byte("["))
	if one {
		list = make([]posted, 1)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var err error
	if one {
		err = d.Decode(&list[0])
	} else {
		err = d.Decode(&list)
	}
	if err == nil && d.More() {
		err = errors.New("more than one JSON value")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v; want {\"id\":…,\"time\":…,\"kind\":…,\"args\":{…}} or an array of these", ErrForm, err)
	}
	if len(list) > maxEvents {
		return nil, fmt.Errorf("%w: %d events; at most %d at once", ErrForm, len(list), maxEvents)
	}
	out := make([]fact.Sensed, len(list))
	for i, p := range list {
		out[i] = fact.Sensed{Table: p.Table, Source: p.Source, ID: p.ID, Time: p.Time, Kind: p.Kind, Args: p.Args}
	}
	return out, nil
}

func answer(w http.ResponseWriter, status, taken int, err error) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	body := map[string]any{"accepted": taken}
	if err != nil {
		body["error"] = err.Error()
	}
	_ = json.NewEncoder(w).Encode(body) // the sender has gone: nothing is left to do
}
