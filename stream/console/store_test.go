package console

import (
	"testing"
	"time"
)

func TestSessionsExpireAndGo(t *testing.T) {
	m, now := NewSessions(), time.Unix(1000, 0)
	m.now = func() time.Time { return now }
	for token, life := range map[string]time.Duration{"short": time.Minute, "long": time.Hour} {
		if err := m.Commit(token, []byte(token), now.Add(life)); err != nil {
			t.Fatal(err)
		}
	}
	if b, ok, err := m.Find("short"); err != nil || !ok || string(b) != "short" {
		t.Fatalf("%s %v %v", b, ok, err)
	}
	now = now.Add(2 * time.Minute)
	if _, ok, _ := m.Find("short"); ok {
		t.Error("found after its time")
	}
	if err := m.Commit("new", nil, now.Add(time.Hour)); err != nil || len(m.items) != 2 {
		t.Errorf("%d sessions are kept, want 2; %v", len(m.items), err)
	}
	if err := m.Delete("long"); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := m.Find("long"); ok {
		t.Error("found after it was deleted")
	}
	// A request that was under way when the session ended does not bring it back.
	if err := m.Commit("long", []byte("long"), now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := m.Find("long"); ok {
		t.Error("brought back after it had ended")
	}
	now = now.Add(sessionLife + time.Hour)
	if err := m.Commit("last", nil, now.Add(time.Hour)); err != nil || len(m.items) != 1 {
		t.Errorf("%d sessions are kept in the end, want 1; %v", len(m.items), err)
	}
}
