package console

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"encoding/json"

	"vision/stream/evidence"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/verify"
)

// archive is that of the node, on the room's ledger and recordings.
type archive struct {
	*record.Store
	*evidence.Exporter
}

func (a archive) Keep(c evidence.Case) error {
	_, err := a.Exporter.Ledger.Append(ledger.Case, "", c)
	return err
}

func (r *made) archive(t *testing.T, dir string) Archive {
	t.Helper()
	var err error
	r.store, err = record.Open(filepath.Join(dir, "recordings"), r.ledger, nil, record.Options{Segment: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return archive{
		r.store,
		&evidence.Exporter{
			Ledger: r.ledger,
			Store:  r.store,
			First:  r.index.First,
		},
	}
}

// A case is sealed when it is made, listed, exported by who may, and its zip
// checks offline against the key that was kept.
func TestACase(t *testing.T) {
	r := newRoom(t)
	begin := r.recorded(t, "bj1")
	director, jefe := r.as(t, "director"), r.as(t, "jefe")
	stamp := func(s int) string { return begin.Add(time.Duration(s) * time.Second).Format(time.RFC3339) }
	body := `{"title":"Pago dudoso","tables":["BJ1","R1"],"from":"` + stamp(20) + `","to":"` + stamp(45) + `","note":""}`
	for _, x := range []struct {
		who  *http.Client
		body string
		want int
	}{
		{jefe, body, 403}, {director, `{"title":"x"}`, 400}, {director, strings.Replace(body, "R1", "R9", 1), 404},
		{director, strings.Replace(body, "Pago dudoso", "", 1), 400},
	} {
		if code, got := do(t, x.who, "POST", r.URL+"/api/v1/cases", x.body); code != x.want {
			t.Errorf("%s: %d %s; want %d", x.body, code, got, x.want)
		}
	}
	code, got := do(t, director, "POST", r.URL+"/api/v1/cases", body)
	var c evidence.Case
	if err := json.Unmarshal([]byte(got), &c); err != nil || code != 200 || c.By != "director" {
		t.Fatalf("%d %s: %v", code, got, err)
	}
	if seals := r.store.Seals(); len(seals) != 2 || !strings.Contains(seals[0].Why, c.ID) {
		t.Errorf("seals %+v", seals)
	}
	if list := get[[]evidence.Case](t, r, director, "/api/v1/cases"); len(list) != 1 || list[0].ID != c.ID {
		t.Errorf("%+v", list)
	}
	if list := get[[]evidence.Case](t, r, jefe, "/api/v1/cases"); len(list) != 0 {
		t.Errorf("a jefe sees a case with another's table: %+v", list)
	}
	if code, _ := do(t, jefe, "GET", r.URL+"/api/v1/cases/"+c.ID+"/zip", ""); code != 403 {
		t.Errorf("a jefe exports: %d", code)
	}
	if code, _ := do(t, director, "GET", r.URL+"/api/v1/cases/none/zip", ""); code != 404 {
		t.Errorf("no such case: %d", code)
	}
	code, raw := do(t, director, "GET", r.URL+"/api/v1/cases/"+c.ID+"/zip", "")
	path := filepath.Join(t.TempDir(), "case.zip")
	if err := os.WriteFile(path, []byte(raw), 0o600); err != nil || code != 200 {
		t.Fatal(code, err)
	}
	report, err := verify.Case(path, verify.Options{Key: r.ledger.Public()})
	if err != nil || !report.OK || report.Segments != 2 || report.Entries < 5 {
		t.Errorf("verify: %v %+v", err, report)
	}
	r.mu.Lock()
	trail := strings.Join(r.audit, ",")
	r.mu.Unlock()
	if !strings.Contains(trail, "director export") {
		t.Errorf("audit %s", trail)
	}
}

func TestSealsAndTheirRelease(t *testing.T) {
	r := newRoom(t)
	director, jefe, inspector := r.as(t, "director"), r.as(t, "jefe"), r.as(t, "inspector")
	body := `{"table":"BJ1","from":"2026-01-01T20:00:00Z","to":"2026-01-01T21:00:00Z","why":"requerimiento"}`
	for _, x := range []struct {
		who          *http.Client
		method, body string
		want         int
	}{
		{jefe, "POST", body, 403}, {director, "POST", strings.Replace(body, "requerimiento", "", 1), 400}, {director, "POST", strings.Replace(body, "BJ1", "X", 1), 404},
		{director, "POST", body, 200}, {inspector, "DELETE", body, 403},
		{director, "DELETE", strings.Replace(body, "T21", "T22", 1), 404}, {inspector, "GET", "", 200},
	} {
		if code, got := do(t, x.who, x.method, r.URL+"/api/v1/seals", x.body); code != x.want {
			t.Errorf("%s %s: %d %s; want %d", x.method, x.body, code, got, x.want)
		}
	}
	if s := get[[]record.SealSpan](t, r, jefe, "/api/v1/seals"); len(s) != 1 || s[0].By != "director" {
		t.Errorf("%+v", s)
	}
	if code, got := do(t, director, "DELETE", r.URL+"/api/v1/seals", body); code != 200 || len(r.store.Seals()) != 0 {
		t.Errorf("%d %s", code, got)
	}
}
