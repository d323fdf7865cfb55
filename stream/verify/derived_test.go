package verify

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vision/stream/index"
	"vision/stream/ledger"
)

// indexed is a node's data folder with an index of some rounds and alerts.
func indexed(t *testing.T) string {
	t.Helper()
	dir := node(t)
	l, err := ledger.Open(filepath.Join(dir, LedgerDir), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, e := range []struct {
		kind    ledger.Kind
		payload map[string]any
	}{
		{ledger.Round, map[string]any{"id": "r1", "game": "blackjack"}},
		{ledger.Verdict, map[string]any{"id": "r1", "game": "blackjack", "findings": []any{map[string]any{"code": "payout_under"}}}},
		{ledger.Alert, map[string]any{"id": "a1", "state": "open"}},
	} {
		if _, err := l.Append(e.kind, "bj1", e.payload); err != nil {
			t.Fatal(err)
		}
	}
	x, err := index.Open(t.Context(), filepath.Join(dir, index.File), l)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What is changed in the index by hand is no longer as it was written.
func TestTheIndexIsComparedWithTheLedger(t *testing.T) {
	for do, want := range map[string]string{
		"":                                     "",
		"DELETE FROM rounds":                   "table rounds: 1 row missing",
		"UPDATE alerts SET state = 'resolved'": "table alerts: 1 row altered (id='a1')",
		"DELETE FROM findings":                 "table findings: 1 row missing",
	} {
		t.Run(do, func(t *testing.T) {
			dir := indexed(t)
			db, err := sql.Open("sqlite", filepath.Join(dir, index.File))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.ExecContext(t.Context(), do); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := Dir(dir, Options{})
			if err != nil || r.OK != (want == "") || !strings.Contains(fmt.Sprint(r.Index), want) {
				t.Errorf("ok %v, %v, %v; want %q", r.OK, r.Index, err, want)
			}
		})
	}
}
