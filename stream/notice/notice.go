// Package notice hands small JSON messages (overlays, table states, alerts,
// health) to those who watch. The data channel of a viewer's connection and the
// server-sent events both read from it.
package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// Message is one notice as viewers get it.
type Message struct {
	Type  string          `json:"type"`            // "overlay", "state", "age", "alert", "health", "round", "supervision"
	Table string          `json:"table,omitempty"` // "" concerns the whole node
	Key   string          `json:"key,omitempty"`   // which of its type and table: a camera, an alert
	Body  json.RawMessage `json:"body"`

	relayed bool // another machine has told it
}

// Hub is the one place that notices pass through. It keeps the newest message of
// each type, table and key that was retained, so that whoever joins knows the
// state at once.
type Hub struct {
	mu   sync.Mutex
	subs map[*Sub]struct{}
	kept map[[3]string]Message
	keys [][3]string // in order of first retention
}

// NewHub makes an empty hub.
func NewHub() *Hub { return &Hub{subs: map[*Sub]struct{}{}, kept: map[[3]string]Message{}} }

// Publish sends body to all who watch the table. It never waits.
func (h *Hub) Publish(typ, table, key string, body any) error {
	return h.send(typ, table, key, body, false, false)
}

// Retain is Publish, and keeps the message for those who join later.
func (h *Hub) Retain(typ, table, key string, body any) error {
	return h.send(typ, table, key, body, true, false)
}

// Relay is Retain of what another member has published. It is not relayed to machines
// (SubscribeOwn): they hear it from where it comes from, and would tell it one another for ever.
func (h *Hub) Relay(typ, table, key string, body any) error {
	return h.send(typ, table, key, body, true, true)
}

func (h *Hub) send(typ, table, key string, body any, keep, relayed bool) error {
	b, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("notice %s of %s: %w", typ, table, err)
	}
	m := Message{Type: typ, Table: table, Key: key, Body: b, relayed: relayed}
	h.mu.Lock()
	defer h.mu.Unlock()
	if keep {
		k := [3]string{typ, table, key}
		if _, ok := h.kept[k]; !ok {
			h.keys = append(h.keys, k)
		}
		h.kept[k] = m
	}
	for s := range h.subs {
		s.put(m)
	}
	return nil
}

// View is what a subscriber may see of a message; false: nothing.
type View func(m Message) (Message, bool)

// Subscribe joins. A nil view sees everything.
func (h *Hub) Subscribe(view View) *Sub { return h.join(&Sub{view: view}) }

// SubscribeOwn subscribes for another member, which gets what is of this one.
func (h *Hub) SubscribeOwn() *Sub { return h.join(&Sub{own: true}) }

func (h *Hub) join(s *Sub) *Sub {
	s.hub, s.more = h, make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.keys {
		s.put(h.kept[k])
	}
	h.subs[s] = struct{}{}
	return s
}

// queueLimit bounds what a slow subscriber holds.
const queueLimit = 1024

// Sub is one subscription.
type Sub struct {
	hub  *Hub
	view View
	own  bool // not what other machines have told
	more chan struct{}

	mu    sync.Mutex
	queue []Message
}

// put queues m. A newer overlay, state or age replaces one still waiting; when the
// queue is full all the same, the oldest goes.
func (s *Sub) put(m Message) {
	if s.own && m.relayed {
		return
	}
	if s.view != nil {
		seen, ok := s.view(m)
		if !ok {
			return
		}
		m = seen
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Type == "overlay" || m.Type == "state" || m.Type == "age" {
		s.queue = slices.DeleteFunc(s.queue, func(q Message) bool {
			return q.Type == m.Type && q.Table == m.Table && q.Key == m.Key
		})
	}
	if len(s.queue) == queueLimit {
		s.queue = s.queue[1:]
	}
	s.queue = append(s.queue, m)
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// Next waits for the next message.
func (s *Sub) Next(ctx context.Context) (Message, error) {
	for {
		s.mu.Lock()
		if len(s.queue) > 0 {
			m := s.queue[0]
			s.queue = s.queue[1:]
			s.mu.Unlock()
			return m, nil
		}
		s.mu.Unlock()
		select {
		case <-s.more:
		case <-ctx.Done():
			return Message{}, ctx.Err()
		}
	}
}

// Close leaves.
func (s *Sub) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	delete(s.hub.subs, s)
}
