package console

import (
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"time"

	"github.com/goccy/go-yaml"

	"vision/stream/index"
)

// route is one way into the API. assets/openapi.yaml describes each; a test
// compares the two.
type route struct {
	pattern string // as http.ServeMux wants it
	right   Right  // of the caller's role; Nobody: no account is asked for
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
			w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
			refuse(w, http.StatusTooManyRequests, "too many new connections; wait %v", wait.Round(time.Millisecond))
			return
		}
		live(w, r, a)
	}
	return []route{
		{"GET /livez", Nobody, anybody(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })},
		{"GET /readyz", Nobody, anybody(s.ready)},
		{"GET /metrics", Nobody, anybody(s.metrics)},
		{"GET /api/v1/openapi.yaml", Nobody, anybody(s.openapi)},
		{"GET /api/v1/openapi.json", Nobody, anybody(s.openapiJSON)},
		{"GET /api/v1/me", See, s.me},
		{"POST /api/v1/tokens", See, s.token},
		{"GET /api/v1/account", Own, s.own},
		{"PUT /api/v1/account/password", Own, s.setPassword},
		{"POST /api/v1/account/factor", Own, s.offerFactor},
		{"PUT /api/v1/account/factor", Own, s.takeFactor},
		{"DELETE /api/v1/account/factor", Own, s.dropFactor},
		{"POST /api/v1/account/recovery", Own, s.renewRecovery},
		{"DELETE /api/v1/account/sessions", Own, s.endOthers},
		{"DELETE /api/v1/account/sessions/{id}", Own, s.endOwn},
		{"GET /api/v1/users", Administer, s.users},
		{"POST /api/v1/users", Administer, s.addUser},
		{"PUT /api/v1/users/{user}", Administer, s.changeUser},
		{"DELETE /api/v1/users/{user}", Administer, s.removeUser},
		{"POST /api/v1/users/{user}/reset", Administer, s.resetUser},
		{"DELETE /api/v1/users/{user}/sessions", Administer, s.endUser},
		{"GET /api/v1/configuration", Administer, s.configuration},
		{"POST /api/v1/configuration", Administer, s.reread},
		{"GET /api/v1/tables", See, s.tables},
		{"GET /api/v1/tables/{table}/rounds", See, s.rounds},
		{"GET /api/v1/tables/{table}/rounds/{round}", See, s.round},
		{"GET /api/v1/tables/{table}/session", See, s.tableSession},
		{"POST /api/v1/tables/{table}/session", Supervise, s.sessionStep},
		{"GET /api/v1/tables/{table}/calls", Nobody, anybody(s.calls)},
		{"POST /api/v1/tables/{table}/events", Nobody, anybody(s.sensor)},
		{"GET /api/v1/alerts", See, s.alerts},
		{"POST /api/v1/alerts/{id}/ack", Acknowledge, s.acknowledge},
		{"GET /api/v1/alerts/{id}/notes", See, s.notes},
		{"POST /api/v1/alerts/{id}/notes", Acknowledge, s.addNote},
		{"PUT /api/v1/alerts/{id}/reviewed", Acknowledge, s.reviewed},
		{"GET /api/v1/review", See, s.review},
		{"GET /api/v1/rounds", See, s.search},
		{"GET /api/v1/timeline", See, s.timeline},
		{"POST /api/v1/marks", Acknowledge, s.mark(index.ActMark)},
		{"DELETE /api/v1/marks", Acknowledge, s.mark(index.ActUnmark)},
		{"GET /api/v1/clips", See, s.clip},
		{"GET /api/v1/cases", See, s.cases},
		{"POST /api/v1/cases", Export, s.newCase},
		{"GET /api/v1/cases/{id}/zip", Export, s.caseZip},
		{"GET /api/v1/actas", See, s.actas},
		{"POST /api/v1/actas", Export, s.newActa},
		{"GET /api/v1/actas/{id}", See, s.acta},
		{"GET /api/v1/tables/{table}/layout", See, s.layout},
		{"GET /api/v1/statistics", See, s.statistics},
		{"GET /api/v1/seals", See, s.seals},
		{"POST /api/v1/seals", Export, s.seal},
		{"DELETE /api/v1/seals", Release, s.release},
		{"GET /api/v1/audit", Audit, s.auditTrail},
		{"GET /api/v1/verify", Audit, s.verified},
		{"POST /api/v1/verify", Audit, s.verify},
		{"GET /api/v1/supervision", See, s.supervision},
		{"POST /api/v1/supervision/check", Supervise, s.supervisionCheck},
		{"PUT /api/v1/supervision/jefes/{jefe}", Supervise, s.assign},
		{"PUT /api/v1/supervision/tables/{table}", Supervise, s.duty},
		{"GET /api/v1/catalogue", See, s.catalogue},
		{"GET /api/v1/thresholds", See, s.thresholds},
		{"PUT /api/v1/thresholds", Tune, s.setThresholds},
		{"GET /api/v1/health", See, s.health},
		{"GET /api/v1/events", See, s.events},
		{"GET /api/v1/cameras/discover", Technical, s.discover},
		{"GET /api/v1/setup", Install, s.setupRoom},
		{"POST /api/v1/setup", Install, s.beginSetup},
		{"GET /api/v1/setup/{id}", Install, s.setup},
		{"PUT /api/v1/setup/{id}", Install, s.chooseSetup},
		{"DELETE /api/v1/setup/{id}", Install, s.dropSetup},
		{"POST /api/v1/setup/{id}/live", Install, s.goLive},
		{"GET /api/v1/cameras/{camera}/empty", Technical, s.emptyTable},
		{"POST /api/v1/cameras/{camera}/empty", Technical, s.takeEmpty},
		{"GET /api/v1/cameras/{camera}/calibration", Technical, s.calibration},
		{"PUT /api/v1/cameras/{camera}/calibration", Technical, s.saveCalibration},
		{"POST /api/v1/cameras/{camera}/calibration/fit", Technical, s.fitCalibration},
		{"POST /api/v1/cameras/{camera}/calibration/try", Technical, s.tryCalibration},
		{"GET /api/v1/cameras/{camera}/calibration/versions/{version}", Technical, s.calibrationVersion},
		{"POST /api/v1/cameras/{camera}/lens", Technical, s.measureLens},
		{"POST /api/v1/cameras/{camera}/lens/board", Technical, s.findBoard},
		{"POST /api/v1/cameras/{camera}/confirm", Technical, s.confirmCamera},
		{"GET /preview/{camera}", See, s.preview},
		{"POST /whep", See, begin},
		{"OPTIONS /whep", Nobody, live},
		{"POST /whep/{camera}", See, begin},
		{"OPTIONS /whep/{camera}", Nobody, live},
		{"PATCH /whep/session/{id}", See, live},
		{"DELETE /whep/session/{id}", See, live},
		{"OPTIONS /whep/session/{id}", Nobody, live},
	}
}

// api registers the routes.
func (s *Server) api(mux *http.ServeMux) {
	for _, r := range s.routes() {
		if r.right == Nobody {
			mux.HandleFunc(r.pattern, func(w http.ResponseWriter, q *http.Request) { r.handle(w, q, who(q.Context())) })
			continue
		}
		mux.HandleFunc(r.pattern, s.caller(r.right, r.handle))
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
