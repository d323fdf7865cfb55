package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"vision/internal/text"
	"vision/stream/account"
	"vision/stream/acta"
	"vision/stream/alert"
	"vision/stream/floor"
	"vision/stream/jornada"
	"vision/stream/statestore"
)

// statuses are those of errors that find fault with what was asked, or with when; any other is a fault
// of this machine. A wrong proof is not 403: the role may do it.
var statuses = []struct {
	err    error
	status int
}{
	{account.ErrWrong, http.StatusBadRequest}, {account.ErrCode, http.StatusBadRequest},
	{acta.ErrRequest, http.StatusBadRequest}, {jornada.ErrSecond, http.StatusBadRequest},
	{account.ErrFactor, http.StatusNotFound}, {account.ErrUnknown, http.StatusNotFound},
	{acta.ErrNothing, http.StatusNotFound}, {alert.ErrUnknown, http.StatusNotFound},
	{floor.ErrUnknown, http.StatusNotFound},
	{account.ErrTaken, http.StatusConflict}, {account.ErrConfigured, http.StatusConflict},
	{account.ErrLastAdmin, http.StatusConflict}, {alert.ErrDone, http.StatusConflict},
	{floor.ErrTaken, http.StatusConflict}, {statestore.ErrChanged, http.StatusConflict},
	{floor.ErrElsewhere, http.StatusServiceUnavailable}, {statestore.ErrAway, http.StatusServiceUnavailable},
	{ErrBeginning, http.StatusServiceUnavailable},
}

// fault is an error with the status that answers it.
type fault struct {
	error
	status int
	wait   time.Duration // until it makes sense to ask again; 0: it is not said
}

// refusal is why a request is not granted.
func refusal(status int, format string, a ...any) error {
	return &fault{error: fmt.Errorf(format, a...), status: status}
}

// tooMany refuses what comes too often; the format says how long to wait.
func tooMany(wait, round time.Duration, format string) error {
	return &fault{fmt.Errorf(format, wait.Round(round)), http.StatusTooManyRequests, wait}
}

// answers handles a request by what it makes, or why that cannot be.
func answers(make func(*http.Request, *Account) (any, error)) handler {
	return func(w http.ResponseWriter, r *http.Request, a *Account) {
		v, err := make(r, a)
		respond(w, v, err)
	}
}

// takes is answers for a small JSON body; what it wants is said to who sends another.
func takes[T any](want string, make func(*http.Request, *Account, T) (any, error)) handler {
	return reads(16<<10, func(err error) error {
		return refusal(http.StatusBadRequest, "body: %v; want %s", err, want)
	}, make)
}

// takesUpTo is answers for a JSON body of so many bytes at most, which others read.
func takesUpTo[T any](most int64, make func(*http.Request, *Account, T) (any, error)) handler {
	return reads(most, func(err error) error { return refusal(http.StatusBadRequest, "body: %v", err) }, make)
}

func reads[T any](most int64, no func(error) error, make func(*http.Request, *Account, T) (any, error)) handler {
	return func(w http.ResponseWriter, r *http.Request, a *Account) {
		var in T
		d := json.NewDecoder(http.MaxBytesReader(w, r.Body, most))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			deny(w, no(err))
			return
		}
		v, err := make(r, a, in)
		respond(w, v, err)
	}
}

func statusOf(err error) int {
	var by *fault
	var no *Refusal
	var room *floor.MalformedError
	var step *jornada.MalformedError
	switch {
	case errors.As(err, &by):
		return by.status
	case errors.As(err, &no) && no.Poor:
		return http.StatusUnprocessableEntity
	case errors.As(err, &no), errors.As(err, &room), errors.As(err, &step):
		return http.StatusBadRequest
	}
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			return s.status
		}
	}
	return http.StatusInternalServerError
}

// deny answers with an error; what the norm forbids comes with its findings.
func deny(w http.ResponseWriter, err error) {
	var weak *account.Weak
	var by *fault
	var room *floor.Forbidden
	var step *jornada.Forbidden
	switch {
	case errors.As(err, &weak):
		reject(w, http.StatusBadRequest, struct {
			Error string `json:"error"`
			text.Localized
		}{weak.EN, text.Text(*weak).Localized()})
	case errors.As(err, &room):
		reject(w, http.StatusConflict, map[string]any{"error": err.Error(), "findings": room.Findings})
	case errors.As(err, &step):
		reject(w, http.StatusConflict, map[string]any{"error": err.Error(), "findings": step.Findings})
	default:
		if statusOf(err) == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Bearer realm="vision"`)
		}
		if errors.Is(err, ErrBeginning) {
			w.Header().Set("Retry-After", "1")
		} else if errors.As(err, &by) && by.wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(by.wait.Seconds())+1))
		}
		refuse(w, statusOf(err), "%v", err)
	}
}

// respond writes v as JSON, or why there is none.
func respond(w http.ResponseWriter, v any, err error) {
	if err != nil {
		deny(w, err)
		return
	}
	reply(w, v)
}

// reply writes v as JSON.
func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		// The status is sent already; the connection is the only thing left to break.
		panic(http.ErrAbortHandler)
	}
}

// refuse writes one clear error as JSON.
func refuse(w http.ResponseWriter, status int, format string, a ...any) {
	reject(w, status, map[string]string{"error": fmt.Sprintf(format, a...)})
}

// reject writes an error that says more than one sentence.
func reject(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
