package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/internal/text"
	"vision/stream/alert"
	"vision/stream/ledger"
)

// The tour waits for a finding whose round is on record, leads from the table to what
// should have been by its keys, and the API's page makes calls and shows their answers.
func TestTourAndAPIInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.srv.cfg.Demonstration = true
	begin := r.recorded(t, "bj1")
	for _, e := range []struct {
		kind    ledger.Kind
		payload string
	}{
		{ledger.Round, `{"id":"BJ1-1","game":"blackjack","time":%[1]q,"events":[{"t":1,"type":"bet","seat":2,"spot":"main","amount":1000},{"t":8,"type":"pay","seat":2,"spot":"main","amount":1000}]}`},
		{ledger.Verdict, `{"id":"BJ1-1","norm":"n","game":"blackjack","findings":[]}`},
		{ledger.Judged, `{"round":"BJ1-1","start":%[1]q,"end":%[1]q}`},
	} {
		payload := e.payload
		if e.kind != ledger.Verdict {
			payload = fmt.Sprintf(payload, begin.Add(10*time.Second).Format(time.RFC3339))
		}
		if _, err := r.ledger.Append(e.kind, "BJ1", json.RawMessage(payload)); err != nil {
			t.Fatal(err)
		}
	}
	r.caught(t)
	at := begin.Add(18 * time.Second)
	mux := http.NewServeMux()
	mux.Handle("/", r.Config.Handler)
	mux.HandleFunc("/hand/raise", func(http.ResponseWriter, *http.Request) {
		a := alert.Alert{ID: "BJ1/1", Kind: "finding", Table: "BJ1", Round: "BJ1-1", Code: "payout_under", Severity: "critical", Seat: 2, Spot: "main",
			Expected: 1500, Observed: 1000, Amount: 500, Probability: 0.97, At: at, Rule: "cantabria-2010 A.4",
			Localized: text.Localized{ES: "Paga 10,00 €; debía pagar 15,00 € (cantabria-2010 A.4)", EN: "Paid €10"},
			Clip:      &alert.Clip{Camera: "bj1", From: at, To: at.Add(2 * time.Second)}}
		if err := r.desk.Raise(t.Context(), a); err != nil {
			t.Error(err)
		}
	})
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {steps: []}, w = await visit("admin", "/tour"), d = w.document, big = () => d.querySelector("#big").textContent;
		out.waiting = await until("it waits", big);
		out.offered = [...d.querySelectorAll("#menu a")].map(a => a.pathname);
		await fetch("/hand/raise");
		await until("the table", () => big() === "Blackjack 1");
		for (let i = 0; i < 6; i++) {
			await until("step " + i, () => d.querySelector("#steps [aria-current]")?.textContent.startsWith(String(i + 1)) && d.querySelector("#video").readyState >= 2, 30000);
			out.steps.push(big() + " | " + d.querySelector("#text").textContent);
			press(w, "ArrowRight");
		}
		press(w, "3");
		await until("the recording plays", () => !d.querySelector("#video").paused && d.querySelector("#steps [aria-current]").textContent.startsWith("3"), 30000);
		out.errors = w.errors;
		w.close();
		const a = await visit("admin", "/api"), e = a.document;
		const open = async (q) => {
			const x = await until(q, () => e.querySelector('[data-operation="' + q + '"]'));
			x.open = true;
			await until("its form", () => x.querySelector("form"));
			return x;
		};
		const answer = async (x) => { x.querySelector("form").requestSubmit(); return until("an answer", () => x.querySelector("output p")?.textContent && x.querySelector("pre").textContent && x.querySelector("output")); };
		const one = await open("get /api/v1/tables/{table}/rounds/{round}");
		out.count = e.querySelector("#count").textContent;
		one.querySelector("[name=p-table]").value = "BJ1";
		one.querySelector("[name=p-round]").value = "BJ1-1";
		let o = await answer(one);
		out.round = [o.querySelector("code").textContent, o.querySelector("p").textContent, JSON.parse(o.querySelector("pre").textContent).id];
		const put = await open("put /api/v1/thresholds");
		out.body = Object.keys(JSON.parse(put.querySelector("textarea").value));
		put.querySelector("textarea").value = '{"budget":200,"escalate":60}';
		o = await answer(put);
		out.refused = [o.querySelector("p").textContent, o.querySelector("pre").textContent];
		const f = e.querySelector("#find");
		f.value = "acta"; f.dispatchEvent(new Event("input"));
		out.found = [...e.querySelectorAll(".operation")].map(x => x.dataset.operation);
		out.errors.push(...a.errors);
		return out;
	});</script>`, mux)
	var got struct {
		Waiting, Count                                      string
		Offered, Steps, Errors, Round, Body, Refused, Found []string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	t.Logf("%s", said)
	if got.Waiting != "El primer error está por venir" || !slices.Contains(got.Offered, "/tour") || !slices.Contains(got.Offered, "/api") {
		t.Errorf("waiting %q, offered %q", got.Waiting, got.Offered)
	}
	nb := "\u00a0"
	for i, want := range []string{"Blackjack 1 | ", "Paga 10,00" + nb + "€; debía pagar 15,00" + nb + "€ | cantabria-2010 A.4 · ", "", "10,00" + nb + "€ | puesto 2: se paga 10,00" + nb + "€", "15,00" + nb + "€ | cantabria-2010 A.4 · diferencia 5,00" + nb + "€", "Una persona decide | "} {
		if len(got.Steps) != 6 || len(got.Steps[i]) < len(want) || got.Steps[i][:len(want)] != want {
			t.Errorf("step %d: %q; want %q", i+1, got.Steps, want)
		}
	}
	if len(got.Errors) > 0 {
		t.Errorf("the pages complained: %v", got.Errors)
	}
	if len(got.Round) != 3 || got.Round[2] != "BJ1-1" || got.Round[1][:3] != "200" || got.Round[0][:5] != "curl " {
		t.Errorf("a call: %q", got.Round)
	}
	if !slices.Contains(got.Body, "budget") || len(got.Refused) != 2 || got.Refused[0][:3] != "400" {
		t.Errorf("a call with a body %q: %q", got.Body, got.Refused)
	}
	if want := []string{"get /api/v1/actas", "post /api/v1/actas", "get /api/v1/actas/{id}"}; !slices.Equal(got.Found, want) || got.Count == "" {
		t.Errorf("found %q; %s", got.Found, got.Count)
	}
}
