package console

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"vision/internal/testkit/browser"
	"vision/stream/account"
	"vision/validate/finding"
)

// Whoever owes a second factor is led to it: scans, confirms, keeps the recovery
// codes, logs in again with one; then the administrator helps another.
func TestAccountsInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t, func(o *account.Options) { o.Factor = []string{"admin"} })
	r.srv.limit = newLimiter(100, time.Second)
	mux := http.NewServeMux()
	mux.Handle("/", r.Config.Handler)
	mux.HandleFunc("/totp", func(w http.ResponseWriter, q *http.Request) { // the authenticator
		c, err := totp.GenerateCode(q.URL.Query().Get("secret"), time.Now())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, _ = w.Write([]byte(c))
	})
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {};
		let w = await visit("admin", "/account");
		await until("the account page", () => w.location.pathname === "/account" && w.document.querySelector("#offer")?.hidden === false);
		let d = w.document;
		out.held = d.querySelector("#held").textContent;
		d.querySelector("#offer [name=password]").value = "correcto";
		d.querySelector("#offer").requestSubmit();
		await until("the picture", () => d.querySelector("#picture").naturalWidth > 0);
		const secret = d.querySelector("#secret").textContent.replaceAll(" ", "");
		d.querySelector("#enrol [name=code]").value = await (await fetch("/totp?secret=" + secret)).text();
		d.querySelector("#enrol").requestSubmit();
		const codes = await until("the recovery codes", () => { const c = [...d.querySelectorAll("#codes li")].map(x => x.textContent); return c.length && c; });
		out.codes = codes.length;
		await until("nothing is owed", () => d.querySelector("#held").hidden);
		out.secretLeft = d.querySelector("#secret").textContent;
		speak(d);
		out.english = d.querySelector("#factor-state").textContent;
		w.close();
		w = await visit("nobody", "/login"); d = w.document;
		clock = window; // the page goes on to others, and its timers with it
		d.querySelector("#password [name=user]").value = "admin";
		d.querySelector("#password [name=password]").value = "correcto";
		d.querySelector("#password button").click();
		await until("the code is asked for", () => w.document?.querySelector("#code")?.hidden === false);
		d = w.document;
		out.passwordHidden = d.querySelector("#password").hidden;
		d.querySelector("#code [name=code]").value = codes[0];
		d.querySelector("#code button").click();
		await until("the account page", () => w.location.pathname === "/account" && w.document.querySelector("#sessions tbody tr"));
		w.close();
		w = open("/users"); clock = window;
		await until("the users", () => w.document?.querySelectorAll("#list tbody tr").length === 4);
		d = w.document; w.confirm = () => true;
		d.querySelector("#add [name=user]").value = "luis";
		d.querySelector("#add").requestSubmit();
		out.first = await until("the first password", () => d.querySelector("#first-password").textContent);
		await until("five users", () => d.querySelectorAll("#list tbody tr").length === 5);
		const luis = [...d.querySelectorAll("#list tbody tr")].find(x => x.cells[0].textContent === "luis");
		luis.querySelector("select").value = "technician";
		luis.querySelector("select").dispatchEvent(new w.Event("change"));
		await until("the role", () => [...d.querySelectorAll("#list tbody tr")].some(x => x.cells[0].textContent === "luis" && x.querySelector("select").value === "technician"));
		w.close();
		return out;
	});</script>`, mux)
	var got struct {
		Held, SecretLeft, English, First string
		Codes                            int
		PasswordHidden                   bool
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	if got.Held == "" || got.Codes != 8 || got.SecretLeft != "" || got.English != "In use · recovery codes: 8" ||
		!got.PasswordHidden ||
		len(got.First) < 20 {
		t.Errorf("%+v", got)
	}
	if u, ok := r.srv.cfg.Accounts.Find("luis"); !ok || u.Role != "technician" {
		t.Errorf("%+v", u)
	}
}

// The director sets a threshold on the page, in both languages; what makes no sense is
// refused in words.
func TestThresholdsInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.srv.cfg.Rates = func() []Rates {
		return []Rates{{
			Table: "R1", Rounds: 800, Threshold: 0.22, Found: 0.36, By: map[finding.Class]float64{finding.ClassMoney: 0.41},
			Classes: []ClassRate{
				{Class: finding.ClassMoney, Stated: 3, Rate: 2.5, Low: 1, High: 5},
				{Class: finding.ClassCard}, {Class: finding.ClassProcedure}, {Class: finding.ClassCall},
			},
		}}
	}
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {}, w = await visit("director", "/thresholds"), d = w.document;
		await until("the rates", () => d.querySelectorAll("#rates tbody tr").length === 4);
		out.es = d.querySelector("#rates td").textContent;
		out.money = [...d.querySelectorAll("#rates tbody tr")[0].cells].at(-1).textContent;
		out.point = d.querySelector("#rates p").textContent;
		d.querySelector("[name=budget]").value = 2.5;
		d.querySelector("#all").requestSubmit();
		await until("it is done", () => d.querySelector("#said").textContent);
		out.own = d.querySelector("[name=budget]").value;
		speak(d);
		out.en = d.querySelector("#rates td").textContent;
		out.head = d.querySelector("h1").textContent;
		w.close();
		return out;
	});</script>`, r.Config.Handler)
	var got struct{ ES, EN, Point, Own, Head, Money string }
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	if got.ES != "de dinero" || got.EN != "of money" || got.Money != "41\u00a0%" || got.Own != "2.5" || !strings.Contains(got.Point, "22\u00a0%") || got.Head != "vision · Thresholds" {
		t.Errorf("%+v", got)
	}
	if l := r.srv.cfg.Limits.Now(); l.Budget != 2.5 || l.Escalate != 60 {
		t.Errorf("%+v", l)
	}
}

// The administrator sees the configuration in force without its secrets, and has its
// file read again; nobody else does.
func TestConfigurationInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.srv.limit = newLimiter(100, time.Second)
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {}, w = await visit("admin", "/configuration"), d = w.document;
		w.confirm = () => true;
		const rows = () => [...d.querySelectorAll("#settings tbody tr")].map(x => x.innerText.replace(/\s+/g, " ").trim());
		await until("the values", () => rows().length === 3);
		out.all = rows();
		out.state = d.querySelector("#state").innerText;
		d.querySelector("[name=given]").click();
		out.given = rows();
		d.querySelector("[name=text]").value = "token";
		d.querySelector("#search").dispatchEvent(new w.Event("input"));
		out.found = rows();
		d.querySelector("#reread").click();
		await until("it is read again", () => d.querySelector("#said").textContent);
		out.errors = w.errors;
		w.close();
		return out;
	});</script>`, r.Config.Handler)
	var got struct {
		All, Given, Found, Errors []string
		State                     string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	if len(got.All) != 3 || got.All[0] != "norm cantabria-2010 por omisión" || len(got.Given) != 2 ||
		len(got.Found) != 1 ||
		!strings.Contains(got.Found[0], "••••••") ||
		len(got.Errors) > 0 {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(got.State, "ya no dice lo mismo") || !strings.Contains(got.State, "sin cifrar: console") || r.reread.Load() != 1 {
		t.Errorf("%q; read again %d times", got.State, r.reread.Load())
	}
	if !slices.Contains(r.audit, "admin reread") {
		t.Errorf("not in the ledger: %q", r.audit)
	}
	for _, who := range []string{"director", "jefe", "inspector"} {
		for method, path := range map[string]string{"GET": "/api/v1/configuration", "POST": "/api/v1/configuration"} {
			if code, _ := do(t, r.as(t, who), method, r.URL+path, ""); code != 403 {
				t.Errorf("%s %s of a %s: %d", method, path, who, code)
			}
		}
	}
	r.srv.cfg.Configuration = func() Configuration { return Configuration{Problems: []string{"tables: none"}} }
	if code, body := do(t, r.as(t, "admin"), "POST", r.URL+"/api/v1/configuration", ""); code != 409 || r.reread.Load() != 1 {
		t.Errorf("a file that cannot be used is taken: %d %s", code, body)
	}
}

// From another machine by plain HTTP browsers say less about where a form comes from: one
// logs in and out all the same, and is led to what he was sent.
func TestLogInByPlainHTTPInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	said := browser.Ask(t, robot+`<script>
	if (location.hostname !== "casa.test") location.href = "http://casa.test:" + location.port + "/test-page";
	else say(async () => {
		const w = open("/review?table=BJ1#BJ1%2F1");
		const at = (path) => until(path, () => w.location?.pathname === path && w.document?.readyState === "complete" && !w.document.querySelector("#arrival"), 60000);
		await at("/login");
		w.document.querySelector("#password [name=user]").value = "jefe";
		w.document.querySelector("#password [name=password]").value = "correcto";
		w.document.querySelector("#password button").click();
		await at("/review");
		const out = [isSecureContext, w.location.search + w.location.hash];
		w.document.querySelector("form[action='/logout'] button").click();
		await at("/login");
		return out;
	});</script>`, r.Config.Handler)
	if want := `[false,"?table=BJ1#BJ1%2F1"]`; said != want {
		t.Errorf("%s; want %s", said, want)
	}
}
