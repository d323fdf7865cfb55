package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"vision/internal/testkit/browser"
	"vision/internal/text"
	"vision/stream/jornada"
	"vision/validate/finding"
)

// jornadas are sessions under a norm of two rules: the maximum is twenty times the minimum,
// and chips are not cut.
func (r *made) jornadas() *jornada.Book {
	return jornada.New(jornada.Config{
		Tables: []jornada.Place{{ID: "BJ1", Game: "blackjack", Norm: "cantabria-2010"}, {ID: "R1", Game: "ruleta_francesa", Norm: "cantabria-2010"}},
		Ledger: noLedger{}, Desk: r.desk,
		Judge: func(record []byte) (jornada.Ruling, error) {
			var rec struct {
				Events []struct {
					Type     string
					Min, Max int64
					Amount   *int64
				}
			}
			if err := json.Unmarshal(record, &rec); err != nil {
				return jornada.Ruling{}, err
			}
			out := jornada.Ruling{Findings: []jornada.Finding{}}
			for i, e := range rec.Events {
				switch {
				case e.Type == "limits_changed" && e.Max != 20*e.Min:
					out.Findings = append(out.Findings,
						jornada.Finding{Code: finding.LimitRatioWrong, Event: i, Localized: text.Localized{ES: "el máximo es otro", EN: "another maximum"}, Rule: "cantabria-2010 A.1", Key: "ratio"})
				case e.Type == "fill" && e.Amount == nil:
					return jornada.Ruling{}, errors.New(`record "x": events[1].amount: missing; add it`)
				case e.Type == "cut":
					out.Findings = append(out.Findings,
						jornada.Finding{Code: finding.CutWrong, Severity: "minor", Event: i,
							Localized: text.Localized{ES: "corte", EN: "cut"}, Rule: "cantabria-2010 A.4", Key: "cut"})
				}
			}
			return out, nil
		},
	})
}

// Who supervises puts the session on record, before two where money moves; what is
// forbidden comes back with its article.
func TestASessionOfATable(t *testing.T) {
	r := newRoom(t)
	director, jefe, inspector := r.as(t, "director"), r.as(t, "jefe"), r.as(t, "inspector")
	const url = "/api/v1/tables/BJ1/session"
	second := `,"second":{"user":"director","password":"correcto"}}`
	for _, x := range []struct {
		who        *http.Client
		path, body string
		want       int
		says       string
	}{
		{inspector, url, `{"event":{"type":"open"}}`, 403, ""},
		{jefe, "/api/v1/tables/R1/session", `{"event":{"type":"open"}}`, 404, "R1"},
		{jefe, url, `{"event":{"type":"shuffle"}}`, 400, "not been opened"},
		{jefe, url, `{"event":{"type":"open","float":100}}`, 400, "before two"},
		{jefe, url, `{"event":{"type":"open","float":100},"second":{"user":"director","password":"wrong"}}`, 403, "second person"},
		{jefe, url, `{"event":{"type":"open","float":100}` + strings.Replace(second, "director", "jefe", 1), 400, "before two"},
		{jefe, url, `{"event":{"type":"open","float":100}` + second, 200, `"open":true`},
		{jefe, url, `{"event":{"type":"fill"}` + second, 400, "amount"},
		{jefe, url, `{"event":{"type":"limits_changed","min":5,"max":5}}`, 409, "cantabria-2010 A.1"},
		{director, url, `{"event":{"type":"limits_changed","min":5,"max":100}}`, 200, "limits_changed"},
		{jefe, url, `{"event":{"type":"cut"}}`, 200, "A.4"},
		{jefe, url, `{"step":1}`, 400, ""},
	} {
		if code, got := do(t, x.who, "POST", r.URL+x.path, x.body); code != x.want || !strings.Contains(got, x.says) {
			t.Errorf("%s: %d %s; want %d with %q", x.body, code, got, x.want, x.says)
		}
	}
	if st := get[jornada.Status](t, r, inspector, url); !st.Open || len(st.Steps) != 3 || st.Steps[0].By != "jefe + director" ||
		len(st.Findings) != 1 {
		t.Errorf("%+v", st)
	}
	r.audited(t, "director second_failed")
}

// The page opens a table before two, says what is forbidden, and closes it.
func TestASessionInTheBrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const w = await visit("jefe", "/sessions"), d = w.document;
		const tell = async (step, fields, ready) => {
			(await until(step, () => d.querySelector("[data-step=" + step + "]"), 20000)).click();
			for (const [k, v] of Object.entries(fields)) d.querySelector("#form [name=" + k + "]").value = v;
			d.querySelector("#form").requestSubmit();
			await until(step + " is said", ready);
		};
		const log = () => d.querySelector("#log tbody").textContent;
		await tell("open", {float: "5000", min: "5", max: "100", second_user: "director", second_password: "correcto"}, () => log().includes("5000,00") || log().includes("5.000,00"));
		await tell("limits_changed", {min: "5", max: "5"}, () => !d.querySelector("#said").hidden);
		const refused = d.querySelector("#said").textContent;
		await tell("cut", {}, () => d.querySelector("#findings").textContent.includes("A.4"));
		speak(d);
		await until("English", () => d.documentElement.lang === "en");
		const en = d.querySelector("main").textContent;
		await tell("close", {reason: "end_of_day"}, () => d.querySelector("[data-step=open]"));
		return {refused, en, state: d.querySelector("#state").textContent, log: log(), errors: w.errors};
	});</script>`, r.Config.Handler)
	var got struct {
		Refused, EN, State, Log string
		Errors                  []string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	if !strings.Contains(got.Refused, "La norma no lo permite") || !strings.Contains(got.Refused, "cantabria-2010 A.1") || len(got.Errors) > 0 {
		t.Errorf("refused %q, errors %v", got.Refused, got.Errors)
	}
	if !strings.Contains(got.EN, "Open the table") || strings.Contains(got.EN, "step_") || !strings.Contains(got.State, "closed") ||
		!strings.Contains(got.Log, "jefe + director") {
		t.Errorf("in English %s; %s; %s", got.EN, got.State, got.Log)
	}
}
