package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/pion/webrtc/v4"
)

// mount is the path under which the server answers.
const mount = "/whep"

// maxBody bounds an SDP.
const maxBody = 256 << 10

const (
	typeSDP      = "application/sdp"
	typeFragment = "application/trickle-ice-sdpfrag"
)

// ServeHTTP answers:
//
//	POST   /whep?cameras=a,b,c   one connection with several cameras, in the order of the video sections
//	POST   /whep/CAMERA          one camera
//	PATCH  /whep/session/ID      further ICE candidates
//	DELETE /whep/session/ID      the end
//
// The rights come from Options.Authorize, usually by "Authorization: Bearer".
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest := strings.Trim(strings.TrimPrefix(r.URL.Path, mount), "/")
	cors(w.Header())
	if r.Method == http.MethodOptions {
		w.Header().Set("Accept-Post", typeSDP)
		w.Header().Set("Accept-Patch", typeFragment)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	var err error
	if id, ok := strings.CutPrefix(rest, "session/"); ok {
		err = s.resource(w, r, id)
	} else {
		err = s.endpoint(w, r, rest)
	}
	if err != nil {
		s.refuse(w, err)
	}
}

// cors admits pages of other sites: tokens, not cookies, give them rights.
func cors(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "OPTIONS, POST, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-Match")
	h.Set("Access-Control-Expose-Headers", "Location, Link, ETag, Accept-Patch")
	h.Set("Access-Control-Max-Age", "600")
	h.Set("Vary", "Origin")
	h.Set("Cache-Control", "no-store")
}

// httpError is an error with its status.
type httpError struct {
	status int
	err    error
}

func (e httpError) Error() string { return e.err.Error() }
func (e httpError) Unwrap() error { return e.err }

func fail(status int, format string, args ...any) error {
	return httpError{status, fmt.Errorf(format, args...)}
}

// refuse answers with problem details (RFC 9457).
func (s *Server) refuse(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var h httpError
	switch {
	case errors.As(err, &h):
		status = h.status
	case errors.Is(err, ErrUnauthorized):
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", `Bearer realm="whep"`)
	case errors.Is(err, ErrForbidden):
		status = http.StatusForbidden
	case errors.Is(err, ErrOffer):
		status = http.StatusBadRequest
	}
	if status >= 500 && !errors.Is(err, context.Canceled) { // who asked may have gone
		s.opts.Log.Error("whep: request failed", "err", err)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": err.Error()})
}

func (s *Server) authorize(r *http.Request, cameras []string) (Grant, error) {
	if s.opts.Authorize == nil {
		return Grant{}, nil
	}
	return s.opts.Authorize(r, cameras)
}

// endpoint opens a session.
func (s *Server) endpoint(w http.ResponseWriter, r *http.Request, path string) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "OPTIONS, POST")
		return fail(http.StatusMethodNotAllowed, "%s: want POST", r.Method)
	}
	cameras := camerasOf(r, path)
	if len(cameras) == 0 {
		return fail(http.StatusNotFound, "no camera named: POST %s/CAMERA or %s?cameras=a,b", mount, mount)
	}
	grant, err := s.authorize(r, cameras)
	if err != nil {
		return err
	}
	body, err := readBody(w, r, typeSDP)
	if err != nil {
		return err
	}
	o, err := parseOffer(body)
	if err != nil {
		return err
	}
	if o.videos < len(cameras) {
		return fail(http.StatusUnprocessableEntity, "%d cameras are asked for, the offer has %d video sections", len(cameras), o.videos)
	}
	x, err := s.open(r, grant, cameras, o, body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", typeSDP)
	w.Header().Set("Location", mount+"/session/"+x.id)
	w.Header().Set("ETag", `"`+x.id[:8]+`"`)
	w.Header().Set("Accept-Patch", typeFragment)
	for _, l := range iceLinks(s.opts.ICE) {
		w.Header().Add("Link", l)
	}
	w.WriteHeader(http.StatusCreated)
	if _, err := io.WriteString(w, x.answer); err != nil {
		x.end("the answer could not be sent")
	}
	return nil
}

// iceLinks names STUN and TURN servers to the viewer (WHEP §4.4).
func iceLinks(servers []webrtc.ICEServer) (out []string) {
	for _, s := range servers {
		for _, u := range s.URLs {
			l := "<" + u + `>; rel="ice-server"`
			if s.Username != "" {
				l += fmt.Sprintf(`; username=%q; credential="%v"; credential-type="password"`, s.Username, s.Credential)
			}
			out = append(out, l)
		}
	}
	return out
}

func camerasOf(r *http.Request, path string) (out []string) {
	if path != "" {
		return []string{path}
	}
	for c := range strings.SplitSeq(r.URL.Query().Get("cameras"), ",") {
		if c = strings.TrimSpace(c); c != "" {
			out = append(out, c)
		}
	}
	return out
}

func readBody(w http.ResponseWriter, r *http.Request, want string) (string, error) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != want {
		return "", fail(http.StatusUnsupportedMediaType, "Content-Type %q: want %s", r.Header.Get("Content-Type"), want)
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return "", fail(http.StatusRequestEntityTooLarge, "body: %w", err)
	}
	return string(b), nil
}

// resource is a session that exists.
func (s *Server) resource(w http.ResponseWriter, r *http.Request, id string) error {
	s.mu.Lock()
	x := s.sessions[id]
	s.mu.Unlock()
	if x == nil {
		return fail(http.StatusNotFound, "no such session; it may have ended")
	}
	cameras := x.cameras
	if r.Method == http.MethodDelete {
		cameras = nil // it may be ended when its cameras are gone
	}
	grant, err := s.authorize(r, cameras)
	if grant.User != x.grant.User && !errors.Is(err, ErrUnauthorized) { // another's: as if it were not there
		return fail(http.StatusNotFound, "no such session; it may have ended")
	}
	if err != nil {
		return err
	}
	switch r.Method {
	case http.MethodDelete:
		x.end("viewer left")
		w.WriteHeader(http.StatusOK)
		return nil
	case http.MethodPatch:
		return x.patch(w, r)
	default:
		w.Header().Set("Allow", "OPTIONS, PATCH, DELETE")
		return fail(http.StatusMethodNotAllowed, "%s: want PATCH or DELETE", r.Method)
	}
}

// patch adds the viewer's candidates. An ICE restart is refused: opening a new
// session is as quick.
func (x *session) patch(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, typeFragment)
	if err != nil {
		return err
	}
	f, err := parseFragment(body)
	if err != nil {
		return err
	}
	if f.ufrag != "" && !strings.Contains(x.offer, "a=ice-ufrag:"+f.ufrag) {
		return fail(http.StatusUnprocessableEntity, "ICE restart is not supported: open a new session")
	}
	for _, c := range f.candidates {
		if err := x.pc.AddICECandidate(c); err != nil {
			return fail(http.StatusBadRequest, "candidate %q: %w", c.Candidate, err)
		}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
