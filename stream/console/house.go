package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/peer"
)

// In a cluster of several machines people speak to one console. What another machine has,
// it answers, in the name of who asks; the machine that is asked looks at role and tables
// itself.

// vouched is who another machine speaks for; an error where nobody may be answered.
func (s *Server) vouched(r *http.Request) (c caller, spoken bool, err error) {
	if s.cfg.Peers == nil {
		return caller{}, false, nil
	}
	claim, err := s.cfg.Peers.Vouched(r)
	if claim == nil || err != nil {
		return caller{}, false, err
	}
	c = caller{peer: true, strong: claim.Strong, bearer: claim.Bearer, at: claim.Session}
	if claim.Host != "" {
		r.RemoteAddr = net.JoinHostPort(claim.Host, "0")
	}
	switch {
	case claim.Machine:
		c.Account = account.Machine(claim.From)
		c.stays = func() bool { return true }
	case claim.User != "":
		acc, ok := s.cfg.Accounts.Find(claim.User)
		if !ok || acc.Proof() != claim.Proof {
			return c, true, errors.New("this machine knows the account otherwise than " + claim.From +
				"; in a moment it will have heard")
		}
		c.Account, c.held = acc, s.cfg.Accounts.Missing(acc, claim.Strong || claim.Bearer)
		counts := s.store.counts(claim.Session, claim.Bearer)
		c.stays = func() bool { return counts() && s.same(c) }
	}
	return c, true, nil
}

// claim is in whose name a request goes to another machine.
func (s *Server) claim(r *http.Request) peer.Claim {
	c := sender(r.Context())
	out := peer.Claim{Host: hostOf(r)}
	if c.Account == nil {
		return out
	}
	out.User, out.Proof, out.Strong, out.Bearer, out.Session = c.User, c.Proof(), c.strong, c.bearer, c.at
	return out
}

// house sends what other machines have to them, and asks all what all may know. What a
// machine is asked by another it answers itself.
func (s *Server) house(here http.Handler) http.Handler {
	if s.cfg.Peers == nil {
		return here
	}
	mux := http.NewServeMux()
	mux.Handle("/", here)
	one := func(patterns string, where func(*http.Request) place) {
		for p := range strings.FieldsSeq(patterns) {
			mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) { s.sendTo(w, r, here, where(r)) })
		}
	}
	one("/api/v1/tables/{table}/{what}", func(r *http.Request) place { return s.atTable(r.PathValue("table")) })
	mux.Handle("/api/v1/tables/{table}/calls", here) // every machine knows the norm
	one("/api/v1/cameras/{camera}/{what} /api/v1/cameras/{camera}/calibration/{what...} "+
		"/api/v1/cameras/{camera}/lens/{what} /preview/{camera} /whep/{camera}",
		func(r *http.Request) place { return s.atCamera(r.PathValue("camera")) })
	mux.Handle("/whep/session/{id}", here) // its address names the machine
	one("/whep", func(r *http.Request) place { return s.atCamera(strings.Split(r.FormValue("cameras"), ",")...) })
	one("/api/v1/alerts/{id}/{what}", func(r *http.Request) place { return s.atAlert(r.PathValue("id")) })
	for _, p := range []string{"POST /api/v1/marks", "DELETE /api/v1/marks", "POST /api/v1/seals", "DELETE /api/v1/seals",
		"POST /api/v1/cases", "POST /api/v1/actas"} {
		mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) { s.sendTo(w, r, here, s.atBody(w, r)) })
	}
	for _, p := range []string{"PUT /api/v1/supervision/{of}/{name}", "POST /api/v1/supervision/check"} {
		mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) { s.sendTo(w, r, here, s.atFloor()) })
	}
	for p, q := range s.questions() {
		mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) { s.askAll(w, r, here, q) })
	}
	for _, p := range []string{"GET /api/v1/clips", "GET /api/v1/tables/{table}/rounds/{round}"} {
		mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) { s.find(w, r, here) })
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := sender(r.Context())
		name := r.URL.Query().Get("node")
		switch {
		case c.peer, c.held != "":
			here.ServeHTTP(w, r)
		case name != "" && name != s.cfg.Peers.Self().Name:
			n, ok := s.cfg.Peers.Node(name)
			if !ok {
				refuse(w, http.StatusNotFound, "no machine %q", name)
				return
			}
			s.sendTo(w, r, here, place{node: &n})
		case name != "":
			here.ServeHTTP(w, r)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// place is where a request is answered; the zero value is here.
type place struct {
	node *peer.Node
	// none says why no machine can answer.
	none string
	// orHere: this machine stands in for one that is away.
	orHere bool
}

// atTable is where a table is run. One that is not there at all is answered for here.
func (s *Server) atTable(id string) place {
	if _, ok := s.table(id); !ok {
		return place{}
	}
	n, ok := s.cfg.Peers.Owner(id)
	switch {
	case !ok:
		return place{none: "no machine runs the table " + id + " now; another takes it over within seconds"}
	case n.Name == s.cfg.Peers.Self().Name:
		return place{}
	}
	return place{node: &n}
}

// atCamera is where the tables of cameras are run; a camera may be named as one of its
// streams.
func (s *Server) atCamera(names ...string) (at place) {
	for i, name := range names {
		name, _, _ = strings.Cut(name, "~")
		var here place
		if t, ok := s.tableWith(name); ok {
			here = s.atTable(t.ID)
		}
		switch {
		case i == 0:
			at = here
		case here.none != "":
			return here
		case (at.node == nil) != (here.node == nil) || at.node != nil && at.node.Name != here.node.Name:
			return place{none: "these cameras are of several machines: a connection for those of each"}
		}
	}
	return at
}

// atAlert is where an alert was raised. Where that machine is away, whoever runs the table
// by now stands in for it, else this one: the acknowledgement is in its ledger, and in that
// of the machine that was away when it is back.
func (s *Server) atAlert(id string) place {
	self := s.cfg.Peers.Self().Name
	a, err := s.cfg.Desk.Get(id)
	if errors.Is(err, alert.ErrUnknown) {
		return s.atTable(strings.SplitN(id, "/", 2)[0]) // of the past
	}
	if a.Node == "" || a.Node == self {
		return place{}
	}
	if n, ok := s.cfg.Peers.Node(a.Node); ok && !n.Away {
		return place{node: &n, orHere: true}
	}
	if n, ok := s.cfg.Peers.Owner(a.Table); ok && n.Name != self && !n.Away {
		return place{node: &n, orHere: true}
	}
	return place{}
}

// atFloor is where it is judged who supervises what.
func (s *Server) atFloor() place {
	name := s.cfg.Leader()
	if name == s.cfg.Peers.Self().Name {
		return place{}
	}
	if n, ok := s.cfg.Peers.Node(name); ok {
		return place{node: &n}
	}
	return place{none: "no machine judges the supervision now; another takes it over within seconds"}
}

// atBody is where the tables or the camera are that a request's body names; the body can
// be read again.
func (s *Server) atBody(w http.ResponseWriter, r *http.Request) place {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<10))
	r.Body = io.NopCloser(bytes.NewReader(raw))
	var in struct {
		Camera, Table string
		Tables        []string
	}
	if err != nil || json.Unmarshal(raw, &in) != nil {
		return place{} // said by who reads it
	}
	switch {
	case in.Camera != "":
		return s.atCamera(in.Camera)
	case in.Table != "":
		return s.atTable(in.Table)
	}
	var at place
	for i, id := range in.Tables {
		here := s.atTable(id)
		if i > 0 && (at.node == nil) != (here.node == nil) || i > 0 && at.node != nil && at.node.Name != here.node.Name {
			return place{none: "these tables are run by several machines: make a case for those of each"}
		}
		at = here
	}
	return at
}

// sendTo has the machine of a place answer.
func (s *Server) sendTo(w http.ResponseWriter, r *http.Request, here http.Handler, at place) {
	switch {
	case at.none != "":
		refuse(w, http.StatusServiceUnavailable, "%s", at.none)
		return
	case at.node == nil:
		here.ServeHTTP(w, r)
		return
	}
	var body []byte
	if at.orHere && r.Body != nil {
		body, _ = io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<10))
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	s.cfg.Peers.Forward(w, r, *at.node, s.claim(r), func(h http.Header) {
		if to := h.Get("Location"); strings.HasPrefix(to, "/whep/session/") {
			h.Set("Location", to+"?node="+url.QueryEscape(at.node.Name))
		}
	}, func(err error) {
		s.cfg.Log.Warn("another machine", "node", at.node.Name, "what", r.Method+" "+r.URL.Path, "err", err)
		if at.orHere && r.Context().Err() == nil {
			r.Body = io.NopCloser(bytes.NewReader(body))
			here.ServeHTTP(w, r)
			return
		}
		w.Header().Set(missingHeader, url.QueryEscape(at.node.Name))
		refuse(w, http.StatusBadGateway, "the machine %s, which has this, does not answer", at.node.Name)
	})
}
