package console

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"vision/internal/config"
	"vision/internal/testkit/idp"
	"vision/stream/account"
	"vision/stream/signin"
)

const chosen = "cuatro bueyes cantan tarde"

// browser is a client with cookies that follows nothing by itself.
func newBrowser() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// form posts a form and tells where it leads.
func (r *made) form(t *testing.T, c *http.Client, path string, v url.Values) string {
	t.Helper()
	resp, err := c.PostForm(r.URL+path, v)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("POST %s: %d", path, resp.StatusCode)
	}
	return resp.Header.Get("Location")
}

// ask wants a status and reads the answer.
func ask[T any](t *testing.T, c *http.Client, method, url, body string, want int) (out T) {
	t.Helper()
	code, said := do(t, c, method, url, body)
	if code != want {
		t.Fatalf("%s %s: %d, want %d: %.300s", method, url, code, want, said)
	}
	if want == 200 {
		if err := json.Unmarshal([]byte(said), &out); err != nil {
			t.Fatalf("%s: %v", said, err)
		}
	}
	return out
}

type answer = map[string]any

// audited wants actions in the trail.
func (r *made) audited(t *testing.T, want ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range want {
		if !strings.Contains(strings.Join(r.audit, ",")+",", w+",") {
			t.Errorf("the trail lacks %q: %v", w, r.audit)
		}
	}
}

func TestAPasswordOfOnesOwn(t *testing.T) {
	r := newRoom(t)
	here, there := r.as(t, "jefe"), r.as(t, "jefe")
	tok := ask[struct{ Token string }](t, there, "POST", r.URL+"/api/v1/tokens", "", 200)
	path := r.URL + "/api/v1/account/password"
	ask[answer](t, here, "PUT", path, `{"old":"wrong","new":"`+chosen+`"}`, 400)
	if code, said := do(t, here, "PUT", path, `{"old":"correcto","new":"password"}`); code != 400 || !strings.Contains(said, `"es"`) {
		t.Errorf("a common password: %d %s", code, said)
	}
	ask[answer](t, here, "PUT", path, `{"old":"correcto","new":"`+chosen+`"}`, 200)
	ask[answer](t, here, "GET", r.URL+"/api/v1/me", "", 200)
	ask[answer](t, there, "GET", r.URL+"/api/v1/me", "", 401)
	if code := withToken(t, "GET", r.URL+"/api/v1/me", tok.Token); code != 401 {
		t.Errorf("a token from before: %d", code)
	}
	if where := r.form(t, newBrowser(), "/login", url.Values{"user": {"jefe"}, "password": {chosen}}); where != "/" {
		t.Errorf("the new password leads to %s", where)
	}
	r.audited(t, "jefe password_failed", "jefe password")
}

func withToken(t *testing.T, method, url, tok string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+tok)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// A token opens what its account may see, and neither accounts nor other tokens.
func TestATokenMakesNothingLasting(t *testing.T) {
	r := newRoom(t)
	tok := ask[struct{ Token string }](t, r.as(t, "admin"), "POST", r.URL+"/api/v1/tokens", "", 200).Token
	for what, want := range map[string]int{"GET /api/v1/me": 200, "POST /api/v1/tokens": 403, "PUT /api/v1/account/password": 403, "GET /api/v1/account": 403,
		"GET /api/v1/users": 403, "POST /api/v1/users/jefe/reset": 403, "POST /api/v1/account/factor": 403} {
		method, path, _ := strings.Cut(what, " ")
		if got := withToken(t, method, r.URL+path, tok); got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
}

// enrol gives an account a second factor and returns the secret and the recovery codes.
func (r *made) enrol(t *testing.T, c *http.Client) (string, []string) {
	t.Helper()
	ask[answer](t, c, "POST", r.URL+"/api/v1/account/factor", `{"password":"wrong"}`, 400)
	offer := ask[map[string]string](t, c, "POST", r.URL+"/api/v1/account/factor", `{"password":"correcto"}`, 200)
	if !strings.HasPrefix(offer["picture"], "data:image/png;base64,") || !strings.HasPrefix(offer["uri"], "otpauth://totp/") {
		t.Fatalf("offer %v", offer)
	}
	now, err := totp.GenerateCode(offer["secret"], time.Now())
	if err != nil {
		t.Fatal(err)
	}
	got := ask[map[string][]string](t, c, "PUT", r.URL+"/api/v1/account/factor", `{"code":"`+now+`"}`, 200)
	return offer["secret"], got["recovery"]
}

func TestTheSecondFactorIsAskedFor(t *testing.T) {
	r := newRoom(t)
	r.srv.limit = newLimiter(100, time.Second) // many log-ins from one address
	c, elsewhere := r.as(t, "jefe"), r.as(t, "jefe")
	ask[answer](t, c, "PUT", r.URL+"/api/v1/account/factor", `{"code":"123456"}`, 409)
	secret, recovery := r.enrol(t, c)
	ask[answer](t, elsewhere, "GET", r.URL+"/api/v1/me", "", 401)
	ask[answer](t, c, "POST", r.URL+"/api/v1/account/factor", `{"password":"correcto"}`, 409)

	n := newBrowser()
	if where := r.form(t, n, "/login", url.Values{"user": {"jefe"}, "password": {"correcto"}, "next": {"/review"}}); where != "/login?next=%2Freview&step=code" {
		t.Fatalf("the password leads to %s", where)
	}
	ask[answer](t, n, "GET", r.URL+"/api/v1/me", "", 401)
	if where := r.form(t, n, "/login/code", url.Values{"code": {"000000"}}); !strings.Contains(where, "error=code") {
		t.Errorf("a wrong code leads to %s", where)
	}
	ask[answer](t, n, "GET", r.URL+"/api/v1/me", "", 401)
	next, err := totp.GenerateCode(secret, time.Now().Add(30*time.Second)) // that of now was used for enrolling
	if err != nil {
		t.Fatal(err)
	}
	if where := r.form(t, n, "/login/code", url.Values{"code": {next}, "next": {"/review"}}); where != "/review" {
		t.Fatalf("the code leads to %s", where)
	}
	ask[answer](t, n, "GET", r.URL+"/api/v1/me", "", 200)

	n = newBrowser()
	r.form(t, n, "/login", url.Values{"user": {"jefe"}, "password": {"correcto"}})
	if where := r.form(t, n, "/login/code", url.Values{"code": {next}}); !strings.Contains(where, "error=code") {
		t.Errorf("the same code again leads to %s", where)
	}
	if where := r.form(t, n, "/login/code", url.Values{"code": {recovery[0]}}); where != "/account" {
		t.Errorf("a recovery code leads to %s", where)
	}
	if got := ask[ownAccount](t, n, "GET", r.URL+"/api/v1/account", "", 200); got.Recovery != len(recovery)-1 || !got.Factor {
		t.Errorf("%+v", got)
	}
	ask[answer](t, n, "DELETE", r.URL+"/api/v1/account/factor", `{"code":"`+recovery[0]+`"}`, 400)
	fresh := ask[map[string][]string](t, n, "POST", r.URL+"/api/v1/account/recovery", `{"code":"`+recovery[1]+`"}`, 200)["recovery"]
	ask[answer](t, n, "DELETE", r.URL+"/api/v1/account/factor", `{"code":"`+fresh[0]+`"}`, 200)
	if where := r.form(t, newBrowser(), "/login", url.Values{"user": {"jefe"}, "password": {"correcto"}}); where != "/" {
		t.Errorf("without the factor the password leads to %s", where)
	}
	r.audited(t, "jefe factor", "jefe code_failed", "jefe recovery_code", "jefe recovery_renewed", "jefe factor_removed")
}

// Nobody comes to the code without the password, or by waiting.
func TestTheCodeAloneOpensNothing(t *testing.T) {
	r := newRoom(t)
	if where := r.form(t, newBrowser(), "/login/code", url.Values{"code": {"123456"}}); !strings.Contains(where, "error=again") {
		t.Errorf("leads to %s", where)
	}
	r.enrol(t, r.as(t, "jefe"))
	n, limited := newBrowser(), false
	r.form(t, n, "/login", url.Values{"user": {"jefe"}, "password": {"correcto"}})
	for range loginBurst + 1 {
		limited = limited || strings.Contains(r.form(t, n, "/login/code", url.Values{"code": {"000000"}}), "error=wait")
	}
	if !limited {
		t.Error("guessing codes was not slowed down")
	}
}

// Where the role needs a second factor nothing else is open before there is one.
func TestARoleNeedsAFactor(t *testing.T) {
	r := newRoom(t, func(o *account.Options) { o.Factor = []string{"admin"} })
	c := r.as(t, "admin")
	if code, said := do(t, c, "GET", r.URL+"/api/v1/me", ""); code != 403 || !strings.Contains(said, "second factor") {
		t.Errorf("%d %s", code, said)
	}
	resp, err := c.Get(r.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.Header.Get("Location") != "/account" {
		t.Errorf("the wall leads to %s", resp.Header.Get("Location"))
	}
	if code, _ := do(t, c, "POST", r.URL+"/whep/x", ""); code != 403 {
		t.Errorf("video: %d", code)
	}
	if code, _ := do(t, c, "POST", r.URL+"/api/v1/tokens", ""); code != 403 {
		t.Errorf("a token: %d", code)
	}
	if got := ask[ownAccount](t, c, "GET", r.URL+"/api/v1/account", "", 200); got.Held != "factor" {
		t.Errorf("%+v", got)
	}
	r.enrol(t, c)
	ask[answer](t, c, "GET", r.URL+"/api/v1/me", "", 200)
	ask[answer](t, r.as(t, "jefe"), "GET", r.URL+"/api/v1/me", "", 200)
}

func TestOnesOwnSessions(t *testing.T) {
	r := newRoom(t)
	a, b, other := r.as(t, "jefe"), r.as(t, "jefe"), r.as(t, "director")
	mine := ask[ownAccount](t, a, "GET", r.URL+"/api/v1/account", "", 200).Sessions
	if len(mine) != 2 || mine[0].This == mine[1].This || mine[0].ID == mine[1].ID || mine[0].Host == "" ||
		mine[0].Seen.IsZero() {
		t.Fatalf("%+v", mine)
	}
	theirs := ask[ownAccount](t, other, "GET", r.URL+"/api/v1/account", "", 200).Sessions[0]
	ask[answer](t, a, "DELETE", r.URL+"/api/v1/account/sessions/"+theirs.ID, "", 404)
	for _, x := range mine {
		if !x.This {
			ask[answer](t, a, "DELETE", r.URL+"/api/v1/account/sessions/"+x.ID, "", 200)
		}
	}
	ask[answer](t, b, "GET", r.URL+"/api/v1/me", "", 401)
	ask[answer](t, a, "GET", r.URL+"/api/v1/me", "", 200)
	b = r.as(t, "jefe")
	ask[answer](t, b, "DELETE", r.URL+"/api/v1/account/sessions", "", 200)
	ask[answer](t, a, "GET", r.URL+"/api/v1/me", "", 401)
	ask[answer](t, other, "GET", r.URL+"/api/v1/me", "", 200)
	mine = ask[ownAccount](t, b, "GET", r.URL+"/api/v1/account", "", 200).Sessions
	ask[answer](t, b, "DELETE", r.URL+"/api/v1/account/sessions/"+mine[0].ID, "", 200)
	ask[answer](t, b, "GET", r.URL+"/api/v1/me", "", 401)
	r.audited(t, "jefe session_ended", "jefe sessions_ended")
}

// What is streaming ends with the session.
func TestEventsEndWithTheSession(t *testing.T) {
	r := newRoom(t)
	watcher, owner := r.as(t, "jefe"), r.as(t, "jefe")
	resp, err := watcher.Get(r.URL + "/api/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	ask[answer](t, owner, "DELETE", r.URL+"/api/v1/account/sessions", "", 200)
	if err := r.hub.Publish("round", "BJ1", "", "secret"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan string, 1)
	go func() {
		var all strings.Builder
		buf := make([]byte, 1024)
		for {
			n, err := resp.Body.Read(buf)
			all.Write(buf[:n])
			if err != nil {
				ended <- all.String()
				return
			}
		}
	}()
	select {
	case got := <-ended:
		if strings.Contains(got, "secret") {
			t.Errorf("was told %q after the session had ended", got)
		}
	case <-time.After(3 * time.Minute):
		t.Error("the stream goes on after its session has ended")
	}
}

func TestAnAdministratorsWork(t *testing.T) {
	r := newRoom(t)
	r.srv.limit = newLimiter(100, time.Second) // many log-ins from one address
	admin := r.as(t, "admin")
	for body, want := range map[string]int{`{"user":"luis","role":"king"}`: 400, `{"user":"l u","role":"jefe"}`: 400, `{"user":"jefe","role":"jefe"}`: 409, `{"user":"luis","role":"jefe","tables":["X"]}`: 400} {
		ask[answer](t, admin, "POST", r.URL+"/api/v1/users", body, want)
	}
	first := ask[map[string]string](t, admin, "POST", r.URL+"/api/v1/users", `{"user":"luis","role":"jefe","tables":["R1"]}`, 200)["password"]
	luis := newBrowser()
	r.form(t, luis, "/login", url.Values{"user": {"luis"}, "password": {first}})
	if got := ask[ownAccount](t, luis, "GET", r.URL+"/api/v1/account", "", 200); got.Held != "password" {
		t.Errorf("%+v", got)
	}
	ask[answer](t, luis, "GET", r.URL+"/api/v1/tables", "", 403)
	ask[answer](t, luis, "PUT", r.URL+"/api/v1/account/password", `{"old":"`+first+`","new":"`+chosen+`"}`, 200)
	if got := ask[[]Table](t, luis, "GET", r.URL+"/api/v1/tables", "", 200); len(got) != 1 || got[0].ID != "R1" {
		t.Errorf("%+v", got)
	}
	users := ask[struct{ Users []User }](t, admin, "GET", r.URL+"/api/v1/users", "", 200).Users
	if len(users) != 5 || users[4].User != "luis" || users[4].Sessions != 1 || users[4].Configured || !users[0].Configured {
		t.Errorf("%+v", users)
	}
	ask[answer](t, luis, "GET", r.URL+"/api/v1/users", "", 403)
	ask[answer](t, admin, "DELETE", r.URL+"/api/v1/users/luis/sessions", "", 200)
	ask[answer](t, luis, "GET", r.URL+"/api/v1/me", "", 401)
	ask[answer](t, admin, "DELETE", r.URL+"/api/v1/users/nobody/sessions", "", 404)

	r.form(t, luis, "/login", url.Values{"user": {"luis"}, "password": {chosen}})
	ask[answer](t, admin, "PUT", r.URL+"/api/v1/users/luis", `{"role":"surveillance","disabled":true}`, 200)
	ask[answer](t, luis, "GET", r.URL+"/api/v1/me", "", 401)
	if where := r.form(t, luis, "/login", url.Values{"user": {"luis"}, "password": {chosen}}); !strings.Contains(where, "error=wrong") {
		t.Errorf("a shut account leads to %s", where)
	}
	ask[answer](t, admin, "PUT", r.URL+"/api/v1/users/jefe", `{"role":"admin"}`, 409)
	ask[answer](t, admin, "DELETE", r.URL+"/api/v1/users/luis", "", 200)
	ask[answer](t, admin, "DELETE", r.URL+"/api/v1/users/luis", "", 404)

	jefe := r.as(t, "jefe")
	r.enrol(t, jefe)
	reset := ask[map[string]string](t, admin, "POST", r.URL+"/api/v1/users/jefe/reset", `{"password":true,"factor":true}`, 200)
	ask[answer](t, jefe, "GET", r.URL+"/api/v1/me", "", 401)
	if where := r.form(t, jefe, "/login", url.Values{"user": {"jefe"}, "password": {reset["password"]}}); where != "/" {
		t.Errorf("the new password leads to %s", where)
	}
	ask[answer](t, admin, "POST", r.URL+"/api/v1/users/jefe/reset", `{}`, 400)
	r.audited(t, "admin user_added", "admin user_changed", "admin user_removed", "admin user_reset", "admin sessions_ended")
}

// withProvider is a room with an identity provider.
func withProvider(t *testing.T, p *idp.Provider) *made {
	t.Helper()
	r := newRoom(t, func(o *account.Options) { o.Issuer, o.Factor = p.URL, []string{"director"} })
	x, err := signin.New(config.OIDC{Issuer: p.URL, Client: idp.Client, Secret: idp.Secret, URL: r.URL, Logout: true,
		Roles: []config.OIDCRole{{Value: "direccion", Role: "director"}, {Value: "salas", Role: "jefe", Tables: []string{"BJ1"}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	r.srv.cfg.Provider, r.srv.cfg.ProviderName = x, "Casa"
	r.Config.Handler = r.srv.Handler() // its headers name the provider
	return r
}

// signIn goes to the provider and back as a browser does, and tells where it ends.
func (r *made) signIn(t *testing.T, c *http.Client, next string) string {
	t.Helper()
	where := r.URL + "/login/oidc?next=" + url.QueryEscape(next)
	for range 3 {
		resp, err := c.Get(where)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		to, err := resp.Location()
		if err != nil {
			t.Fatalf("%s: %d, %v", where, resp.StatusCode, err)
		}
		where = to.String()
		if strings.HasPrefix(where, r.URL) && to.Path != signin.Callback {
			break
		}
	}
	return strings.TrimPrefix(where, r.URL)
}

func TestSigningInAtTheProvider(t *testing.T) {
	p := idp.New(t)
	r := withProvider(t, p)
	c := newBrowser()
	if got := ask[answer](t, c, "GET", r.URL+"/login/ways", "", 200); got["provider"] != "Casa" {
		t.Errorf("ways %v", got)
	}
	if where := r.signIn(t, c, "/review"); where != "/review" {
		t.Fatalf("leads to %s", where)
	}
	if got := ask[[]Table](t, c, "GET", r.URL+"/api/v1/tables", "", 200); len(got) != 1 || got[0].ID != "BJ1" {
		t.Errorf("sees %+v", got)
	}
	own := ask[ownAccount](t, c, "GET", r.URL+"/api/v1/account", "", 200)
	if own.User != "eva" || own.Role != "jefe" || own.Issuer != p.URL || len(own.Sessions) != 1 {
		t.Errorf("%+v", own)
	}
	ask[answer](t, c, "PUT", r.URL+"/api/v1/account/password", `{"old":"","new":"`+chosen+`"}`, 409)
	if where := r.signIn(t, newBrowser(), "//elsewhere.example"); where != "/" {
		t.Errorf("another site: %s", where)
	}
	where := r.form(t, c, "/logout", nil)
	if !strings.HasPrefix(where, p.URL+"/end?") || !strings.Contains(where, "id_token_hint=") {
		t.Errorf("logging out leads to %s", where)
	}
	ask[answer](t, c, "GET", r.URL+"/api/v1/me", "", 401)
	resp, err := c.Get(r.URL + "/login")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if csp := resp.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "form-action 'self' "+p.URL+";") {
		t.Errorf("browsers would not follow: %s", csp)
	}
	r.audited(t, "eva login", "eva logout")
}

// Whom the provider puts out is out here too, with all that stands open; nobody else is.
func TestTheProviderEndsSessions(t *testing.T) {
	p := idp.New(t)
	r := withProvider(t, p)
	say := func(tok string) (int, string) {
		resp, err := http.PostForm(r.URL+signin.BackChannel, url.Values{"logout_token": {tok}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode, resp.Header.Get("Cache-Control")
	}
	p.Claims["sid"] = "desk"
	desk := newBrowser()
	r.signIn(t, desk, "/")
	p.Claims["sid"] = "tablet"
	tablet, other := newBrowser(), r.as(t, "jefe")
	r.signIn(t, tablet, "/")
	token := ask[struct{ Token string }](t, desk, "POST", r.URL+"/api/v1/tokens", "", 200).Token
	if code, _ := say("x.y.z"); code != 400 {
		t.Errorf("nonsense: %d", code)
	}
	if code, kept := say(p.LogoutToken(t, func(c map[string]any, _ *string) { c["sid"] = "desk" })); code != 200 || kept != "no-store" {
		t.Errorf("%d, %q", code, kept)
	}
	for who, want := range map[*http.Client]int{desk: 401, tablet: 200, other: 200} {
		ask[answer](t, who, "GET", r.URL+"/api/v1/me", "", want)
	}
	if code := withToken(t, "GET", r.URL+"/api/v1/me", token); code != 401 {
		t.Errorf("a token of who was put out: %d", code)
	}
	if code, _ := say(p.LogoutToken(t, nil)); code != 200 {
		t.Error(code)
	}
	for who, want := range map[*http.Client]int{tablet: 401, other: 200} {
		ask[answer](t, who, "GET", r.URL+"/api/v1/me", "", want)
	}
	r.audited(t, "eva provider_logout")
	limited := 0
	for range callBurst + 5 {
		if code, _ := say("x.y.z"); code == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited == 0 {
		t.Error("nobody is slowed down")
	}
}

// Whoever asks for what is not theirs is in the trail, without flooding it.
func TestRefusalsAreKept(t *testing.T) {
	r := newRoom(t)
	c := r.as(t, "jefe")
	for range 20 {
		ask[answer](t, c, "GET", r.URL+"/api/v1/users", "", 403)
		ask[answer](t, c, "GET", r.URL+"/api/v1/tables/R1/rounds", "", 404)
	}
	r.audited(t, "jefe refused")
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := strings.Count(strings.Join(r.audit, ","), "jefe refused"); n > loginBurst+1 {
		t.Errorf("%d entries of one flood", n)
	}
}

func TestTheProviderRefuses(t *testing.T) {
	p := idp.New(t)
	r := withProvider(t, p)
	p.Claims["groups"] = []string{"cocina"}
	if where := r.signIn(t, newBrowser(), "/"); !strings.Contains(where, "error=refused") {
		t.Errorf("no role: %s", where)
	}
	p.Claims["groups"], p.Claims["preferred_username"] = []string{"salas"}, "admin"
	c := newBrowser()
	if where := r.signIn(t, c, "/"); !strings.Contains(where, "error=refused") {
		t.Errorf("the name of another: %s", where)
	}
	ask[answer](t, c, "GET", r.URL+"/api/v1/me", "", 401)
	p.Refuse = "access_denied"
	if where := r.signIn(t, newBrowser(), "/"); !strings.Contains(where, "error=refused") {
		t.Errorf("denied: %s", where)
	}
	if code, _ := do(t, c, "GET", r.URL+signin.Callback+"?code=x&state=y", ""); code != 303 {
		t.Errorf("an answer nobody asked for: %d", code)
	}
	ask[answer](t, c, "GET", r.URL+"/api/v1/me", "", 401)
	r.audited(t, "eva login_refused", "admin login_refused")
	p.Close()
	away := withProvider(t, p)
	if where := away.signIn(t, newBrowser(), "/"); !strings.Contains(where, "error=provider") {
		t.Errorf("away: %s", where)
	}
	if on := away.board.Present(); len(on) != 1 || on[0].Code != "provider_down" {
		t.Errorf("problems %+v", on)
	}
}

// Where the role needs a second factor the provider may have asked for it; else
// this node does.
func TestASecondFactorBeyondTheProvider(t *testing.T) {
	p := idp.New(t)
	r := withProvider(t, p)
	p.Claims["groups"] = []string{"direccion"}
	p.Claims["amr"] = []string{"pwd", "otp"}
	c := newBrowser()
	r.signIn(t, c, "/")
	ask[answer](t, c, "GET", r.URL+"/api/v1/me", "", 200)
	p.Claims["amr"] = []string{"pwd"}
	c = newBrowser()
	r.signIn(t, c, "/")
	ask[answer](t, c, "GET", r.URL+"/api/v1/me", "", 403)
	offer := ask[map[string]string](t, c, "POST", r.URL+"/api/v1/account/factor", `{}`, 200)
	now, err := totp.GenerateCode(offer["secret"], time.Now())
	if err != nil {
		t.Fatal(err)
	}
	ask[answer](t, c, "PUT", r.URL+"/api/v1/account/factor", `{"code":"`+now+`"}`, 200)
	ask[answer](t, c, "GET", r.URL+"/api/v1/me", "", 200)
	if where := r.signIn(t, newBrowser(), "/"); !strings.Contains(where, "step=code") {
		t.Errorf("with a factor here: %s", where)
	}
}

func TestWithoutAProvider(t *testing.T) {
	r := newRoom(t)
	for _, path := range []string{"/login/oidc", signin.Callback} {
		if code, _ := do(t, newBrowser(), "GET", r.URL+path, ""); code != 404 {
			t.Errorf("%s: %d", path, code)
		}
	}
}
