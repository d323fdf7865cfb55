package node

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/stream/alert"
	"vision/stream/ledger"
)

// A node that is stopped leaves its past; one that starts goes on from it, with
// the alert that was open and whoever supervised.
func TestAStartGoesOnFromTheCheckpoint(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	n, stop := h.run()
	if err := n.desk.Raise(t.Context(), alert.Alert{ID: "R1/x", Table: "R1", Code: "payout_under", Severity: "major"}); err != nil {
		t.Fatal(err)
	}
	stop()
	data := filepath.Join(h.dir, "data")
	l, err := ledger.Open(filepath.Join(data, "ledger"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(data, "past"))
	if err != nil || !strings.Contains(string(kept), `"head":"`+l.Head().String()+`"`) {
		t.Fatalf("after the stop, at %s: %.100s, %v", l.Head(), kept, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	h.run()
	list := h.alerts()
	if len(list) != 1 || list[0].ID != "R1/x" {
		t.Errorf("alerts %+v", list)
	}
}
