package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// stand is what a test holds in its hands: the croupiers' mouths, a camera's
// cable, the camera itself. The simulators tell it what croupiers say and what
// the wheel shows; it passes that on to the node, except where a person has taken
// the croupier's place: then it is his to say.
type stand struct {
	url   string // of its own: POST /api/v1/tables/{table}/events, /next, /cut, /plug, /bump
	node  string
	cable string // address that leads to the cameras of PB1 and PB2
	bump  func() error

	mu     sync.Mutex
	person map[string]bool
	lines  map[string][]json.RawMessage
	cut    bool
	conns  map[net.Conn]bool
}

func newStand(t *testing.T, node, cameras string) *stand {
	t.Helper()
	s := &stand{node: node, person: map[string]bool{}, lines: map[string][]json.RawMessage{}, conns: map[net.Conn]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/tables/{table}/events", s.said)
	mux.HandleFunc("GET /next/{table}", s.next)
	mux.HandleFunc("GET /leave/{table}", func(_ http.ResponseWriter, r *http.Request) { s.take(r.PathValue("table"), false) })
	mux.HandleFunc("GET /cut", func(http.ResponseWriter, *http.Request) { s.setCut(true) })
	mux.HandleFunc("GET /plug", func(http.ResponseWriter, *http.Request) { s.setCut(false) })
	mux.HandleFunc("GET /bump", func(w http.ResponseWriter, _ *http.Request) {
		if err := s.bump(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	s.url = srv.URL
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.cable = l.Addr().String()
	t.Cleanup(func() { l.Close(); s.setCut(true) })
	go s.carry(l, cameras)
	return s
}

// said is a simulator's line: the wheel's goes on to the node, the croupier's too
// unless a person stands there.
func (s *stand) said(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var line struct{ Source string }
	if err == nil {
		err = json.Unmarshal(body, &line)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	table := r.PathValue("table")
	s.mu.Lock()
	mine := s.person[table] && line.Source == "terminal"
	if mine {
		s.lines[table] = append(s.lines[table], body)
	}
	s.mu.Unlock()
	if mine {
		return
	}
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, s.node+"api/v1/tables/"+table+"/events", bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	req.Header = r.Header.Clone()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}

func (s *stand) take(table string, person bool) []json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.person[table] = person
	out := s.lines[table]
	delete(s.lines, table)
	return out
}

// next is what a person must say now at a table whose croupier he is from then on.
func (s *stand) next(w http.ResponseWriter, r *http.Request) {
	lines := s.take(r.PathValue("table"), true)
	if lines == nil {
		lines = []json.RawMessage{}
	}
	_ = json.NewEncoder(w).Encode(lines)
}

func (s *stand) setCut(cut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut = cut
	for c := range s.conns {
		if cut {
			c.Close()
		}
	}
}

// carry is the cable between node and cameras.
func (s *stand) carry(l net.Listener, cameras string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", cameras)
		s.mu.Lock()
		if err != nil || s.cut {
			c.Close()
			if err == nil {
				out.Close()
			}
			s.mu.Unlock()
			continue
		}
		s.conns[c], s.conns[out] = true, true
		s.mu.Unlock()
		for _, pair := range [][2]net.Conn{{c, out}, {out, c}} {
			go func() {
				_, _ = io.Copy(pair[0], pair[1])
				pair[0].Close()
				pair[1].Close()
				s.mu.Lock()
				delete(s.conns, pair[0])
				s.mu.Unlock()
			}()
		}
	}
}
