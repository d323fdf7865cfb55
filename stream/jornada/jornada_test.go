package jornada

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/text"
	"vision/stream/alert"
	"vision/validate"
	"vision/validate/explain"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/session"
)

// paper is a ledger in memory.
type paper struct {
	fail    error
	entries []json.RawMessage
}

func (p *paper) Append(_ context.Context, kind, _ string, payload any) error {
	if p.fail != nil {
		return p.fail
	}
	b, err := json.Marshal(payload)
	if err == nil && kind == Entry {
		p.entries = append(p.entries, b)
	}
	return err
}

// norm judges by the norms themselves.
func norm(books *rulebook.Books) Judge {
	return func(record []byte) (Ruling, error) {
		rec, err := session.Parse(record)
		if err != nil {
			return Ruling{}, err
		}
		v, err := session.Check(books, rec)
		if err != nil {
			return Ruling{}, err
		}
		var out Ruling
		for i := range v.Findings {
			f := &v.Findings[i]
			out.Findings = append(out.Findings, Finding{
				Code: f.Code, Severity: string(f.Severity), Event: f.Event, Rule: f.Rule,
				Localized: text.Localized{ES: explain.Happening("es", rec.Table, f)},
				Key:       fmt.Sprint(f.Code, f.Event, f.What, f.Card, f.Jefe),
			})
		}
		out.Summary, _ = json.Marshal(v.Summary)
		out.Next, err = json.Marshal(v.Next)
		return out, err
	}
}

// house is a book with one roulette under a norm, its ledger, its desk and its clock.
type house struct {
	*Book
	t      *testing.T
	paper  *paper
	desk   *alert.Desk
	now    time.Time
	limits string
	said   []time.Time
	float  *Float // as it is read; nil: it is not
}

func newHouse(t *testing.T, code string) *house {
	t.Helper()
	books, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, paper: &paper{}, now: time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)}
	h.desk = alert.NewDesk(alert.Config{Ledger: h.paper})
	h.Book = h.book(code, norm(books))
	return h
}

func (h *house) book(code string, judge Judge) *Book {
	return h.of(Place{ID: "R1", Game: "ruleta_francesa", Norm: code, Camera: "top",
		Options: map[string]any{"floats": map[string]any{"200": 500000}}}, judge)
}

func (h *house) of(p Place, judge Judge) *Book {
	return New(Config{
		Tables: []Place{p},
		Judge:  judge, Ledger: h.paper, Desk: h.desk, Zone: time.UTC,
		Now:    func() time.Time { return h.now },
		Limits: func(_ string, low, high int64) { h.limits = fmt.Sprint(low, high) },
		Float: func(string) (Float, bool) {
			if h.float == nil {
				return Float{}, false
			}
			return *h.float, true
		},
		Said: func(_ string, at time.Time) { h.said = append(h.said, at) },
	})
}

// say says a step; second is who confirms it.
func (h *house) say(second, fields string) (Status, error) {
	h.t.Helper()
	var e Event
	if err := json.Unmarshal([]byte(fields), &e); err != nil {
		h.t.Fatal(err)
	}
	h.now = h.now.Add(time.Minute)
	return h.Add(h.t.Context(), "R1", "ana", second, e)
}

func (h *house) must(second, fields string) Status {
	h.t.Helper()
	st, err := h.say(second, fields)
	if err != nil {
		h.t.Fatalf("%s: %v", fields, err)
	}
	return st
}

func codes(fs []Finding) (out []string) {
	for _, f := range fs {
		out = append(out, string(f.Code))
	}
	return out
}

// A day at a table under Cantabria's norm: opened, money moved before two, rounds, closed.
func TestADayAtATable(t *testing.T) {
	h := newHouse(t, "cantabria-2010")
	table := room.Table{ID: "R1", Game: "ruleta_francesa", Open: true, Recording: "ok"}
	if err := h.Room(t.Context(), []Table{{Table: table, Jefe: "eva"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.say("", `{"type":"shuffle"}`); err == nil || !strings.Contains(err.Error(), "not been opened") {
		t.Errorf("before the opening: %v", err)
	}
	if len(h.paper.entries) != 0 {
		t.Errorf("%d entries before the opening", len(h.paper.entries))
	}
	st := h.must("luis", `{"type":"open","float":500000,"limits":{"min":200,"max":4000}}`)
	if !st.Open || st.Date != "2026-11-20" || len(st.Steps) != 2 || st.Steps[0].By != "ana + luis" || st.Steps[1].Event["type"] != "shift_start" || h.limits != "200 4000" {
		t.Fatalf("%+v, limits %s", st, h.limits)
	}
	for _, c := range []struct{ second, fields string }{{"", `{"type":"fill","amount":100000}`}, {"ana", `{"type":"fill","amount":100000}`}, {"", `{"type":"count","amount":1}`}} {
		if _, err := h.say(c.second, c.fields); !errors.Is(err, ErrSecond) {
			t.Errorf("%s with %q: %v", c.fields, c.second, err)
		}
	}
	h.must("luis", `{"type":"fill","amount":100000}`)
	rec, v := &round.Record{ID: "R1-1", Events: []round.Event{{Type: round.Collect, Amount: 1500},
		{Type: round.Pay, Amount: 700}}}, &round.Verdict{}
	for range 2 { // given out again after a start
		if err := h.Played(t.Context(), "R1", rec, v, ""); err != nil {
			t.Fatal(err)
		}
	}
	st = h.must("luis", `{"type":"count","amount":600900}`)
	if !slices.Contains(codes(st.Findings), string(finding.FloatUnbalanced)) {
		t.Errorf("a euro too much in the float: %v", codes(st.Findings))
	}
	if list := h.desk.List(nil); len(list) != 1 || list[0].Kind != Entry || list[0].Rule == "" || list[0].ES == "" {
		t.Errorf("alerts %+v", list)
	}
	st = h.must("luis", `{"type":"close","float":600900,"cover":"locked"}`)
	var sum struct {
		Rounds struct{ Total int }
		Money  struct{ Result int }
	}
	if err := json.Unmarshal(st.Summary, &sum); err != nil || st.Open || sum.Rounds.Total != 1 || sum.Money.Result != 800 {
		t.Errorf("closed: %+v, %v", sum, err)
	}
	if list := h.desk.List(nil); len(list) != 1 {
		t.Errorf("%d alerts after the closing", len(list))
	}
}

// A count after a round that nobody could verify is compared with nothing: it is said, and
// is no alert.
func TestACountThatCannotBeComparedIsNoAlert(t *testing.T) {
	h := newHouse(t, "cantabria-2010")
	h.must("luis", `{"type":"open","float":500000,"limits":{"min":200,"max":4000}}`)
	err := h.Played(t.Context(), "R1", &round.Record{ID: "R1-1"}, &round.Verdict{}, "the camera sent nothing")
	if err != nil {
		t.Fatal(err)
	}
	st := h.must("luis", `{"type":"count","amount":400000}`)
	if !slices.Contains(codes(st.Findings), string(finding.NotObservable)) {
		t.Errorf("findings %v", codes(st.Findings))
	}
	if list := h.desk.List(nil); len(list) != 0 {
		t.Errorf("alerts %+v", list)
	}
}

// What the norm forbids is refused with its article and does not come into force, but it is
// in the ledger that it was tried.
func TestAForbiddenLimitIsRefused(t *testing.T) {
	h := newHouse(t, "cantabria-2010")
	h.must("luis", `{"type":"open","float":500000,"limits":{"min":200,"max":4000}}`)
	h.must("", `{"type":"limits_change_announced","last":3,"min":500}`)
	for what, fields := range map[string]string{
		"downwards": `{"type":"limits_changed","min":100,"max":2000}`, "another ratio": `{"type":"limits_changed","min":500,"max":4000}`,
	} {
		before := len(h.paper.entries)
		_, err := h.say("", fields)
		var no *Forbidden
		if !errors.As(err, &no) || !strings.Contains(err.Error(), "cantabria-2010") || h.limits != "200 4000" {
			t.Errorf("%s: %v, limits %s", what, err, h.limits)
		}
		if len(h.paper.entries) != before+1 || !strings.Contains(string(h.paper.entries[before]), `"refused"`) {
			t.Errorf("%s: the attempt is not in the ledger", what)
		}
	}
	st := h.must("", `{"type":"limits_changed","min":500,"max":10000}`)
	if h.limits != "500 10000" {
		t.Errorf("limits %s", h.limits)
	}
	if !slices.Contains(codes(st.Findings), string(finding.LimitChangeEarly)) {
		t.Errorf("no rounds after the announcement: %v", codes(st.Findings))
	}
	if len(h.said) != 5 || !h.said[4].Equal(h.now) {
		t.Errorf("said at %v, five times, refused or not", h.said)
	}
	for _, a := range h.desk.List(nil) {
		if a.Clip == nil || a.Clip.Camera != "top" || !a.Clip.To.Equal(h.now) || !a.Clip.From.Before(a.Clip.To) {
			t.Errorf("alert %s shows %+v", a.Code, a.Clip)
		}
	}
}

// What makes no sense is said with its path, and nothing of it is kept; nor is what the
// ledger does not take.
func TestStepsThatMakeNoSense(t *testing.T) {
	h := newHouse(t, "cantabria-2010")
	h.must("luis", `{"type":"open","float":500000,"limits":{"min":200,"max":4000}}`)
	had, _ := h.Status("R1")
	for fields, want := range map[string]string{
		`{"type":"fill","amount":"much"}`:      "amount",
		`{"type":"fill","amount":-5}`:          "amount",
		`{"type":"fill"}`:                      "amount",
		`{"type":"cut_card"}`:                  "below",
		`{"type":"shuffle","colour":"red"}`:    "colour",
		`{"type":"round","ref":"x"}`:           "want one of",
		`{"type":"dice_changed","reason":"x"}`: "reason",
		`{"kind":"shuffle"}`:                   "want one of",
		`{"type":"open","float":1}`:            "open",
	} {
		_, err := h.say("luis", fields)
		var bad *MalformedError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", fields, err, want)
		}
	}
	h.paper.fail = errors.New("no space left on device")
	if _, err := h.say("luis", `{"type":"fill","amount":5}`); !errors.Is(err, h.paper.fail) {
		t.Errorf("a full disk: %v", err)
	}
	if now, _ := h.Status("R1"); len(now.Steps) != len(had.Steps) {
		t.Errorf("%d steps, want %d", len(now.Steps), len(had.Steps))
	}
	if _, err := h.Add(t.Context(), "R9", "ana", "", Event{"type": "shuffle"}); !errors.Is(err, ErrUnknown) {
		t.Errorf("another table: %v", err)
	}
}

// A start goes on with the session that the ledger has, and raises nothing twice.
func TestRestore(t *testing.T) {
	h := newHouse(t, "cantabria-2010")
	h.must("luis", `{"type":"open","limits":{"min":200,"max":4000}}`)
	h.must("luis", `{"type":"fill","amount":100000}`)
	if _, err := h.say("", `{"type":"limits_changed","min":100,"max":2000}`); err == nil {
		t.Fatal("not refused")
	}
	h.must("", `{"type":"cut"}`)
	want, _ := h.Status("R1")
	books, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	alerts := len(h.desk.List(nil))
	again := h.book("cantabria-2010", norm(books))
	if err := again.Restore("R1", h.paper.entries); err != nil {
		t.Fatal(err)
	}
	got, err := again.Status("R1")
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if err != nil || string(a) != string(b) {
		t.Errorf("restored %s, want %s (%v)", b, a, err)
	}
	if err := again.Played(t.Context(), "R1", &round.Record{ID: "R1-9"}, &round.Verdict{}, "the camera sent nothing"); err != nil {
		t.Fatal(err)
	}
	if n := len(h.desk.List(nil)); n != alerts {
		t.Errorf("%d alerts, %d before", n, alerts)
	}
	if err := again.Restore("R1", []json.RawMessage{[]byte(`{"date":5}`)}); err == nil {
		t.Error("an entry of another form is taken")
	}
}

// A shift names as neighbours only tables that the jefe has: the record knows no others.
func TestNeighboursOfAShift(t *testing.T) {
	at := func(id, jefe string, beside ...string) Table {
		return Table{Jefe: jefe, Table: room.Table{ID: id, Game: "boule", Recording: room.RecordingOK, Adjacent: beside}}
	}
	all := []Table{at("R1", "eva", "R2", "R3"), at("R2", "eva", "R1", "R3"), at("R3", "ana", "R1", "R2")}
	for i, want := range []string{`[["R2"],["R1"]]`, `[["R2"],["R1"]]`, `[null]`} {
		var beside []any
		for _, x := range shiftOf(all[i], all)["tables"].([]any) {
			beside = append(beside, x.(map[string]any)["adjacent"])
		}
		if got, _ := json.Marshal(beside); string(got) != want {
			t.Errorf("%s: %s, want %s", all[i].ID, got, want)
		}
	}
}
