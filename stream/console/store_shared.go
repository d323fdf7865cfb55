package console

import (
	"encoding/json"
	"errors"
	"reflect"
	"time"

	"github.com/alexedwards/scs/v2"

	"vision/stream/statestore"
)

// Sessions and tokens that all members know alike: who has logged in at one
// console is logged in at all, and who has logged out is nowhere. Both hold at once where
// they happen, also without Redis, and reach the others when they can.

// Kinds of shared records.
const (
	sharedSession = "session"
	sharedToken   = "token"
)

// toldEvery is how much later a session may expire than the others know.
const toldEvery = 10 * time.Minute

// Share lets the other machines of a house know the sessions, and takes theirs.
func (m *Sessions) Share(s *statestore.Store) error {
	m.mu.Lock()
	m.share = s
	m.mu.Unlock()
	err := errors.Join(
		s.Register(sharedSession, statestore.Kind{Apply: m.onSession, Final: true}),
		s.Register(sharedToken, statestore.Kind{Apply: m.onToken, Final: true}))
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, k := range m.items {
		if _, known := s.Get(sharedSession + "/" + key); !known && k.Data != nil {
			m.publishSession(key)
		}
	}
	for key, g := range m.grants {
		if _, known := s.Get(sharedToken + "/" + key); !known {
			m.publish(sharedToken, key, g, g.Expires)
		}
	}
	return err
}

// publishSession publishes a session as it is; called with the lock held.
func (m *Sessions) publishSession(key string) {
	if m.share == nil {
		return
	}
	k := m.items[key]
	k.told = k.Expires
	m.items[key] = k
	var value any
	if k.Data != nil {
		value = k.Data
	}
	m.publish(sharedSession, key, value, k.Expires)
}

// publish has the other machines know a value until it ends, or that there is none (nil).
func (m *Sessions) publish(kind, key string, value any, ends time.Time) {
	if m.share == nil {
		return
	}
	var raw json.RawMessage
	if value != nil {
		raw, _ = json.Marshal(value) // bytes, strings and a time always can be
	}
	if _, err := m.share.Set("", kind+"/"+key, raw, ends); err != nil {
		m.log.Error("a "+kind+" is not kept for the other machines", "err", err)
	}
}

// onSession takes a session of another machine.
func (m *Sessions) onSession(r statestore.Record) error {
	data, on, err := statestore.Value[[]byte](r)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	was, known := m.items[r.Name()]
	switch {
	case !on:
		m.items[r.Name()] = kept{Expires: r.Ends}
	case !known || was.Data != nil:
		seen := r.At
		if was.Seen.After(seen) {
			seen = was.Seen
		}
		m.items[r.Name()] = kept{data, r.Ends, seen, r.Ends}
	}
	m.saved = time.Time{} // with the next request
	return nil
}

// onToken takes a token of another machine.
func (m *Sessions) onToken(r statestore.Record) error {
	g, on, err := statestore.Value[grant](r)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if on {
		m.grants[r.Name()] = g
	} else {
		delete(m.grants, r.Name())
	}
	m.saved = time.Time{}
	return nil
}

// counts is whether a session, or a token, of another machine counts still. One that this
// machine has not heard of yet does; one that it had heard of and that ended, or whose time is
// over, does not.
func (m *Sessions) counts(key string, token bool) func() bool {
	kind, heard := sharedSession, false
	if token {
		kind = sharedToken
	}
	return func() bool {
		m.mu.Lock()
		s := m.share
		m.mu.Unlock()
		if s == nil {
			return true
		}
		r, known := s.Get(kind + "/" + key)
		heard = heard || known
		return known && !r.Gone() || !heard
	}
}

// sameSession reports whether two forms of a session are equal: they are maps, which
// are written in any order.
func sameSession(a, b []byte) bool {
	var c scs.GobCodec
	_, x, err1 := c.Decode(a)
	_, y, err2 := c.Decode(b)
	return err1 == nil && err2 == nil && reflect.DeepEqual(x, y)
}
