package console

import (
	"net/http"
	"sync"
	"time"

	"vision/stream/ledger"
)

// LedgerCheck is whether the ledger is as it was written: the last time that somebody
// asked.
type LedgerCheck struct {
	Running bool           `json:"running"`
	By      string         `json:"by,omitempty"` // who asked
	Begun   time.Time      `json:"begun,omitzero"`
	Ended   time.Time      `json:"ended,omitzero"`
	Report  *ledger.Report `json:"report,omitempty"`
	Error   string         `json:"error,omitempty"` // it could not be read
}

// checked is the check that runs, or ran last.
type checked struct {
	mu  sync.Mutex
	now LedgerCheck
}

// verified says how the last check came out, or that one runs.
func (s *Server) verified(*http.Request, *Account) (any, error) {
	s.checked.mu.Lock()
	defer s.checked.mu.Unlock()
	return s.checked.now, nil
}

// verify has the whole ledger checked, one time at once; the answer comes later.
func (s *Server) verify(r *http.Request, a *Account) (any, error) {
	p := &s.checked
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now.Running {
		return nil, refusal(http.StatusConflict, "it is being checked already")
	}
	if err := s.act(r, Act{User: a.User, Action: "verify"}); err != nil {
		return nil, err
	}
	p.now = LedgerCheck{Running: true, By: a.User, Begun: time.Now().UTC()}
	go func() {
		report, err := s.cfg.Verify()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.now.Running, p.now.Ended = false, time.Now().UTC()
		if err != nil {
			p.now.Error = err.Error()
			return
		}
		p.now.Report = &report
	}()
	return p.now, nil
}
