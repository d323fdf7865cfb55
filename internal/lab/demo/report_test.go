package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/lab/sim/script"
	"vision/stream/ledger"
	"vision/validate/finding"
)

// Each planted mistake comes out as what was said of its round, and an alert that names one that
// nobody made as false.
func TestReportSaysWhatCameOfEachMistake(t *testing.T) {
	since := time.Now()
	at := func(s int) time.Time { return since.Add(time.Duration(s) * time.Second) }
	dir := t.TempDir()
	d := &Demo{opts: Options{Data: dir}, began: since}
	book := filepath.Join(dir, "ledger")
	var lines bytes.Buffer
	play := func(table string, ended int, codes ...finding.Code) {
		p := played{Ended: at(ended)}
		p.Record.Table.ID = table
		for _, c := range codes {
			p.Findings = append(p.Findings, script.Finding{Code: c, Seat: 2})
		}
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(raw, '\n'))
	}
	l, err := ledger.Open(book, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	say := func(kind ledger.Kind, table string, payload any) {
		t.Helper()
		if _, err := l.Append(kind, table, payload); err != nil {
			t.Fatal(err)
		}
	}
	judge := func(table string, from, to int, dark string, noted ...finding.Code) {
		fs := []map[string]any{}
		for _, c := range noted {
			fs = append(fs, map[string]any{"code": c, "seat": 2})
		}
		say(ledger.Judged, table, map[string]any{"start": at(from), "end": at(to), "not_verifiable": dark, "findings": fs})
	}
	state := func(state, table string, when, seat int, code finding.Code) {
		say(ledger.Alert, table, map[string]any{
			"state": state, "id": fmt.Sprint(table, when), "table": table, "round": "x", "at": at(when),
			"code": code, "seat": seat, "es": "se pagó de menos", "en": "paid too little",
		})
	}
	alarm := func(table string, when, seat int, code finding.Code) { state("open", table, when, seat, code) }
	const under, late = finding.PayoutUnder, finding.LoserNotCollected
	play("BJ1", 30, under) // found
	judge("BJ1", 2, 29, "")
	alarm("BJ1", 20, 2, under)
	alarm("BJ1", 20, 2, under) // with what the rack adds to it
	play("PB1", 31, under)     // another seat's: missed, and a false alert
	judge("PB1", 2, 30, "")
	alarm("PB1", 20, 4, under)
	play("CR1", 32, late) // in doubt
	judge("CR1", 2, 31, "", late)
	play("RU1", 33, late) // nobody looked
	judge("RU1", 2, 32, "the reader did not look for a while")
	play("BJ1", 60)
	judge("BJ1", 31, 59, "")
	alarm("BJ1", 45, 1, under) // false
	alarm("BJ1", 50, 3, under) // put right
	state("resolved", "BJ1", 50, 3, under)
	play("PB1", 61, under) // passed over
	judge("PB1", 63, 90, "")
	alarm("PB1", 70, 2, under) // in a round whose truth is not known yet
	play("RU1", 62, late)      // not judged yet
	alarm("BJ9", 45, 1, under) // of a table that somebody added
	lines.WriteString(`{"record":`)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.truth(), lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := report(d.truth(), book, since)
	if err != nil {
		t.Fatal(err)
	}
	var got []Outcome
	for _, m := range r.Planted {
		got = append(got, m.Outcome)
	}
	if want := []Outcome{Found, Missed, Noted, Unseen, Missed, Pending}; !slices.Equal(got, want) {
		t.Errorf("the mistakes came out as %v; want %v", got, want)
	}
	if r.Rounds != 7 || r.Verifiable != 5 || r.NotVerifiable["the reader did not look for a while"] != 1 {
		t.Errorf("%d rounds, %d verified, not verifiable %v; want 7, 5 and one", r.Rounds, r.Verifiable, r.NotVerifiable)
	}
	if len(r.False) != 2 || r.False[0].Seat != 4 || r.False[1].Seat != 1 {
		t.Errorf("false alerts: %+v; want that of seat 4 and that of seat 1", r.False)
	}
	if len(r.Resolved) != 1 || r.Resolved[0].Seat != 3 {
		t.Errorf("put right: %+v; want that of seat 3", r.Resolved)
	}
	for _, lang := range []string{"es", "en"} {
		var b strings.Builder
		if err := r.Print(&b, lang); err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Planted {
			if want := outcomes[m.Outcome].In(lang); !strings.Contains(b.String(), want) {
				t.Errorf("%s: the report does not say %q:\n%s", lang, want, &b)
			}
		}
		if want := map[string]string{"es": "(1): el lector no dio abasto", "en": "(1): the reader could not keep up"}[lang]; !strings.Contains(b.String(), want) {
			t.Errorf("%s: the reason is not told as %q:\n%s", lang, want, &b)
		}
	}
	if later, err := report(d.truth(), book, time.Now()); err != nil || later.Verifiable+len(later.False) != 0 {
		t.Errorf("what an earlier run said counts: %+v, %v", later, err)
	}
}

// Before anything is played there is nothing to report, and the page says so in the browser's
// language.
func TestThePageIsThereFromTheStart(t *testing.T) {
	d, err := New(Options{Data: t.TempDir(), Listen: "127.0.0.1:8080"})
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{"es-ES,es": reportTitle.ES, "en-GB": reportTitle.EN, "de": reportTitle.ES} {
		req, res := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		req.Header.Set("Accept-Language", lang)
		if d.ServeHTTP(res, req); res.Code != 200 || !strings.Contains(res.Body.String(), want) {
			t.Errorf("%s: %d %s; want %q", lang, res.Code, res.Body, want)
		}
	}
}
