package login

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// Transport logs in over HTTP, with Digest; with Basic within TLS alone. One client of one
// device uses it.
type Transport struct {
	User, Pass string
	Way        http.RoundTripper

	mu        sync.Mutex
	challenge *Challenge // of the answer before
}

// RoundTrip sends a request, and again with a log-in where it is asked for. A password
// that was refused is not sent a second time.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for fresh := false; ; fresh = true {
		one, err := t.prove(r)
		if err != nil {
			return nil, err
		}
		res, err := t.Way.RoundTrip(one)
		if err != nil || res.StatusCode != http.StatusUnauthorized {
			return res, err
		}
		old := t.challenge
		t.challenge, err = Choose(res.Header.Values("WWW-Authenticate"))
		switch {
		case fresh && (err != nil || !t.challenge.Stale() || old.Stale()):
			t.challenge = nil
			return res, nil
		case err == nil && t.challenge.digest == nil && r.URL.Scheme != "https":
			err = &UnsupportedError{[]string{"Basic without TLS"}}
		}
		var unknown *UnsupportedError
		if errors.As(err, &unknown) && len(unknown.Methods) == 0 {
			t.challenge = nil
			return res, nil // it wants another way than HTTP's
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16)) // for the connection's sake
		res.Body.Close()
		if err != nil {
			t.challenge = nil
			return nil, err
		}
	}
}

// prove is a copy of a request with what the last challenge asks for.
func (t *Transport) prove(r *http.Request) (*http.Request, error) {
	out := r.Clone(r.Context())
	var body []byte
	if r.GetBody != nil {
		again, err := r.GetBody()
		if err == nil {
			body, err = io.ReadAll(again)
		}
		if err != nil {
			return nil, fmt.Errorf("log-in: %w", err)
		}
		out.Body = io.NopCloser(bytes.NewReader(body))
	}
	if t.challenge == nil {
		return out, nil
	}
	proof, err := t.challenge.Answer(t.User, t.Pass, r.Method, r.URL.RequestURI(), body)
	if err != nil {
		return nil, err
	}
	out.Header.Set("Authorization", proof)
	return out, nil
}

// CloseIdleConnections ends those that are kept for the next request.
func (t *Transport) CloseIdleConnections() {
	if c, ok := t.Way.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
