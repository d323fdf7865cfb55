package console

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"vision/internal/testkit/books"
	"vision/stream/account"
	"vision/stream/floor"
	"vision/validate/explain"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/supervision"
)

// newFloor is a room of two French roulettes side by side and a blackjack table.
func (r *made) newFloor(t *testing.T) *floor.Floor {
	t.Helper()
	norms := books.Shipped(t)
	table := func(id, game string, position int) room.Place {
		return room.Place{ID: id, Game: game, Norm: "cantabria-2010", Position: &position, Duty: room.Duty{Open: true}}
	}
	f, err := floor.New(
		floor.Config{Judge: supervision.Hall{Books: norms}, Say: explain.Duties{Books: norms}.Say,
			Ledger: noLedger{}, Desk: r.desk,
			Tables: []room.Place{
				table("BJ1", "blackjack", 1),
				table("R1", "ruleta_francesa", 2),
				table("R2", "ruleta_francesa", 3),
			},
			Recording: func(id string) room.Recording {
				if id == "R1" && r.lost.Load() {
					return room.RecordingDown
				}
				return room.RecordingOK
			}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSupervision(t *testing.T) {
	r := newRoom(t, withAna)
	director, jefe, inspector := r.as(t, "director"), r.as(t, "jefe"), r.as(t, "inspector")
	const jefes, tables = "/api/v1/supervision/jefes/", "/api/v1/supervision/tables/"
	for _, x := range []struct {
		who, method, path, body string
		want                    int
		says                    string
	}{
		{"inspector", "PUT", jefes + "ana", `{"tables":["R1"]}`, 403, "role"},
		{"jefe", "PUT", jefes + "ana", `{"tables":["BJ1"]}`, 403, "itself"},
		{"jefe", "PUT", jefes + "jefe", `{"tables":["R1"]}`, 404, "R1"}, // not his own
		{"jefe", "PUT", jefes + "jefe", `{"tables":["BJ1"]}`, 200, `"allowed":true`},
		{"director", "PUT", jefes + "ana", `{"tables":["R1","BJ1"]}`, 409, "cantabria-2010 A."},
		{"director", "PUT", jefes + "ana", `{"tables":["R1","R2"]}`, 200, `"jefe":"ana"`},
		{"director", "PUT", jefes + "ana", `{"tables":["R9"]}`, 404, "R9"},
		{"director", "PUT", jefes + "nadie", `{"tables":["BJ1"]}`, 404, "nadie"},
		{"director", "PUT", jefes + "inspector", `{"tables":["BJ1"]}`, 404, "inspector"},
		{"director", "PUT", jefes + "ana", `{"table":["R1"]}`, 400, "want"},
		{"director", "POST", "/api/v1/supervision/check", `{"jefe":"eva","tables":["BJ1","R2"]}`, 200, `"allowed":false`},
		{"director", "POST", "/api/v1/supervision/check", `{"jefe":"eva","tables":["BJ1"]}`, 200, `"allowed":true`},
		{"director", "PUT", tables + "R2", `{"open":true,"staff":{"cook":1}}`, 400, "cook"},
		{"director", "PUT", tables + "R2", `{"open":true,"staff":{"croupier":1}}`, 200, "staff_missing"},
		{"jefe", "PUT", tables + "R2", `{"open":false}`, 404, "R2"},
		{"director", "PUT", tables + "R2", `{"open":false}`, 200, `"open":false`},
		{"inspector", "GET", "/api/v1/supervision", "", 200, `"jefes"`},
		{"inspector", "GET", "/api/v1/supervision", "", 200, `"R2":{"name":"Ruleta 2"`}, // a table of others has a name, too
	} {
		c := map[string]*http.Client{"director": director, "jefe": jefe, "inspector": inspector}[x.who]
		got, body := do(t, c, x.method, r.URL+x.path, x.body)
		if got != x.want || !strings.Contains(body, x.says) {
			t.Errorf("%s %s %s %s: %d %s; want %d and %q", x.who, x.method, x.path, x.body, got, body, x.want, x.says)
		}
	}
}

// A table under another jefe is not taken by a jefe who does not say that he relieves; what
// is refused comes with its findings in both languages.
func TestRefusedAssignments(t *testing.T) {
	r := newRoom(t, withAna)
	director := r.as(t, "director")
	if code, body := do(t, director, "PUT", r.URL+"/api/v1/supervision/jefes/ana", `{"tables":["BJ1"]}`); code != 200 {
		t.Fatal(code, body)
	}
	if code, body := do(t, r.as(t, "jefe"), "PUT", r.URL+"/api/v1/supervision/jefes/jefe", `{"tables":["BJ1"]}`); code != 409 || !strings.Contains(body, "ana") {
		t.Errorf("%d %s", code, body)
	}
	if code, body := do(t, r.as(t, "jefe"), "PUT", r.URL+"/api/v1/supervision/jefes/jefe", `{"tables":["BJ1"],"relief":true}`); code != 200 || !strings.Contains(body, `"jefe":"jefe"`) {
		t.Errorf("a relief: %d %s", code, body)
	}
	r.lost.Store(true)
	code, body := do(t, director, "PUT", r.URL+"/api/v1/supervision/jefes/ana", `{"tables":["R1","R2"]}`)
	var got struct {
		Error    string
		Findings []floor.Finding
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || code != 409 || len(got.Findings) != 1 {
		t.Fatalf("%d %s: %v", code, body, err)
	}
	if x := got.Findings[0]; x.Code != finding.RecordingRequired || !strings.Contains(x.ES, "R1 no se graba") ||
		!strings.Contains(x.EN, "not recorded") ||
		!strings.Contains(got.Error, x.Rule) {
		t.Errorf("%+v", got)
	}
}

// withAna adds a second jefe, of all tables.
func withAna(o *account.Options) {
	o.Configured = append(o.Configured, Account{User: "ana", Role: "jefe", Password: hashes()})
}
