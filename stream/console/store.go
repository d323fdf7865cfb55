package console

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
)

// Sessions keeps who is logged in. It needs no goroutine: the expired ones go
// when others are written. It may outlive a console.
type Sessions struct {
	mu    sync.Mutex
	now   func() time.Time
	swept time.Time
	items map[string]kept
}

type kept struct {
	data    []byte // nil: ended; a request that was under way must not bring it back
	expires time.Time
	seen    time.Time
}

// sweepEvery is how often expired sessions are looked for at most.
const sweepEvery = time.Minute

// NewSessions makes a store of sessions that may outlive a console.
func NewSessions() *Sessions { return &Sessions{now: time.Now, items: map[string]kept{}} }

// Find implements scs.Store.
func (m *Sessions) Find(token string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.items[token]
	if !ok || k.data == nil || !m.now().Before(k.expires) {
		return nil, false, nil
	}
	return k.data, true, nil
}

func (m *Sessions) has(token string) bool {
	_, ok, _ := m.Find(token)
	return ok
}

// Commit implements scs.Store.
func (m *Sessions) Commit(token string, data []byte, expires time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if k, ok := m.items[token]; !ok || k.data != nil {
		m.items[token] = kept{append([]byte{}, data...), expires, now}
	}
	if now.Sub(m.swept) < sweepEvery {
		return nil
	}
	m.swept = now
	for t, k := range m.items {
		if !now.Before(k.expires) {
			delete(m.items, t)
		}
	}
	return nil
}

// Delete implements scs.Store.
func (m *Sessions) Delete(token string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.items[token]; ok {
		m.items[token] = kept{expires: m.now().Add(sessionLife)}
	}
	return nil
}

// All implements scs.IterableStore.
func (m *Sessions) All() (map[string][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string][]byte{}
	for t, k := range m.items {
		if k.data != nil && m.now().Before(k.expires) {
			out[t] = k.data
		}
	}
	return out, nil
}

func (m *Sessions) seen(token string) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.items[token].seen
}

var _ scs.IterableStore = (*Sessions)(nil)

// Session is one place where somebody is logged in.
type Session struct {
	ID    string    `json:"id"`
	Begun time.Time `json:"begun"`
	Seen  time.Time `json:"seen"`
	Host  string    `json:"host"`  // address it was begun from
	Agent string    `json:"agent"` // what the browser called itself
	This  bool      `json:"this"`  // the one that asks

	token string
}

// sessionsOf lists a user's sessions, newest first; current is the asker's token.
func (s *Server) sessionsOf(ctx context.Context, user, current string) ([]Session, error) {
	out := []Session{}
	err := s.sessions.Iterate(ctx, func(c context.Context) error {
		if s.sessions.GetString(c, keyUser) != user {
			return nil
		}
		tok := s.sessions.Token(c)
		out = append(out, Session{ID: s.sessions.GetString(c, keyID), Begun: time.UnixMilli(s.sessions.GetInt64(c, keyBegun)).UTC(), Seen: s.store.seen(tok).UTC(),
			Host: s.sessions.GetString(c, keyHost), Agent: s.sessions.GetString(c, keyAgent), This: tok == current, token: tok})
		return nil
	})
	slices.SortFunc(out, func(a, b Session) int { return cmp.Or(b.Begun.Compare(a.Begun), cmp.Compare(a.ID, b.ID)) })
	return out, err
}

// endSessions ends a user's sessions but one ("" = all), and all tokens.
func (s *Server) endSessions(ctx context.Context, user, but string) error {
	s.tokens.end(user, time.Now())
	list, err := s.sessionsOf(ctx, user, but)
	if err != nil {
		return err
	}
	for _, x := range list {
		if x.token != but {
			if err := s.store.Delete(x.token); err != nil {
				return err
			}
		}
	}
	return nil
}
