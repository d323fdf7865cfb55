package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/stream/alert"
)

// Many open alerts of one kind at one table are one card of the wall; it unfolds, and one reason
// decides those that were shown, not one that came meanwhile.
func TestWall_groupsAlertsOfAKind(t *testing.T) {
	r := newRoom(t)
	raise := func(id, code string) {
		if err := r.desk.Raise(t.Context(), alert.Alert{ID: id, Kind: "finding", Table: "BJ1", Code: code, Severity: "critical",
			At: time.Now(), Probability: 0.98, Amount: 500, ES: "Paga 10,00 €", EN: "Paid €10.00"}); err != nil {
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
		Needed           bool
		Left             []string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if got.Folded != 4 || got.Sum != "×5 · 25,00\u00a0€" || got.What == "" || got.Asked != "Blackjack 1 · "+got.What+" ×5" || !got.Needed {
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
