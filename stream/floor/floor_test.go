package floor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"vision/internal/testkit/books"
	"vision/internal/testkit/paper"
	"vision/stream/alert"
	"vision/validate/explain"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/supervision"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hall is a floor with a clock and recordings that tests set.
type hall struct {
	*Floor
	t      testing.TB
	now    time.Time
	rec    map[string]room.Recording
	ledger *paper.Ledger
	desk   *alert.Desk
	shown  []Status
	lows   map[string]int // minimums in force
}

// newHall opens tables described as "R1 ruleta_americana 1" (id, game/variant,
// position); a leading ! is closed.
func newHall(t testing.TB, norm, tables string, opts room.Options) *hall {
	t.Helper()
	h := &hall{
		t:      t,
		now:    time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC),
		rec:    map[string]room.Recording{},
		ledger: &paper.Ledger{},
	}
	h.open(norm, tables, opts)
	h.now = h.now.Add(time.Minute) // past the settling
	return h
}

func (h *hall) open(norm, tables string, opts room.Options) {
	h.t.Helper()
	b := books.Shipped(h.t)
	h.desk = alert.NewDesk(alert.Config{Ledger: h.ledger, Now: func() time.Time { return h.now }})
	cfg := Config{
		Judge:     supervision.Hall{Books: b, Options: opts},
		Say:       explain.Duties{Books: b}.Say,
		Ledger:    h.ledger,
		Desk:      h.desk,
		Now:       func() time.Time { return h.now },
		Recording: func(id string) room.Recording { return h.rec[id] },
		Minimum:   func(id string) (int, bool) { low, ok := h.lows[id]; return low, ok },
		Show:      func(s Status) { h.shown = append(h.shown, s) },
	}
	for line := range strings.SplitSeq(tables, ";") {
		w := strings.Fields(line)
		tab := room.Place{Norm: norm, AuthorisedMin: 200, Duty: room.Duty{Open: !strings.HasPrefix(w[0], "!")}}
		tab.ID = strings.TrimPrefix(w[0], "!")
		tab.Game, tab.Variant, _ = strings.Cut(w[1], "/")
		if len(w) > 2 {
			var p int
			fmt.Sscan(w[2], &p)
			tab.Position = &p
		}
		cfg.Tables = append(cfg.Tables, tab)
		if h.rec[tab.ID] == "" {
			h.rec[tab.ID] = room.RecordingOK
		}
	}
	var err error
	if h.Floor, err = New(cfg); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hall) assign(jefe string, tables ...string) error {
	_, err := h.Assign(h.t.Context(), "director", jefe, tables, false)
	return err
}

// raised are the codes of the alerts that still hold.
func (h *hall) raised() (out []string) {
	for _, a := range h.desk.List(func(a *alert.Alert) bool { return a.Resolved.IsZero() }) {
		out = append(out, strings.TrimSpace(a.Code+" "+a.Table))
	}
	slices.Sort(out)
	return out
}

const four = "R1 ruleta_americana 1; R2 ruleta_americana 2; R3 ruleta_americana 3; R4 ruleta_americana 4"

func wantForbidden(t *testing.T, err error, codes ...finding.Code) *Forbidden {
	t.Helper()
	var f *Forbidden
	if !errors.As(err, &f) {
		t.Fatalf("got %v; want it forbidden", err)
	}
	var got []finding.Code
	for _, x := range f.Findings {
		got = append(got, x.Code)
		if !strings.Contains(err.Error(), x.Rule) || x.Rule == "" {
			t.Errorf("%q does not name the article %q", err, x.Rule)
		}
	}
	if !slices.Equal(got, codes) {
		t.Fatalf("forbidden for %v; want %v", got, codes)
	}
	return f
}

// The clause the product exists for: four tables, each with its recording.
func TestFourTablesDependOnEachRecording(t *testing.T) {
	h := newHall(t, "cantabria-2010", four, room.Options{})
	ctx := t.Context()
	if err := h.assign("ana", "R1", "R2", "R3", "R4"); err != nil {
		t.Fatal(err)
	}
	h.look(ctx)
	if st := h.Status(); len(st.Findings) != 0 || !st.Assignments[0].Allowed || st.Tables[2].Jefe != "ana" ||
		len(h.raised()) != 0 {
		t.Fatalf("four recorded, contiguous tables: %+v, alerts %v", st, h.raised())
	}

	h.rec["R2"] = room.RecordingDown
	h.look(ctx)
	st := h.Status()
	if len(st.Findings) != 1 || st.Assignments[0].Allowed || !st.Findings[0].Since.Equal(h.now) ||
		!strings.Contains(st.Findings[0].Rule, "A.2 L522-526") {
		t.Fatalf("recording lost: %+v", st)
	}
	if got := h.raised(); !slices.Equal(got, []string{"recording_required R2"}) {
		t.Fatalf("alerts %v", got)
	}
	a := h.desk.List(nil)[0]
	if a.Severity != "critical" || !strings.Contains(a.ES, "ana") || !strings.Contains(a.EN, "R2") || a.Game != "ruleta_americana" || a.Rule == "" {
		t.Errorf("alert %+v", a)
	}
	for range 3 { // it is said once
		h.look(ctx)
	}
	if n := len(h.desk.List(nil)); n != 1 {
		t.Errorf("%d alerts", n)
	}

	h.now = h.now.Add(10 * time.Second)
	h.rec["R2"] = room.RecordingOK
	h.look(ctx)
	if st := h.Status(); len(st.Findings) != 0 || !st.Assignments[0].Allowed || len(h.raised()) != 0 {
		t.Errorf("repaired: %+v, alerts %v", st, h.raised())
	}
	h.rec["R2"] = room.RecordingNone
	h.look(ctx)
	if got := h.desk.List(nil); len(got) != 2 || len(h.raised()) != 1 {
		t.Errorf("lost again: %+v", got)
	}
	// Giving up tables is always possible: two need no recording.
	if err := h.assign("ana", "R1", "R2"); err != nil {
		t.Errorf("giving up tables: %v", err)
	}
	if got := h.raised(); !slices.Equal(got, []string{"no_jefe R3", "no_jefe R4"}) {
		t.Errorf("alerts %v", got)
	}
}

func TestWhatTheNormForbidsIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, norm, tables, lost string
		opts                     room.Options
		ask                      []string
		codes                    []finding.Code
	}{
		{"five", "cantabria-2010", four + "; R5 ruleta_americana 5", "", room.Options{}, []string{"R1", "R2", "R3", "R4", "R5"}, []finding.Code{finding.TooManyTables}},
		{"not recorded", "cantabria-2010", four, "R3", room.Options{}, []string{"R1", "R2", "R3"}, []finding.Code{finding.RecordingRequired}},
		{"apart", "cantabria-2010", four, "", room.Options{}, []string{"R1", "R2", "R4"}, []finding.Code{finding.NotContiguous}},
		{"apart and not recorded", "cantabria-2010", four, "R4", room.Options{}, []string{"R1", "R2", "R4"}, []finding.Code{finding.RecordingRequired, finding.NotContiguous}},
		{"mixed", "cantabria-2010", "B1 blackjack 1; R1 ruleta_americana 2", "", room.Options{}, []string{"B1", "R1"}, []finding.Code{finding.MixedGamesNotAllowed}},
		{"variants", "cantabria-2010", "P1 punto_banco/mini 1; P2 punto_banco/grande 2", "", room.Options{}, []string{"P1", "P2"}, []finding.Code{finding.NotHomogeneous}},
		{"the house's own limit", "cantabria-2010", four, "", room.Options{MaxTables: new(2)}, []string{"R1", "R2", "R3"}, []finding.Code{finding.TooManyTables}},
		{"smallest span", "balears-2005", "B1 blackjack 1; C1 dados_craps 2", "", room.Options{}, []string{"B1", "C1"}, []finding.Code{finding.TooManyTables}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHall(t, c.norm, c.tables, c.opts)
			if c.lost != "" {
				h.rec[c.lost] = room.RecordingDown
			}
			wantForbidden(t, h.assign("ana", c.ask...), c.codes...)
			wantForbidden(t, h.Check("ana", c.ask), c.codes...)
			if st := h.Status(); len(st.Assignments) != 0 || h.ledger.Count(Entry) != 0 {
				t.Errorf("a refused assignment left something: %+v", st.Assignments)
			}
			if err := h.assign("ana", c.ask[0]); err != nil {
				t.Errorf("one table alone: %v", err)
			}
		})
	}
}

// Who takes tables over from another has what waits there on record, under both names.
func TestFloor_recordsARelief(t *testing.T) {
	h := newHall(t, "cantabria-2010", four, room.Options{})
	if err := h.assign("ana", "R1", "R2"); err != nil {
		t.Fatal(err)
	}
	for _, a := range []alert.Alert{{ID: "waits", Table: "R1", Severity: "minor"}, {ID: "done", Table: "R2"}, {ID: "elsewhere", Table: "R3"}} {
		if err := h.desk.Raise(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.desk.Acknowledge(t.Context(), "done", "ana", alert.Noted, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Assign(t.Context(), "luis", "luis", []string{"R1", "R2"}, true); err != nil {
		t.Fatal(err)
	}
	if err := h.assign("luis", "R1"); err != nil { // what was one's own is no relief
		t.Fatal(err)
	}
	var got []string
	for _, e := range h.ledger.Entries {
		if e.Kind != Entry {
			continue
		}
		var s struct {
			By, Action string
			Relieved   []Relief
		}
		if err := json.Unmarshal(e.Payload, &s); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(s.By, s.Action, s.Relieved))
	}
	if want := []string{"directorassign[]", "luisrelief[{ana [R1 R2] [waits]}]", "directorassign[]"}; !slices.Equal(got, want) {
		t.Errorf("in the ledger: %q, want %q", got, want)
	}
}

func TestATableHasOneJefe(t *testing.T) {
	h := newHall(t, "cantabria-2010", four, room.Options{})
	if err := h.assign("ana", "R1", "R2", "R3"); err != nil {
		t.Fatal(err)
	}
	if err := h.assign("luis", "R3", "R4"); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "ana") {
		t.Fatalf("another's table: %v", err)
	}
	// Taking the middle one would leave ana two tables apart, which two may be.
	if _, err := h.Assign(t.Context(), "director", "luis", []string{"R2"}, true); err != nil {
		t.Fatal(err)
	}
	if st := h.Status(); st.Tables[1].Jefe != "luis" || !slices.Equal(st.Assignments[0].Tables, []string{"R1", "R3"}) {
		t.Errorf("%+v", st.Assignments)
	}
	// But of four in a row the second cannot go: three would stand apart.
	if _, err := h.Assign(t.Context(), "director", "ana", []string{"R1", "R2", "R3", "R4"}, true); err != nil {
		t.Fatal(err)
	}
	_, err := h.Assign(t.Context(), "director", "luis", []string{"R2"}, true)
	if f := wantForbidden(t, err, finding.NotContiguous); f.Findings[0].Jefe != "ana" {
		t.Errorf("%+v", f)
	}
	for _, err := range []error{h.assign("", "R1"), h.assign(strings.Repeat("x", 65), "R1")} {
		var m *MalformedError
		if !errors.As(err, &m) {
			t.Errorf("got %v", err)
		}
	}
	if err := h.assign("eva", "R9"); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown table: %v", err)
	}
}

func TestOpeningIsRefusedAndClosingIsNot(t *testing.T) {
	h := newHall(t, "cantabria-2010", four+"; !R5 ruleta_americana 5", room.Options{})
	if err := h.assign("ana", "R1", "R2", "R3", "R4", "R5"); err != nil {
		t.Fatalf("a closed table counts for nothing: %v", err)
	}
	_, err := h.SetDuty(t.Context(), "ana", "R5", room.Duty{Open: true})
	wantForbidden(t, err, finding.TooManyTables)
	if _, err := h.SetDuty(t.Context(), "ana", "R2", room.Duty{}); err != nil {
		t.Fatal(err)
	}
	if got := h.raised(); !slices.Equal(got, []string{"not_contiguous R1"}) {
		t.Errorf("a closed table between: %v", got)
	}
	if _, err := h.SetDuty(t.Context(), "ana", "R9", room.Duty{}); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
	var m *MalformedError
	for _, d := range []room.Duty{{Staff: map[string]int{"cook": 1}}, {Staff: map[string]int{"croupier": -1}}, {Waived: []string{"croupier"}}} {
		if _, err := h.SetDuty(t.Context(), "ana", "R1", d); !errors.As(err, &m) {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

func TestStaffIsJudgedOnceItIsStated(t *testing.T) {
	h := newHall(t, "cantabria-2010", "C1 dados_craps 1", room.Options{})
	if st := h.Status(); len(st.Findings) != 1 || st.Findings[0].Code != finding.NoJefe {
		t.Fatalf("%+v", st.Findings)
	}
	h.look(t.Context())
	if got := h.raised(); len(got) != 0 {
		t.Errorf("alerts where nobody uses assignments: %v", got)
	}
	if _, err := h.SetDuty(t.Context(), "ana", "C1", room.Duty{Open: true, Staff: map[string]int{"croupier": 1}}); err != nil {
		t.Fatal(err)
	}
	if err := h.assign("ana", "C1"); err != nil {
		t.Fatal(err)
	}
	if got := h.raised(); !slices.Equal(got, []string{"staff_missing C1", "staff_missing C1"}) {
		t.Errorf("alerts %v: want the croupier and the stickman", got)
	}
	if _, err := h.SetDuty(t.Context(), "ana", "C1", room.Duty{Open: true, Staff: map[string]int{"croupier": 2, "stickman": 1}}); err != nil {
		t.Fatal(err)
	}
	if got := h.raised(); len(got) != 0 {
		t.Errorf("alerts %v", got)
	}
}

func TestItSurvivesARestart(t *testing.T) {
	h := newHall(t, "cantabria-2010", four, room.Options{})
	if err := h.assign("ana", "R1", "R2", "R3"); err != nil {
		t.Fatal(err)
	}
	if err := h.assign("luis", "R4"); err != nil {
		t.Fatal(err)
	}
	h.rec["R1"] = room.RecordingDown
	h.look(t.Context())
	want := h.Status()

	// The cameras come up one by one: nothing new is raised, nothing is resolved wrongly.
	again := &hall{t: t, now: h.now.Add(time.Hour), rec: map[string]room.Recording{}, ledger: h.ledger}
	for _, id := range []string{"R1", "R2", "R3", "R4"} {
		again.rec[id] = room.RecordingDown
	}
	again.open("cantabria-2010", four, room.Options{})
	for _, e := range h.ledger.Entries {
		if err := errors.Join(again.Restore(e.Kind, e.Payload), again.desk.Restore(e.Kind, e.Payload)); err != nil {
			t.Fatal(err)
		}
	}
	again.adopt()
	again.look(t.Context())
	if got := again.Status(); !slices.EqualFunc(
		got.Assignments,
		want.Assignments,
		func(a, b Assignment) bool { return a.Jefe == b.Jefe && slices.Equal(a.Tables, b.Tables) },
	) {
		t.Fatalf("assignments %+v; want %+v", got.Assignments, want.Assignments)
	}
	if got := again.raised(); !slices.Equal(got, []string{"recording_required R1"}) {
		t.Errorf("while settling: %v", got)
	}
	for _, id := range []string{"R2", "R3", "R4"} {
		again.rec[id] = room.RecordingOK
	}
	again.now = again.now.Add(time.Minute)
	again.look(t.Context())
	if got := again.desk.List(func(a *alert.Alert) bool { return a.Code != string(finding.NoJefe) }); len(got) != 1 ||
		!got[0].Resolved.IsZero() {
		t.Errorf("the alert that stood did not go on: %+v", got)
	}
	again.rec["R1"] = room.RecordingOK
	again.look(t.Context())
	if got := again.raised(); len(got) != 0 {
		t.Errorf("repaired after the restart: %v", got)
	}
	if err := again.Restore(Entry, []byte("{")); err == nil {
		t.Error("a damaged entry was taken")
	}
	if err := again.Restore("round", []byte("{")); err != nil {
		t.Errorf("another kind: %v", err)
	}
}

// What the ledger does not take is not shown, and comes when it takes it.
func TestAFullLedger(t *testing.T) {
	h := newHall(t, "cantabria-2010", four, room.Options{})
	if err := h.assign("ana", "R1", "R2", "R3"); err != nil {
		t.Fatal(err)
	}
	h.ledger.Fail(errors.New("no space left on device"))
	if err := h.assign("ana", "R1"); err == nil || len(h.Status().Assignments[0].Tables) != 3 {
		t.Errorf("%v, %+v", err, h.Status().Assignments)
	}
	h.rec["R2"] = room.RecordingDown
	h.look(t.Context())
	for _, x := range h.Status().Findings {
		if x.Code != finding.NoJefe {
			t.Errorf("shown before it was written: %+v", x)
		}
	}
	h.ledger.Fail(nil)
	h.look(t.Context())
	if got := h.raised(); !slices.Contains(got, "recording_required R2") {
		t.Errorf("alerts %v", got)
	}
}

func TestATableThatTheNormDoesNotKnow(t *testing.T) {
	b := books.Shipped(t)
	_, err := New(
		Config{
			Judge:     supervision.Hall{Books: b},
			Say:       explain.Duties{Books: b}.Say,
			Tables:    []room.Place{{ID: "X", Game: "ajedrez", Norm: "cantabria-2010"}},
			Recording: func(string) room.Recording { return room.RecordingOK },
		},
	)
	if err == nil || !strings.Contains(err.Error(), "ajedrez") {
		t.Errorf("got %v", err)
	}
}

// Whatever people do, no assignment stands that the norm forbade when it was
// made; what is written can be judged again with the same verdict; a restart
// brings back the same room.
func TestWhateverPeopleDo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newHall(t, "cantabria-2010", four+"; B1 blackjack 7; B2 blackjack 8; P1 punto_banco/mini 9; C1 dados_craps", room.Options{})
		ids := []string{"R1", "R2", "R3", "R4", "B1", "B2", "P1", "C1"}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			id := rapid.SampledFrom(ids).Draw(rt, "table")
			switch rapid.IntRange(0, 3).Draw(rt, "do") {
			case 0, 1:
				tables := rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 0, 5, rapid.ID).Draw(rt, "tables")
				jefe := rapid.SampledFrom([]string{"ana", "luis"}).Draw(rt, "jefe")
				held := h.Floor.state.Of(jefe)
				st, err := h.Assign(t.Context(), "d", jefe, tables, true)
				more := slices.ContainsFunc(tables, func(x string) bool { return !slices.Contains(held, x) })
				for _, x := range st.Findings {
					if err == nil && more && x.Jefe == jefe {
						rt.Fatalf("allowed %v although %s", tables, x.ES)
					}
				}
			case 2:
				_, _ = h.SetDuty(t.Context(), "d", id, room.Duty{Open: rapid.Bool().Draw(rt, "open")})
			default:
				h.rec[id] = rapid.SampledFrom([]room.Recording{"ok", "degraded", "down", "none"}).Draw(rt, "recording")
			}
			h.look(t.Context())
			h.now = h.now.Add(time.Second)
		}
		rejudge(rt, h)
		want := h.Status()
		findings := h.raised()
		jefes := map[string]bool{}
		for _, x := range want.Findings {
			jefes[x.Jefe] = true
		}
		for _, a := range want.Assignments {
			if a.Allowed == jefes[a.Jefe] {
				rt.Fatalf("%s is allowed: %v, findings %+v", a.Jefe, a.Allowed, want.Findings)
			}
		}
		if h.Floor.state.Used && len(findings) != len(want.Findings) {
			rt.Fatalf("alerts %v for findings %+v", findings, want.Findings)
		}
		again := &hall{t: t, now: h.now, rec: maps.Clone(h.rec), ledger: h.ledger}
		again.open("cantabria-2010", four+"; B1 blackjack 7; B2 blackjack 8; P1 punto_banco/mini 9; C1 dados_craps", room.Options{})
		for _, e := range h.ledger.Entries {
			if err := again.Restore(e.Kind, e.Payload); err != nil {
				rt.Fatal(err)
			}
		}
		if !sameFindings(again.Status().Findings, want.Findings) {
			rt.Fatalf("after a restart %+v; want %+v", again.Status().Findings, want.Findings)
		}
	})
}

// rejudge checks that the ledger's records give the verdicts beside them.
func rejudge(rt *rapid.T, h *hall) {
	b := books.Shipped(rt)
	for _, e := range h.ledger.Entries {
		if e.Kind != Entry {
			continue
		}
		var s struct {
			Records  []json.RawMessage
			Verdicts []room.Verdict
		}
		if err := json.Unmarshal(e.Payload, &s); err != nil {
			rt.Fatal(err)
		}
		for i, raw := range s.Records {
			rec, err := room.Parse(raw)
			if err != nil {
				rt.Fatalf("%v: %s", err, raw)
			}
			v, err := supervision.Check(b, rec)
			if err != nil {
				rt.Fatal(err)
			}
			v.Findings = slices.DeleteFunc(v.Findings, func(x room.Finding) bool { return x.Code == finding.StaffMissing })
			got, _ := json.Marshal(v)
			want, _ := json.Marshal(s.Verdicts[i])
			if string(got) != string(want) {
				rt.Fatalf("judged again %s; written %s", got, want)
			}
		}
	}
}

func TestRunLooksByItself(t *testing.T) {
	b := books.Shipped(t)
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		lost := false
		desk := alert.NewDesk(alert.Config{Ledger: &paper.Ledger{}})
		p := func(n int) *int { return &n }
		f, err := New(
			Config{
				Judge:  supervision.Hall{Books: b},
				Say:    explain.Duties{Books: b}.Say,
				Ledger: &paper.Ledger{},
				Desk:   desk,
				Settle: time.Nanosecond,
				Tables: []room.Place{
					{ID: "R1", Game: "ruleta_francesa", Norm: "cantabria-2010", Position: p(1), Duty: room.Duty{Open: true}},
					{ID: "R2", Game: "ruleta_francesa", Norm: "cantabria-2010", Position: p(2), Duty: room.Duty{Open: true}},
				},
				Recording: func(string) room.Recording {
					mu.Lock()
					defer mu.Unlock()
					if lost {
						return room.RecordingDown
					}
					return room.RecordingOK
				},
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- f.Run(ctx) }()
		if _, err := f.Assign(ctx, "d", "ana", []string{"R1", "R2"}, false); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		lost = true
		mu.Unlock()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if n := len(desk.List(nil)); n != 2 {
			t.Fatalf("%d alerts", n)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// A minimum that changes is judged when it does (Cantabria 2010, A.5).
func TestTheMinimumIsLookedAfter(t *testing.T) {
	h := newHall(t, "cantabria-2010", "B1 boule 1; B2 boule 2", room.Options{})
	h.lows = map[string]int{"B1": 200, "B2": 400}
	if err := h.assign("ana", "B1"); err != nil {
		t.Fatal(err)
	}
	h.look(t.Context())
	before := h.raised()
	h.lows["B1"] = 400
	h.look(t.Context())
	if got := h.raised(); !slices.Contains(got, "minimum_not_offered") || slices.Contains(before, "minimum_not_offered") {
		t.Errorf("before %v, then %v", before, got)
	}
	h.lows["B2"] = 200
	h.look(t.Context())
	if got := h.raised(); slices.Contains(got, "minimum_not_offered") {
		t.Errorf("at the minimum again: %v", got)
	}
}
