package console

import (
	"crypto/rand"
	"net/http"
	"time"

	"vision/stream/account"
)

// grant is a bearer token of a player or program, as it is kept: by the token's
// SHA-256, which opens nothing.
type grant struct {
	User    string    `json:"user"`
	Proof   string    `json:"proof"` // account.Proof when it was made: another password ends it, wherever it was changed
	Expires time.Time `json:"expires"`
}

const (
	tokenLife = 12 * time.Hour
	// maxTokens bounds those of one account: the one that ends first makes room.
	maxTokens = 64
)

// issue makes a token of 130 random bits.
func (m *Sessions) issue(user, proof string, now time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	first, n := "", 0
	for k, g := range m.grants {
		switch {
		case !now.Before(g.Expires):
			delete(m.grants, k)
		case g.User == user:
			if n++; first == "" || g.Expires.Before(m.grants[first].Expires) {
				first = k
			}
		}
	}
	if n >= maxTokens {
		delete(m.grants, first)
	}
	tok := rand.Text()
	g := grant{user, proof, now.Add(tokenLife)}
	m.grants[stored(tok)] = g
	m.publish(sharedToken, stored(tok), g, g.Expires)
	m.save()
	return tok
}

// granted is whose a token is.
func (m *Sessions) granted(tok string, now time.Time) (grant, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g, ok := m.grants[stored(tok)]
	return g, ok && now.Before(g.Expires)
}

// revoke makes all tokens of a user count no more.
func (m *Sessions) revoke(user string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	had := len(m.grants)
	for k, g := range m.grants {
		if g.User == user {
			delete(m.grants, k)
			m.publish(sharedToken, k, nil, g.Expires)
		}
	}
	if len(m.grants) < had {
		m.save()
	}
}

// bearerOf is the account of a token, nil where it counts for nothing.
func (s *Server) bearerOf(tok string) *account.Account {
	g, ok := s.store.granted(tok, time.Now())
	if !ok {
		return nil
	}
	a, ok := s.cfg.Accounts.Find(g.User)
	if !ok || a.Proof() != g.Proof {
		return nil
	}
	return a
}

// token gives a token to somebody who has logged in; a token makes no others, or
// it would never end.
func (s *Server) token(r *http.Request, a *Account) (any, error) {
	if sender(r.Context()).bearer {
		return nil, refusal(http.StatusForbidden, "a token makes no other: log in")
	}
	s.audit(r, a.User, "token", "")
	return map[string]any{"token": s.store.issue(a.User, a.Proof(), time.Now()), "expires_in": int(tokenLife.Seconds())}, nil
}
