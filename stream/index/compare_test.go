package index

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/stream/ledger"
)

func of(l *ledger.Ledger) func(uint64) iter.Seq2[ledger.Entry, error] {
	return func(after uint64) iter.Seq2[ledger.Entry, error] { return ledger.Read(l.Dir(), after) }
}

// Whatever is changed in the index by hand is found, with the node running on it and without;
// an untouched one is as the ledger makes it.
func TestCompareFindsWhatWasDone(t *testing.T) {
	cases := map[string]struct{ do, want string }{
		"untouched":           {"", ""},
		"rounds gone":         {"DELETE FROM rounds", "table rounds: 3 rows missing"},
		"a round gone":        {"DELETE FROM rounds WHERE id = 'r2'", "id='r2' tbl='bj1'"},
		"a round invented":    {"INSERT INTO rounds (id, tbl, time, game, norm) VALUES ('r9', 'bj1', 1, 'blackjack', '')", "rounds: 1 row added (id='r9' tbl='bj1')"},
		"a round not void":    {"UPDATE rounds SET void = 0 WHERE tbl = 'ru1'", "rounds: 1 row altered (id='r1' tbl='ru1')"},
		"a verdict forgotten": {"UPDATE rounds SET verdict = NULL WHERE tbl = 'ru1'", "rounds: 1 row altered"},
		"a round renamed":     {"UPDATE rounds SET id = 'r3' WHERE id = 'r2'", "rounds: 1 row added"},
		"a finding gone":      {"DELETE FROM findings WHERE code = 'payout_under'", "findings: 1 row missing"},
		"a finding invented":  {"INSERT INTO findings VALUES (2, 'late_bet')", "findings: 1 row added"},
		"an alert closed":     {"UPDATE alerts SET state = 'resolved'", "alerts: 1 row altered (id='a1')"},
		"an alert's text":     {"UPDATE alerts SET body = '{}'", "alerts: 1 row altered"},
		"alerts gone":         {"DELETE FROM alerts", "alerts: 1 row missing"},
		"an entry gone":       {"DELETE FROM entries WHERE seq = 2", "entries: 1 row missing (seq=2)"},
		"an entry's payload":  {"UPDATE entries SET payload = '{}' WHERE seq = 8", "entries: 1 row altered (seq=8)"},
		"an entry to come":    {"INSERT INTO entries VALUES (999, 1, 'operator', '', '', '{}')", "entries: 1 row added (seq=999)"},
		"a note invented":     {"INSERT INTO notes VALUES (5, 'a1', 'ana', 1, 'nothing')", "notes: 1 row added"},
		"a review invented":   {"INSERT INTO reviews VALUES ('a1', 'ana', 1)", "reviews: 1 row added"},
		"a mark invented":     {"INSERT INTO marks VALUES ('bj1/main', 1, 'ana', '')", "marks: 1 row added"},
		"cards changed":       {"INSERT INTO plays VALUES ('bj1', 'r1', 99, 1, 'Td', 0)", "plays: 1 row added"},
		"a trigger planted":   {"CREATE TRIGGER t AFTER INSERT ON rounds BEGIN DELETE FROM rounds; END", "schema: 1 row added (type='trigger' name='t')"},
		"a table replaced":    {"DROP TABLE notes; CREATE VIEW notes AS SELECT 1 AS seq", "schema: 1 row added (type='view' name='notes')"},
		"a table gone":        {"DROP TABLE entries", "type='table' name='entries'"},
		"an index gone":       {"DROP INDEX rounds_time", "schema: 1 row missing"},
		"called older":        {"PRAGMA user_version = 4", "schema: 1 row altered (user_version=4)"},
		"text for a number":   {"UPDATE rounds SET findings = 'none' WHERE id = 'r2'", "rounds: 1 row altered"},
	}
	for name, c := range cases {
		for _, running := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, running %v", name, running), func(t *testing.T) {
				l, x := setup(t)
				evening(t, l)
				if err := x.CatchUp(t.Context()); err != nil {
					t.Fatal(err)
				}
				if _, err := x.write.ExecContext(t.Context(), c.do); err != nil {
					t.Fatal(err)
				}
				if !running {
					if err := x.Close(); err != nil {
						t.Fatal(err)
					}
				}
				before := beside(t, x.path)
				got, err := Compare(t.Context(), x.path, of(l))
				if err != nil {
					t.Fatal(err)
				}
				if said := fmt.Sprint(got); c.want == "" && len(got) > 0 || !strings.Contains(said, c.want) {
					t.Errorf("%s; want %q", said, c.want)
				}
				if after := beside(t, x.path); before != after {
					t.Errorf("files are %s, were %s", after, before)
				}
			})
		}
	}
}

// beside names what lies in the index's folder.
func beside(t *testing.T, path string) string {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(list)
}

// An index behind the ledger, of another version, absent, or copied with its log of writes
// is no fault; one that is no database is.
func TestCompareKnowsWhatIsLawful(t *testing.T) {
	l, x := setup(t)
	compare := func(path string) string {
		t.Helper()
		got, err := Compare(t.Context(), path, of(l))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(got)
	}
	if got := compare(x.path); got != "[]" {
		t.Errorf("empty: %s", got)
	}
	evening(t, l)
	if err := x.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	evening(t, l)
	if got := compare(x.path); got != "[]" {
		t.Errorf("behind: %s", got)
	}
	if got := compare(x.path + "-nowhere"); got != "[]" {
		t.Errorf("absent: %s", got)
	}
	copied := filepath.Join(t.TempDir(), "copied")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(copied+suffix, x.path+suffix); err != nil {
			t.Fatal(err)
		}
	}
	if got := compare(copied); got != "[]" {
		t.Errorf("copied with its log: %s", got)
	}
	if list := beside(t, copied); strings.Contains(list, "-shm") {
		t.Errorf("a file was made: %s", list)
	}
	if _, err := x.write.ExecContext(t.Context(), "PRAGMA user_version = 4; ALTER TABLE marks DROP COLUMN text"); err != nil {
		t.Fatal(err)
	}
	if got, err := Compare(t.Context(), x.path, of(l)); err != nil || len(got) != 1 || got[0].What != Outdated {
		t.Errorf("of another version: %v, %v", got, err)
	}
	for name, text := range map[string]string{"text": strings.Repeat("no database at all. ", 400), "cut off": "SQLite format 3\x00"} {
		path := filepath.Join(t.TempDir(), "index.db")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Compare(t.Context(), path, of(l)); err != nil || len(got) != 1 || got[0].What != Unreadable {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(ctx, x.path, of(l)); err == nil {
		t.Error("an interrupted comparison finds nothing")
	}
}

// While the node goes on writing nothing is called otherwise that is not.
func TestCompareBesideARunningNode(t *testing.T) {
	l, x := setup(t)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				evening(t, l)
				if err := x.CatchUp(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	for range 8 {
		if got, err := Compare(t.Context(), x.path, of(l)); err != nil || len(got) > 0 {
			t.Fatalf("%v, %v", got, err)
		}
	}
	close(stop)
	<-done
}

// Damage within the file never ends the program, and never passes for what the ledger makes.
func FuzzCompare(f *testing.F) {
	for _, at := range []int{0, 18, 100, 4096, 5000, 20000} {
		f.Add(at, byte(0xff))
	}
	l, x := setup(f)
	evening(f, l)
	if err := x.CatchUp(f.Context()); err != nil {
		f.Fatal(err)
	}
	if err := x.Close(); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(x.path)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, at int, flip byte) {
		path := filepath.Join(t.TempDir(), "index.db")
		raw := append([]byte(nil), whole...)
		raw[uint(at)%uint(len(raw))] ^= flip
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Compare(t.Context(), path, of(l))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > 0 {
			return
		}
		address, err := readable(path, "")
		if err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", address)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var n int
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM rounds WHERE id IN ('r1', 'r2')").Scan(&n); err != nil || n != 3 {
			t.Errorf("%d rounds, %v: and nothing is found", n, err)
		}
	})
}
