package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/browser"
)

// A director makes an acta in the browser, reads it in both languages, and what prints is
// the acta alone; a time that is not past is refused in words.
func TestActasInTheBrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.supervised(t, "ana", "BJ1", "R1")
	r.caught(t)
	now := time.Now()
	time.Sleep(now.Truncate(time.Second).Add(time.Second).Sub(now)) // the page asks for whole seconds
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const w = await visit("director", "/actas"), d = w.document;
		await until("the form", () => d.querySelector("#ask option"), 20000);
		const form = d.querySelector("#ask"), had = form.to.value;
		form.about.value = "jefe ana";
		if (form.about.value !== "jefe ana") form.about.value = "table BJ1";
		form.to.value = "2026-01-01T00:00";
		form.requestSubmit();
		await until("the refusal", () => !d.querySelector("#error").hidden);
		const refused = d.querySelector("#error").textContent;
		form.about.value = "table BJ1";
		form.to.value = had;
		form.requestSubmit();
		await until("the acta", () => !d.querySelector("#acta").hidden);
		const es = d.querySelector("#acta").textContent;
		const signed = d.querySelector("#acta .files a").getAttribute("href");
		speak(d);
		const en = await until("English", () => d.documentElement.lang === "en" && d.querySelector("#acta").textContent);
		const prints = [...w.document.styleSheets].flatMap(s => [...s.cssRules]).filter(x => x.media?.mediaText === "print").map(x => x.cssText).join(" ");
		const line = await (await fetch(signed)).text();
		const {reasons} = await import("/assets/rounds.js");
		const why = reasons({"frames were lost: 17 frames missing": 1, "the dice could not be read": 2, "frames were lost: 66 frames missing": 3});
		return {refused, es, en, prints, line, why, listed: d.querySelectorAll("#list tbody tr").length, errors: w.errors};
	});</script>`, r.Config.Handler)
	var got struct {
		Refused, ES, EN, Prints, Line string
		Listed                        int
		Why                           [][2]any
		Errors                        []string
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	if !strings.Contains(got.Refused, "en orden") || len(got.Errors) > 0 || got.Listed != 1 {
		t.Errorf("refused %q, %d listed, errors %v", got.Refused, got.Listed, got.Errors)
	}
	if fmt.Sprint(got.Why) != "[[pictures of the round are missing 4] [the dice could not be read 2]]" {
		t.Errorf("why rounds are not verifiable: %v", got.Why)
	}
	for _, want := range []string{"Acta de sesión", "mesa Blackjack 1 (BJ1)", "ana", "se cumplió", "cantabria-2010", "sin atender"} {
		if !strings.Contains(strings.ToLower(got.ES), strings.ToLower(want)) {
			t.Errorf("the acta lacks %q: %s", want, got.ES)
		}
	}
	if !strings.Contains(got.EN, "Record of the session") || strings.Contains(got.EN, "acta_") || strings.Contains(got.ES, "acta_") {
		t.Errorf("in English: %s", got.EN)
	}
	if !strings.Contains(got.Prints, "#ask") || !strings.Contains(got.Line, `"kind":"acta"`) {
		t.Errorf("printed by %s; signed line %.80s", got.Prints, got.Line)
	}
	if !slices.ContainsFunc([]string{"#list", "header.bar"}, func(s string) bool { return strings.Contains(got.Prints, s) }) {
		t.Errorf("the list prints too: %s", got.Prints)
	}
}
