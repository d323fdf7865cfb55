package console

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// loginFrom logs in from an address: how it is answered, and whether it was held back.
func (r *made) loginFrom(addr, user, password string) (where string, limited bool) {
	q := httptest.NewRequest("POST", "/login", strings.NewReader(url.Values{"user": {user}, "password": {password}}.Encode()))
	q.RemoteAddr = addr
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	r.Config.Handler.ServeHTTP(w, q)
	return w.Header().Get("Location"), w.Header().Get("Retry-After") != ""
}

func (r *made) ledgerBytes(t *testing.T) (n int64) {
	t.Helper()
	err := filepath.WalkDir(r.ledger.Dir(), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, e := d.Info(); e == nil {
				n += info.Size()
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A flood of refusals, by whatever way, costs the ledger a few short entries; how many there
// were stands in it.
func TestAFloodOfRefusalsStaysSmall(t *testing.T) {
	r := newRoom(t)
	jefe := r.as(t, "jefe")
	before := r.ledgerBytes(t)
	long := strings.Repeat("x", 7900)
	for i := range 60 {
		r.loginFrom("192.0.2.7:1", fmt.Sprint(i, long), "x")
		r.loginFrom(fmt.Sprintf("[2001:db8::%x]:1", i), fmt.Sprint(long, i), "x")
		do(t, jefe, "GET", r.URL+"/api/v1/tables/"+long+"/rounds", "")
		do(t, jefe, "PUT", r.URL+"/api/v1/account/password", `{"old":"wrong","new":"`+chosen+`"}`)
	}
	r.srv.refusals.close()
	if grown := r.ledgerBytes(t) - before; grown > 16<<10 {
		t.Errorf("%d bytes of refusals", grown)
	}
	r.caught(t)
	got := get[[]struct {
		Payload struct{ User, Action, Object, Text string }
	}](t, r, r.as(t, "inspector"), "/api/v1/audit")
	counted := 0
	for _, e := range got {
		if e.Payload.Action == actionMoreOfThem {
			counted++
			if !strings.ContainsAny(e.Payload.Text, "0123456789") {
				t.Errorf("%+v", e)
			}
		}
		if len(e.Payload.User) > 2*longestName || len(e.Payload.Object) > 2*longestRefusal {
			t.Errorf("a long name is kept: %+v", e)
		}
	}
	if counted != 3 {
		t.Errorf("%d entries of what was counted, want one of each network", counted)
	}
}

// Many networks are one in the ledger.
func TestAFloodFromEverywhere(t *testing.T) {
	n := 0
	f := refusals{write: func(Act) { n++ }}
	for i := range 10 * refusalNetworks {
		for range 10 {
			f.note(fmt.Sprint(i), Act{Action: "login_failed"})
		}
	}
	f.close()
	if most := (refusalNetworks + 1) * (refusalsAtOnce + 1); n > most {
		t.Errorf("%d entries, want at most %d", n, most)
	}
}

// A stranger who fails, from one address or a whole IPv6 network, keeps nobody out who comes
// from elsewhere; right passwords cost no attempts.
func TestAStrangerKeepsNobodyOut(t *testing.T) {
	r := newRoom(t)
	r.srv.limit = newLimiter(loginBurst, time.Hour) // whatever time the hashing takes
	for _, stranger := range []string{"192.0.2.%d:9", "[2001:db8:1::%x]:9", "[2001:db8:1:0:%x::]:9"} {
		held := false
		for i := range 3 * loginBurst {
			if strings.Contains(stranger, "192") {
				i = 7
			}
			_, limited := r.loginFrom(fmt.Sprintf(stranger, i), "director", "guess")
			held = held || limited
		}
		if !held {
			t.Errorf("%s guesses without limit", stranger)
		}
	}
	for range 3 * loginBurst {
		if where, limited := r.loginFrom("198.51.100.2:9", "director", "correcto"); where != "/" || limited {
			t.Fatalf("the owner is led to %s", where)
		}
	}
	if where, _ := r.loginFrom("[2001:db8:2::1]:9", "director", "correcto"); where != "/" {
		t.Errorf("from another network: %s", where)
	}
}

// A full table of attempts keeps nobody out.
func TestTheLimiterForgets(t *testing.T) {
	l, now := newLimiter(1, time.Hour), time.Now()
	for i := range 2 * limiterKeys {
		if ok, _ := l.allow(fmt.Sprint(i), now); !ok {
			t.Fatalf("the %d. sender is kept out", i)
		}
	}
	if n := len(l.owed); n > limiterKeys {
		t.Errorf("%d keys are kept", n)
	}
}

// Who tries tokens has to wait, with the right one too, and it is in the ledger; other tables
// and other networks do not.
func TestTokensAreNotGuessed(t *testing.T) {
	r := newRoom(t)
	r.srv.tokens, r.srv.wrong = newLimiter(tokenBurst, time.Hour), newLimiter(tablesBurst, time.Hour)
	h := r.srv.Handler()
	ask := func(from, method, path, token string) int {
		q := httptest.NewRequest(method, path, strings.NewReader("[]"))
		q.RemoteAddr = from + ":4000"
		q.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		if (w.Code == http.StatusTooManyRequests) != (w.Header().Get("Retry-After") != "") {
			t.Errorf("%s %s: %d with Retry-After %q", method, path, w.Code, w.Header().Get("Retry-After"))
		}
		return w.Code
	}
	events, calls := "/api/v1/tables/R1/events", "/api/v1/tables/R1/calls"
	for i := range tokenBurst {
		path, method := events, "POST"
		if i%2 > 0 {
			path, method = calls, "GET"
		}
		if code := ask("192.0.2.1", method, path, "of nobody"); code != http.StatusUnauthorized {
			t.Errorf("guess %d: %d", i, code)
		}
	}
	for _, c := range []struct {
		from, method, path, token string
		want                      int
	}{
		{"192.0.2.1", "POST", events, "of nobody", 429},
		{"192.0.2.1", "POST", events, "of R1", 429},
		{"192.0.2.1", "GET", calls, "of R1", 429},
		{"192.0.2.2", "POST", events, "of R1", 200},
		{"192.0.2.2", "GET", calls, "of R1", 200},
		{"192.0.2.1", "POST", "/api/v1/tables/BJ1/events", "of BJ1", 200},
	} {
		if got := ask(c.from, c.method, c.path, c.token); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	// One network tries a table after another.
	limited := 0
	for i := range 2 * tablesBurst {
		if ask("2001:db8::1", "POST", fmt.Sprintf("/api/v1/tables/T%d/events", i), "x") == 429 {
			limited++
		}
	}
	if limited != tablesBurst {
		t.Errorf("%d of %d guesses at as many tables were held back", limited, 2*tablesBurst)
	}
	if got := ask("2001:db8::ffff", "POST", events, "of R1"); got != 429 {
		t.Errorf("its neighbour of the same network: %d", got)
	}
	acts := map[string]int{}
	for e, err := range r.ledger.Since(0) {
		var a Act
		if err == nil && json.Unmarshal(e.Payload, &a) == nil {
			acts[a.Action]++
		}
	}
	if n := acts["token_refused"]; n == 0 || n > 2*refusalsAtOnce || acts["token_limited"] == 0 {
		t.Errorf("the ledger has %v", acts)
	}
}
