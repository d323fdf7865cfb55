package index

import (
	"testing"
	"time"

	"vision/stream/ledger"
)

// Marks are found by camera and time; who set one takes it back, nobody else's.
func TestMarks(t *testing.T) {
	l, x := setup(t)
	at := time.Date(2026, 4, 1, 20, 0, 0, 120e6, time.UTC)
	m := Mark{Camera: "bj@1", At: at} // a camera's name may hold what parts it from the time
	for _, s := range []string{
		`{"user":"ana","action":"mark","object":"` + m.Object() + `","text":"mira"}`,
		`{"user":"luis","action":"mark","object":"` + m.Object() + `"}`,
		`{"user":"ana","action":"mark","object":"r1@2026-04-01T20:00:00Z"}`,
		`{"user":"luis","action":"unmark","object":"` + m.Object() + `"}`,
		`{"user":"ana","action":"mark","object":"bj@1"}`, `{"user":"ana","action":"mark","object":"@2026-04-01T20:00:00Z"}`,
	} {
		put(t, l, ledger.Operator, "", s)
	}
	if err := x.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := x.Marks(t.Context(), Query{Camera: "bj@1", From: at, To: at.Add(time.Second)})
	if want := (Mark{Camera: "bj@1", At: at, Person: "ana", Text: "mira"}); err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if got, err := x.Marks(t.Context(), Query{Camera: "bj@1", To: at}); err != nil || len(got) != 0 {
		t.Errorf("before it: %+v, %v", got, err)
	}
	if all, err := x.Marks(t.Context(), Query{}); err != nil || len(all) != 2 {
		t.Errorf("all: %+v, %v", all, err)
	}
}
