package console

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"vision/internal/health"
	"vision/internal/testkit/browser"
	"vision/stream/alert"
)

// axe-core finds nothing serious on any page, in either language, theme and density, with
// alerts, findings and problems on them.
func TestThePagesAreAccessible(t *testing.T) {
	axe, err := os.ReadFile("../../internal/e2e/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("SKIPPED: needs axe-core, which `make test` installs")
	}
	r := newRoom(t)
	r.srv.limit = newLimiter(100, time.Second) // a log-in for every page
	begin := r.recorded(t, "bj1")
	for _, severity := range []string{"critical", "major", "minor"} {
		if err := r.desk.Raise(t.Context(), alert.Alert{ID: severity, Table: "BJ1", Code: "payout_under",
			Severity: severity, Amount: 500, At: begin.Add(20 * time.Second),
			ES: "Paga 10,00 €; debía pagar 15,00 €", EN: "Pays 10.00 €", Rule: "cantabria-2010 A.4", Probability: 0.98}); err != nil {
			t.Fatal(err)
		}
	}
	r.board.Set(health.CameraBlind, "BJ1", "bj1", "no picture since 20:00:00")
	r.board.Set(health.BusDown, "", "redis", "connection refused")
	if _, err := r.srv.cfg.Floor.Assign(t.Context(), "director", "ana", []string{"R1", "R2"}, true); err != nil {
		t.Fatal(err)
	}
	r.lost.Store(true)
	r.dealt(t, "BJ1", "blackjack", 3)
	r.supervised(t, "ana", "R1", "R2")
	r.caught(t)
	go func() { _ = r.index.Run(t.Context()) }()
	mux := http.NewServeMux()
	mux.Handle("/", r.Config.Handler)
	mux.HandleFunc("/axe.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(axe)
	})
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const found = {};
		for (const [path, ready] of [["/", ".tile"], ["/review", "#list .alert"], ["/supervision", "#tables tbody tr"], ["/health", "#cameras tbody tr"],
			["/calibrate/bj1", "#game option"], ["/terminal/BJ1", "#buttons button"], ["/account", "#sessions tbody tr"], ["/users", "#list tbody tr"], ["/audit", "#entries tbody tr"], ["/actas", "#ask option"], ["/sessions", "#steps button"], ["/statistics", "#figures tbody tr"], ["/thresholds", "#codes tbody tr"], ["/configuration", "#settings tbody tr"], ["/api", "#operations details"], ["/tour", "#steps button"], ["/setup", "#drafts li"], ["/login", "form"]]) {
			const w = await visit(["/users", "/configuration", "/setup"].includes(path) ? "admin" : "director", path), d = w.document;
			await until(path, () => d.querySelector(ready), 20000);
			if (path === "/actas") { // with one that is open
				d.querySelector("#ask").requestSubmit();
				await until("the acta", () => !d.querySelector("#acta").hidden);
			}
			if (path === "/api") d.querySelector("#operations details:nth-of-type(6) summary").click();
			if (path === "/review") { press(w, "j"); await until("the detail", () => !d.querySelector("#detail").hidden); }
			const s = d.createElement("script");
			s.src = "/axe.js";
			await new Promise((ok, no) => { s.onload = ok; s.onerror = () => no("axe"); d.head.append(s); });
			for (const [lang, theme, density] of path === "/login" ? [["es", "dark", "wall"]] : [["es", "dark", "wall"], ["en", "light", "compact"]]) { // that one is in both at once
				Object.assign(d.documentElement.dataset, {theme, density});
				if (d.documentElement.lang !== lang) speak(d);
				await until(path + " in " + lang, () => d.documentElement.lang === lang, 20000);
				const r = await w.axe.run(d, {resultTypes: ["violations"]});
				found[path + " " + lang] = r.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.nodes.map(n => n.html.slice(0, 120) + " " + n.any.map(a => a.message)).slice(0, 3).join(" | "));
			}
			localStorage.removeItem("lang");
			w.close();
		}
		return found;
	});</script>`, mux)
	var found map[string][]string
	if err := json.Unmarshal([]byte(said), &found); err != nil {
		t.Fatal(said)
	}
	if len(found) != 2*18-1 {
		t.Errorf("%d pages were looked at", len(found))
	}
	for page, list := range found {
		for _, v := range list {
			t.Errorf("%s: %s", page, v)
		}
	}
}
