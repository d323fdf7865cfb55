package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/stream/alert"
	"vision/stream/index"
	"vision/stream/ledger"
)

// dealt writes n rounds of a table into the ledger that ended within the last hours, the
// first of them not verifiable.
func (r *made) dealt(t *testing.T, table, game string, n int) {
	t.Helper()
	for i := range n {
		end, why := time.Now().Add(-time.Duration(i)*time.Minute), ""
		if i == 0 {
			why = "the camera sent nothing"
		}
		at := end.Format(time.RFC3339)
		for _, e := range []struct {
			kind    ledger.Kind
			payload string
		}{
			{ledger.Verdict, fmt.Sprintf(`{"id":"%s-%d","norm":"n","game":%q,"findings":[]}`, table, i, game)},
			{ledger.Judged, fmt.Sprintf(`{"round":"%s-%d","start":%q,"end":%q,"not_verifiable":%q}`, table, i, at, at, why)},
		} {
			if _, err := r.ledger.Append(e.kind, table, json.RawMessage(e.payload)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Everybody gets figures of his own tables; what cannot be grouped is refused.
func TestStatisticsOfOnesTables(t *testing.T) {
	r := newRoom(t)
	r.dealt(t, "BJ1", "blackjack", 12)
	r.dealt(t, "R1", "ruleta_francesa", 5)
	if err := r.index.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	director, jefe := r.as(t, "director"), r.as(t, "jefe")
	all := get[[]index.Statistics](t, r, director, "/api/v1/statistics?by=table")
	if len(all) != 2 || all[0].Table != "BJ1" || all[0].Rounds != 12 || all[0].NotVerifiable != 1 || all[1].Rounds != 5 {
		t.Errorf("director: %+v", all)
	}
	if mine := get[[]index.Statistics](t, r, jefe, "/api/v1/statistics"); len(mine) != 1 || mine[0].Rounds != 12 {
		t.Errorf("jefe: %+v", mine)
	}
	for _, q := range []string{"by=croupier", "from=yesterday"} {
		if code, body := do(t, director, "GET", r.URL+"/api/v1/statistics?"+q, ""); code != 400 {
			t.Errorf("%s: %d %s", q, code, body)
		}
	}
}

// The page draws them, in both languages, and says when there is nothing.
func TestStatisticsInTheBrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.srv.cfg.Layout = func(string) []Place {
		square := [][2]float64{{0, 0}, {100, 0}, {100, 100}, {0, 100}}
		other := [][2]float64{{400, 0}, {500, 0}, {500, 100}, {400, 100}}
		return []Place{{"seat:1 main", 1, "main", square}, {"seat:3 main", 3, "main", other}, {"bank", 0, "", square}}
	}
	r.dealt(t, "BJ1", "blackjack", 12)
	if err := r.desk.Raise(t.Context(), alert.Alert{ID: "BJ1/1", Kind: "finding", Table: "BJ1", Game: "blackjack", Code: "payout_under",
		Severity: "critical", Seat: 3, Spot: "main", At: time.Now().Add(-time.Minute)}); err != nil {
		t.Fatal(err)
	}
	r.caught(t)
	if err := r.index.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const w = await visit("director", "/statistics"), d = w.document;
		await until("figures", () => d.querySelector("#figures tbody tr"), 20000);
		const es = d.querySelector("main").textContent, bars = d.querySelectorAll("#charts dt").length;
		speak(d);
		await until("English", () => d.documentElement.lang === "en");
		const en = d.querySelector("main").textContent;
		d.querySelector("[name=by]").value = "game,day";
		d.querySelector("#ask").dispatchEvent(new w.Event("change"));
		await until("games", () => d.querySelector("#figures tbody").textContent.includes("blackjack"));
		const hidden = d.querySelector("#heat svg").hasAttribute("hidden") && d.querySelector("#heat .empty").textContent;
		d.querySelector("[name=table]").value = "BJ1";
		d.querySelector("#ask").dispatchEvent(new w.Event("change"));
		await until("the felt", () => d.querySelectorAll("#heat polygon").length === 2);
		const shades = [...d.querySelectorAll("#heat polygon")].map((x) => w.getComputedStyle(x).fill);
		const felt = [...d.querySelectorAll("#heat title")].map((x) => x.textContent), drawn = d.querySelector("#heat svg").viewBox.baseVal.width;
		d.querySelector("[name=from]").value = d.querySelector("[name=to]").value = "2020-01-01";
		d.querySelector("#ask").dispatchEvent(new w.Event("change"));
		await until("nothing", () => !d.querySelector("#empty").hidden);
		return {es, en, bars, left: d.querySelectorAll("#charts figure").length, hidden, felt, shades, drawn, errors: w.errors};
	});</script>`, r.Config.Handler)
	var got struct {
		ES, EN     string
		Bars, Left int
		Errors     []string
		Hidden     string
		Felt       []string
		Shades     []string
		Drawn      float64
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	if got.Bars < 6 || got.Left != 0 || len(got.Errors) > 0 {
		t.Errorf("%d bars, %d charts of nothing, errors %v", got.Bars, got.Left, got.Errors)
	}
	if !strings.HasPrefix(got.Hidden, "Choose a table") || got.Drawn != 500 || !slices.Equal(got.Felt, []string{"seat 1: 0", "seat 3: 1"}) {
		t.Errorf("the felt, %v mm wide, without a table %q: %q", got.Drawn, got.Hidden, got.Felt)
	}
	if len(got.Shades) != 2 || got.Shades[0] == got.Shades[1] {
		t.Errorf("places with and without alerts are drawn alike: %q", got.Shades)
	}
	for _, want := range []string{"Blackjack 1", "Falsas alarmas", "Por qué no se pudo verificar"} {
		if !strings.Contains(got.ES, want) {
			t.Errorf("it lacks %q: %s", want, got.ES)
		}
	}
	if !strings.Contains(got.EN, "False alarms") || strings.Contains(got.EN+got.ES, "stat_") {
		t.Errorf("in English: %s", got.EN)
	}
}
