package console

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/internal/testkit/testvideo"
	"vision/internal/text"
	"vision/stream/alert"
	"vision/stream/index"
	"vision/stream/ledger"
)

// robot is what the scripts in the browser use: log in, open a page of the
// console, press keys, wait.
const robot = `<script>
let clock = window; // a page in the background has slow timers
const until = async (what, f, ms = 15000) => {
	for (const end = performance.now() + ms;;) {
		const v = await f();
		if (v) return v;
		if (performance.now() > end) throw new Error(what + ": not within " + ms + " ms");
		await new Promise(r => clock.setTimeout(r, 5));
	}
};
async function visit(user, path) {
	clock = window; // the last page may be closed
	await fetch("/login", {method: "POST", redirect: "manual", body: new URLSearchParams({user, password: "correcto"})});
	const w = open(path);
	await until("the page " + path, () => w.document?.readyState === "complete" && w.location.pathname !== "blank" && w.document.body);
	clock = w;
	w.errors = [];
	w.addEventListener("error", e => w.errors.push(e.message));
	w.addEventListener("unhandledrejection", e => w.errors.push(String(e.reason)));
	return w;
}
const press = (w, key) => (w.document.activeElement ?? w.document.body).dispatchEvent(new w.KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
// speak has a page speak the other of Spanish and English.
const speak = d => {
	const s = d.querySelector("#language");
	if (s.tagName === "BUTTON") { s.click(); return; } // a terminal's
	s.value = d.documentElement.lang === "es" ? "en" : "es";
	s.dispatchEvent(new Event("change"));
};
const say = f => f().then(x => done(JSON.stringify(x)), e => done("error: " + e + " " + (e.stack ?? "")));
</script>`

// seen is what the test's cameras are read as in second s of the recording: a card
// and a stack, another card each ten seconds; nothing is known in the first.
func seen(s int) string {
	if s == 0 {
		return "null"
	}
	return fmt.Sprintf(`[{"kind":"card","label":"%dh","p":0.98,"quad":[[20,40],[60,40],[60,100],[20,100]]},{"kind":"chip","label":"3×25","amount":7500,"p":0.9,"quad":[[200,40],[240,40],[240,80],[200,80]],"abstain":%v}]`, 2+s/10, s >= 50)
}

// keysOf are the keys that a page's line of help names: those before what each does.
func keysOf(help string) (out []string) {
	for part := range strings.SplitSeq(strings.NewReplacer("(", "· ", ")", "").Replace(help), " · ") {
		for f := range strings.FieldsSeq(part) {
			if isWord := len([]rune(f)) > 1 && strings.ToLower(f) == f && f != "espacio" && f != "1–4" && f != "↓,"; isWord {
				break
			}
			out = append(out, f)
		}
	}
	return out
}

// recorded puts a minute of cameras' pictures into the room, of the same time, with a gap
// of ten seconds from the thirtieth; the first picture's time is returned.
func (r *made) recorded(t *testing.T, cameras ...string) time.Time {
	t.Helper()
	r.recording = true
	begin := time.Now().Add(-2 * time.Minute).UTC().Truncate(time.Second)
	for _, camera := range cameras {
		rec := r.store.Recorder("BJ1", camera)
		for i, u := range testvideo.Loop(testvideo.Plain(begin), 10) {
			if i%(10*testvideo.FPS) == 0 || i == testvideo.FPS {
				rec.Readings(u.Wall, []byte(seen(i/testvideo.FPS)))
			}
			if s := i / testvideo.FPS; s >= 30 && s < 40 {
				continue
			} else if s == 40 && i%testvideo.FPS == 0 {
				u.Gap = true
			}
			rec.Unit(u)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = rec.Run(ctx) // writes what waits, and ends
	}
	return begin
}

// The surveillance operator's queue by keyboard: the first picture of an alert's
// recording, frame steps, speed, scrubbing over a gap, a note, an outcome.
func TestReviewInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	begin := r.recorded(t, "bj1", "bj1-2")
	if _, err := r.ledger.Append(ledger.Round, "BJ1", json.RawMessage(fmt.Sprintf(`{"id":"BJ1-king","game":"blackjack","time":%q,"events":[{"t":1,"type":"card","seat":2,"card":"Kd"}]}`, begin.Format(time.RFC3339)))); err != nil {
		t.Fatal(err)
	}
	for i, s := range []int{25, 50} {
		at := begin.Add(time.Duration(s) * time.Second)
		a := alert.Alert{ID: fmt.Sprintf("BJ1/%d", i), Table: "BJ1", Code: "payout_under", Severity: "critical", Amount: 500, At: at,
			Localized: text.Localized{ES: "Paga 10,00 €", EN: "Pays 10.00 €"},
			Rule:      "cantabria-2010 A.4", Clip: &alert.Clip{Camera: "bj1", From: at, To: at.Add(2 * time.Second)}}
		if err := r.desk.Raise(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	r.caught(t)
	go func() { _ = r.index.Run(t.Context()) }()
	page := robot + fmt.Sprintf(`<script>const begin = %d;
	say(async () => {
		const out = {}, w = await visit("director", "/review"), d = w.document;
		await until("the queue", () => d.querySelectorAll("#list .alert").length === 2);
		const v = d.querySelector("#video");
		press(w, "j"); // newest first: the alert at 50 s
		const asked = performance.now();
		await until("the first picture", () => v.readyState >= 2 && !v.seeking && w.visionPlayer.now() - begin > 49000); // not what nobody chose
		out.start = performance.now() - asked;
		out.at = (w.visionPlayer.now() - begin) / 1000;
		out.still = v.paused;
		press(w, "p"); await until("it plays from ten seconds before", () => !v.paused && w.visionPlayer.now() - begin > 41000 && w.visionPlayer.now() - begin < 49000);
		press(w, " ");
		await until("it stands", () => v.paused);
		const t0 = v.currentTime;
		press(w, "."); await until("a step", () => !v.seeking && v.currentTime !== t0);
		const t1 = v.currentTime;
		press(w, "."); await until("a step", () => !v.seeking && v.currentTime !== t1);
		out.step = v.currentTime - t1;
		const t2 = v.currentTime;
		press(w, ","); await until("a step back", () => !v.seeking && v.currentTime !== t2);
		out.back = v.currentTime - t2;
		// What was read then, in words beside the picture and drawn over it.
		const words = () => [...d.querySelectorAll("#readings li")].map(x => x.textContent);
		const drawn = () => { const c = d.querySelector("#overlay"); return c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some(x => x); };
		out.read = await until("the readings", () => words().length === 2 && words());
		await until("they are drawn", drawn);
		press(w, "l"); await until("only the picture", () => !drawn());
		press(w, "l"); await until("the readings again", drawn);
		press(w, "]"); press(w, "]"); out.rate = v.playbackRate;
		press(w, "["); press(w, "["); press(w, "["); press(w, "["); out.slow = v.playbackRate;
		press(w, "]"); press(w, "]");
		// The table's other camera is in step, playing and by pictures.
		d.querySelector("#others").open = true;
		const other = () => d.querySelector("#together video");
		const together = (ms) => other()?.readyState >= 2 && !other().seeking && !v.seeking && w.visionTogether.far() <= ms;
		await until("the other camera is there", () => together(15), 60000);
		const alone = other().currentTime;
		press(w, "."); await until("a step of both", () => other().currentTime > alone && together(15), 60000);
		v.playbackRate = 1; v.play(); await until("both play", () => !other().paused && other().currentTime > alone + 0.5 && together(150), 60000);
		press(w, " "); await until("both stand", () => other().paused && together(15), 60000);
		d.querySelector('#others input[value="bj1-2"]').click();
		await until("it is alone again", () => !other());
		// A glance along the timeline.
		const strip = d.querySelector("#timeline");
		strip.dispatchEvent(new w.PointerEvent("pointermove", {bubbles: true, clientX: strip.getBoundingClientRect().left + strip.clientWidth / 2, clientY: strip.getBoundingClientRect().top + 5}));
		out.glance = await until("the picture there", () => d.querySelector("#glance video").readyState >= 2 && d.querySelector("#glance p").textContent);
		strip.dispatchEvent(new w.PointerEvent("pointerleave"));
		await until("the glance is over", () => d.querySelector("#glance").hidden);
		// A finger drawn along it: a glance, and it goes to where the finger is lifted.
		const finger = (type, share) => { const b = strip.getBoundingClientRect(); strip.dispatchEvent(new w.PointerEvent(type, {bubbles: true, pointerType: "touch", clientX: b.left + share * b.width, clientY: b.top + 5})); };
		const length = w.visionStrip.to - w.visionStrip.from, aim = w.visionStrip.from + 0.5 * length;
		finger("pointerdown", 0.6); finger("pointermove", 0.55); finger("pointermove", 0.5);
		await until("the picture under the finger", () => !d.querySelector("#glance").hidden);
		finger("pointerup", 0.5); finger("pointerleave", 0.5);
		await until("where it was lifted", () => d.querySelector("#glance").hidden && Math.abs(w.visionStrip.at - aim) < length / 100);
		// Scrubbing: ten places, each until its picture is there.
		const waits = [];
		for (const s of [5, 50, 12, 45, 20, 55, 1, 48, 28, 42]) {
			const from = performance.now();
			await w.visionPlayer.seek(begin + s * 1000);
			await until("the picture at " + s, () => !v.seeking && v.readyState >= 2 && Math.abs(w.visionPlayer.now() - begin - s * 1000) < 100);
			waits.push(performance.now() - from);
		}
		await w.visionPlayer.seek(begin + 55000);
		out.unsure = await until("what was read later", () => words()[0]?.includes("7♥") && words());
		await w.visionPlayer.seek(begin + 500);
		out.unknown = await until("nothing is known of the start", () => words().length === 1 && words()[0]);
		out.scrub = waits.sort((a, b) => a - b);
		// Over the gap: from 27 s the picture goes on at 40 s.
		v.playbackRate = 4;
		await w.visionPlayer.seek(begin + 27000); v.play();
		await until("the gap is passed", () => w.visionPlayer.now() - begin > 40000, 20000);
		out.strip = w.document.querySelector("#timeline").getAttribute("aria-valuetext");
		// Every key of the help that is not pressed elsewhere here.
		out.help = d.querySelector("#keys").textContent;
		const span = () => d.querySelector("#timeline").getAttribute("aria-valuetext");
		const leave = () => { press(w, "Escape"); d.activeElement.blur(); };
		press(w, "f"); out.filters = d.activeElement.name; leave();
		press(w, "c"); out.caseAt = d.activeElement.form?.id; leave();
		press(w, "n"); out.noteAt = d.activeElement.form?.id; leave();
		press(w, "v"); await until("looked at", () => d.querySelector("#reviewed").checked && d.querySelectorAll("#list .done").length === 1);
		press(w, "v"); await until("not looked at", () => !d.querySelector("#reviewed").checked && d.querySelectorAll("#list .done").length === 0);
		press(w, "+"); out.closer = w.visionStrip.length; press(w, "-"); out.wider = w.visionStrip.length;
		press(w, "p"); await until("from its beginning again", () => !v.paused && w.visionPlayer.now() - begin < 48000 && w.visionPlayer.now() - begin > 39000);
		press(w, "k"); press(w, "j"); press(w, "j");
		d.querySelector("#note [name=text]").value = "hablado con el jefe";
		d.querySelector("#note").requestSubmit();
		await until("the note", () => d.querySelectorAll("#notes li:not(.empty)").length === 1);
		press(w, "1");
		await until("the outcome", () => d.querySelector("#ack").textContent.includes("director"));
		await until("it is marked", () => d.querySelectorAll("#list .done").length === 1);
		// A moment is marked, found again, and the mark taken back.
		const marks = () => [...d.querySelectorAll("#marks:not([hidden]) li")];
		press(w, "b");
		out.mark = (await until("the mark", () => marks().length === 1 && marks()[0])).textContent.trim();
		await w.visionPlayer.seek(begin + 5000);
		marks()[0].querySelector("button").click();
		await until("the marked moment", () => w.visionPlayer.now() - begin > 6000);
		marks()[0].querySelector(".off").click();
		await until("no mark", () => !marks().length);
		// The clip is taken away by one button.
		let taken = "";
		w.HTMLAnchorElement.prototype.click = function () { taken = this.getAttribute("href"); };
		press(w, "d");
		out.taken = taken.replace(/\d{4}-[^&]*/g, "T");
		// Rounds are searched by a card, and played.
		const f = d.querySelector("#filters"), pick = (name, value) => { f.elements[name].value = value; f.elements[name].dispatchEvent(new Event("change", {bubbles: true})); };
		pick("what", "rounds"); pick("card", "Kd"); pick("seat", "2");
		await until("the round", () => d.querySelectorAll("#list .alert").length === 1 && d.querySelector('#list [data-id="BJ1/BJ1-king"]'));
		press(w, "j");
		await until("its record", () => d.querySelector("#round .events"));
		out.king = d.querySelector("#round .events").textContent;
		out.hidden = [d.querySelector("#of-alert").hidden, f.elements.state.closest("label").hidden];
		// The address has the search: who opens it sees the same, and can leave it.
		pick("from", "2020-01-02T03:04");
		await until("it is in the address", () => w.location.search.includes("from="));
		out.address = w.location.search + w.location.hash;
		pick("from", ""); pick("card", "3c");
		await until("no round", () => !d.querySelector("#empty").hidden);
		pick("what", "alerts"); pick("card", ""); pick("seat", "");
		await until("the alerts again", () => d.querySelectorAll("#list .alert").length === 2);
		// Loaded anew it shows what was chosen; where nothing was, the camera's recording.
		press(w, "j");
		const what = await until("it is chosen", () => d.querySelector("#of-alert:not([hidden])") && d.querySelector("#what").textContent);
		const chosen = w.location.hash, complaints = w.errors;
		out.error = d.querySelector("#error").textContent;
		w.close();
		const w2 = await visit("director", "/review" + chosen);
		await until("the same again", () => w2.document.querySelector("#detail:not([hidden]) #what")?.textContent === what, 60000);
		w2.close();
		const sent = await visit("director", "/review" + out.address.replace("#", "&code=of_no_norm&length=9#")), f2 = sent.document.querySelector("#filters");
		await until("the same search", () => sent.document.querySelectorAll('#list [data-id="BJ1/BJ1-king"]').length === 1, 60000);
		out.sent = ["what", "card", "seat", "from", "code"].map((x) => f2.elements[x].value);
		f2.querySelector("[type=reset]:not([hidden])").click();
		await until("all alerts", () => sent.document.querySelectorAll("#list .alert").length === 2 && sent.location.search === "" && f2.querySelector("[type=reset]").hidden);
		const strange = sent.errors;
		sent.close();
		const w3 = await visit("director", "/review");
		await until("a strip", () => w3.visionPlayer?.camera === "bj1" && w3.document.querySelector("#play .icon"), 60000);
		// Of a minute ago there is nothing, nor after it: it stays, an earlier time would mislead.
		await until("no recording", () => !w3.document.querySelector("#gone").hidden, 60000);
		await new Promise((ok) => w3.setTimeout(ok, 1500)); // the player asks again each second
		out.stays = !w3.document.querySelector("#gone").hidden;
		out.paused = w3.document.querySelector("#video").paused;
		out.errors = [...complaints, ...strange, ...w3.errors];
		return out;
	});</script>`, begin.UnixMilli())
	said := browser.Ask(t, page, r.Config.Handler)
	var got struct {
		Start, At, Step, Back, Rate, Slow float64
		Scrub                             []float64
		Errors                            []string
		Error, Unknown                    string
		Glance, Taken, King, Mark         string
		Address                           string
		Sent                              []string
		Hidden                            []bool
		Help, Filters, CaseAt, NoteAt     string
		Closer, Wider                     float64
		Paused, Stays, Still              bool
		Read, Unsure                      []string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	t.Logf("%s", said)
	from := time.Date(2020, 1, 2, 3, 4, 0, 0, time.Local).UTC().Format("2006-01-02T15%3A04%3A05.000Z")
	if want := "?card=Kd&seat=2&from=" + from + "&what=rounds#BJ1%2FBJ1-king"; got.Address != want {
		t.Errorf("the address of a search: %q; want %q", got.Address, want)
	}
	if want := []string{"rounds", "Kd", "2", "2020-01-02T03:04", ""}; !slices.Equal(got.Sent, want) {
		t.Errorf("who is sent a search has %q; want %q", got.Sent, want)
	}
	if got.At < 49.9 || got.At > 50.1 || !got.Still {
		t.Errorf("it shows %.2f s, still %v; want the moment of the alert, 50 s", got.At, got.Still)
	}
	const frame = 1.0 / testvideo.FPS
	if d := got.Step - frame; d > 0.01 || d < -0.01 || got.Back > -frame+0.01 || got.Back < -frame-0.01 {
		t.Errorf("steps of %.3f and %.3f s; want %.3f", got.Step, got.Back, frame)
	}
	if !got.Stays {
		t.Error("where nothing is recorded it shows another time")
	}
	if !got.Paused {
		t.Error("what nobody chose plays")
	}
	if got.Filters != "what" || got.CaseAt != "case" || got.NoteAt != "note" || got.Closer >= got.Wider {
		t.Errorf("keys: f at %q, c at %q, n at %q, + %v, - %v", got.Filters, got.CaseAt, got.NoteAt, got.Closer, got.Wider)
	}
	pressed := []string{"j", "k", "espacio", ",", ".", "[", "]", "1–4", "v", "n", "l", "b", "d", "c", "f", "p", "+", "−"}
	if told := keysOf(got.Help); !slices.Equal(told, pressed) {
		t.Errorf("the help tells %q; tried are %q", told, pressed)
	}
	if !strings.HasSuffix(got.Mark, " · director · Paga 10,00\u00a0€") {
		t.Errorf("marked %q", got.Mark)
	}
	if got.Glance == "" || got.Taken != "/api/v1/clips?camera=bj1&from=T&to=T&download" || !strings.Contains(got.King, "1,0 s · puesto 2: K♦") || !slices.Equal(got.Hidden, []bool{true, true}) {
		t.Errorf("glance %q, taken %q, the round %q, hidden %v", got.Glance, got.Taken, got.King, got.Hidden)
	}
	if want := []string{"carta · 6♥ · 98 %", "fichas · 75 € · 3×25 · 90 %"}; !slices.Equal(got.Read, want) {
		t.Errorf("read %q; want %q", got.Read, want)
	}
	if len(got.Unsure) != 2 || got.Unsure[1] != "fichas · 75 € · 3×25 · no se sabe" || got.Unknown != "De este momento no hay lecturas." {
		t.Errorf("unsure %q, unknown %q", got.Unsure, got.Unknown)
	}
	if got.Rate != 4 || got.Slow != 0.25 {
		t.Errorf("rates %v and %v", got.Rate, got.Slow)
	}
	if got.Start > 1000 { // alone on a machine it is a tenth of that
		t.Logf("SLOW: the first picture came after %.0f ms", got.Start)
	}
	if len(got.Errors) > 0 || got.Error != "" {
		t.Errorf("the page complained: %v %s", got.Errors, got.Error)
	}
	a, err := r.desk.Get("BJ1/1")
	if err != nil || a.Ack == nil {
		a, err = r.desk.Get("BJ1/0")
	}
	if err != nil || a.Ack == nil || a.Ack.By != "director" || a.Ack.Outcome != alert.Corrected {
		t.Errorf("acknowledged %+v, %v", a.Ack, err)
	}
	if notes := get[[]index.Note](t, r, r.as(t, "director"), "/api/v1/alerts/"+strings.ReplaceAll(a.ID, "/", "%2F")+"/notes"); len(notes) != 1 {
		t.Errorf("notes %+v", notes)
	}
}
