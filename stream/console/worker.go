package console

import (
	"fmt"
	"net/http"
	"strings"
)

// A machine that only runs tables (role worker) has no console: pages, log-in and all that people
// do are on the other members, which ask this one in their name. Beside them it answers
// those who come to it directly: players of video, senders of calls and sensors, and who watches
// over machines.

// direct is what a worker answers to others than the members.
var direct = []string{
	"GET /livez", "GET /readyz", "GET /metrics", "GET /api/v1/health",
	"POST /api/v1/tables/{table}/events",
	"GET /preview/{camera}", "/whep", "/whep/{camera}", "/whep/session/{id}",
}

// worker lets through what a machine without a console answers; it is everything where this one
// has a console.
func (s *Server) worker(next http.Handler) http.Handler {
	if !s.cfg.Worker {
		return next
	}
	mux := http.NewServeMux()
	for _, p := range direct {
		mux.Handle(p, next)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if sender(r.Context()).peer {
			next.ServeHTTP(w, r)
			return
		}
		said := "this machine runs tables and has no console (role: worker)"
		if at := s.consoles(); at != "" {
			said += "; the house's consoles: " + at
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			refuse(w, http.StatusNotFound, "%s", said)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, said, http.StatusNotFound)
	})
	return mux
}

// consoles are the addresses of the members that have one, as far as they are there.
func (s *Server) consoles() string {
	var out []string
	if s.cfg.Peers != nil {
		for _, n := range s.cfg.Peers.Nodes() {
			if has := n.Role != "worker" && !n.Away; has {
				out = append(out, fmt.Sprintf("%s (%s)", n.Address, n.Name))
			}
		}
	}
	return strings.Join(out, ", ")
}
