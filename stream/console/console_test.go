package console

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"vision/calibration"
	"vision/internal/config"
	"vision/internal/health"
	"vision/internal/testkit/idp"
	"vision/stream/account"
	"vision/stream/acta"
	"vision/stream/alert"
	"vision/stream/index"
	"vision/stream/ledger"
	"vision/stream/notice"
	"vision/stream/record"
	"vision/stream/verify"
	"vision/validate/explain"
)

// made is a console on made-up facts.
type made struct {
	*httptest.Server
	desk      *alert.Desk
	hub       *notice.Hub
	board     *health.Board
	srv       *Server
	index     *index.Index
	store     *record.Store
	recording bool // the store has pictures
	cals      []*calibration.Table
	confirmed atomic.Int64
	reread    atomic.Int64
	stills    atomic.Int64
	ledger    *ledger.Ledger
	lost      atomic.Bool // the recording of R1
	dir       string

	mu    sync.Mutex
	audit []string
	jars  map[string]http.CookieJar
	other string // a session that a test leaves alone
}

type noLedger struct{}

func (noLedger) Append(context.Context, string, string, any) error { return nil }

// deskLedger is the real one.
type deskLedger struct{ *ledger.Ledger }

func (d deskLedger) Append(_ context.Context, kind, table string, v any) error {
	_, err := d.Ledger.Append(ledger.Kind(kind), table, v)
	return err
}

// hashes is an argon2id form of "correcto" that costs next to nothing.
var hashes = sync.OnceValue(func() string {
	salt := []byte("sixteen bytes ..")
	b64 := base64.RawStdEncoding.EncodeToString
	return "$argon2id$v=19$m=8,t=1,p=1$" + b64(salt) + "$" + b64(argon2.IDKey([]byte("correcto"), salt, 1, 8, 1, 32))
})

func newRoom(t *testing.T, more ...func(*account.Options)) *made {
	t.Helper()
	r := &made{hub: notice.NewHub(), board: health.NewBoard(nil)}
	var err error
	dir := t.TempDir()
	r.dir = dir
	if r.ledger, err = ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.ledger.Close() })
	if r.index, err = index.Open(t.Context(), filepath.Join(dir, "index"), r.ledger); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.index.Close() })
	r.desk = alert.NewDesk(
		alert.Config{Ledger: deskLedger{r.ledger}, Show: func(a alert.Alert) { r.hub.Retain("alert", a.Table, a.ID, a) }},
	)
	var list []Account
	for _, role := range []string{"jefe", "inspector", "director", "admin"} {
		list = append(list, Account{User: role, Role: role, Password: hashes()})
	}
	list[0].Tables = []string{"BJ1"}
	opts := account.Options{Configured: list}
	for _, f := range more {
		f(&opts)
	}
	accounts, first, err := account.Open(dir, opts)
	if err != nil || first != "" {
		t.Fatalf("accounts: %q, %v", first, err)
	}
	limits, err := alert.OpenLimits("", 0)
	if err != nil {
		t.Fatal(err)
	}
	r.srv, err = New(Config{Spots: explain.Spots,
		Language: "es", Accounts: accounts, Desk: r.desk, Limits: limits,
		Verify: func() (ledger.Report, error) { return verify.Running(dir, r.ledger.Head()) }, Floor: r.newFloor(t),
		Hub: r.hub, Board: r.board, Calibrations: r, Setup: r, Tables: func() []Table {
			return []Table{
				{ID: "BJ1", Name: "Blackjack 1", Game: "blackjack", Seats: []int{1, 2}, Cameras: []Camera{{Name: "bj1"}, {Name: "bj1-2"}}},
				{ID: "R1", Name: "Ruleta 1", Game: "ruleta_francesa", Seats: []int{1}, Cameras: []Camera{{Name: "r1"}}},
				{ID: "R2", Name: "Ruleta 2", Game: "ruleta_francesa", Seats: []int{1}, Cameras: []Camera{{Name: "r2"}}},
			}
		},
		Ready: func() error { return nil },
		Live: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			fmt.Fprintf(w, "BJ1 %v R1 %v", May(q.Context(), See, account.Of("BJ1")) == nil, May(q.Context(), See, account.Of("R1")) == nil)
		}),
		Preview: func(string) (http.Handler, bool) { return nil, false },
		Clip: func(camera string, from, to time.Time) (*record.Clip, error) {
			if r.recording {
				return r.store.Clip(record.Camera{Table: "BJ1", Camera: camera}, from, to)
			}
			if camera == "r1" {
				return nil, errors.New("the disk cannot be read")
			}
			return &record.Clip{Start: from, End: to}, nil
		},
		Timeline: func(camera string, from, to time.Time) []record.Span {
			if r.recording {
				return r.store.Timeline(record.Camera{Table: "BJ1", Camera: camera}, from, to)
			}
			return []record.Span{{From: from, To: to, Kind: record.Recorded}}
		},
		Index: r.index, Archive: r.archive(t, dir), Actas: &acta.Office{Ledger: r.ledger, Index: r.index},
		Jornadas: r.jornadas(), Sensor: func(w http.ResponseWriter, _ *http.Request, table string) {
			fmt.Fprint(w, table+" true")
		},
		Token: func(w http.ResponseWriter, r *http.Request, table string) bool {
			if r.Header.Get("Authorization") == "Bearer of "+table {
				return true
			}
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, table+" false")
			return false
		},
		Cameras: func() []CameraHealth {
			return []CameraHealth{{Table: "BJ1", Camera: "bj1"}, {Table: "R1", Camera: "r1"}}
		},
		Machine: func(context.Context) MachineHealth {
			return MachineHealth{DiskFree: 3e9, DiskTotal: 10e9, BusMS: -1, ClockKept: true, ClockMS: 1.5}
		},
		Configuration: func() Configuration {
			return Configuration{File: "/etc/vision.yaml", Changed: true, Clear: []string{"console"}, Settings: []config.Setting{
				{Key: "norm", Value: "cantabria-2010", Default: true}, {Key: "tables[0].token", Value: config.Hidden, Secret: true}, {Key: "record.keep", Value: "48h0m0s"}}}
		},
		Reread:  func() { r.reread.Add(1) },
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "metrics") }),
		Audit: func(_ context.Context, a Act) error {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.audit = append(r.audit, a.User+" "+a.Action)
			_, err := r.ledger.Append(ledger.Operator, "", a)
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Server = httptest.NewServer(r.srv.Handler())
	t.Cleanup(r.Close)
	return r
}

// as logs in and gives a client that stays so.
func (r *made) as(t *testing.T, user string) *http.Client {
	t.Helper()
	jar, _ := cookiejar.New(nil)
	c := &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := c.PostForm(r.URL+"/login", url.Values{"user": {user}, "password": {"correcto"}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != "/" {
		t.Fatalf("login as %s: %d to %s", user, resp.StatusCode, resp.Header.Get("Location"))
	}
	return c
}

func do(t *testing.T, c *http.Client, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func TestStrangersSeeNothing(t *testing.T) {
	r := newRoom(t)
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for path, want := range map[string]int{
		"/": 303, "/health": 303, "/supervision": 303, "/review": 303, "/api/v1/review": 401, "/api/v1/audit": 401, "/api/v1/timeline?camera=bj1": 401, "/api/v1/supervision": 401, "/api/v1/me": 401, "/api/v1/tables": 401, "/api/v1/alerts": 401, "/api/v1/events": 401,
		"/api/v1/clips?camera=bj1": 401, "/whep/?cameras=bj1": 404, "/preview/bj1": 401, "/api/v1/health": 401,
		"/livez": 200, "/readyz": 200, "/login": 200, "/assets/style.css": 200, "/terminal/BJ1": 200, "/nothing": 404,
	} {
		if got, body := do(t, c, "GET", r.URL+path, ""); got != want {
			t.Errorf("GET %s: %d, want %d: %.100s", path, got, want, body)
		}
	}
	resp, err := c.Get(r.URL + "/review?table=BJ1&seat=2") // a search that was sent
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if l := resp.Header.Get("Location"); l != "/login?next="+url.QueryEscape("/review?table=BJ1&seat=2") {
		t.Errorf("whoever is sent a search is led to %s", l)
	}
}

func TestLogin(t *testing.T) {
	r := newRoom(t)
	c := r.as(t, "admin")
	if code, body := do(t, c, "GET", r.URL+"/api/v1/me", ""); code != 200 || !strings.Contains(body, `"admin"`) {
		t.Errorf("me: %d %s", code, body)
	}
	resp, err := c.PostForm(r.URL+"/login", url.Values{"user": {"nobody"}, "password": {"x"}, "next": {"//elsewhere.example"}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if l := resp.Header.Get("Location"); !strings.HasPrefix(l, "/login?error=wrong") || strings.Contains(l, "elsewhere") {
		t.Errorf("wrong password leads to %s", l)
	}
	limited := false
	for range 8 {
		resp, err := c.PostForm(r.URL+"/login", url.Values{"user": {"jefe"}, "password": {"guess"}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		limited = limited || resp.Header.Get("Retry-After") != ""
	}
	if !limited {
		t.Error("guessing was not slowed down")
	}
	if code, _ := do(t, c, "POST", r.URL+"/logout", ""); code != 303 {
		t.Errorf("logout: %d", code)
	}
	if code, _ := do(t, c, "GET", r.URL+"/api/v1/me", ""); code != 401 {
		t.Errorf("after logout: %d", code)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	got := strings.Join(r.audit, ",")
	for _, want := range []string{"admin login", "nobody login_failed", "jefe login_limited", "admin logout"} {
		if !strings.Contains(got, want) {
			t.Errorf("audit lacks %q: %s", want, got)
		}
	}
}

func TestAJefeSeesHisTablesOnly(t *testing.T) {
	r := newRoom(t)
	c := r.as(t, "jefe")
	for _, id := range []string{"BJ1", "R1"} {
		r.desk.Raise(t.Context(), alert.Alert{ID: id + "-1", Table: id, Severity: "major"})
	}
	if _, body := do(t, c, "GET", r.URL+"/api/v1/tables", ""); strings.Contains(body, `"R1"`) || !strings.Contains(body, `"BJ1"`) {
		t.Errorf("tables: %s", body)
	}
	if _, body := do(t, c, "GET", r.URL+"/api/v1/alerts", ""); strings.Contains(body, `"R1`) || !strings.Contains(body, `"BJ1-1`) {
		t.Errorf("alerts: %s", body)
	}
	if _, body := do(t, c, "GET", r.URL+"/api/v1/health", ""); strings.Contains(body, `"R1"`) || !strings.Contains(body, "bj1") {
		t.Errorf("health: %s", body)
	}
	for path, want := range map[string]int{"/api/v1/tables/R1/rounds": 404, "/api/v1/clips?camera=r1&from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:10Z": 404,
		"/api/v1/clips?camera=bj1&from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:10Z": 200, "/api/v1/tables/BJ1/rounds": 200, "/api/v1/tables/BJ1/rounds?limit=x": 400} {
		if got, body := do(t, c, "GET", r.URL+path, ""); got != want {
			t.Errorf("GET %s: %d, want %d: %s", path, got, want, body)
		}
	}
	if code, _ := do(t, c, "POST", r.URL+"/api/v1/alerts/R1-1/ack", `{"outcome":"noted"}`); code != 404 {
		t.Errorf("acknowledged another's alert: %d", code)
	}
	if _, body := do(t, c, "POST", r.URL+"/whep/x", ""); body != "BJ1 true R1 false" {
		t.Errorf("WHEP sees %s", body)
	}
	if _, body := do(t, c, "POST", r.URL+"/api/v1/tables/BJ1/events", "[]"); body != "BJ1 true" {
		t.Errorf("sensor: %s", body)
	}
	if _, body := do(t, c, "POST", r.URL+"/api/v1/tables/R1/events", "[]"); body != "R1 false" {
		t.Errorf("sensor of another table: %s", body)
	}
}

func TestAcknowledge(t *testing.T) {
	r := newRoom(t)
	r.desk.Raise(t.Context(), alert.Alert{ID: "1", Table: "BJ1", Severity: "critical"})
	c := r.as(t, "jefe")
	for _, x := range []struct {
		id, body string
		want     int
	}{
		{"1", `{"outcome":"nonsense"}`, 400}, {"1", `{"result":1}`, 400}, {"1", `{`, 400}, {"2", `{"outcome":"noted"}`, 404},
		{"1", `{"outcome":"corrected","note":"pagado"}`, 200}, {"1", `{"outcome":"noted"}`, 409},
	} {
		if got, body := do(t, c, "POST", r.URL+"/api/v1/alerts/"+x.id+"/ack", x.body); got != x.want {
			t.Errorf("%s %s: %d, want %d: %s", x.id, x.body, got, x.want, body)
		}
	}
	if got, _ := do(t, r.as(t, "inspector"), "POST", r.URL+"/api/v1/alerts/1/ack", `{"outcome":"noted"}`); got != 403 {
		t.Errorf("an inspector acknowledged: %d", got)
	}
}

func TestOtherSitesCannotPost(t *testing.T) {
	r := newRoom(t)
	c := r.as(t, "jefe")
	req, _ := http.NewRequestWithContext(t.Context(), "POST", r.URL+"/api/v1/alerts/1/ack", strings.NewReader(`{"outcome":"noted"}`))
	req.Header.Set("Origin", "https://elsewhere.example")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("cross-site post: %d", resp.StatusCode)
	}
	if resp.Header.Get("Content-Security-Policy") == "" {
		t.Error("no content security policy")
	}
}

func TestTokens(t *testing.T) {
	r := newRoom(t)
	_, body := do(t, r.as(t, "jefe"), "POST", r.URL+"/api/v1/tokens", "")
	var got struct{ Token string }
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Token == "" {
		t.Fatalf("%s: %v", body, err)
	}
	ask := func(tok string) int {
		req, _ := http.NewRequestWithContext(t.Context(), "GET", r.URL+"/api/v1/me", nil)
		req.Header.Set("Authorization", "Bearer "+tok)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if c := ask(got.Token); c != 200 {
		t.Errorf("token: %d", c)
	}
	for _, bad := range []string{"", "x", "a.b.c", got.Token + "x", got.Token[1:], stored(got.Token)} {
		if c := ask(bad); c != 401 {
			t.Errorf("token %q: %d", bad, c)
		}
	}
	a, _ := r.srv.cfg.Accounts.Find("jefe")
	if r.srv.bearerOf(r.srv.store.issue("jefe", a.Proof(), time.Now().Add(-13*time.Hour))) != nil {
		t.Error("an old token still opens")
	}
	for range maxTokens { // one account cannot fill the store; the oldest goes
		r.srv.store.issue("jefe", a.Proof(), time.Now())
	}
	if n := len(r.srv.store.grants); n != maxTokens || ask(got.Token) != 401 {
		t.Errorf("%d tokens are kept", n)
	}
}

func TestEvents(t *testing.T) {
	r := newRoom(t)
	r.hub.Retain("state", "R1", "", 1)
	r.hub.Retain("state", "BJ1", "", 2)
	req, _ := http.NewRequestWithContext(t.Context(), "GET", r.URL+"/api/v1/events", nil)
	resp, err := r.as(t, "jefe").Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	in := bufio.NewScanner(resp.Body)
	if !in.Scan() || in.Text() != `data: {"type":"state","table":"BJ1","body":2}` {
		t.Fatalf("first event %q", in.Text())
	}
	r.hub.Publish("round", "BJ1", "", 3)
	in.Scan()
	if !in.Scan() || !strings.Contains(in.Text(), `"round"`) {
		t.Fatalf("second event %q", in.Text())
	}
}

// That every prescribed call of every game has a button: internal/games_test.go.
func TestCallsHaveAMainOne(t *testing.T) {
	for _, game := range append(slices.Sorted(maps.Keys(buttons)), "unknown") {
		if !slices.ContainsFunc(Calls("cantabria-2010", game), func(c Call) bool { return c.Main }) {
			t.Errorf("%s has no main call", game)
		}
	}
	got := number("0", "00").Choices
	if len(got) != 38 || got[19].Label != "18" || got[19].Args["color"] != "rojo" || got[19].Args["half"] != "falta" || got[19].Args["parity"] != "par" {
		t.Errorf("18 is %+v", got[19])
	}
}

// Behind a proxy of the house the cookie is one of TLS, and each sender is slowed down
// by himself; whoever comes directly cannot say that he is another.
func TestBehindAProxy(t *testing.T) {
	r := newRoom(t)
	cfg := r.srv.cfg
	cfg.Proxies = []string{"127.0.0.1"}
	srv, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	srv.limit = newLimiter(loginBurst, time.Hour) // whatever time the hashing takes
	send := func(h http.Handler, method, path, body, remote string, forwarded ...string) *http.Response {
		q := httptest.NewRequest(method, path, strings.NewReader(body))
		q.RemoteAddr = remote
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for _, f := range forwarded {
			q.Header.Add("X-Forwarded-For", f)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w.Result()
	}
	h := srv.Handler()
	in := send(h, "POST", "/login", "user=director&password=correcto", "127.0.0.1:9", "192.0.2.1")
	if c := in.Cookies(); len(c) != 1 || c[0].Name != "__Host-vision" || !c[0].Secure || in.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%v %v", c, in.Header)
	}
	limited := func(remote string, forwarded ...string) bool {
		return send(h, "POST", "/login", "user=x"+remote+strings.Join(forwarded, "")+"&password=x", remote, forwarded...).Header.Get("Retry-After") != ""
	}
	for i := range loginBurst {
		limited("127.0.0.1:9", fmt.Sprintf("10.9.9.%d, 192.0.2.7", i)) // what the sender says stands before what the proxy saw
	}
	if !limited("127.0.0.1:9", "10.9.9.9", "192.0.2.7") || limited("127.0.0.1:9", "192.0.2.8") {
		t.Error("senders behind the proxy are not told apart")
	}
	for i := range loginBurst {
		limited("192.0.2.9:1", fmt.Sprintf("10.9.9.%d", i))
	}
	if !limited("192.0.2.9:1", "10.9.9.99") {
		t.Error("who comes directly says who he is")
	}
	for name, f := range map[string][]string{"another machine": {"192.0.2.1"}, "nobody": nil, "nonsense": {"x"}} {
		if got := send(h, "GET", "/metrics", "", "127.0.0.1:9", f...).StatusCode; got != 401 {
			t.Errorf("metrics for %s behind the proxy: %d", name, got)
		}
	}
}

// Files are served, not their list; methods that nobody needs are refused; another
// site's link logs nobody in.
func TestNothingMoreIsServed(t *testing.T) {
	p := idp.New(t)
	r := withProvider(t, p)
	for what, want := range map[string]int{"GET /assets/": 404, "GET /assets/style.css": 200, "TRACE /": 405, "TRACE /api/v1/me": 405, "CONNECT /login": 405, "PUT /login": 405} {
		method, path, _ := strings.Cut(what, " ")
		q := httptest.NewRequest(method, path, nil)
		w := httptest.NewRecorder()
		r.srv.Handler().ServeHTTP(w, q)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", what, w.Code, want)
		}
	}
	for site, want := range map[string]string{"cross-site": "/login?", "same-site": "/login?", "same-origin": p.URL, "none": p.URL, "": p.URL} {
		q := httptest.NewRequest("GET", "/login/oidc", nil)
		if site != "" {
			q.Header.Set("Sec-Fetch-Site", site)
		}
		w := httptest.NewRecorder()
		r.srv.Handler().ServeHTTP(w, q)
		if l := w.Header().Get("Location"); !strings.HasPrefix(l, want) {
			t.Errorf("from %q leads to %s", site, l)
		}
	}
}

// The direction says how many false alerts it accepts; others read it; it is in the trail.
func TestThresholds(t *testing.T) {
	r := newRoom(t)
	d, path := r.as(t, "director"), r.URL+"/api/v1/thresholds"
	if got := ask[alert.Thresholds](t, r.as(t, "jefe"), "GET", path, "", 200); got.Budget != 1 || got.Escalate != 60 {
		t.Errorf("%+v", got)
	}
	for _, bad := range []string{`{"budget":0.01,"escalate":60}`, `{"default":0.8,"escalate":60}`, `{"budget":1}`, `{"budget":1,"escalate":60,"more":1}`} {
		ask[answer](t, d, "PUT", path, bad, 400)
	}
	ask[alert.Thresholds](t, d, "PUT", path, `{"budget":2.5,"escalate":90}`, 200)
	if l := r.srv.cfg.Limits; l.Now().Budget != 2.5 || l.Escalate() != 90*time.Second {
		t.Errorf("%+v", l.Now())
	}
	ask[answer](t, r.as(t, "inspector"), "PUT", path, `{"budget":1,"escalate":60}`, 403)
	r.audited(t, "director thresholds")
}

// Beyond the live end, and in a gap, there is nothing to play, which is no error: a
// player that asks ahead of the recording gets there all the time. What cannot be read
// is one.
func TestAClipOfWhatIsNotRecorded(t *testing.T) {
	r := newRoom(t)
	c := r.as(t, "director")
	begin := r.recorded(t, "bj1")
	ask := func(camera string, from, to time.Duration) int {
		code, _ := do(
			t,
			c,
			"GET",
			fmt.Sprintf(
				"%s/api/v1/clips?camera=%s&from=%s&to=%s",
				r.URL,
				camera,
				begin.Add(from).Format(time.RFC3339Nano),
				begin.Add(to).Format(time.RFC3339Nano),
			),
			"",
		)
		return code
	}
	for _, x := range []struct {
		what     string
		from, to time.Duration
		want     int
	}{
		{"recorded", 5 * time.Second, 9 * time.Second, 200},
		{"the last second and what is to come", 59 * time.Second, 90 * time.Second, 200},
		{"what is to come", time.Minute, 90 * time.Second, 204},
		{"long before", -time.Hour, -time.Hour + time.Second, 204},
	} {
		if got := ask("bj1", x.from, x.to); got != x.want {
			t.Errorf("%s: %d, want %d", x.what, got, x.want)
		}
	}
	r.recording = false
	if got := ask("r1", 0, time.Second); got != 500 {
		t.Errorf("a recording that cannot be read: %d, want 500", got)
	}
}

// Neither pages nor answers nor recordings stay in a browser's cache.
func TestNothingIsCached(t *testing.T) {
	r := newRoom(t)
	c := r.as(t, "director")
	for _, path := range []string{"/", "/review", "/account", "/api/v1/me", "/api/v1/alerts", "/api/v1/account", "/api/v1/events",
		"/api/v1/clips?camera=bj1&from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:10Z"} {
		resp, err := c.Get(r.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Cache-Control"); resp.StatusCode != 200 || got != "no-store" {
			t.Errorf("%s: %d, Cache-Control %q", path, resp.StatusCode, got)
		}
	}
}

// The inspector has the ledger of the running node checked, and somebody's hand in it
// is named.
func TestTheLedgerIsChecked(t *testing.T) {
	r := newRoom(t)
	c, path := r.as(t, "inspector"), r.URL+"/api/v1/verify"
	check := func() LedgerCheck {
		t.Helper()
		ask[LedgerCheck](t, c, "POST", path, "", 200)
		for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if got := ask[LedgerCheck](t, c, "GET", path, "", 200); !got.Running {
				return got
			}
		}
		t.Fatal("it takes too long")
		return LedgerCheck{}
	}
	if got := ask[LedgerCheck](t, c, "GET", path, "", 200); got.Running || got.Report != nil {
		t.Errorf("before anybody asked: %+v", got)
	}
	if got := check(); got.Error != "" || got.By != "inspector" || got.Report == nil || len(got.Report.Problems) > 0 ||
		got.Report.Entries < 2 {
		t.Errorf("%+v %+v", got, got.Report)
	}
	files, err := filepath.Glob(filepath.Join(r.dir, "ledger", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], bytes.Replace(raw, []byte("inspector"), []byte("inspectar"), 1), 0o640); err != nil {
		t.Fatal(err)
	}
	if got := check(); got.Report == nil || len(got.Report.Problems) == 0 ||
		got.Report.Problems[0].What != ledger.Changed {
		t.Errorf("a changed entry: %+v %+v", got, got.Report)
	}
	r.srv.checked.now.Running = true
	ask[answer](t, c, "POST", path, "", 409)
	ask[answer](t, r.as(t, "jefe"), "POST", path, "", 403)
	r.audited(t, "inspector verify")
}

// A proxy that changes Host is named with what to do about it; one of the house may say which
// host was asked for, nobody else may.
func TestAProxyThatChangesHost(t *testing.T) {
	r := newRoom(t)
	cfg := r.srv.cfg
	cfg.Proxies = []string{"127.0.0.1"}
	srv, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	send := func(remote, origin, forwarded string) (int, string) {
		q := httptest.NewRequest("POST", "/login", strings.NewReader("user=director&password=correcto"))
		q.RemoteAddr, q.Host = remote, "10.0.0.5:8080"
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Origin", origin)
		q.Header.Set("X-Forwarded-For", "192.0.2.1")
		if forwarded != "" {
			q.Header.Set("X-Forwarded-Host", forwarded)
		}
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, q)
		return w.Code, w.Body.String()
	}
	const ours = "https://vision.casa.example"
	for _, c := range []struct {
		remote, origin, forwarded string
		want                      string // in the refusal; "" = none
	}{
		{"127.0.0.1:9", ours, "", "Host"},
		{"127.0.0.1:9", ours, "vision.casa.example", ""},
		{"127.0.0.1:9", ours, "made.up, vision.casa.example", ""},
		{"127.0.0.1:9", "https://elsewhere.example", "vision.casa.example", "elsewhere.example"},
		{"192.0.2.66:9", ours, "vision.casa.example", "tls.proxies"},
		{"192.0.2.66:9", "https://10.0.0.5:8080", "", ""},
		{"192.0.2.66:9", "null", "", "another site"},
	} {
		code, body := send(c.remote, c.origin, c.forwarded)
		if refused := code == http.StatusForbidden; refused != (c.want != "") || !strings.Contains(body, c.want) {
			t.Errorf("%+v: %d %s", c, code, body)
		}
	}
}
