package console

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vision/capture"
	"vision/internal/health"
	"vision/internal/testkit/browser"
	"vision/internal/testkit/testvideo"
	"vision/internal/text"
	"vision/stream/alert"
	"vision/stream/live"
)

// studio feeds six tables' cameras with live pictures, each of which can be made to stand
// still; BJ1's has a substream, which is smaller.
type studio struct {
	feeds map[string]*capture.Feed
	still sync.Map // names of those that do
	wg    sync.WaitGroup
}

func newStudio(t *testing.T, names ...string) *studio {
	t.Helper()
	s := &studio{feeds: map[string]*capture.Feed{}}
	ctx, cancel := context.WithCancel(context.Background())
	for _, n := range names {
		s.feeds[n] = capture.NewFeed(n, nil, nil)
		us := testvideo.Plain(time.Now())
		if strings.HasSuffix(n, "~low") {
			us = testvideo.Other(time.Now())
		}
		s.wg.Go(func() { s.shoot(ctx, n, us) })
	}
	t.Cleanup(func() { cancel(); s.wg.Wait() })
	return s
}

func (s *studio) shoot(ctx context.Context, name string, us []capture.Unit) {
	tick := time.NewTicker(time.Second / testvideo.FPS)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, off := s.still.Load(name); off {
			continue
		}
		u := us[n%len(us)]
		u.Wall, u.PTS = time.Now(), time.Duration(n)*time.Second/testvideo.FPS
		s.feeds[name].Unit(u)
	}
}

// The wall in a browser: substreams in tiles and the full picture of one alone, by
// one connection; more than four tables; alerts by keyboard, none taken by a hand
// under which the list has just moved.
func TestTheWallInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.recording = true // of which there is none yet
	names := []string{"bj1", "bj1~low", "r1", "r2", "t4", "t5", "t6"}
	st := newStudio(t, names...)
	srv, err := live.New(live.Feeds(func(n string) *capture.Feed { return st.feeds[n] }),
		live.Options{UDP: "127.0.0.1:0", Notices: r.hub, Log: slog.New(slog.DiscardHandler),
			Authorize: func(q *http.Request, _ []string) (live.Grant, error) {
				return live.Grant{User: Sender(q.Context()), Hold: func(end func()) func() { return Hold(q.Context(), end) }}, nil
			}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	r.srv.cfg.Live = srv
	six := []Table{{ID: "BJ1", Name: "Blackjack 1", Game: "blackjack", Cameras: []Camera{{Name: "bj1", Low: true}}}}
	for i, c := range []string{"r1", "r2", "t4", "t5", "t6"} {
		six = append(six, Table{ID: strings.ToUpper(c), Name: fmt.Sprintf("Mesa %d", i+2), Game: "ruleta_francesa", Cameras: []Camera{{Name: c}}})
	}
	r.srv.cfg.Tables = func() []Table { return six }
	raise := func(id, severity string) {
		at := time.Now()
		if err := r.desk.Raise(t.Context(), alert.Alert{ID: id, Kind: "finding", Table: "BJ1", Code: "payout_under",
			Severity: severity, At: at, Probability: 0.98,
			Amount: 500, Localized: text.Localized{ES: "Paga 10,00 € (cantabria-2010 A.4)", EN: "Paid €10.00 (cantabria-2010 A.4)"},
			Rule: "cantabria-2010 A.4", Clip: &alert.Clip{Camera: "bj1", From: at, To: at}}); err != nil {
			t.Error(err)
		}
	}
	raise("first", "critical")
	raise("second", "major")
	if err := r.hub.Retain("state", "BJ1", "", map[string]any{"phase": "betting",
		"round": "BJ1-20261121T200001.000", "not_verifiable": "frames were lost", "last": map[string]time.Time{"from": time.Now().Add(-time.Minute), "to": time.Now()},
		"events": []map[string]any{{"type": "bet", "zone": "seat:2 dont_win", "amount": 500}}}); err != nil {
		t.Fatal(err)
	}
	if err := r.hub.Retain("age", "BJ1", "bj1", 340); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", r.Config.Handler)
	mux.HandleFunc("/hand/{what}", func(_ http.ResponseWriter, q *http.Request) {
		switch q.PathValue("what") {
		case "freeze":
			st.still.Store("bj1~low", true)
		case "raise":
			raise("third", "critical")
		case "correct":
			if err := r.desk.Resolve(context.Background(), "second"); err != nil {
				t.Error(err)
			}
		case "lacking": // R1 was never calibrated
			r.board.Set(health.CameraUnreadable, "R1", "r1", "it has no calibration; make one at /calibrate/r1 or with `vision calibrate`")
			if err := r.hub.Retain("health", "", "", r.board.Present()); err != nil {
				t.Error(err)
			}
		case "unplug": // T5's camera
			st.still.Store("t5", true)
			r.board.Set(health.CameraBlind, "T5", "t5", "no picture since 20:00:01: camera t5: EOF: the camera was cut off, starts again or serves too many: check its power, cable and switch, and who else takes its video")
			if err := r.hub.Retain("health", "", "", r.board.Present()); err != nil {
				t.Error(err)
			}
		case "plug": // what stands on the board is over later
			st.still.Delete("t5")
		case "over":
			r.board.Clear(health.CameraBlind, "t5")
			if err := r.hub.Retain("health", "", "", r.board.Present()); err != nil {
				t.Error(err)
			}
		case "mended":
			r.board.Clear(health.CameraUnreadable, "r1")
			if err := r.hub.Retain("health", "", "", r.board.Present()); err != nil {
				t.Error(err)
			}
		case "end":
			if err := r.srv.endSessions(context.Background(), "director", ""); err != nil {
				t.Error(err)
			}
		}
	})
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const out = {once: []}, w = await visit("director", "/"), d = w.document, hand = (x) => fetch("/hand/" + x, {cache: "no-store"});
		const tile = (id) => d.querySelector('.tile[data-table="' + id + '"]:not([hidden])');
		const wide = (id) => tile(id)?.querySelector("video").videoWidth;
		const ids = () => [...d.querySelectorAll("#alerts .alert")].map(x => x.dataset.id);
		await until("four tiles", () => d.querySelectorAll(".tile").length === 4, 20000);
		await until("the substream in the tile", () => wide("BJ1") === 256, 20000);
		await until("the full picture where there is no substream", () => wide("R1") === 320, 20000);
		out.facts = tile("BJ1").innerText;
		// How high capitals are on a screen of 24 inches, 16:9, and whether words are cut.
		const cap = (e) => { const g = d.createElement("canvas").getContext("2d"); g.font = w.getComputedStyle(e).font; return g.measureText("H").actualBoundingBoxAscent / w.innerWidth * 531; };
		const phases = (await import("/assets/words.js")).phases;
		out.caps = {}, out.cut = [];
		const measure = (language) => {
			for (const [what, e] of Object.entries({name: tile("R1").querySelector(".name"), phase: tile("BJ1").querySelector(".phase"), alarms: tile("BJ1").querySelector(".alarms"), count: d.querySelector("#open"), blind: tile("BJ1").querySelector(".blind")})) out.caps[what] = cap(e);
			const fits = (e) => e.scrollWidth <= e.clientWidth + 1 && e.scrollHeight <= e.clientHeight + 0.5 * parseFloat(w.getComputedStyle(e).fontSize); // no further line
			for (const x of d.querySelectorAll(".tile:not([hidden]) .name")) if (!fits(x)) out.cut.push(x.textContent);
			const p = tile("BJ1").querySelector(".phase"), is = p.textContent;
			for (const word of phases(language)) { p.textContent = word; if (!fits(p) || p.getBoundingClientRect().height > 1.6 * parseFloat(w.getComputedStyle(p).fontSize) || p.offsetWidth > 0.62 * tile("BJ1").offsetWidth) out.cut.push(word); }
			p.textContent = is;
		};
		measure("es"); speak(d); measure("en"); speak(d);
		// The pictures have the screen, and leave none of their own black.
		const area = (e) => { const b = e.getBoundingClientRect(); return b.width * b.height; };
		await until("four pictures in two columns", () => { const [a, b] = [...d.querySelectorAll(".tile")].map(x => x.getBoundingClientRect()); return a.top === b.top; });
		out.share = [...d.querySelectorAll(".picture")].reduce((n, e) => n + area(e), 0) / (w.innerWidth * w.innerHeight);
		out.outside = [...d.querySelectorAll(".tile")].filter(e => e.getBoundingClientRect().bottom > w.innerHeight).length;
		const grid = await import("/assets/grid.js"); // on a screen that has not this window's frame
		out.fits = [1, 2, 3, 4].map(n => grid.fit(n, {width: 1920 - 298, height: 1032, aspect: 16 / 9, bar: 72, gap: 4})).map(x => x.columns + "×" + x.tile);
		// What is in order, and what is not; what a table lacks, and the way there.
		const standing = () => d.querySelector("#health").textContent.trim() + " " + d.querySelector("#health").className;
		out.standing = [standing()];
		await hand("lacking");
		const lack = () => tile("R1").querySelector(".lack:not([hidden])");
		out.lack = (await until("what R1 lacks", lack)).textContent.trim();
		out.mend = lack().querySelector("a").getAttribute("href");
		out.standing.push(standing());
		out.way = d.querySelector("#health a").getAttribute("href");
		out.sum = tile("BJ1").querySelector(".alarms").textContent;
		press(w, "1");
		await until("the full picture of one alone", () => wide("BJ1") === 320, 20000);
		press(w, "Escape");
		await until("the substream again", () => wide("BJ1") === 256, 20000);
		await hand("freeze");
		await until("the full picture for a substream that stands still", () => wide("BJ1") === 320, 30000);
		// Every key of the help: f, r, m, a with Enter.
		out.help = d.querySelector(".keys").textContent;
		const still = () => tile("BJ1").classList.contains("frozen") && tile("BJ1").querySelector("video").paused;
		tile("BJ1").focus(); press(w, "f"); await until("the picture is frozen", still);
		press(w, "f"); await until("it goes on", () => !still() && !tile("BJ1").querySelector("video").paused);
		const clip = d.querySelector("#clip");
		press(w, "r"); await until("the last round", () => clip.open);
		out.last = clip.querySelector("p").textContent;
		clip.close();
		// One click shows a recording and decides nothing: on the tile's banner, and on a card that is not open.
		for (const b of [tile("BJ1").querySelector(".alarms"), d.querySelector('.alert[data-id="second"] .play')]) {
			b.click();
			out.once.push([clip.open, clip.querySelector("p").textContent, clip.querySelector("a").getAttribute("href"), d.querySelectorAll(".done").length].join(" | "));
			clip.close();
		}
		press(w, "a"); out.first = d.activeElement.dataset.id;
		press(w, "Enter"); await until("the alert's recording", () => clip.open);
		await until("that nothing is recorded", () => clip.querySelector("p").textContent === "No hay grabación de este momento.");
		clip.close();
		let tones = 0;
		const tone = w.AudioContext.prototype.createOscillator;
		w.AudioContext.prototype.createOscillator = function () { tones++; return tone.call(this); };
		press(w, "m"); out.muted = d.querySelector("#mute").getAttribute("aria-pressed") + " " + tones;
		press(w, "m"); out.loud = d.querySelector("#mute").getAttribute("aria-pressed") + " " + tones; // one hears that it is back
		press(w, "PageDown");
		await until("the other two tables", () => tile("T5") && tile("T6") && !tile("R1"));
		await until("their pictures", () => wide("T6") === 320 && tile("T6").querySelector(".blind").hidden, 20000);
		out.pages = d.querySelector("#pages output").textContent;
		out.lacks = [...d.querySelectorAll(".tile:not([hidden]) .lack:not([hidden])")].map(x => x.textContent); // R1's stays with R1
		// A camera is unplugged: its tile says so and since when, always the same; it is back: the picture is there before the node says so.
		const gone = () => { const b = tile("T5").querySelector(".blind"); return b.hidden ? "" : b.innerText.trim(); };
		const watched = async (ms) => { const out = []; for (const end = performance.now() + ms; performance.now() < end;) { if (out.at(-1) !== gone()) out.push(gone()); await new Promise((ok) => setTimeout(ok, 100)); } return out; };
		await hand("unplug"); await until("T5 has no picture", gone);
		out.unplugged = await watched(5000);
		await hand("plug"); await until("T5's picture is back", () => !gone(), 20000);
		out.plugged = [d.querySelector("#health").textContent.trim(), ...await watched(2000)];
		await hand("over"); await until("it is over", () => !d.querySelector("#health").textContent.includes("t5"));
		press(w, "PageUp");
		await until("the first four", () => tile("BJ1"));
		await until("R1 still lacks it", lack);
		await hand("mended"); await until("R1 lacks nothing", () => !lack());
		out.before = ids();
		press(w, "a");
		press(w, "ArrowDown");
		out.second = d.activeElement.dataset.id;
		await hand("raise");
		await until("the new alert", () => ids().length === 3);
		out.sounded = tones; // a critical one
		out.after = ids();
		const take = (id) => d.querySelector('.alert[data-id="' + id + '"] .outcome.corrected');
		take("third").click();
		out.guarded = take("third").ariaDisabled;
		// Who touches the middle of the first card opens it, and with a second touch decides nothing yet.
		await until("outcomes are taken again", () => !take("third").ariaDisabled);
		d.activeElement.blur();
		const card = d.querySelector("#alerts .alert"), b = card.getBoundingClientRect();
		const touch = () => { const e = d.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2); e.click(); return e; };
		out.closed = card.querySelector(".acts").offsetHeight;
		out.touched = touch().className;
		out.opened = d.activeElement === card && card.querySelector(".acts").offsetHeight > 0;
		const buttons = [...card.querySelectorAll(".acts button")];
		for (const b of buttons) b.click();
		out.held = buttons.map(b => b.ariaDisabled).join() + " " + clip.open + " " + card.querySelector(".rule").hidden;
		d.querySelector('.alert[data-id="second"]').focus();
		out.kept = d.activeElement.dataset.id;
		await until("outcomes are taken again", () => !take("third").ariaDisabled);
		take("third").click();
		await until("it is taken", () => d.querySelector('.alert.done[data-id="third"]'));
		out.done = d.querySelector('.alert.done[data-id="third"]').innerText;
		await hand("correct");
		await until("it was put right", () => d.querySelector('.alert.over[data-id="second"]'));
		out.righted = d.querySelector('.alert[data-id="second"]').innerText;
		out.article = [...d.querySelectorAll('.alert[data-id="first"] .rule')].map(x => x.hidden + " " + x.textContent)[0];
		const article = () => d.querySelector('.alert[data-id="first"] .article');
		await until("buttons are taken", () => !article().ariaDisabled);
		article().click();
		out.asked = d.querySelector('.alert[data-id="first"] .rule').hidden;
		// Who looks at the recording decides there; not by a second touch.
		d.querySelector('.alert[data-id="first"]').focus(); press(w, "Enter");
		await until("the recording", () => clip.open);
		const decides = () => [...clip.querySelectorAll(".acts button")];
		out.decides = decides().map(b => b.className + " " + b.ariaDisabled);
		await until("it may be decided", () => !decides()[0].ariaDisabled); decides()[0].click();
		await until("first is done", () => !clip.open && d.querySelector('.alert.done[data-id="first"]'));
		for (const id of ["second"]) { await until("outcomes are taken", () => !take(id).ariaDisabled); take(id).click(); await until(id + " is done", () => d.querySelector('.alert.done[data-id="' + id + '"]')); }
		out.standing.push(await until("all is in order", () => d.querySelector("#health").className === "" && standing()));
		out.links = [...d.querySelectorAll("nav a")].map(a => a.getAttribute("href"));
		speak(d);
		out.english = d.querySelector('.alert[data-id="first"]').innerText + tile("BJ1").innerText;
		speak(d);
		out.errors = w.errors;
		clock = window; // the page's own timers go with it
		await hand("end");
		await until("sent to log in", () => w.location.pathname === "/login", 20000);
		w.close();
		const j = await visit("jefe", "/review?density=compact&theme=light"); // chosen for this screen
		await until("the jefe's menu", () => j.document.querySelectorAll("nav a").length);
		out.jefe = [...j.document.querySelectorAll("nav a")].map(a => a.getAttribute("href"));
		out.screen = [j.document.documentElement.dataset.density, localStorage.getItem("density"), j.document.documentElement.dataset.theme];
		localStorage.clear();
		return out;
	});</script>`, mux)
	var got struct {
		Facts, Pages, Second, Guarded, Kept, Done, Righted, English string
		Help, Last, First, Muted, Loud                              string
		Before, After, Links, Errors, Cut, Standing, Jefe, Screen   []string
		Share                                                       float64
		Fits                                                        []string
		Outside                                                     int
		Lack, Mend, Way, Sum, Article                               string
		Lacks, Unplugged, Plugged, Decides, Once                    []string
		Asked, Opened                                               bool
		Closed, Sounded                                             float64
		Touched, Held                                               string
		Caps                                                        map[string]float64
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	t.Logf("%s", said)
	for _, want := range []string{"Blackjack 1", "apuestas", "faltan imágenes", "puesto 2, no gana: apuesta 5,00", "imagen hace 0,3 s"} {
		if !strings.Contains(got.Facts, want) {
			t.Errorf("the tile does not say %q: %q", want, got.Facts)
		}
	}
	if got.First != "first" || got.Muted != "true 0" || got.Loud != "false 2" || !strings.Contains(got.Last, "Blackjack 1") {
		t.Errorf("keys: first %q, muted %q, then %q, last round %q", got.First, got.Muted, got.Loud, got.Last)
	}
	pressed := []string{"1–4", "Esc", "f", "r", "a", "↑", "↓,", "Intro", "m", "RePág", "AvPág"}
	if told := keysOf(got.Help); !slices.Equal(told, pressed) {
		t.Errorf("the help tells %q; tried are %q", told, pressed)
	}
	// ISO 9241-303 and its like ask for 1/200 to 1/250 of the distance: 12 mm at 3 m.
	if len(got.Caps) != 5 {
		t.Errorf("measured %v", got.Caps)
	}
	for what, mm := range got.Caps {
		if mm < 12 {
			t.Errorf("capitals of %s are %.1f mm high on 24 inches; want 12, to be read from 3 m", what, mm)
		}
	}
	if len(got.Cut) > 0 {
		t.Errorf("words are cut: %q", got.Cut)
	}
	if got.Pages != "2/2" || !slices.Equal(got.Before, []string{"first", "second"}) || got.Second != "second" ||
		got.Kept != "second" ||
		!slices.Equal(got.After, []string{"third", "first", "second"}) {
		t.Errorf("pages and order: %s", said)
	}
	if got.Guarded != "true" {
		t.Error("an outcome was taken while the list moved")
	}
	if got.Sounded != 4 {
		t.Errorf("%v tones; want two of the button and two of a critical alert", got.Sounded)
	}
	if got.Closed > 0 || strings.Contains(got.Touched, "outcome") || !got.Opened || got.Held != "true,true,true,true,true false true" {
		t.Errorf("the middle of a card: %v px of buttons, %q touched, opened %v, held %q", got.Closed, got.Touched, got.Opened, got.Held)
	}
	if !strings.Contains(got.Done, "Corregido · director") || !strings.Contains(got.Righted, "rectificada o descartada") {
		t.Errorf("%q, %q", got.Done, got.Righted)
	}
	if !strings.Contains(got.English, "Paid €10.00\n") || !strings.Contains(got.English, "don't win") {
		t.Errorf("in English: %q", got.English)
	}
	if !slices.Equal(got.Links, []string{"/", "/review", "/supervision", "/sessions", "/actas", "/statistics", "/health", "/audit", "/thresholds", "/api",
		"/account"}) || len(got.Errors) > 0 {
		t.Errorf("links %q, errors %q", got.Links, got.Errors)
	}
	if got.Share < 0.5 || got.Outside > 0 { // the window is flat: the browser's own bars are in it
		t.Errorf("pictures have %.2f of the screen; %d tiles reach out of it", got.Share, got.Outside)
	}
	if want := []string{"1×1614", "2×805", "2×778", "2×778"}; !slices.Equal(got.Fits, want) {
		t.Errorf("columns and widths of one to four pictures on 1920×1080: %q; want %q", got.Fits, want)
	}
	if want := []string{"2 alertas sin atender warning", "1 problema: La cámara no se puede leer (r1) critical", "Todo en orden "}; !slices.Equal(got.Standing, want) {
		t.Errorf("how it stands: %q; want %q", got.Standing, want)
	}
	if got.Lack != "Sin calibrar: se graba, pero no se lee. Calibrar la mesa" || got.Mend != "/calibrate/r1" || got.Way != "/health" || len(got.Lacks) > 0 {
		t.Errorf("a table without calibration: %q leads to %q, its problem to %q; on the other page %q", got.Lack, got.Mend, got.Way, got.Lacks)
	}
	gone := "Sin imagen desde las 20:00:01\nLa conexión con la cámara se cortó"
	if len(got.Unplugged) != 1 || !strings.HasPrefix(got.Unplugged[0], gone) ||
		len(got.Plugged) != 2 || !strings.Contains(got.Plugged[0], "(t5)") || got.Plugged[1] != "" {
		t.Errorf("an unplugged camera: the tile says %q, then with its picture %q", got.Unplugged, got.Plugged)
	}
	if want := "true | Blackjack 1 · firme · Paga 10,00 € (cantabria-2010 A.4) | /review#first | 0"; len(got.Once) != 2 ||
		strings.ReplaceAll(got.Once[0], "\u00a0", " ") != want || !strings.Contains(got.Once[1], "/review#second | 0") {
		t.Errorf("by one click: %q", got.Once)
	}
	if len(got.Decides) != 4 || got.Decides[0] != "outcome corrected true" {
		t.Errorf("beside the recording may be decided %q", got.Decides)
	}
	if !strings.Contains(got.Sum, "5,00") || !strings.Contains(got.Sum, "×2") || got.Article != "true cantabria-2010 A.4 · firme · 98\u00a0%" || got.Asked {
		t.Errorf("on the tile %q; the article %q, then hidden %v", got.Sum, got.Article, got.Asked)
	}
	if want := []string{"/", "/review", "/supervision", "/sessions", "/actas", "/account"}; !slices.Equal(got.Jefe, want) || !slices.Equal(got.Screen, []string{"compact", "compact", "light"}) {
		t.Errorf("a jefe is offered %q on a screen of %q", got.Jefe, got.Screen)
	}
	if a, err := r.desk.Get("third"); err != nil || a.Ack == nil || a.Ack.By != "director" {
		t.Errorf("third: %+v, %v", a, err)
	}
}

// A banner lies where it covers nothing of what was read, stays there while that is no worse than
// elsewhere, and is its sign alone after ten seconds.
func TestWall_bannerLeavesCardsAndStakes(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.srv.cfg.Tables = func() []Table {
		return []Table{{ID: "BJ1", Name: "BJ1", Game: "blackjack", Cameras: []Camera{{Name: "bj1", Size: [2]int{1600, 900}}}}}
	}
	lie := func(quads ...[4][2]int) {
		list := []map[string]any{}
		for _, q := range quads {
			list = append(list, map[string]any{"kind": "card", "label": "Kd", "p": 0.9, "quad": q})
		}
		if err := r.hub.Retain("overlay", "BJ1", "bj1", list); err != nil {
			t.Error(err)
		}
	}
	above := [4][2]int{{800, 0}, {1600, 0}, {1600, 300}, {800, 300}}
	below := [4][2]int{{800, 350}, {1600, 350}, {1600, 900}, {800, 900}}
	lie(above)
	if err := r.desk.Raise(t.Context(), alert.Alert{ID: "a", Kind: "finding", Table: "BJ1", Code: "payout_under", Severity: "critical",
		At: time.Now(), Amount: 500, Localized: text.Localized{ES: "Paga 10,00 €"}}); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", r.Config.Handler)
	mux.HandleFunc("/hand/{what}", func(_ http.ResponseWriter, q *http.Request) {
		switch q.PathValue("what") {
		case "none":
			lie()
		case "everywhere":
			lie(above, below)
		}
	})
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const w = await visit("director", "/"), d = w.document, hand = (x) => fetch("/hand/" + x, {cache: "no-store"}), out = {};
		const mark = () => d.querySelector(".alarms:not([hidden])"), at = () => mark().style.left + " " + mark().style.top;
		await until("the banner", mark);
		out.full = mark().innerText.trim();
		await until("it leaves the card", () => at() !== "100% 0%");
		out.left = at();
		await hand("none");
		await new Promise((ok) => w.setTimeout(ok, 1500)); // it would be laid anew each second
		out.stays = at();
		await hand("everywhere");
		await until("it leaves the stakes", () => at() !== out.left);
		out.last = at();
		const now = w.Date.now;
		w.Date.now = () => now() + 11000;
		await until("its sign", () => mark().innerText.trim() === "");
		out.sign = mark().querySelector("svg").getAttribute("aria-label") + " " + mark().title;
		return out;
	});</script>`, mux)
	want := `{"full":"5,00 €","left":"100% 50%","stays":"100% 50%","last":"0% 50%","sign":"CRÍTICA 1 Alertas 5,00 €"}`
	if got := strings.ReplaceAll(said, "\u00a0", " "); got != want {
		t.Errorf("the banner: %s\nwant %s", got, want)
	}
}
