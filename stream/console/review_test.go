package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vision/stream/alert"
	"vision/stream/index"
	"vision/stream/ledger"
)

// caught brings the index up to the ledger.
func (r *made) caught(t *testing.T) {
	t.Helper()
	if err := r.index.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func get[T any](t *testing.T, r *made, c *http.Client, path string) (out T) {
	t.Helper()
	r.caught(t)
	code, body := do(t, c, "GET", r.URL+path, "")
	if code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, code, body)
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil {
		t.Fatalf("GET %s: %v: %s", path, err, body)
	}
	return out
}

func TestReviewQueue(t *testing.T) {
	r := newRoom(t)
	at := time.Now().UTC().Truncate(time.Second)
	for _, a := range []alert.Alert{
		{ID: "BJ1/1", Table: "BJ1", Code: "payout_under", Severity: "critical", Amount: 500, At: at},
		{ID: "BJ1/2", Table: "BJ1", Code: "announcement_missing", Severity: "minor", At: at},
		{ID: "R1/1", Table: "R1", Code: "payout_under", Severity: "critical", Amount: 99, At: at},
	} {
		if err := r.desk.Raise(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	jefe, director, inspector := r.as(t, "jefe"), r.as(t, "director"), r.as(t, "inspector")
	if code, body := do(t, director, "POST", r.URL+"/api/v1/alerts/"+url.PathEscape("BJ1/1")+"/ack", `{"outcome":"corrected"}`); code != 200 {
		t.Fatal(code, body)
	}
	if code, body := do(t, director, "PUT", r.URL+"/api/v1/alerts/"+url.PathEscape("R1/1")+"/reviewed", `{"reviewed":true}`); code != 200 {
		t.Fatal(code, body)
	}
	for _, x := range []struct {
		who   *http.Client
		query string
		want  string // ids
	}{
		{director, "", "BJ1/1 BJ1/2 R1/1"}, {jefe, "", "BJ1/1 BJ1/2"}, {director, "code=payout_under", "BJ1/1 R1/1"}, {director, "severity=minor", "BJ1/2"},
		{director, "amount=100", "BJ1/1"}, {director, "person=director", "BJ1/1"}, {director, "state=open", "BJ1/2 R1/1"}, {director, "table=R1", "R1/1"},
		{director, "reviewed=true", "R1/1"}, {director, "reviewed=false", "BJ1/1 BJ1/2"}, {inspector, "reviewed=true", ""},
		{director, "from=" + at.Add(time.Hour).Format(time.RFC3339), ""}, {director, "to=" + at.Add(time.Hour).Format(time.RFC3339) + "&limit=1000", "BJ1/1 BJ1/2 R1/1"},
	} {
		ids := map[string]bool{}
		for _, a := range get[[]index.Alert](t, r, x.who, "/api/v1/review?"+x.query) {
			ids[a.ID] = true
		}
		for id := range strings.FieldsSeq(x.want) {
			if !ids[id] {
				t.Errorf("%q lacks %s: %v", x.query, id, ids)
			}
		}
		if len(ids) != len(strings.Fields(x.want)) {
			t.Errorf("%q: %v; want %s", x.query, ids, x.want)
		}
	}
	for _, bad := range []string{"from=yesterday", "limit=0", "limit=5000", "offset=-1", "amount=x", "amount=-5"} {
		if code, body := do(t, director, "GET", r.URL+"/api/v1/review?"+bad, ""); code != 400 {
			t.Errorf("%s: %d %s", bad, code, body)
		}
	}
	if code, _ := do(t, director, "PUT", r.URL+"/api/v1/alerts/"+url.PathEscape("R1/1")+"/reviewed", `{"reviewed":false}`); code != 200 {
		t.Error(code)
	}
	if got := get[[]index.Alert](t, r, director, "/api/v1/review?reviewed=true"); len(got) != 0 {
		t.Errorf("still reviewed: %+v", got)
	}
}

func TestNotesAndTheirRights(t *testing.T) {
	r := newRoom(t)
	if err := r.desk.Raise(t.Context(), alert.Alert{ID: "a", Table: "R1", Severity: "major"}); err != nil {
		t.Fatal(err)
	}
	director := r.as(t, "director")
	for _, x := range []struct {
		who, path, body string
		want            int
	}{
		{"director", "a", `{"text":"visto con el jefe"}`, 200}, {"director", "a", `{"text":""}`, 400}, {"director", "a", `{"text":"` + strings.Repeat("x", maxNote+1) + `"}`, 400},
		{"director", "b", `{"text":"x"}`, 404}, {"jefe", "a", `{"text":"x"}`, 404}, {"inspector", "a", `{"text":"x"}`, 403},
	} {
		c := director
		if x.who != "director" {
			c = r.as(t, x.who)
		}
		if code, body := do(t, c, "POST", r.URL+"/api/v1/alerts/"+x.path+"/notes", x.body); code != x.want {
			t.Errorf("%s %s: %d %s; want %d", x.who, x.path, code, body, x.want)
		}
	}
	got := get[[]index.Note](t, r, director, "/api/v1/alerts/a/notes")
	if len(got) != 1 || got[0].Person != "director" || got[0].Text != "visto con el jefe" {
		t.Errorf("%+v", got)
	}
	if q := get[[]index.Alert](t, r, director, "/api/v1/review"); len(q) != 1 || q[0].Notes != 1 {
		t.Errorf("%+v", q)
	}
	trail := get[[]index.Entry](t, r, director, "/api/v1/audit?person=director")
	if len(trail) != 3 || !strings.Contains(string(trail[0].Payload), `"action":"refused"`) || !strings.Contains(string(trail[1].Payload), `"action":"note"`) {
		t.Errorf("%+v", trail)
	}
	for _, path := range []string{"/api/v1/audit", "/audit"} {
		if code, _ := do(t, r.as(t, "jefe"), "GET", r.URL+path, ""); code != 403 {
			t.Errorf("a jefe reads %s: %d", path, code)
		}
	}
}

func TestRoundsAndTimeline(t *testing.T) {
	r := newRoom(t)
	at := time.Now().UTC().Truncate(time.Second)
	put := func(kind ledger.Kind, payload string) {
		t.Helper()
		if _, err := r.ledger.Append(kind, "BJ1", json.RawMessage(payload)); err != nil {
			t.Fatal(err)
		}
	}
	put(ledger.Round, `{"id":"r1","norm":"cantabria-2010","game":"blackjack","events":[]}`)
	put(ledger.Verdict, `{"id":"r1","norm":"cantabria-2010","game":"blackjack","findings":[{"code":"payout_under"}]}`)
	b, _ := json.Marshal(map[string]any{"round": "r1", "start": at.Add(-time.Minute), "end": at})
	put(ledger.Judged, string(b))
	jefe := r.as(t, "jefe")
	type full struct {
		index.Round
		Record, Verdict json.RawMessage
	}
	if got := get[full](t, r, jefe, "/api/v1/tables/BJ1/rounds/r1"); !strings.Contains(string(got.Record), `"events"`) ||
		!strings.Contains(string(got.Verdict), "payout_under") ||
		!got.Start.Equal(at.Add(-time.Minute)) {
		t.Errorf("%+v", got)
	}
	if code, _ := do(t, jefe, "GET", r.URL+"/api/v1/tables/BJ1/rounds/none", ""); code != 404 {
		t.Errorf("no such round: %d", code)
	}
	if got := get[[]index.Round](t, r, jefe, "/api/v1/tables/BJ1/rounds?findings=true"); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	q := url.Values{"camera": {"bj1"}, "from": {at.Add(-time.Hour).Format(time.RFC3339)}, "to": {at.Add(time.Hour).Format(time.RFC3339)}}
	type strip struct {
		Spans  []struct{ Kind string }
		Rounds []index.Round
		Alerts []index.Alert
	}
	if got := get[strip](t, r, jefe, "/api/v1/timeline?"+q.Encode()); len(got.Spans) != 1 || len(got.Rounds) != 1 || got.Alerts == nil {
		t.Errorf("%+v", got)
	}
	q.Set("to", at.Add(48*time.Hour).Format(time.RFC3339))
	if code, _ := do(t, jefe, "GET", r.URL+"/api/v1/timeline?"+q.Encode(), ""); code != 400 {
		t.Errorf("two days: %d", code)
	}
	q.Set("camera", "r1")
	if code, _ := do(t, jefe, "GET", r.URL+"/api/v1/timeline?"+q.Encode(), ""); code != 404 {
		t.Errorf("another's camera: %d", code)
	}
}

// Rounds of all of one's tables are searched; what the search does not understand is said.
func TestRoundsAreSearched(t *testing.T) {
	r := newRoom(t)
	for table, card := range map[string]string{"BJ1": "Kd", "R1": "Kc"} {
		if _, err := r.ledger.Append(ledger.Round, table, json.RawMessage(`{"id":"x","game":"blackjack","events":[{"type":"card","seat":2,"card":"`+card+`"}]}`)); err != nil {
			t.Fatal(err)
		}
	}
	director, jefe := r.as(t, "director"), r.as(t, "jefe") // who has BJ1
	for _, c := range []struct {
		who   *http.Client
		query string
		want  int
	}{{director, "card=K", 2}, {director, "card=Kd&seat=2", 1}, {director, "card=Kd&seat=1", 0}, {director, "table=R1", 1}, {jefe, "card=K", 1}, {jefe, "table=R1", 0}} {
		if got := get[[]index.Round](t, r, c.who, "/api/v1/rounds?"+c.query); len(got) != c.want {
			t.Errorf("%s: %+v; want %d", c.query, got, c.want)
		}
	}
	for _, bad := range []string{"card=Kp", "card=10", "seat=0", "amount=-1"} {
		if code, body := do(t, director, "GET", r.URL+"/api/v1/rounds?"+bad, ""); code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", bad, code, body)
		}
	}
}

// A clip is taken away by who may export, and that is in the audit trail.
func TestAClipIsTakenAway(t *testing.T) {
	r := newRoom(t)
	begin := r.recorded(t, "bj1")
	path := r.URL + "/api/v1/clips?download&camera=bj1&from=" + begin.Format(time.RFC3339) + "&to=" + begin.Add(5*time.Second).Format(time.RFC3339)
	if code, body := do(t, r.as(t, "jefe"), "GET", path, ""); code != http.StatusForbidden {
		t.Errorf("a jefe took it: %d, %d bytes", code, len(body))
	}
	res, err := r.as(t, "director").Get(path)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if want := "attachment; filename=bj1-" + begin.Format("20060102T150405Z") + ".mp4"; res.StatusCode != http.StatusOK || res.Header.Get("Content-Disposition") != want {
		t.Errorf("%s, %q; want %q", res.Status, res.Header.Get("Content-Disposition"), want)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.audit); n == 0 || r.audit[n-1] != "director export" {
		t.Errorf("audit trail: %q", r.audit)
	}
}
