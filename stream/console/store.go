package console

import (
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
)

// memory keeps the sessions. It needs no goroutine: the expired ones go when
// others are written.
type memory struct {
	mu    sync.Mutex
	now   func() time.Time
	swept time.Time
	items map[string]kept
}

type kept struct {
	data    []byte
	expires time.Time
}

// sweepEvery is how often expired sessions are looked for at most.
const sweepEvery = time.Minute

// NewSessions makes a store of sessions that may outlive a console.
func NewSessions() scs.Store { return newMemory() }

func newMemory() *memory { return &memory{now: time.Now, items: map[string]kept{}} }

// Find implements scs.Store.
func (m *memory) Find(token string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.items[token]
	if !ok || !m.now().Before(k.expires) {
		return nil, false, nil
	}
	return k.data, true, nil
}

// Commit implements scs.Store.
func (m *memory) Commit(token string, data []byte, expires time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items[token] = kept{data, expires}
	now := m.now()
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
func (m *memory) Delete(token string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.items, token)
	return nil
}
