package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"vision/internal/health"
	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/evidence"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/signin"
)

// trial is a request about a table, "R1" in its path or body.
type trial struct {
	path, body string
	// list: the answer is a list, of which everybody gets the own part; else who may not see
	// the table is refused.
	list bool
	// fails: what a request of who may do it is answered with, where the room has no such thing.
	fails int
	// of: what it is about where the route does not say so.
	of account.Object
}

// trials are requests about table R1 by every route that is described. A route that is not
// here fails the test.
func (r *made) trials(caseID, actaID string) map[string]trial {
	from, to := "2026-01-01T10:00:00Z", "2026-01-01T10:00:10Z"
	span := "camera=r1&from=" + from + "&to=" + to
	seal := `{"table":"R1","from":"` + from + `","to":"` + to + `","why":"x"}`
	mark := `{"camera":"r1","at":"` + from + `","text":"x"}`
	alertID := url.PathEscape("R1/1")
	return map[string]trial{
		"GET /livez": {list: true}, "GET /readyz": {list: true}, "GET /metrics": {list: true},
		"GET /api/v1/openapi.yaml": {list: true}, "GET /api/v1/openapi.json": {list: true},
		"GET /api/v1/me": {list: true}, "POST /api/v1/tokens": {list: true}, "GET /api/v1/catalogue": {list: true},
		"GET /api/v1/account": {list: true}, "PUT /api/v1/account/password": {body: `{}`, fails: 400},
		"POST /api/v1/account/factor": {body: `{}`, fails: 400}, "PUT /api/v1/account/factor": {body: `{"code":"1"}`, fails: 409},
		"DELETE /api/v1/account/factor":   {body: `{"code":"1"}`, fails: 404},
		"POST /api/v1/account/recovery":   {body: `{"code":"1"}`, fails: 404},
		"DELETE /api/v1/account/sessions": {list: true}, "DELETE /api/v1/account/sessions/{id}": {fails: 404},

		"GET /api/v1/users": {}, "POST /api/v1/users": {body: `{"user":"n%s","role":"jefe","tables":["R1"]}`},
		"PUT /api/v1/users/{user}":             {path: "/api/v1/users/ana", body: `{"role":"jefe","tables":["R1"]}`},
		"DELETE /api/v1/users/{user}":          {path: "/api/v1/users/gone", fails: 404},
		"POST /api/v1/users/{user}/reset":      {path: "/api/v1/users/ana/reset", body: `{"factor":true}`},
		"DELETE /api/v1/users/{user}/sessions": {path: "/api/v1/users/ana/sessions"},
		"GET /api/v1/configuration":            {}, "POST /api/v1/configuration": {},
		"PUT /api/v1/thresholds": {body: `{"budget":1,"escalate":60}`}, "GET /api/v1/thresholds": {list: true}, "GET /api/v1/rates": {list: true},
		"GET /api/v1/verify": {}, "POST /api/v1/verify": {},
		"GET /api/v1/cameras/discover": {}, "GET /api/v1/setup": {}, "POST /api/v1/setup": {body: `{}`},
		"POST /api/v1/setup/plan": {body: `{}`, fails: 400},
		"GET /api/v1/setup/{id}":  {path: "/api/v1/setup/1"}, "PUT /api/v1/setup/{id}": {path: "/api/v1/setup/1", body: `{"id":"R9"}`},
		"DELETE /api/v1/setup/{id}": {path: "/api/v1/setup/1"}, "POST /api/v1/setup/{id}/live": {path: "/api/v1/setup/1/live"},

		"GET /api/v1/tables": {list: true}, "GET /api/v1/alerts": {list: true}, "GET /api/v1/review": {path: "/api/v1/review?table=R1", list: true},
		"GET /api/v1/rounds": {path: "/api/v1/rounds?table=R1", list: true}, "GET /api/v1/cases": {list: true},
		"GET /api/v1/actas": {list: true}, "GET /api/v1/seals": {list: true}, "GET /api/v1/supervision": {list: true},
		"GET /api/v1/statistics": {path: "/api/v1/statistics?by=table&table=R1", list: true}, "GET /api/v1/health": {list: true},
		"GET /api/v1/audit": {path: "/api/v1/audit?kind=round", list: true}, "GET /api/v1/events": {list: true},

		"GET /api/v1/tables/{table}/rounds": {}, "GET /api/v1/tables/{table}/rounds/{round}": {path: "/api/v1/tables/R1/rounds/R1-1"},
		"GET /api/v1/tables/{table}/session": {}, "POST /api/v1/tables/{table}/session": {body: `{"event":{"type":"cut"}}`, fails: 400},
		"GET /api/v1/tables/{table}/layout": {}, "GET /api/v1/tables/{table}/calls": {},
		"POST /api/v1/tables/{table}/events": {body: "[]", list: true}, // who may not speak for it needs its token: "R1 false"
		"POST /api/v1/alerts/{id}/ack":       {path: "/api/v1/alerts/" + alertID + "/ack", body: `{"outcome":"noted"}`},
		"GET /api/v1/alerts/{id}/notes":      {path: "/api/v1/alerts/" + alertID + "/notes"},
		"POST /api/v1/alerts/{id}/notes":     {path: "/api/v1/alerts/" + alertID + "/notes", body: `{"text":"x"}`},
		"PUT /api/v1/alerts/{id}/reviewed":   {path: "/api/v1/alerts/" + alertID + "/reviewed", body: `{"reviewed":true}`},
		"GET /api/v1/timeline":               {path: "/api/v1/timeline?" + span}, "GET /api/v1/clips": {path: "/api/v1/clips?" + span, fails: 500},
		"POST /api/v1/marks": {body: mark}, "DELETE /api/v1/marks": {body: mark},
		"POST /api/v1/seals": {body: seal}, "DELETE /api/v1/seals": {body: seal, fails: 404},
		"POST /api/v1/cases":         {body: `{"title":"x","tables":["R1"],"from":"` + from + `","to":"` + to + `","note":""}`},
		"GET /api/v1/cases/{id}/zip": {path: "/api/v1/cases/" + caseID + "/zip", of: account.Of("BJ1", "R1")},
		"POST /api/v1/actas": {body: `{"jefe":"ana","from":"` + time.Now().Add(-time.Hour).Format(time.RFC3339) + `","to":"` +
			time.Now().Format(time.RFC3339Nano) + `"}`, of: account.Of("BJ1", "R1")}, // of a jefe with both
		"GET /api/v1/actas/{id}":                                      {path: "/api/v1/actas/" + actaID, of: account.Of("BJ1", "R1")},
		"POST /api/v1/supervision/check":                              {body: `{"jefe":"ana","tables":["R1"]}`},
		"PUT /api/v1/supervision/jefes/{jefe}":                        {path: "/api/v1/supervision/jefes/ana", body: `{"tables":["R1"]}`},
		"PUT /api/v1/supervision/tables/{table}":                      {body: `{"open":true,"staff":{"croupier":1}}`},
		"GET /api/v1/cameras/{camera}/empty":                          {fails: 404},
		"POST /api/v1/cameras/{camera}/empty":                         {},
		"GET /api/v1/cameras/{camera}/calibration":                    {},
		"PUT /api/v1/cameras/{camera}/calibration":                    {body: `{}`, fails: 400},
		"POST /api/v1/cameras/{camera}/calibration/fit":               {body: `{}`, fails: 400},
		"POST /api/v1/cameras/{camera}/calibration/rack":              {body: `{}`, fails: 400},
		"POST /api/v1/cameras/{camera}/calibration/try":               {body: `{}`, fails: 400},
		"GET /api/v1/cameras/{camera}/calibration/versions/{version}": {path: "/api/v1/cameras/r1/calibration/versions/x", fails: 404},
		"POST /api/v1/cameras/{camera}/lens":                          {body: `{}`, fails: 400},
		"POST /api/v1/cameras/{camera}/lens/board":                    {body: "x", fails: 400},
		"POST /api/v1/cameras/{camera}/confirm":                       {fails: 500},
		"GET /preview/{camera}":                                       {},

		// Who may see which camera the server of video asks May; whose a session is, it knows
		// itself (stream/live, TestAnothersSession).
		"POST /whep": {list: true}, "OPTIONS /whep": {list: true}, "POST /whep/{camera}": {list: true}, "OPTIONS /whep/{camera}": {list: true},
		"PATCH /whep/session/{id}": {list: true}, "DELETE /whep/session/{id}": {list: true}, "OPTIONS /whep/session/{id}": {list: true},
	}
}

// limits are to which tables an account may be limited, seen from a request about R1.
var limits = map[string][]string{"some": {"BJ1"}, "gone": {"R7"}, "own": {"R1"}, "all": nil}

// Every role, limited to another table, to the very one, to one that is no longer there, and
// not limited, and a stranger, at every route that is described: what belongs to another table
// is never answered nor changed, and who may gets it.
func TestEveryRouteKeepsToOnesTables(t *testing.T) {
	t.Parallel()
	var list []account.Account
	for _, role := range account.Roles {
		for of, tables := range limits {
			list = append(list, account.Account{User: of + "-" + role, Role: role, Password: hashes(), Tables: tables})
		}
	}
	r := newRoom(t, func(o *account.Options) { o.Configured = append(o.Configured, list...) }, withAna)
	r.srv.limit, r.srv.dials = newLimiter(1000, time.Second), newLimiter(10000, time.Second)
	r.srv.tokens, r.srv.wrong = newLimiter(10000, time.Second), newLimiter(10000, time.Second)
	r.srv.cfg.Preview = func(camera string) (http.Handler, bool) {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, camera) }), true
	}
	caseID, actaID := r.furnish(t)
	trials := r.trials(caseID, actaID)
	replace := strings.NewReplacer("{table}", "R1", "{camera}", "r1", "{id}", "x", "{user}", "x", "{jefe}", "x", "{round}", "x", "{version}", "x")
	ask := func(c *http.Client, pattern string, x trial, user string) (int, string) {
		method, path, _ := strings.Cut(pattern, " ")
		if x.path != "" {
			path = x.path
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		if pattern == "GET /api/v1/events" {
			ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
			defer cancel()
		}
		body := strings.ReplaceAll(x.body, "%s", user)
		req, err := http.NewRequestWithContext(ctx, method, r.URL+replace.Replace(path), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(pattern, err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body) // events go on until the time is over
		return resp.StatusCode, string(b)
	}
	d, _ := readDescription(t)
	right, scopes := map[string]Right{}, map[string]scope{}
	for _, route := range r.srv.routes() {
		right[route.pattern], scopes[route.pattern] = route.right, route.of
	}
	told := func(body string) bool {
		return strings.Contains(body, "R1") || strings.Contains(body, `r1`) || strings.Contains(body, "Ruleta")
	}
	for path, item := range d.Paths {
		for method := range item {
			pattern := strings.ToUpper(method) + " " + path
			x, known := trials[pattern]
			switch {
			case method == "parameters":
				continue
			case !known:
				t.Errorf("%s is in no trial: say what it is about", pattern)
				continue
			case strings.Contains(path, "openapi"):
				continue
			}
			code, body := ask(&http.Client{}, pattern, x, "stranger")
			trusted := strings.Contains(body, "R1 true")
			if (strings.HasPrefix(path, "/whep") || strings.HasSuffix(path, "/events")) && !trusted || pattern == "GET /metrics" { // from this machine
				body = ""
			}
			if right[pattern] != Nobody && code != http.StatusUnauthorized || code < 300 && told(body) {
				t.Errorf("%s by a stranger: %d %.200s", pattern, code, body)
			}
			for _, role := range account.Roles {
				for _, of := range []string{"some", "gone"} {
					if pattern == "DELETE /api/v1/account/sessions" && role == "admin" {
						continue
					}
					user := of + "-" + role
					code, body := ask(&http.Client{Jar: r.jar(t, user)}, pattern, x, user)
					switch {
					case strings.Contains(path, "/events") && method == "post":
						if body != "R1 false" {
							t.Errorf("%s as %s is trusted: %s", pattern, user, body)
						}
					case strings.HasPrefix(path, "/whep") && !strings.Contains(body, "R1 true"):
					case pattern == "GET /metrics": // from this machine
					case strings.HasPrefix(path, "/api/v1/account"), strings.Contains(path, "/metrics"):
					case code < 300 && told(body):
						t.Errorf("%s tells %s: %.300s", pattern, user, body)
					case code < 300 && !x.list:
						t.Errorf("%s was done for %s: %d %.200s", pattern, user, code, body)
					case code >= 400 && !x.list && code != 403 && code != 404:
						t.Errorf("%s of %s was looked into: %d %.200s", pattern, user, code, body)
					}
				}
			}
		}
	}
	for pattern, x := range trials {
		if _, there := right[pattern]; !there {
			t.Errorf("%s is tried and does not exist", pattern)
		}
		if strings.Contains(pattern, "/account") || strings.Contains(pattern, "DELETE /api/v1/users") || strings.HasSuffix(pattern, "/tokens") {
			continue
		}
		about := x.of
		if about.Tables == nil {
			r1 := account.Of("R1")
			about = map[scope]account.Object{ofHouse: account.House, ofTable: r1, ofCamera: r1, ofAlert: r1}[scopes[pattern]]
		}
		need := right[pattern]
		if strings.HasSuffix(pattern, "/events") && need == Nobody { // without a token
			need = Announce
		}
		for _, role := range account.Roles {
			for _, of := range []string{"own", "all"} {
				user := of + "-" + role
				may := (&account.Account{Role: role, Tables: limits[of]}).May(need, about) == nil
				if pattern == "POST /api/v1/supervision/check" && role == "jefe" || strings.Contains(pattern, "/jefes/") && role == "jefe" {
					continue
				}
				code, body := ask(&http.Client{Jar: r.jar(t, user)}, pattern, x, user)
				done := code < 300 || code == 409 || x.fails != 0 && code == x.fails
				if may != done {
					t.Errorf("%s of %s: %d %.200s", pattern, user, code, body)
				}
			}
		}
	}
}

// doors are what the server has beside the routes that are described: pages, with the right that
// each asks for, and the ways in and out.
var doors = map[string]Right{
	"GET /login": Nobody, "POST /login": Nobody, "POST /login/code": Nobody, "GET /login/ways": Nobody, "GET /login/oidc": Nobody,
	"GET " + signin.Callback: Nobody, "POST " + signin.BackChannel: Nobody, "POST /logout": Nobody,
	"GET /assets/": Nobody, "GET /assets/spots.json": Nobody, "GET /terminal/{table}": Nobody,
	"GET /{$}": See, "GET /review": See, "GET /supervision": See, "GET /sessions": See, "GET /actas": See, "GET /statistics": See,
	"GET /tour": See, "GET /api": See, "GET /health": See, "GET /account": Own, "GET /audit": Audit,
	"GET /thresholds": Tune, "GET /users": Administer, "GET /configuration": Administer, "GET /calibrate/{camera}": Technical,
	"GET /setup": Install,
}

// served is where a pattern is registered in the sources.
var served = regexp.MustCompile(`\bmux\.Handle(?:Func)?\((?:"([A-Z]+ )?(/?[^"]*)"(?:\+(signin\.\w+))?|(\w[\w.]*)),`)

// Whatever the server answers to is described, or one of its doors; these let in only whom they ask for.
func TestEveryDoorIsKnown(t *testing.T) {
	r := newRoom(t, func(o *account.Options) {
		for _, role := range account.Roles {
			o.Configured = append(o.Configured, account.Account{User: "all-" + role, Role: role, Password: hashes()})
		}
	})
	known := map[string]bool{"/": true}
	for _, route := range r.srv.routes() {
		_, path, _ := strings.Cut(route.pattern, " ")
		known[route.pattern], known[path] = true, true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		for _, m := range served.FindAllStringSubmatch(strings.ReplaceAll(string(b), `" + signin`, `"+signin`), -1) {
			path := m[2] + map[string]string{"signin.Callback": signin.Callback, "signin.BackChannel": signin.BackChannel}[m[3]]
			_, door := doors[m[1]+path]
			if found++; m[4] == "" && !door && !known[m[1]+path] {
				t.Errorf("%s: %s%s is neither described in openapi.yaml nor one of the doors", f, m[1], path)
			}
		}
	}
	if found < len(doors) {
		t.Errorf("found %d registrations of %d doors", found, len(doors))
	}
	for pattern, right := range doors {
		method, path, _ := strings.Cut(pattern, " ")
		if right == Nobody || method != "GET" {
			continue
		}
		path = strings.NewReplacer("{$}", "", "{camera}", "r1").Replace(path)
		for _, role := range append([]string{""}, account.Roles...) {
			c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			may := false
			if role != "" {
				c.Jar = r.jar(t, "all-"+role)
				may = (&account.Account{Role: role}).May(right, account.Object{}) == nil
			}
			resp, err := c.Get(r.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if may != (resp.StatusCode == http.StatusOK) {
				t.Errorf("%s as %q: %d", pattern, role, resp.StatusCode)
			}
		}
	}
}

// furnish puts things of R1 everywhere: rounds, alerts, a case, an acta, a seal, a mark,
// problems, supervision.
func (r *made) furnish(t *testing.T) (caseID, actaID string) {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Second)
	r.dealt(t, "R1", "ruleta_francesa", 2)
	if _, err := r.ledger.Append(ledger.Round, "R1", json.RawMessage(`{"id":"R1-1","norm":"n","game":"ruleta_francesa","events":[]}`)); err != nil {
		t.Fatal(err)
	}
	a := alert.Alert{ID: "R1/1", Table: "R1", Code: "payout_under", Severity: "critical", At: at}
	if err := r.desk.Raise(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	director := &http.Client{Jar: r.jar(t, "all-director")}
	r.supervised(t, "ana", "BJ1", "R1")
	if code, body := do(t, director, "PUT", r.URL+"/api/v1/supervision/jefes/ana", `{"tables":["R1"]}`); code != 200 {
		t.Fatal(code, body)
	}
	c := evidence.New("case of R1", "all-director", []string{"BJ1", "R1"}, at.Add(-time.Hour), at, "")
	if err := r.srv.cfg.Archive.Keep(c); err != nil {
		t.Fatal(err)
	}
	span := record.SealSpan{Table: "R1", From: at.Add(-time.Hour), To: at, By: "all-director", Why: "x"}
	if err := r.srv.cfg.Archive.Seal(span); err != nil {
		t.Fatal(err)
	}
	r.caught(t)
	_, body := do(t, director, "POST", r.URL+"/api/v1/actas", `{"jefe":"ana","from":"`+at.Add(-time.Hour).Format(time.RFC3339)+`","to":"`+time.Now().Format(time.RFC3339Nano)+`"}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || made.ID == "" {
		t.Fatal(body)
	}
	do(t, director, "POST", r.URL+"/api/v1/marks", `{"camera":"r1","at":"2026-01-01T10:00:00Z","text":"R1"}`)
	r.board.Set(health.CameraDown, "R1", "r1", "no picture of R1")
	r.board.Set(health.DiskLow, "", "recordings", "R1/r1/1.mp4 had to go")
	for _, err := range []error{
		r.hub.Retain("health", "", "", r.board.Present()), r.hub.Retain("supervision", "", "", r.srv.cfg.Floor.Status()),
		r.hub.Retain("state", "R1", "", "state of R1"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r.caught(t)
	return c.ID, made.ID
}

// jar is the cookies of who has logged in.
func (r *made) jar(t *testing.T, user string) http.CookieJar {
	t.Helper()
	r.mu.Lock()
	jar := r.jars[user]
	r.mu.Unlock()
	if jar == nil {
		jar = r.as(t, user).Jar
		r.mu.Lock()
		if r.jars == nil {
			r.jars = map[string]http.CookieJar{}
		}
		r.jars[user] = jar
		r.mu.Unlock()
	}
	return jar
}
