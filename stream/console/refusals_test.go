package console

import (
	"fmt"
	"io/fs"
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
	for i := range 300 {
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
