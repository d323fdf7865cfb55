package console

import (
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"github.com/goccy/go-yaml"

	"vision/stream/index"
)

// route is one way into the API. assets/openapi.yaml describes each; a test
// compares the two.
type route struct {
	pattern string // as http.ServeMux wants it
	right   Right  // of the caller's role; Nobody: no account is asked for
	of      scope  // what it is about, to which the caller needs the right
	handle  handler
}

// handler is told who calls; nil where nobody needs to be.
type handler func(http.ResponseWriter, *http.Request, *Account)

// anybody is a handler that asks no account.
func anybody(h http.HandlerFunc) handler {
	return func(w http.ResponseWriter, r *http.Request, _ *Account) { h(w, r) }
}

// routes are all that programs use; pages are in Handler.
func (s *Server) routes() []route {
	live := func(w http.ResponseWriter, r *http.Request, _ *Account) { s.cfg.Live.ServeHTTP(w, r) }
	begin := func(w http.ResponseWriter, r *http.Request, a *Account) {
		if ok, wait := s.dials.allow(a.User, time.Now()); !ok {
			deny(w, tooMany(wait, time.Millisecond, "too many new connections; wait %v"))
			return
		}
		live(w, r, a)
	}
	return []route{
		{"GET /livez", Nobody, ofNone, anybody(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })},
		{"GET /readyz", Nobody, ofNone, anybody(s.ready)},
		{"GET /metrics", Nobody, inside, anybody(s.metrics)},
		{"GET /api/v1/openapi.yaml", Nobody, ofNone, anybody(s.openapi)},
		{"GET /api/v1/openapi.json", Nobody, ofNone, anybody(s.openapiJSON)},
		{"GET /api/v1/me", See, ofNone, answers(s.me)},
		{"POST /api/v1/tokens", See, ofNone, answers(s.token)},
		{"GET /api/v1/account", Own, ofNone, answers(s.own)},
		{"PUT /api/v1/account/password", Own, ofNone, takes(`{"old":"…","new":"…"}`, s.setPassword)},
		{"POST /api/v1/account/factor", Own, ofNone, takes(`{"password":"…"}`, s.offerFactor)},
		{"PUT /api/v1/account/factor", Own, ofNone, takes(`{"code":"…"}`, s.takeFactor)},
		{"DELETE /api/v1/account/factor", Own, ofNone, takes(`{"code":"…"}`, s.dropFactor)},
		{"POST /api/v1/account/recovery", Own, ofNone, takes(`{"code":"…"}`, s.renewRecovery)},
		{"DELETE /api/v1/account/sessions", Own, ofNone, answers(s.endOthers)},
		{"DELETE /api/v1/account/sessions/{id}", Own, ofNone, answers(s.endOwn)},
		{"GET /api/v1/users", Administer, ofHouse, answers(s.users)},
		{"POST /api/v1/users", Administer, ofHouse, takes(userWant, s.addUser)},
		{"PUT /api/v1/users/{user}", Administer, ofHouse, takes(userWant, s.changeUser)},
		{"DELETE /api/v1/users/{user}", Administer, ofHouse, answers(s.removeUser)},
		{"POST /api/v1/users/{user}/reset", Administer, ofHouse, takes(`{"password":true,"factor":true}`, s.resetUser)},
		{"DELETE /api/v1/users/{user}/sessions", Administer, ofHouse, answers(s.endUser)},
		{"GET /api/v1/configuration", Administer, ofHouse, answers(s.configuration)},
		{"POST /api/v1/configuration", Administer, ofHouse, s.reread},
		{"GET /api/v1/tables", See, ofNone, answers(s.tables)},
		{"GET /api/v1/tables/{table}/rounds", See, ofTable, answers(s.rounds)},
		{"GET /api/v1/tables/{table}/rounds/{round}", See, ofTable, answers(s.round)},
		{"GET /api/v1/tables/{table}/session", See, ofTable, answers(s.tableSession)},
		{"POST /api/v1/tables/{table}/session", Supervise, ofTable, takes(`{"event":{"type":"fill","amount":100000},"second":{"user":"…","password":"…"}}`, s.sessionStep)},
		{"GET /api/v1/tables/{table}/calls", Nobody, inside, anybody(s.calls)},
		{"POST /api/v1/tables/{table}/events", Nobody, inside, anybody(s.sensor)},
		{"GET /api/v1/alerts", See, ofNone, answers(s.alerts)},
		{"POST /api/v1/alerts/{id}/ack", Acknowledge, ofAlert, takes(`{"outcome":…,"note":…}`, s.acknowledge)},
		{"GET /api/v1/alerts/{id}/notes", See, ofAlert, answers(s.notes)},
		{"POST /api/v1/alerts/{id}/notes", Acknowledge, ofAlert, takes(`{"text":"…"}`, s.addNote)},
		{"PUT /api/v1/alerts/{id}/reviewed", Acknowledge, ofAlert, takes(`{"reviewed":true}`, s.reviewed)},
		{"GET /api/v1/review", See, ofNone, answers(s.review)},
		{"GET /api/v1/rounds", See, ofNone, answers(s.search)},
		{"GET /api/v1/timeline", See, inside, answers(s.timeline)},
		{"POST /api/v1/marks", Acknowledge, inside, s.mark(index.ActMark)},
		{"DELETE /api/v1/marks", Acknowledge, inside, s.mark(index.ActUnmark)},
		{"GET /api/v1/clips", See, inside, s.clip},
		{"GET /api/v1/cases", See, ofNone, answers(func(r *http.Request, a *Account) (any, error) { return s.caseList(r, a) })},
		{"POST /api/v1/cases", Export, inside, takes(`{"title":"…","tables":["BJ1"],"from":"…","to":"…","note":"…"}`, s.newCase)},
		{"GET /api/v1/cases/{id}/zip", Export, inside, s.caseZip},
		{"GET /api/v1/actas", See, ofNone, answers(s.actas)},
		{"POST /api/v1/actas", Export, inside, takes(`{"table":"BJ1","from":"…","to":"…"} or {"jefe":"…","from":"…","to":"…"}`, s.newActa)},
		{"GET /api/v1/actas/{id}", See, inside, s.acta},
		{"GET /api/v1/tables/{table}/layout", See, ofTable, answers(s.layout)},
		{"GET /api/v1/statistics", See, ofNone, answers(s.statistics)},
		{"GET /api/v1/seals", See, ofNone, answers(s.seals)},
		{"POST /api/v1/seals", Export, inside, takes(sealWant, s.seal)},
		{"DELETE /api/v1/seals", Release, inside, takes(sealWant, s.release)},
		{"GET /api/v1/audit", Audit, ofNone, answers(s.auditTrail)},
		{"GET /api/v1/verify", Audit, ofHouse, answers(s.verified)},
		{"POST /api/v1/verify", Audit, ofHouse, answers(s.verify)},
		{"GET /api/v1/supervision", See, ofNone, answers(s.supervision)},
		{"POST /api/v1/supervision/check", Supervise, inside, takes(`{"jefe":"ana","tables":["R1","R2"]}`, s.supervisionCheck)},
		{"PUT /api/v1/supervision/jefes/{jefe}", Supervise, inside, takes(`{"tables":["R1","R2"]}`, s.assign)},
		{"PUT /api/v1/supervision/tables/{table}", Supervise, ofTable, takes(`{"open":true,"staff":{"croupier":1}}`, s.duty)},
		{"GET /api/v1/catalogue", See, ofNone, answers(s.catalogue)},
		{"GET /api/v1/thresholds", See, ofNone, answers(s.thresholds)},
		{"PUT /api/v1/thresholds", Tune, ofHouse, takes(`{"budget":1,"escalate":60}`, s.setThresholds)},
		{"GET /api/v1/rates", See, ofNone, answers(s.rates)},
		{"GET /api/v1/health", See, ofNone, answers(s.health)},
		{"GET /api/v1/events", See, ofNone, s.events},
		{"GET /api/v1/cameras/discover", Technical, ofHouse, answers(s.discover)},
		{"GET /api/v1/setup", Install, ofHouse, answers(s.setupRoom)},
		{"POST /api/v1/setup", Install, ofHouse, takesUpTo(maxChoice, s.beginSetup)},
		{"POST /api/v1/setup/plan", Install, ofHouse, takesUpTo(maxChoice, s.planCamera)},
		{"GET /api/v1/setup/{id}", Install, ofHouse, answers(s.setup)},
		{"PUT /api/v1/setup/{id}", Install, ofHouse, takesUpTo(maxChoice, s.chooseSetup)},
		{"DELETE /api/v1/setup/{id}", Install, ofHouse, answers(s.dropSetup)},
		{"POST /api/v1/setup/{id}/live", Install, ofHouse, answers(s.goLive)},
		{"GET /api/v1/cameras/{camera}/empty", Technical, ofCamera, s.emptyTable},
		{"POST /api/v1/cameras/{camera}/empty", Technical, ofCamera, answers(s.takeEmpty)},
		{"GET /api/v1/cameras/{camera}/calibration", Technical, ofCamera, answers(s.calibration)},
		{"PUT /api/v1/cameras/{camera}/calibration", Technical, ofCamera, takesUpTo(maxCalibration, s.saveCalibration)},
		{"POST /api/v1/cameras/{camera}/calibration/fit", Technical, ofCamera, takesUpTo(maxCalibration, s.fitCalibration)},
		{"POST /api/v1/cameras/{camera}/calibration/rack", Technical, ofCamera, takesUpTo(maxCalibration, s.placeRack)},
		{"POST /api/v1/cameras/{camera}/calibration/try", Technical, ofCamera, takesUpTo(maxCalibration+maxStill*4/3, s.tryCalibration)},
		{"GET /api/v1/cameras/{camera}/calibration/versions/{version}", Technical, ofCamera, answers(s.calibrationVersion)},
		{"POST /api/v1/cameras/{camera}/lens", Technical, ofCamera, takesUpTo(maxCalibration, s.measureLens)},
		{"POST /api/v1/cameras/{camera}/lens/board", Technical, ofCamera, s.findBoard},
		{"POST /api/v1/cameras/{camera}/confirm", Technical, ofCamera, answers(s.confirmCamera)},
		{"GET /preview/{camera}", See, ofCamera, s.preview},
		{"POST /whep", See, inside, begin},
		{"OPTIONS /whep", Nobody, ofNone, live},
		{"POST /whep/{camera}", See, inside, begin},
		{"OPTIONS /whep/{camera}", Nobody, ofNone, live},
		{"PATCH /whep/session/{id}", See, inside, live},
		{"DELETE /whep/session/{id}", See, inside, live},
		{"OPTIONS /whep/session/{id}", Nobody, ofNone, live},
	}
}

// api registers the routes.
func (s *Server) api(mux *http.ServeMux) {
	for _, r := range s.routes() {
		if r.right == Nobody {
			mux.HandleFunc(r.pattern, func(w http.ResponseWriter, q *http.Request) { r.handle(w, q, who(q.Context())) })
			continue
		}
		mux.HandleFunc(r.pattern, s.caller(r))
	}
}

// openapi is the API's description.
func (s *Server) openapi(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/yaml")
	http.ServeFileFS(w, r, s.pages, "openapi.yaml")
}

// openapiJSON is the same in JSON, which browsers read by themselves.
func (s *Server) openapiJSON(w http.ResponseWriter, _ *http.Request) {
	raw, err := fs.ReadFile(s.pages, "openapi.yaml")
	if err == nil {
		raw, err = yaml.YAMLToJSON(raw)
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, "description: %v", err)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(raw)
}
