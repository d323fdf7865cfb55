package notice

import (
	"context"
	"errors"
	"testing"
	"time"
)

func next(t *testing.T, s *Sub) Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	m, err := s.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func empty(t *testing.T, s *Sub) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("there is still %+v", m)
	}
}

func TestJoiningKnowsTheState(t *testing.T) {
	h := NewHub()
	h.Retain("alert", "BJ1", "7", "open")
	h.Retain("state", "BJ1", "", 1)
	h.Retain("state", "BJ1", "", 2)
	h.Publish("overlay", "BJ1", "cam", 3)
	s := h.Subscribe(nil)
	defer s.Close()
	if m := next(t, s); m.Type != "alert" || string(m.Body) != `"open"` {
		t.Errorf("first %+v", m)
	}
	if m := next(t, s); m.Type != "state" || string(m.Body) != "2" {
		t.Errorf("second %+v", m)
	}
	empty(t, s)
}

func TestSeesOnlyItsTables(t *testing.T) {
	h := NewHub()
	s := h.Subscribe(func(m Message) (Message, bool) { return m, m.Table == "" || m.Table == "R1" })
	defer s.Close()
	h.Publish("round", "BJ1", "", 1)
	h.Publish("health", "", "", 2)
	h.Publish("round", "R1", "", 3)
	if m := next(t, s); m.Type != "health" {
		t.Errorf("got %+v", m)
	}
	if m := next(t, s); m.Table != "R1" {
		t.Errorf("got %+v", m)
	}
	empty(t, s)
}

func TestSlowSubscriber(t *testing.T) {
	h := NewHub()
	s := h.Subscribe(nil)
	for i := range 5000 {
		h.Publish("overlay", "BJ1", "cam", i)
		if i < queueLimit+10 {
			h.Publish("round", "BJ1", "", i)
		}
	}
	if first := s.queue[0]; len(s.queue) != queueLimit || string(first.Body) == "0" {
		t.Errorf("holds %d, the oldest is %+v: want the newest %d", len(s.queue), first, queueLimit)
	}
	s.Close()
	h.Publish("round", "BJ1", "", "late")
	for range len(s.queue) {
		if m := next(t, s); string(m.Body) == `"late"` {
			t.Fatal("got a message after it left")
		}
	}
}

// What one machine has told another is told to people there, and not to machines, now or when
// they join: they would tell it one another for ever.
func TestWhatAMachineToldIsNotToldToMachines(t *testing.T) {
	h := NewHub()
	people, machine := h.Subscribe(nil), h.SubscribeOwn()
	if err := errors.Join(h.Relay("state", "R1", "", 1), h.Retain("state", "R2", "", 2)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		sub  *Sub
		want []string
	}{
		"people":                   {people, []string{"R1", "R2"}},
		"people who join later":    {h.Subscribe(nil), []string{"R1", "R2"}},
		"machines":                 {machine, []string{"R2"}},
		"machines that join later": {h.SubscribeOwn(), []string{"R2"}},
	} {
		for _, want := range c.want {
			if m, err := c.sub.Next(t.Context()); err != nil || m.Table != want {
				t.Errorf("%s: told of %q (%v), want %q", name, m.Table, err, want)
			}
		}
		if over := len(c.sub.queue); over != 0 {
			t.Errorf("%s: told %d more", name, over)
		}
		c.sub.Close()
	}
}
