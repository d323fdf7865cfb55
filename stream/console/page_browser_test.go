package console

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/internal/text"
	"vision/stream/alert"
	"vision/stream/evidence"
	"vision/stream/ledger"
	"vision/stream/verify"
)

// handed is the page of a case with an alert and its round, and the zip in it.
func handed(t *testing.T, r *made) (page string, inside []byte) {
	t.Helper()
	begin := r.recorded(t, "bj1")
	at := begin.Add(25 * time.Second)
	if err := r.desk.Raise(t.Context(), alert.Alert{ID: "b", Incident: "a", Kind: "finding", Table: "BJ1", Round: "BJ1-1",
		Code: "loser_not_collected", Severity: "major", At: at.Add(time.Second), Localized: text.Localized{ES: "No retira 5,00 €"}}); err != nil {
		t.Fatal(err)
	}
	if err := r.desk.Raise(t.Context(), alert.Alert{ID: "a", Seat: 2, Kind: "finding", Table: "BJ1", Round: "BJ1-1",
		Code: "payout_under", Severity: "critical", Amount: 500, At: at,
		Probability: 0.98, Localized: text.Localized{ES: "Paga 10,00 € (cantabria-2010 A.4)"},
		Rule: "cantabria-2010 A.4", Clip: &alert.Clip{Camera: "bj1", From: at, To: at.Add(time.Second)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ledger.Append(ledger.Round, "BJ1", json.RawMessage(`{"id":"BJ1-1","game":"blackjack",
		"events":[{"t":1,"type":"card","seat":2,"card":"Kd"},{"t":9,"type":"pay","seat":2,"amount":1000}]}`)); err != nil {
		t.Fatal(err)
	}
	director := r.as(t, "director")
	stamp := func(s int) string { return begin.Add(time.Duration(s) * time.Second).Format(time.RFC3339) }
	code, body := do(t, director, "POST", r.URL+"/api/v1/cases", `{"title":"Pago dudoso","tables":["BJ1"],"from":"`+stamp(20)+`","to":"`+stamp(35)+`","note":""}`)
	var c evidence.Case
	if err := json.Unmarshal([]byte(body), &c); err != nil || code != 200 {
		t.Fatalf("%d %s: %v", code, body, err)
	}
	r.caught(t)
	code, page = do(t, director, "GET", r.URL+"/api/v1/cases/"+c.ID+"/zip?page", "")
	_, in, ok := strings.Cut(page, evidence.PageMark)
	in, _, _ = strings.Cut(in, "<")
	inside, err := base64.StdEncoding.DecodeString(in)
	if code != 200 || !ok || err != nil {
		t.Fatalf("the page: %d, %v", code, err)
	}
	return page, inside
}

// altered is a page of which a byte of one file in its zip is another.
func altered(t *testing.T, page string, inside []byte, name string) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(inside), int64(len(inside)))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(z.File, func(f *zip.File) bool { return strings.HasPrefix(f.Name, name) })
	if i < 0 {
		t.Fatalf("no %s in the case", name)
	}
	at, err := z.File[i].DataOffset()
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(inside)
	other[at+int64(z.File[i].CompressedSize64)/2] ^= 1
	head, _, _ := strings.Cut(page, evidence.PageMark)
	return head + evidence.PageMark + base64.StdEncoding.EncodeToString(other) + "</script>" + page[strings.Index(page, "<script type=\"module\">"):]
}

// A case as one page shows alert, record, picture and video, and says that it is whole; where a byte of
// it is another it says which file, and `vision verify` says so, too.
func TestCasePage_saysWhatWasAltered(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	page, inside := handed(t, r)
	names := []string{"clips/", "recordings/", "ledger.jsonl", "manifest.json", "manifest.sig", "ledger.pub", "LEAME"}
	pages := map[string]string{"whole": page, "torn": strings.Replace(page, evidence.PageMark, evidence.PageMark+"!", 1)}
	for _, name := range names {
		pages[name] = altered(t, page, inside, name)
	}
	for name, text := range pages {
		path := filepath.Join(t.TempDir(), "case.html")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if report, err := verify.Case(path, verify.Options{Key: r.ledger.Public()}); (err == nil && report.OK) != (name == "whole") {
			t.Errorf("vision verify of %s: %+v, %v", name, report.Problems, err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/case", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin") // as the page that opens it
		_, _ = w.Write([]byte(pages[q.FormValue("name")]))
	})
	list, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		localStorage.setItem("lang", "es");
		const out = {altered: {}}, look = async (name) => {
			clock = window;
			const w = open("/case?name=" + encodeURIComponent(name));
			await until("the page of " + name, () => w.document?.body);
			clock = w;
			await until("what it says of " + name, () => w.document.querySelector("#proof li:not(:only-child)"), 30000);
			return w;
		};
		const w = await look("whole"), d = w.document;
		out.whole = d.querySelector("#proof").innerText;
		await until("the picture", () => d.querySelector("article .picture canvas"));
		out.text = d.querySelector("#shown").innerText;
		const g = d.querySelector("article .picture canvas").getContext("2d");
		out.drawn = g.getImageData(0, 0, 320, 180).data.some((x, i) => i % 4 < 3 && x > 40);
		out.articles = d.querySelectorAll("article").length;
		out.decides = [...d.querySelectorAll(".decides")].map((x) => x.textContent).join();
		d.querySelector("article button").click(); // it plays where the alert stands
		await until("the video plays", () => d.querySelector("article video")?.currentTime > 0.2);
		out.videos = d.querySelectorAll("figure video").length;
		w.close();
		for (const name of [...`+string(list)+`, "torn"]) {
			const w = await look(name);
			out.altered[name] = [...w.document.querySelectorAll("#proof .critical")].map(x => x.textContent).join("; ");
			w.close();
		}
		return out;
	});</script>`, mux)
	var got struct {
		Whole, Text, Decides string
		Drawn                bool
		Articles, Videos     int
		Altered              map[string]string
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(said, "\u00a0", " ")), &got); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if !strings.HasPrefix(got.Whole, "ÍNTEGRO: la firma y los 5 archivos") ||
		!strings.Contains(got.Whole, ledger.Fingerprint(r.ledger.Public())) || !got.Drawn {
		t.Errorf("the whole case: %q, drawn %v", got.Whole, got.Drawn)
	}
	if got.Articles != 1 || got.Videos != 1 || !strings.Contains(got.Decides, "10,00 €") {
		t.Errorf("one incident: %d articles, %d videos, decided by %q", got.Articles, got.Videos, got.Decides)
	}
	for _, want := range []string{"+ No retira 5,00 €", "BJ1 · Paga 10,00 €", "cantabria-2010 A.4", "firme · 98 %", "puesto 2: K♦", "carta · 4♥", "Pago dudoso"} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("the page does not say %q: %s", want, got.Text)
		}
	}
	for _, name := range append(names, "torn") {
		want := "ALTERADO: no es como se firmó: " + name
		switch name {
		case "manifest.json":
			want = "ALTERADO: la firma no corresponde a manifest.json"
		case "manifest.sig", "ledger.pub", "torn": // another byte may be none that such a text has
			want = "ALTERADO: "
		}
		if !strings.HasPrefix(got.Altered[name], want) {
			t.Errorf("a byte of %s: %q, want %q", name, got.Altered[name], want)
		}
	}
}
