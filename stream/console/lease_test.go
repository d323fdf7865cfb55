package console

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"testing"
	"time"

	"vision/stream/account"
	"vision/stream/evidence"
)

// endless writes for ever, whatever becomes of the request, until nobody takes it.
func endless(w io.Writer) {
	for {
		if _, err := fmt.Fprint(w, "picture"); err != nil {
			return
		}
		if f, ok := w.(http.ResponseWriter); ok {
			_ = http.NewResponseController(f).Flush()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// endlessArchive exports cases that have no end.
type endlessArchive struct{ Archive }

func (endlessArchive) Write(_ context.Context, _ evidence.Case, w io.Writer) error {
	endless(w)
	return nil
}

// Whatever goes on (preview, events, download, video) ends with its right, whichever way that
// goes; what is another's goes on.
func TestNothingOutlivesItsRight(t *testing.T) {
	t.Parallel()
	change := func(role string, tables []string, disabled bool) func(*made, string) error {
		return func(r *made, user string) error {
			return r.srv.cfg.Accounts.Change("admin", user, role, tables, disabled)
		}
	}
	for name, end := range map[string]func(r *made, user string) error{
		"another role": change("admin", nil, false), "other tables": change("director", []string{"R1"}, false),
		"fewer tables": change("director", []string{"BJ1"}, false), "shut": change("director", nil, true),
		"removed":          func(r *made, user string) error { return r.srv.cfg.Accounts.Remove("admin", user) },
		"another password": func(r *made, user string) error { _, err := r.srv.cfg.Accounts.Reset("admin", user); return err },
		"logged out": func(r *made, user string) error {
			return r.srv.endSessions(context.Background(), user, "")
		},
		"the session's time is over": func(r *made, _ string) error {
			r.srv.store.mu.Lock()
			defer r.srv.store.mu.Unlock()
			for k, x := range r.srv.store.items {
				if r.other != k {
					x.Expires = time.Now().Add(-time.Second)
					r.srv.store.items[k] = x
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outlives(t, end)
		})
	}
}

func outlives(t *testing.T, end func(r *made, user string) error) {
	r := newRoom(t, func(o *account.Options) {
		o.Configured = append(o.Configured, account.Account{User: "other", Role: "director", Password: hashes()})
	})
	r.srv.cfg.Archive = endlessArchive{r.srv.cfg.Archive}
	r.srv.cfg.Preview = func(string) (http.Handler, bool) {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { endless(w) }), true
	}
	watched := map[string]chan struct{}{"eva": make(chan struct{}), "other": make(chan struct{})}
	r.srv.cfg.Live = http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		over := watched[Sender(q.Context())]
		Hold(q.Context(), func() { close(over) })
	})
	c := evidence.New("x", "admin", []string{"BJ1"}, time.Now().Add(-time.Hour), time.Now(), "")
	if err := r.srv.cfg.Archive.Keep(c); err != nil {
		t.Fatal(err)
	}
	r.caught(t)
	password, err := r.srv.cfg.Accounts.Add("admin", Account{User: "eva", Role: "director"})
	if err == nil {
		err = r.srv.cfg.Accounts.SetPassword("eva", password, chosen)
	}
	if err != nil {
		t.Fatal(err)
	}
	other := r.as(t, "other")
	for k := range r.srv.store.items {
		r.other = k
	}
	jar, _ := cookiejar.New(nil)
	eva := &http.Client{Jar: jar, CheckRedirect: other.CheckRedirect}
	if where := r.form(t, eva, "/login", url.Values{"user": {"eva"}, "password": {chosen}}); where != "/" {
		t.Fatal(where)
	}
	ended := map[string]chan struct{}{}
	for who, client := range map[string]*http.Client{"eva": eva, "other": other} {
		for _, path := range []string{"/preview/bj1", "/api/v1/events", "/api/v1/cases/" + c.ID + "/zip"} {
			resp, err := client.Get(r.URL + path)
			if err != nil || resp.StatusCode != 200 {
				t.Fatal(path, resp, err)
			}
			over := make(chan struct{})
			ended[who+" "+path] = over
			t.Cleanup(func() { resp.Body.Close() })
			go func() {
				defer close(over)
				if _, err := io.Copy(io.Discard, resp.Body); err == nil {
					t.Error(path, "looks whole")
				}
			}()
		}
		if code, body := do(t, client, "POST", r.URL+"/whep/bj1", ""); code != 200 {
			t.Fatal(code, body)
		}
	}
	time.Sleep(2 * leaseEvery) // leases are looked at, and nothing ends
	for what, over := range ended {
		select {
		case <-over:
			t.Fatalf("%s ended with its right there", what)
		default:
		}
	}
	if err := end(r, "eva"); err != nil {
		t.Fatal(err)
	}
	for what, over := range map[string]chan struct{}{"preview": ended["eva /preview/bj1"], "events": ended["eva /api/v1/events"],
		"download": ended["eva /api/v1/cases/"+c.ID+"/zip"], "video": watched["eva"]} {
		select {
		case <-over:
		case <-time.After(3 * time.Minute):
			t.Errorf("the %s goes on", what)
		}
	}
	select {
	case <-watched["other"]:
		t.Error("another's video ended")
	case <-ended["other /preview/bj1"]:
		t.Error("another's preview ended")
	default:
	}
}

// Who takes nothing of a download is cut off, too.
func TestALeaseEndsWhoTakesNothing(t *testing.T) {
	r := newRoom(t)
	written := make(chan error, 1)
	r.srv.cfg.Preview = func(string) (http.Handler, bool) {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 64<<20))
			written <- err
		}), true
	}
	c := r.as(t, "admin")
	resp, err := c.Get(r.URL + "/preview/bj1") // and reads nothing
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := r.srv.endSessions(t.Context(), "admin", ""); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-written:
		if err == nil {
			t.Error("all was written")
		}
	case <-time.After(3 * time.Minute):
		t.Error("the writer waits")
	}
}
