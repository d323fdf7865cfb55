package console

import (
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vision/stream/account"
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

// Who is logged in stays so over a restart; who has logged out, was put out or
// whose password is another does not come back. The file opens nothing by itself.
func TestSessionsOutliveTheProcess(t *testing.T) {
	r := newRoom(t)
	path := filepath.Join(t.TempDir(), "sessions.json")
	again := func() { // as after a restart
		cfg := r.srv.cfg
		cfg.Sessions = OpenSessions(path, slog.New(slog.DiscardHandler))
		var err error
		if r.srv, err = New(cfg); err != nil {
			t.Fatal(err)
		}
		r.Config.Handler = r.srv.Handler()
	}
	again()
	stays, leaves, ended, changed := r.as(t, "jefe"), r.as(t, "jefe"), r.as(t, "admin"), r.as(t, "director")
	newToken := func(c *http.Client) string {
		return ask[struct{ Token string }](t, c, "POST", r.URL+"/api/v1/tokens", "", 200).Token
	}
	token, revoked, outdated := newToken(stays), newToken(ended), newToken(changed)
	if code, _ := do(t, leaves, "POST", r.URL+"/logout", ""); code != 303 {
		t.Fatal(code)
	}
	if err := r.srv.endSessions(t.Context(), "admin", ""); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	home, _ := url.Parse(r.URL)
	for _, c := range stays.Jar.Cookies(home) {
		if strings.Contains(string(raw), c.Value) {
			t.Error("the file holds what the browser sends")
		}
	}
	again()
	for who, want := range map[*http.Client]int{stays: 200, leaves: 401, ended: 401, changed: 200} {
		ask[answer](t, who, "GET", r.URL+"/api/v1/me", "", want)
	}
	for tok, want := range map[string]int{token: 200, revoked: 401, outdated: 200} {
		if code := withToken(t, "GET", r.URL+"/api/v1/me", tok); code != want {
			t.Errorf("a token of the process before: %d; want %d", code, want)
		}
		if strings.Contains(string(raw), tok) {
			t.Error("the file holds a token")
		}
	}
	if got := ask[ownAccount](t, stays, "GET", r.URL+"/api/v1/account", "", 200).Sessions; len(got) != 1 || !got[0].This {
		t.Errorf("%+v", got)
	}
	// The password was changed in the configuration meanwhile.
	cfg := r.srv.cfg
	cfg.Accounts, _, err = account.Open(t.TempDir(), account.Options{Configured: []Account{
		{User: "jefe", Role: "jefe", Password: hashes()}, {User: "director", Role: "director", Password: hashes() + "="}}})
	if err != nil {
		t.Fatal(err)
	}
	r.srv.cfg = cfg
	again()
	ask[answer](t, changed, "GET", r.URL+"/api/v1/me", "", 401)
	if code := withToken(t, "GET", r.URL+"/api/v1/me", outdated); code != 401 {
		t.Errorf("a token from before another password: %d", code)
	}
	ask[answer](t, stays, "GET", r.URL+"/api/v1/me", "", 200)

	if err := os.WriteFile(path, []byte("{torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	again()
	ask[answer](t, stays, "GET", r.URL+"/api/v1/me", "", 401)
	r.as(t, "jefe")
}

// Where the disk takes nothing people go on working.
func TestSessionsWithoutADisk(t *testing.T) {
	m := OpenSessions(filepath.Join(t.TempDir(), "absent", "sessions.json"), slog.New(slog.DiscardHandler))
	if err := m.Commit("a", []byte("a"), time.Now().Add(time.Hour)); err != nil || !m.has("a") {
		t.Errorf("%v", err)
	}
	if err := m.Delete("a"); err != nil || m.has("a") {
		t.Errorf("%v", err)
	}
}
