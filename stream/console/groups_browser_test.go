package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/internal/text"
	"vision/stream/alert"
)

// What comes from one cause is one card and one decision, sounds once, and says what to do.
func TestWall_showsOneIncident(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	for _, a := range []alert.Alert{
		{ID: "left", Code: "loser_not_collected", Severity: "major", Amount: 500, Localized: text.Localized{ES: "No retira 5,00 €"}},
		{ID: "paid", Incident: "left", Code: "payout_to_loser", Severity: "critical", Amount: 500, Localized: text.Localized{ES: "Paga 5,00 €"}, Evidence: 2.6,
			Accounts: []alert.Account{{Probability: 0.86, Holds: true, Localized: text.Localized{ES: "86 %: pago a un perdedor"}},
				{Probability: 0.1, Localized: text.Localized{ES: "10 %: todo correcto"}}}},
		{ID: "alone", Code: "payout_under", Severity: "minor", Amount: 200, Localized: text.Localized{ES: "Paga 2,00 €"}},
	} {
		a.Kind, a.Table, a.At, a.Probability = "finding", "BJ1", time.Now(), 0.86
		if err := r.desk.Raise(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {}, w = await visit("director", "/"), d = w.document;
		const cards = () => [...d.querySelectorAll("#alerts .alert")];
		await until("the alerts", () => cards().length);
		out.cards = cards().map((x) => x.dataset.id);
		out.waiting = d.querySelector("#open").textContent;
		const li = cards()[0];
		out.what = li.querySelector(".what").textContent;
		out.firm = li.querySelector(".firm").textContent;
		out.advice = li.querySelector(".advice").textContent;
		li.focus();
		await until("buttons are taken", () => !li.querySelector(".corrected").ariaDisabled);
		li.querySelector(".corrected").click();
		await until("both are decided", () => d.querySelectorAll(".alert.done").length === 2);
		out.left = d.querySelector("#open").textContent;
		return out;
	});</script>`, r.Config.Handler)
	var got struct {
		Cards                             []string
		Waiting, What, Firm, Advice, Left string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if !slices.Equal(got.Cards, []string{"paid", "alone"}) || got.Waiting != "2" || got.Left != "1" {
		t.Errorf("the cards: %+v", got)
	}
	plain := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace
	if plain(got.What) != "Paga 5,00 €+ No retira 5,00 €" || got.Firm != "probable" ||
		plain(got.Advice) != "A favor: lo visto encaja 400 veces mejor con el error. En contra (10 %): todo correcto. Mire el vídeo antes de hablar con el croupier." {
		t.Errorf("what it says: %+v", got)
	}
	for _, a := range r.desk.List(func(a *alert.Alert) bool { return a.Ack != nil }) {
		if a.ID == "alone" || a.Ack.Outcome != alert.Corrected {
			t.Errorf("%s: %+v", a.ID, a.Ack)
		}
	}
}

// The review's queue has one incident once, too: what is decided of it, and that it was looked at,
// counts for all its alerts.
func TestReview_decidesAnIncidentAtOnce(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	for _, a := range []alert.Alert{
		{ID: "left", Code: "loser_not_collected", Severity: "critical", Localized: text.Localized{ES: "No retira 5,00 €"}},
		{ID: "paid", Incident: "left", Code: "payout_to_loser", Severity: "critical", Localized: text.Localized{ES: "Paga 5,00 €"}},
		{ID: "alone", Code: "payout_under", Severity: "minor", Localized: text.Localized{ES: "Paga 2,00 €"}},
	} {
		a.Kind, a.Table, a.At = "finding", "BJ1", time.Now()
		if err := r.desk.Raise(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	go func() { _ = r.index.Run(t.Context()) }()
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {}, w = await visit("director", "/review#left"), d = w.document;
		const items = () => [...d.querySelectorAll("#list .alert")];
		await until("the incident of the address", () => d.querySelector("#what")?.textContent.includes("+"));
		out.items = items().length;
		out.what = d.querySelector("#what").textContent.length === d.querySelector('#list [aria-current=true] .what').textContent.length;
		d.querySelector("#acts .corrected").click();
		await until("it was looked at", () => items().filter((x) => x.matches(".done")).length === 1);
		out.errors = w.errors;
		return out;
	});</script>`, r.Config.Handler)
	if said != `{"items":2,"what":true,"errors":[]}` {
		t.Error(said)
	}
	for _, a := range r.desk.List(func(*alert.Alert) bool { return true }) {
		if (a.Ack != nil) != (a.ID != "alone") {
			t.Errorf("%s: %+v", a.ID, a.Ack)
		}
	}
}

// Many open alerts of one kind at one table are one card of the wall; it unfolds, and one reason
// decides those that were shown, not one that came meanwhile.
func TestWall_groupsAlertsOfAKind(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	raise := func(id, code string) {
		if err := r.desk.Raise(t.Context(), alert.Alert{ID: id, Kind: "finding", Table: "BJ1", Code: code, Severity: "critical",
			At: time.Now(), Probability: 0.98, Amount: 500, Localized: text.Localized{ES: "Paga 10,00 €", EN: "Paid €10.00"}}); err != nil {
			t.Error(err)
		}
	}
	for i := range 5 {
		raise(fmt.Sprint("same", i), "payout_under")
	}
	for i := range 3 { // too few for a card of their own
		raise(fmt.Sprint("few", i), "payout_over")
	}
	mux := http.NewServeMux()
	mux.Handle("/", r.Config.Handler)
	mux.HandleFunc("/hand/raise", func(http.ResponseWriter, *http.Request) { raise("late", "payout_under") })
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {}, w = await visit("director", "/"), d = w.document;
		const cards = () => [...d.querySelectorAll("#alerts .alert")], group = () => d.querySelector(".alert.group");
		await until("the group", group);
		out.folded = cards().length;
		out.sum = group().querySelector(".sum").textContent;
		out.what = group().querySelector(".what").textContent;
		out.beside = w.getComputedStyle(group().querySelector(".advice")).display; // how often it was false, without a touch
		const press = async (b) => { await until("buttons are taken", () => !d.querySelector(b).ariaDisabled); d.querySelector(b).click(); };
		await press(".group .fold");
		await until("it is unfolded", () => cards().length === 9);
		await press(".group .fold");
		await until("it is folded", () => cards().length === 4);
		await press(".group .all");
		const dialog = d.querySelector("#reason");
		out.asked = dialog.querySelector("p").textContent;
		dialog.querySelector("button").click();
		out.needed = dialog.open; // no reason was given
		await fetch("/hand/raise");
		await until("a sixth", () => group().querySelector(".sum").textContent.startsWith("×6"));
		dialog.querySelector("input").value = " the new felt ";
		dialog.querySelector("button").click();
		await until("one is left", () => !group() && d.querySelectorAll(".alert.done").length === 5);
		out.left = [...d.querySelectorAll(".alert:not(.done)")].map(x => x.dataset.id).sort();
		return out;
	});</script>`, mux)
	var got struct {
		Folded           int
		Sum, What, Asked string
		Beside           string
		Needed           bool
		Left             []string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if got.Folded != 4 || got.Sum != "×5 · 25,00\u00a0€" || got.What == "" || got.Beside != "block" || got.Asked != "Blackjack 1 · "+got.What+" ×5" || !got.Needed {
		t.Errorf("the group: %+v", got)
	}
	if want := []string{"few0", "few1", "few2", "late"}; !slices.Equal(got.Left, want) {
		t.Errorf("open after the decision: %v, want %v", got.Left, want)
	}
	for _, a := range r.desk.List(func(a *alert.Alert) bool { return a.Ack != nil }) {
		if a.Ack.Outcome != alert.FalseAlarm || a.Ack.Note != "the new felt" {
			t.Errorf("%s: %+v", a.ID, a.Ack)
		}
	}
}

// What waits for long leaves the stream for the shift's list; who relieves a jefe takes his tables by one
// touch, with what is left open there.
func TestWall_leavesOldAlertsToTheShiftAndItsRelief(t *testing.T) {
	t.Parallel()
	r := newRoom(t, withAna)
	if code, body := do(t, r.as(t, "director"), "PUT", r.URL+"/api/v1/supervision/jefes/ana", `{"tables":["BJ1"]}`); code != 200 {
		t.Fatal(code, body)
	}
	for i := range 2 {
		if err := r.desk.Raise(t.Context(), alert.Alert{ID: fmt.Sprint(i), Kind: "finding", Table: "BJ1", Code: "payout_under", Severity: "major",
			At: time.Now(), Amount: 500, Localized: text.Localized{ES: "Paga 10,00 €"}}); err != nil {
			t.Fatal(err)
		}
	}
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {}, w = await visit("jefe", "/"), d = w.document, cards = () => [...d.querySelectorAll("#alerts .alert")].map(x => x.dataset.id);
		await until("two alerts", () => cards().length === 2);
		const now = w.Date.now;
		w.Date.now = () => now() + 16 * 60e3;
		await until("they are left to the shift", () => cards().join() === "shift", 20000);
		out.shift = d.querySelector(".shift").textContent;
		out.waiting = d.querySelector("#open").textContent;
		d.querySelector(".shift .fold").click();
		await until("it unfolds", () => cards().length === 3);
		w.close();
		const s = await visit("jefe", "/supervision");
		const b = await until("the relief", () => s.document.querySelector("#relief li button"));
		out.button = b.textContent;
		out.open = [...s.document.querySelectorAll("#relief li li")].map(x => x.textContent);
		b.click();
		out.taken = (await until("it is taken", () => s.document.querySelector("#taken:not([hidden])"))).textContent;
		await until("nobody else is to be relieved", () => !s.document.querySelector("#relief li"));
		out.errors = s.errors;
		return out;
	});</script>`, r.Config.Handler)
	var got struct {
		Shift, Waiting, Button, Taken string
		Open, Errors                  []string
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(said, "\u00a0", " ")), &got); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if got.Shift != "Pendientes del turno · ×2 · 10,00 €" || got.Waiting != "2" || got.Button != "Relevar a ana: BJ1" ||
		len(got.Open) != 2 || got.Taken != "Relevado ana: BJ1 · 2 alertas abiertas" || len(got.Errors) > 0 {
		t.Errorf("the shift and its relief: %+v", got)
	}
	if st := r.srv.cfg.Floor.Status(); st.Tables[0].Jefe != "jefe" {
		t.Errorf("after the relief: %+v", st.Assignments)
	}
}
