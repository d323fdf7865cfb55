package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vision/stream/ledger"
	"vision/stream/record"
)

func TestMain(m *testing.M) {
	// database/sql keeps an opener per handle until Close; the tests close all.
	goleak.VerifyTestMain(m)
}

var begin = time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)

// setup makes a ledger whose clock goes a second per entry, and its index.
func setup(t testing.TB) (*ledger.Ledger, *Index) {
	t.Helper()
	now := begin
	l, err := ledger.Open(
		filepath.Join(t.TempDir(), "ledger"),
		ledger.Options{Now: func() time.Time { now = now.Add(time.Second); return now }},
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l, open(t, filepath.Join(t.TempDir(), "a b", "index.db"), l)
}

func open(t testing.TB, path string, l *ledger.Ledger) *Index {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), path, l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func put(t testing.TB, l *ledger.Ledger, kind ledger.Kind, table, payload string) {
	t.Helper()
	if _, err := l.Append(kind, table, json.RawMessage(payload)); err != nil {
		t.Fatal(err)
	}
}

// evening appends one of everything.
func evening(t testing.TB, l *ledger.Ledger) {
	t.Helper()
	put(t, l, ledger.Round, "bj1", `{"schema":"round/1","id":"r1","norm":"cantabria-2010","game":"blackjack"}`)
	put(t, l, ledger.Verdict, "bj1", `{"schema":"verdict/1","id":"r1","norm":"cantabria-2010","game":"blackjack","void":false,"findings":[
		{"code":"payout_under","severity":"major","seat":2,"delta":-500},{"code":"announcement_missing","severity":"minor"}]}`)
	put(t, l, ledger.Round, "ru1", `{"id":"r1","norm":"cantabria-2010","game":"roulette"}`)
	put(t, l, ledger.Verdict, "ru1", `{"id":"r1","game":"roulette","void":true,"findings":[]}`)
	put(t, l, ledger.Round, "bj1", `{"id":"r2","game":"blackjack"}`)
	put(t, l, ledger.Alert, "bj1", `{"id":"a1","state":"open","code":"payout_under","severity":"major"}`)
	put(t, l, ledger.Alert, "bj1", `{"id":"a1","state":"acknowledged","by":"ana"}`)
	put(t, l, ledger.Operator, "", `{"user":"ana"}`)
	put(t, l, ledger.Verdict, "bj1", `"not a verdict"`)
	seg := record.Segment{
		Camera: record.Camera{Table: "bj1", Camera: "main"},
		From:   begin,
		To:     begin.Add(time.Minute),
		Bytes:  7,
		File:   "bj1/main/x.mp4",
	}
	for kind, p := range map[ledger.Kind]any{ledger.Segment: record.SegmentNote{Segment: seg, SHA256: "ab"}} {
		if _, err := l.Append(kind, "bj1", p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Append(ledger.Retention, "bj1", record.RemovalNote{Segment: seg, Why: "age"}); err != nil {
		t.Fatal(err)
	}
}

// answers asks everything, as one comparable text.
func answers(t testing.TB, x *Index) string {
	t.Helper()
	ctx, q := t.Context(), Query{Limit: 1000}
	e, err1 := x.Entries(ctx, q)
	r, err2 := x.Rounds(ctx, q)
	a, err3 := x.Alerts(ctx, q)
	b, err4 := json.Marshal([]any{e, r, a})
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestQueries(t *testing.T) {
	l, x := setup(t)
	evening(t, l)
	ctx := t.Context()
	if err := x.CatchUp(ctx); err != nil {
		t.Fatal(err)
	}
	rounds, err := x.Rounds(ctx, Query{Table: "bj1", Oldest: true})
	if err != nil || len(rounds) != 2 || rounds[0].ID != "r1" || rounds[0].Findings != 2 || !rounds[0].Judged ||
		rounds[0].Round != 1 ||
		rounds[0].Verdict != 2 ||
		rounds[1].Judged {
		t.Errorf("rounds %+v %v", rounds, err)
	}
	if rounds, _ = x.Rounds(ctx, Query{Findings: true}); len(rounds) != 1 {
		t.Errorf("rounds with findings %+v", rounds)
	}
	if rounds, _ = x.Rounds(ctx, Query{Table: "ru1"}); len(rounds) != 1 || !rounds[0].Void {
		t.Errorf("void round %+v", rounds)
	}
	if rounds, _ = x.Rounds(ctx, Query{Code: "announcement_missing"}); len(rounds) != 1 || rounds[0].ID != "r1" {
		t.Errorf("rounds with a code %+v", rounds)
	}
	alerts, err := x.Alerts(ctx, Query{State: "acknowledged", Code: "payout_under"})
	if err != nil || len(alerts) != 1 || !alerts[0].Changed.After(alerts[0].Opened) || alerts[0].Seq != 7 {
		t.Errorf("alerts %+v %v", alerts, err)
	}
	entries, err := x.Entries(
		ctx,
		Query{Kind: ledger.Round, From: begin.Add(2 * time.Second), To: begin.Add(5 * time.Second)},
	)
	if err != nil || len(entries) != 1 || entries[0].Seq != 3 {
		t.Errorf("entries %+v %v", entries, err)
	}
	if entries, _ = x.Entries(ctx, Query{Limit: 3, Offset: 1}); len(entries) != 3 || entries[0].Seq != 10 {
		t.Errorf("page %+v", entries)
	}
	if e, err := x.Entry(ctx, 8); err != nil || e.Kind != ledger.Operator {
		t.Errorf("%+v %v", e, err)
	}
	if _, err := x.Entry(ctx, 99); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("entry 99: %v", err)
	}
}

func TestRebuiltIndexIsTheSame(t *testing.T) {
	l, x := setup(t)
	evening(t, l)
	if err := x.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := answers(t, x)
	if err := x.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := answers(t, x); got != want {
		t.Errorf("rebuilt:\n%s\nwas:\n%s", got, want)
	}
}

func TestOpenMendsWhatItFinds(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"nothing wrong": func(string) error { return nil },
		"removed":       os.Remove,
		"garbage": func(p string) error {
			return os.WriteFile(p, []byte("this is not a database, by any means at all"), 0o640)
		},
		"other version": func(p string) error {
			db, err := sql.Open("sqlite", p)
			if err != nil {
				return err
			}
			_, err = db.Exec("PRAGMA user_version = 99")
			return errors.Join(err, db.Close())
		},
		"other ledger": func(p string) error {
			db, err := sql.Open("sqlite", p)
			if err != nil {
				return err
			}
			_, err = db.Exec("UPDATE entries SET hash = 'x'")
			return errors.Join(err, db.Close())
		},
		"beyond the ledger": func(p string) error {
			db, err := sql.Open("sqlite", p)
			if err != nil {
				return err
			}
			_, err = db.Exec("INSERT INTO entries SELECT 1000, time, kind, tbl, hash, payload FROM entries WHERE seq = 1")
			return errors.Join(err, db.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, x := setup(t)
			evening(t, l)
			if err := x.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := answers(t, x)
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			if err := spoil(x.path); err != nil {
				t.Fatal(err)
			}
			if got := answers(t, open(t, x.path, l)); got != want {
				t.Errorf("after opening:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestRunFollows(t *testing.T) {
	l, x := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- x.Run(ctx) }()
	deadline := time.Now().Add(3 * time.Minute)
	for i := range 20 {
		put(t, l, ledger.Round, "bj1", fmt.Sprintf(`{"id":"r%d"}`, i))
		for {
			rounds, err := x.Rounds(t.Context(), Query{})
			if err != nil {
				t.Fatal(err)
			}
			if len(rounds) == i+1 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d of %d rounds", len(rounds), i+1)
			}
			time.Sleep(time.Millisecond)
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func BenchmarkCatchUp(b *testing.B) {
	l, x := setup(b)
	const n = 600
	for i := range n {
		put(b, l, ledger.Verdict, "bj1", fmt.Sprintf(`{"id":"r%d","findings":[{"code":"payout_under","severity":"major"}]}`, i))
	}
	for b.Loop() {
		if err := x.Rebuild(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}
