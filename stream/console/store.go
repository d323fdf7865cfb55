package console

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"vision/internal/durable"
	"vision/stream/statestore"
)

// Sessions keeps who is logged in, and the bearer tokens, by the SHA-256 of their tokens (what is kept
// opens nothing by itself), and over restarts where it was opened on a file. It
// needs no goroutine: the expired ones go when others are written. It may outlive a
// console.
type Sessions struct {
	path string // "" = in memory alone
	log  *slog.Logger

	mu    sync.Mutex
	now   func() time.Time
	swept time.Time
	saved time.Time // zero: something has to be kept that is not on the disk yet
	items map[string]kept
	// grants are bearer tokens.
	grants map[string]grant
	share  *statestore.Store // nil: this machine is the only one
}

// kept is a session, in memory and on the disk.
type kept struct {
	Data    []byte    `json:"data"` // nil: ended; a request that was under way must not bring it back
	Expires time.Time `json:"expires"`
	Seen    time.Time `json:"seen"`
	told    time.Time // when it expires as the other machines know it
}

// lives reports whether a session counts still.
func (m *Sessions) lives(k kept) bool { return k.Data != nil && m.now().Before(k.Expires) }

// sweepEvery is how often expired sessions are looked for at most, and how often
// the file is written for no more than that somebody was seen again.
const sweepEvery = time.Minute

// NewSessions makes a store of sessions that are in memory alone.
func NewSessions() *Sessions {
	return &Sessions{
		log: slog.New(slog.DiscardHandler), now: time.Now, items: map[string]kept{}, grants: map[string]grant{},
	}
}

// sessionsFile is what stands on the disk.
type sessionsFile struct {
	Version  int              `json:"version"`
	Sessions map[string]kept  `json:"sessions"` // by stored(token)
	Tokens   map[string]grant `json:"tokens"`
}

// OpenSessions goes on with the sessions of a file, which need not be there yet.
// One that cannot be read is said in the log and counts as none: people log in again.
func OpenSessions(path string, log *slog.Logger) *Sessions {
	m := NewSessions()
	m.path, m.log = path, log
	var f sessionsFile
	if err := durable.ReadJSON(path, &f); err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Error("sessions cannot be read; everybody has to log in again", "err", err)
		return m
	}
	maps.Copy(m.items, f.Sessions)
	maps.Copy(m.grants, f.Tokens)
	maps.DeleteFunc(m.items, func(_ string, k kept) bool { return !m.lives(k) })
	maps.DeleteFunc(m.grants, func(_ string, g grant) bool { return !m.now().Before(g.Expires) })
	return m
}

// save writes the file; it is called with the lock held. Where it fails people go
// on working, and the next request tries again.
func (m *Sessions) save() {
	if m.path == "" {
		return
	}
	f := sessionsFile{Version: 1, Sessions: maps.Clone(m.items), Tokens: m.grants}
	maps.DeleteFunc(f.Sessions, func(_ string, k kept) bool { return k.Data == nil })
	m.saved = m.now()
	if err := durable.WriteJSON(m.path, f); err != nil {
		m.saved = time.Time{}
		m.log.Error("sessions cannot be kept over a restart", "err", err)
	}
}

// Close keeps when everybody was seen last.
func (m *Sessions) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.save()
}

// stored is the form of a token that is kept: scs's own, with HashTokenInStore.
func stored(token string) string {
	if token == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Find implements scs.Store.
func (m *Sessions) Find(token string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.items[token]
	if !m.lives(k) {
		return nil, false, nil
	}
	return k.Data, true, nil
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
	k, known := m.items[token]
	if !known || k.Data != nil {
		m.items[token] = kept{append([]byte{}, data...), expires, now, k.told}
		if !known || expires.Sub(k.told) >= toldEvery || !sameSession(k.Data, data) {
			m.publishSession(token)
		}
	}
	if now.Sub(m.swept) >= sweepEvery {
		m.swept = now
		maps.DeleteFunc(m.items, func(_ string, k kept) bool { return !now.Before(k.Expires) })
	}
	if !known || now.Sub(m.saved) >= sweepEvery {
		m.save()
	}
	return nil
}

// Delete implements scs.Store.
func (m *Sessions) Delete(token string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.items[token]; ok {
		m.items[token] = kept{Expires: m.now().Add(sessionLife)}
		m.publishSession(token)
		m.save()
	}
	return nil
}

// All implements scs.IterableStore.
func (m *Sessions) All() (map[string][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string][]byte{}
	for t, k := range m.items {
		if m.lives(k) {
			out[t] = k.Data
		}
	}
	return out, nil
}

func (m *Sessions) seen(token string) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.items[token].Seen
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

	token string // as it is kept
}

// session is the sender's session as the store knows it, "" where there is none.
func (s *Server) session(ctx context.Context) string { return stored(s.sessions.Token(ctx)) }

// sessionsOf lists a user's sessions, newest first; current is the asker's, as kept.
func (s *Server) sessionsOf(ctx context.Context, user, current string) ([]Session, error) {
	out := []Session{}
	err := s.sessions.Iterate(ctx, func(c context.Context) error {
		if s.sessions.GetString(c, keyUser) != user {
			return nil
		}
		tok := s.sessions.Token(c)
		out = append(out, Session{
			ID:    s.sessions.GetString(c, keyID),
			Begun: time.UnixMilli(s.sessions.GetInt64(c, keyBegun)).UTC(),
			Seen:  s.store.seen(tok).UTC(),
			Host:  s.sessions.GetString(c, keyHost),
			Agent: s.sessions.GetString(c, keyAgent),
			This:  tok == current,
			token: tok,
		})
		return nil
	})
	slices.SortFunc(out, func(a, b Session) int { return cmp.Or(b.Begun.Compare(a.Begun), cmp.Compare(a.ID, b.ID)) })
	return out, err
}

// endSessions ends a user's sessions but one ("" = all), and all tokens.
func (s *Server) endSessions(ctx context.Context, user, but string) error {
	s.store.revoke(user)
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
