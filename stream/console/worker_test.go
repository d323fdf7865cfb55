package console

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A machine that only runs tables answers the members everything, others no page, no
// log-in, nothing that people do at a console.
func TestAWorkerHasNoConsole(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	ask := func(s *Server, c caller, method, path string) int {
		r := httptest.NewRequestWithContext(context.WithValue(t.Context(), whoKey{}, c), method, path, nil)
		w := httptest.NewRecorder()
		s.worker(next).ServeHTTP(w, r)
		return w.Code
	}
	worker, both := &Server{cfg: Config{Worker: true}}, &Server{}
	for path, direct := range map[string]bool{
		"GET /livez": true, "GET /readyz": true, "GET /metrics": true, "GET /api/v1/health": true,
		"POST /api/v1/tables/R1/events": true, "POST /whep/one": true, "POST /whep": true,
		"DELETE /whep/session/1": true, "OPTIONS /whep/one": true, "GET /preview/one": true,
		"GET /": false, "GET /login": false, "POST /login": false, "GET /assets/wall.js": false, "GET /users": false,
		"GET /api/v1/users": false, "POST /api/v1/alerts/1/ack": false, "GET /api/v1/events": false,
		"POST /api/v1/configuration": false, "PUT /api/v1/cameras/one/calibration": false, "GET /terminal/R1": false,
	} {
		method, at, _ := strings.Cut(path, " ")
		got := ask(worker, caller{}, method, at)
		if want := map[bool]int{true: http.StatusTeapot, false: http.StatusNotFound}[direct]; got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
		if got := ask(worker, caller{peer: true}, method, at); got != http.StatusTeapot {
			t.Errorf("%s in the name of another machine: %d", path, got)
		}
		if got := ask(both, caller{}, method, at); got != http.StatusTeapot {
			t.Errorf("%s where there is a console: %d", path, got)
		}
	}
}
