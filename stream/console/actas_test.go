package console

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vision/stream/acta"
	"vision/stream/ledger"
	"vision/stream/verify"
	"vision/validate/room"
)

// supervised writes into the ledger that tables came under a jefe.
func (r *made) supervised(t *testing.T, jefe string, tables ...string) {
	t.Helper()
	rec := room.Record{Norm: "cantabria-2010", Assignments: []room.Assignment{{Jefe: jefe, Tables: tables}}}
	for _, id := range tables {
		rec.Tables = append(rec.Tables, room.Table{ID: id, Game: "blackjack", Open: true})
	}
	if _, err := r.ledger.Append(ledger.Supervision, "", map[string]any{"records": []room.Record{rec}, "verdicts": []any{}}); err != nil {
		t.Fatal(err)
	}
	if err := r.index.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// An acta is made by who may, listed and read by who sees its tables, and its signed line
// checks offline; what makes no sense is refused with what to do.
func TestAnActa(t *testing.T) {
	r := newRoom(t)
	r.supervised(t, "ana", "BJ1", "R1")
	director, jefe := r.as(t, "director"), r.as(t, "jefe")
	from, to := time.Now().Add(-8*time.Hour).Format(time.RFC3339), time.Now().Format(time.RFC3339Nano)
	of := func(what, name string) string {
		return `{"` + what + `":"` + name + `","from":"` + from + `","to":"` + to + `"}`
	}
	for _, x := range []struct {
		who  *http.Client
		body string
		want int
		says string
	}{
		{jefe, of("table", "BJ1"), 403, ""},
		{director, `{"table":"BJ1","jefe":"ana","from":"` + from + `","to":"` + to + `"}`, 400, "not both"},
		{director, `{"table":"BJ1","from":"` + to + `","to":"` + from + `"}`, 400, "in order"},
		{director, `{"table":"BJ1","from":"` + from + `","to":"2199-01-01T00:00:00Z"}`, 400, "at most 31 days"},
		{director, of("jefe", "nobody"), 404, "nothing about it"},
		{director, of("seat", "1"), 400, ""},
		{director, of("jefe", "ana"), 200, `"schema":"acta/1"`},
		{director, of("table", "BJ1"), 200, `"supervision"`},
	} {
		if code, got := do(t, x.who, "POST", r.URL+"/api/v1/actas", x.body); code != x.want || !strings.Contains(got, x.says) {
			t.Errorf("%s: %d %s; want %d with %q", x.body, code, got, x.want, x.says)
		}
	}
	list := get[[]acta.Item](t, r, director, "/api/v1/actas")
	if len(list) != 2 || list[0].Table != "BJ1" || list[1].Jefe != "ana" || list[0].By != "director" {
		t.Fatalf("actas %+v", list)
	}
	if mine := get[[]acta.Item](t, r, jefe, "/api/v1/actas"); len(mine) != 1 || mine[0].Table != "BJ1" {
		t.Errorf("a jefe sees %+v; want that of his table alone", mine)
	}
	url := r.URL + "/api/v1/actas/"
	if code, _ := do(t, jefe, "GET", url+list[1].ID, ""); code != 404 {
		t.Errorf("a jefe reads another's acta: %d", code)
	}
	code, body := do(t, director, "GET", url+list[1].ID, "")
	var a acta.Acta
	if err := json.Unmarshal([]byte(body), &a); err != nil || code != 200 || len(a.Tables) != 2 || a.Tables[0].ID != "BJ1" {
		t.Fatalf("%d %s: %v", code, body, err)
	}
	if s := a.Tables[0].Supervision; s[len(s)-1].Jefe != "ana" || s[len(s)-1].Tables != 2 || !s[len(s)-1].Open {
		t.Errorf("supervision %+v", s)
	}
	code, body = do(t, director, "GET", url+list[1].ID+"?format=csv&part=supervision", "")
	if rows, err := csv.NewReader(strings.NewReader(body)).ReadAll(); err != nil || code != 200 || len(rows) < 3 ||
		rows[0][5] != "jefe" {
		t.Errorf("%d %s: %v", code, body, err)
	}
	if code, body := do(t, director, "GET", url+list[1].ID+"?format=csv&part=wages", ""); code != 400 || !strings.Contains(body, "condition") {
		t.Errorf("a part that there is not: %d %s", code, body)
	}
	r.signedActa(t, director, url+list[1].ID)
}

// signedActa wants the signed line to check with the key kept outside, and no changed one.
func (r *made) signedActa(t *testing.T, director *http.Client, url string) {
	t.Helper()
	_, line := do(t, director, "GET", url+"?format=line", "")
	path := filepath.Join(t.TempDir(), "acta.json")
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"as it is": {line, true}, "changed": {strings.Replace(line, `"ana"`, `"eva"`, 1), false}, "no line": {"{}", false},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := verify.Acta(path, verify.Options{Key: r.ledger.Public()}); err != nil || got.OK != c.ok {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// An acta that states something else than the ledger says is found, though its line is in
// the chain and signed.
func TestAFalseActaIsFound(t *testing.T) {
	r := newRoom(t)
	r.supervised(t, "ana", "BJ1")
	office := acta.Office{Ledger: r.ledger, Index: r.index}
	a, err := office.Make(t.Context(), acta.Request{Table: "BJ1", From: time.Now().Add(-time.Hour), To: time.Now()}, "director",
		func([]string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := verify.Dir(r.ledger.Dir(), verify.Options{}); err != nil || !got.OK || got.Actas != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	a.ID, a.Tables[0].Money.Paid = "another", 100
	if _, err := r.ledger.Append(ledger.Acta, "BJ1", a); err != nil {
		t.Fatal(err)
	}
	got, err := verify.Dir(r.ledger.Dir(), verify.Options{})
	if err != nil || got.OK || got.Actas != 1 || len(got.Wrong) != 1 || !strings.Contains(got.Wrong[0], "another") {
		t.Errorf("%+v, %v", got, err)
	}
}
