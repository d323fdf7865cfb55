package console

import (
	"net/http"
	"testing"
	"time"
)

func TestANewConnectionTooMany(t *testing.T) {
	r := newRoom(t)
	jefe, admin := r.as(t, "jefe"), r.as(t, "admin")
	limited := 0
	for range callBurst + 20 {
		switch code, body := do(t, jefe, "POST", r.URL+"/whep", ""); code {
		case http.StatusTooManyRequests:
			limited++
		case http.StatusOK:
		default:
			t.Fatal(code, body)
		}
	}
	if limited == 0 {
		t.Error("a flood of new connections was not slowed down")
	}
	if code, _ := do(t, admin, "POST", r.URL+"/whep", ""); code != http.StatusOK {
		t.Errorf("another account: %d", code)
	}
	if code, _ := do(t, jefe, "DELETE", r.URL+"/whep/session/x", ""); code != http.StatusOK {
		t.Errorf("leaving is never limited: %d", code)
	}
}

func TestTheCookieIsKeptToItsHost(t *testing.T) {
	m := newSessions(nil, true)
	if c := m.Cookie; c.Name != "__Host-vision" || !c.Secure || !c.HttpOnly || c.Path != "/" || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("%+v", c)
	}
	if m.Lifetime > 24*time.Hour || m.IdleTimeout > 12*time.Hour {
		t.Errorf("sessions live %v, idle %v", m.Lifetime, m.IdleTimeout)
	}
}
